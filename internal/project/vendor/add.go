package vendor

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/outdir"
	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/project"
	"weft/internal/rewrite/overrides"
)

// Addition is a source to add to weft.yml.
type Addition struct {
	Name    string
	Source  string // a URL or a path: see KindOf
	Version string // a version or a range; "" means the newest, and what is compatible with it
	Paths   []string
	Chart   string // the name of a chart in a repository of charts, or ""
}

// KindOf returns the key of weft.yml that a source belongs to, and its value: git+URL, chart+URL, oci://REF,
// the URL of a git repository or of a file, or a path.
func KindOf(text string) (kind, value string) {
	for prefix, kind := range map[string]string{
		"git+": "git", "chart+": "chart", "http+": "http", "dir+": "dir",
	} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return kind, rest
		}
	}
	scheme, rest, isURL := strings.Cut(text, "://")
	host, path, _ := strings.Cut(rest, "/")
	forge := host == "github.com" || host == "gitlab.com" || host == "codeberg.org" || host == "bitbucket.org"
	user, _, scp := strings.Cut(text, ":")
	switch {
	case scheme == "oci" && isURL:
		return "oci", rest
	case isURL && (scheme == "ssh" || strings.HasSuffix(path, ".git") || forge && strings.Count(path, "/") == 1):
		return "git", text
	case isURL && scheme == "file":
		return "git", text
	case isURL:
		return "http", text
	case scp && strings.Contains(user, "@") && !strings.Contains(user, "/"):
		return "git", text
	}
	return "dir", filepath.ToSlash(text)
}

// Add adds a source to weft.yml, fetches it, and locks it. It returns the candidate that was written.
func (v *Vendor) Add(ctx context.Context, a Addition, opts Options) (*Candidate, error) {
	if err := v.mayAdd(a.Name); err != nil {
		return nil, err
	}
	kind, value := KindOf(a.Source)
	if kind == "dir" { // the path is relative to the current directory, and weft.yml to its own
		rel, err := filepath.Rel(v.dir(), value)
		if err != nil {
			return nil, diag.Failf(project.CodePath, "'%s': %s", value, err)
		}
		value = filepath.ToSlash(rel)
	}
	fields := []field{{kind, value}}
	if a.Chart != "" {
		fields = append(fields, field{"name", a.Chart})
	}
	if a.Version != "" {
		fields = append(fields, field{"version", a.Version})
	}
	if len(a.Paths) > 0 {
		fields = append(fields, field{"paths", a.Paths})
	}
	with, err := v.with(ctx, a.Name, fields)
	if err != nil {
		return nil, err
	}
	list, err := with.Candidates(ctx, []Want{{Name: a.Name}}, false, opts)
	if err != nil {
		return nil, withoutPlaces(err) // which would be in a file that is not written
	}
	if a.Version == "" && list[0].New.Version != "" {
		fields = append(fields, field{"version", compatible(list[0].New.Version)})
		if with, err = v.with(ctx, a.Name, fields); err != nil {
			return nil, err
		}
	}
	return &list[0], with.Write(ctx, list)
}

// Declare adds the key `vendor` to weft.yml, as text with its comments. Nothing is fetched.
func (v *Vendor) Declare(ctx context.Context, text []byte) error {
	if len(v.Sources) > 0 {
		return diag.Failf(CodeLock, "%s has sources already", v.Project.Path()).
			WithHint("add the new ones by hand: without --write they are printed")
	}
	old := textOf(v.Project)
	if !bytes.HasSuffix(old, []byte("\n")) {
		old = append(slices.Clone(old), '\n')
	}
	p, err := project.Open(project.Options{Path: v.Project.Path(), Text: append(slices.Clone(old), text...)})
	if err != nil {
		return diag.Failf(CodeLock, "the sources cannot be added at the end of %s: %s", v.Project.Path(),
			reasons(err)).WithHint("add them by hand: without --write they are printed")
	}
	hold, err := v.hold(ctx)
	if err != nil {
		return err
	}
	defer hold.Release()
	with := &Vendor{Project: p, before: v.Project}
	return with.replaceProject(ctx, hold)
}

