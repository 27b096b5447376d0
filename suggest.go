package weft

import (
	"context"
	"io"
	"io/fs"

	"weft/internal/project/fleet"
	"weft/internal/project/suggest"
)

// SuggestOptions says what was edited, and how the output comes about.
type SuggestOptions struct {
	// FS has the files. All paths are in it, and follow the rules of io/fs.
	FS fs.FS

	// Root is the folder of FS with the files that may change; "" means all. Others count as read by others.
	Root string

	// Project is the path of weft.yml; "" means that Options names the inputs.
	Project string

	// Engines render the charts and kustomizations of the project. Without them, it must not have any.
	Engines *Engines

	// AllowOutside are prefixes of URLs that the project may fetch. The default is none.
	AllowOutside []string

	// Environment is the name of the environment whose output was edited; "" for a project without any.
	Environment string

	// Options are those of Render. With a Project, they are added to its settings. If Keep keeps something,
	// and Edited is one file with all documents, its text is compared byte for byte.
	Options Options

	// Edited are the edited documents, as files. The order of documents does not count. It is nil if Set
	// has all changes.
	Edited []File

	// Select selects the documents that were edited, if Edited has only these. It takes what diff takes.
	Select []string

	// Set are changes of single values: DOCUMENT:PATH=VALUE, such as Deployment/web:spec.replicas=5.
	// DOCUMENT:PATH[+]=VALUE adds an item to a list, and DOCUMENT:PATH- removes what is there.
	Set []string

	// Live says whether Edited are objects of a cluster.
	Live SuggestLive

	// As limits what is changed.
	As SuggestForm

	// Secrets says what is hidden in reports.
	Secrets Secrets

	// All finds all suggestions, not only the best one. Write lists them as JSON.
	All bool

	// Show returns a path as people see it; nil shows it as it is.
	Show func(path string) string
}

// SuggestForm is what a suggestion may change.
type SuggestForm uint8

// The forms of suggestions.
const (
	SuggestAuto     = SuggestForm(suggest.Auto)     // data values and literals, and overlays for everything else
	SuggestValues   = SuggestForm(suggest.Values)   // data values only
	SuggestOverlay  = SuggestForm(suggest.Overlay)  // a new overlay
	SuggestOverride = SuggestForm(suggest.Override) // a new override
)

// SuggestLive says whether edited documents are objects of a cluster, as kubectl get -o yaml prints them. What
// the cluster adds to them, such as their status, does not count, and neither do objects that are not rendered.
type SuggestLive uint8

// The ways to read edited documents.
const (
	SuggestRendered    = SuggestLive(suggest.NotLive)     // they are what weft renders, with changes
	SuggestLiveObjects = SuggestLive(suggest.LiveObjects) // objects of a cluster; Secrets are ignored
	SuggestLiveSecrets = SuggestLive(suggest.LiveSecrets) // objects of a cluster, also Secrets
)

// SuggestReport is how the sources have to change to give an edited output.
type SuggestReport struct{ report suggest.Report }

// Suggest finds the change of the sources that gives an edited output, and proves it by rendering. It writes
// nothing. If the project cannot be rendered, or the edited documents cannot be read, the error is an *Error.
func Suggest(ctx context.Context, opts SuggestOptions) (*SuggestReport, error) {
	in, err := opts.input(ctx)
	if err != nil {
		return nil, public(err)
	}
	r, err := suggest.Find(ctx, in)
	if err != nil {
		return nil, public(err)
	}
	return &SuggestReport{*r}, nil
}

// Editable returns the documents that SuggestOptions are about as YAML, for an editor: those that Select
// selects, or all.
func Editable(ctx context.Context, opts SuggestOptions) ([]byte, error) {
	in, err := opts.input(ctx)
	if err != nil {
		return nil, public(err)
	}
	text, err := suggest.Text(ctx, in)
	return text, public(err)
}

// input returns the options in the form of other packages.
func (opts *SuggestOptions) input(ctx context.Context) (suggest.Input, error) {
	rules, err := opts.Secrets.rules()
	in := suggest.Input{
		FS: opts.FS, Root: opts.Root, Project: opts.Project, Engines: enginesOf(ctx, opts.Engines), Env: opts.Environment,
		Options: opts.Options.options(), Given: fleet.GivenOf(ctx), Select: opts.Select, Set: opts.Set,
		As: suggest.Form(opts.As), Live: suggest.Live(opts.Live), Rules: rules, All: opts.All, Show: opts.Show,
	}
	in.AllowOutside = opts.AllowOutside
	in.Exact = opts.Options.Keep != 0 && opts.Options.Keep != KeepNothing && opts.Live == SuggestRendered
	for _, f := range opts.Edited {
		in.Edited = append(in.Edited, suggest.File{Path: f.Path, Data: f.Data})
	}
	return in, err
}

// Same reports whether nothing was edited.
func (r *SuggestReport) Same() bool { return r.report.Changes == 0 }

// Found reports whether there is a suggestion.
func (r *SuggestReport) Found() bool { return r.report.Best() != nil }

// SourceChange is a file before and after a change. Path is below SuggestOptions.Root. Old is nil if the file is new.
type SourceChange struct {
	Path     string
	Old, New []byte
}

// Files returns the files that the suggestion changes, sorted by path.
func (r *SuggestReport) Files() (list []SourceChange) {
	if p := r.report.Best(); p != nil {
		for _, f := range p.Files {
			list = append(list, SourceChange(f))
		}
	}
	return list
}

// Write writes the suggestion as Text, as JSON with everything that is known about it, or as a Patch of the
// sources. A patch cannot hide secrets: one that would show them is an error, unless Secrets.Show is set.
func (r *SuggestReport) Write(w io.Writer, how ReportOptions) error {
	return how.write(w, writers{
		Text: r.report.WriteText,
		JSON: r.report.WriteJSON,
		Patch: func(w io.Writer) error {
			out, err := r.report.Patch()
			if err != nil {
				return public(err)
			}
			return written(w, out)
		},
	})
}

// WriteFiles writes the changed files below a directory, which must be that of SuggestOptions.Root. Each file is
// replaced atomically. If one has changed since it was read, nothing is written.
func (r *SuggestReport) WriteFiles(ctx context.Context, dir string) error {
	if p := r.report.Best(); p != nil {
		return public(p.Write(ctx, dir))
	}
	return nil
}