// reasons returns the messages of an error without their places.
func reasons(err error) string {
	var all []string
	for _, d := range diag.FailureOf(err).List {
		all = append(all, d.Message)
	}
	return strings.Join(all, "; ")
}

// withoutPlaces returns an error without the places of its diagnostics.
func withoutPlaces(err error) error {
	for _, d := range diag.FailureOf(err).List {
		d.At = source.Span{}
	}
	return err
}

// mayAdd returns an error if a name cannot be that of a new source.
func (v *Vendor) mayAdd(name string) error {
	if !project.IsName(name) {
		return diag.Failf(CodeLock, "'%s' cannot be the name of a source", diag.Shortened(name)).
			WithHint("names have letters, digits, '.', '_' and '-': weft vendor add NAME SOURCE")
	}
	if _, err := v.Source(name); err == nil {
		return diag.Failf(CodeLock, "%s has a source '%s' already", v.Project.Path(), name).
			WithHint("update it: weft vendor update %s", diag.InShell(name))
	}
	return nil
}

// compatible returns the range of versions that are compatible with one.
func compatible(version string) string {
	if canonical(version) == "" {
		return version // a branch, or a tag that is not a version
	}
	numbers := release(canonical(version))
	if pre := strings.Contains(version, "-"); pre {
		return "^" + strings.TrimPrefix(version, "v")
	}
	return "^" + numbers[0] + "." + numbers[1]
}

// field is a key of a source and its value.
type field struct {
	key   string
	value any
}

// with returns the sources of the project after weft.yml got another one, or other fields of one. Nothing is
// written before Write.
func (v *Vendor) with(ctx context.Context, name string, fields []field) (*Vendor, error) {
	change := []field{{"vendor", object{{name, object(fields)}}}}
	if v.needsOtherDir() {
		change = append(change, field{"vendorDir", "upstream"})
	}
	text, err := v.changed(ctx, flow(object(change)))
	if err != nil {
		return nil, err
	}
	p, err := project.Open(project.Options{Path: v.Project.Path(), Text: text})
	if err != nil {
		return nil, err
	}
	before := v.Project
	if v.before != nil {
		before = v.before
	}
	return &Vendor{Project: p, Sources: p.Vendored(), Lock: v.Lock, before: before}, nil
}

// changed returns the text of the project file with overrides applied to it.
func (v *Vendor) changed(ctx context.Context, changes string) ([]byte, error) {
	res, err := overrides.Apply(ctx, overrides.Config{
		Inputs:    []string{"-"},
		Stdin:     bytes.NewReader(textOf(v.Project)),
		Overrides: []override.Argument{{Text: changes}},
		YAML:      yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core},
	})
	if err != nil {
		return nil, err
	}
	defer res.Close()
	var text bytes.Buffer
	_, err = res.WriteTo(&text)
	return text.Bytes(), err
}

// object is a mapping whose keys have an order.
type object []field

// flow returns a value as YAML on one line: a text, a list of texts, or an object.
func flow(value any) string {
	switch value := value.(type) {
	case []string:
		return list(value)
	case object:
		var entries []string
		for _, f := range value {
			entries = append(entries, project.Quote(f.key)+": "+flow(f.value))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case string:
		return project.Quote(value)
	}
	return "null"
}

// needsOtherDir reports whether the folder of sources would be the one that Go uses for its modules.
func (v *Vendor) needsOtherDir() bool {
	if filepath.Base(v.Project.VendorDir()) != "vendor" || len(v.Sources) > 0 {
		return false
	}
	_, err := os.Stat(filepath.Join(v.dir(), "go.mod"))
	return !errors.Is(err, fs.ErrNotExist)
}

// replaceProject writes the changed project file.
func (v *Vendor) replaceProject(ctx context.Context, hold *outdir.Hold) error {
	path, err := filepath.EvalSymlinks(v.before.Path())
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return diag.Failf(project.CodeFile, "cannot write '%s': %s", v.before.Path(), err)
	}
	return hold.Replace(ctx, []outdir.Replacement{{Path: path, Old: textOf(v.before), New: textOf(v.Project)}})
}

// textOf returns the text of a project file itself.
func textOf(p *project.Description) []byte {
	sources := p.Sources()
	return sources[len(sources)-1].Source.Data()
}
