package weft

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/fleet"
	"weft/internal/project/test"
)

// ProjectOptions selects the project to open.
type ProjectOptions struct {
	// Path is the project file. If it is empty, weft.yml is looked for in Dir and the directories
	// above it, up to a git repository or the home directory.
	Path string

	// Text, if not nil, is used instead of the project file at Path, which need not exist. Use it to try
	// out a project before writing it.
	Text []byte

	// Dir is where the search begins; "" means the current directory.
	Dir string

	// FS is the file system that the project is in, and its root is the root of the project; nil
	// means the disk.
	FS fs.FS

	// AllowOutside are paths outside the project's root that it may use, and prefixes of URLs that
	// it may fetch. The default is none.
	AllowOutside []string

	// Reads, if not nil, is called with each file and directory on disk that the project depends on,
	// before it is read.
	Reads func(path string)

	// Engines render the charts and kustomizations of the project. Without them, it must not have any.
	Engines *Engines
}

// ErrNoProject is what OpenProject returns if it finds no weft.yml.
var ErrNoProject = errors.New("no weft.yml in this directory or above it")

// Project is a weft.yml with everything that it extends. It is safe for concurrent use.
type Project struct {
	opened *project.Description   // nil in the zero value, which is an empty project
	given  func(flag string) bool // see fleet.WithGiven
}

// OpenProject reads a project file and lists its environments. If the file is wrong, the error is an
// *Error.
func OpenProject(ctx context.Context, opts ProjectOptions) (*Project, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	opened, err := project.Open(project.Options{
		Path: opts.Path, Text: opts.Text, Dir: opts.Dir, FS: opts.FS, AllowOutside: opts.AllowOutside,
		Reads: opts.Reads, Engines: enginesOf(ctx, opts.Engines),
	})
	if errors.Is(err, project.ErrNone) {
		return nil, ErrNoProject
	}
	if err != nil {
		return nil, public(err)
	}
	return &Project{opened, fleet.GivenOf(ctx)}, nil
}

// loaded returns the project that was opened, or an empty one.
func (p *Project) loaded() *project.Description {
	if p.opened == nil {
		return project.Empty()
	}
	return p.opened
}

// Path returns the path of the project file.
func (p *Project) Path() string { return p.loaded().Path() }

// Root returns the directory that paths of the project may not leave: its git repository, or its own
// directory.
func (p *Project) Root() string { return p.loaded().Root() }

// LintSettings returns settings of the linter, completed by those of the project. If both set
// something, the argument wins.
func (p *Project) LintSettings(opts LintOptions) LintOptions {
	all := fleet.Linting(p.loaded(), opts.options())
	opts.Rules, opts.Paths = all.Rules, nil
	for _, x := range all.Paths {
		opts.Paths = append(opts.Paths, LintPath(x))
	}
	return opts
}

// FormatSettings returns settings of a formatter, completed by those of the project. If both set
// something, the argument wins.
func (p *Project) FormatSettings(opts FormatOptions) FormatOptions {
	settings := fleet.Formatting(p.loaded())
	opts.Sequences = cmp.Or(opts.Sequences, Sequences(settings.Sequences))
	if p.Edition() == Edition2026 {
		opts.YAML = cmp.Or(opts.YAML, YAML12)
	}
	opts.Exclude = slices.Concat(p.loaded().FormatExclude(), opts.Exclude)
	return opts
}

// Edition returns the edition of the project.
func (p *Project) Edition() Edition {
	return Edition(fleet.EditionOf(p.loaded()))
}

// Names returns the names of all environments, in the order of the file. A project may have none.
func (p *Project) Names() []string { return slices.Clone(p.loaded().Names()) }

// Default returns the name of the environment to use if none is named: that of the key default, or
// the only one. It is "" for a project without environments.
func (p *Project) Default() (string, error) {
	name, err := p.loaded().Default()
	return name, public(err)
}

// ProjectOutput is where the result of an environment is written: to Dir, to File, or not at all.
type ProjectOutput struct {
	Dir    string
	File   string
	Prune  bool
	Split  string // how Dir names one file per document, or ""
	Format Format

	Place Place // where Dir or File is set
}

func (p *Project) environment(s *project.Settings) Environment {
	e := Environment{Name: s.Name, Labels: map[string]string{}, Values: s.Each}
	for _, l := range s.Labels {
		e.Labels[l.Name] = l.Text
	}
	e.Place = placeIn(p.loaded().Files, s.At)
	out := s.Output
	e.Output = ProjectOutput{
		Dir: out.Dir.Text, File: out.File.Text, Prune: out.Prune, Split: out.Split.Text,
		Place: placeIn(p.loaded().Files, out.Dir.At),
	}
	if out.File.Text != "" {
		e.Output.Place = placeIn(p.loaded().Files, out.File.At)
	}
	if out.Format.Text == JSON.String() {
		e.Output.Format = JSON
	}
	return e
}

// Environments returns environments by name, or the errors of all of them. A project without
// environments has one whose name is empty.
func (p *Project) Environments(names ...string) ([]Environment, error) {
	list, err := p.loaded().Environments(names)
	if err != nil {
		return nil, public(err)
	}
	envs := make([]Environment, len(list))
	for i, s := range list {
		envs[i] = p.environment(s)
	}
	return envs, nil
}

// CheckOutputs reports environments that would be written to the same place.
func (p *Project) CheckOutputs() error {
	if err := p.loaded().CheckOutputs(); err != nil {
		return public(err)
	}
	return nil
}

// EachFlag calls set for each command-line flag that the project sets for an environment and that
// Options does not have, such as quiet. If env is "", it does so for flags that apply to all
// environments. An error of set gets the place of the flag, and ends the calls.
func (p *Project) EachFlag(env string, set func(name string, values []string) error) error {
	settings := p.loaded().Common()
	if env != "" {
		var err error
		if settings, err = p.loaded().Environment(env); err != nil {
			return public(err)
		}
	}
	for _, f := range settings.Flags {
		if fleet.IsOption(f.Name) {
			continue
		}
		if err := set(f.Name, f.Values); err != nil {
			list := diag.Of(err)
			for _, d := range list {
				d.At, d.Code = f.At, project.CodeValue
			}
			return newError(p.loaded().Files, list)
		}
	}
	return nil
}

// WithoutRefusedEnv returns the options without the prefixes of environment variables that a project
// names but AllowEnv does not allow. It also returns those of these prefixes for which a variable is
// set. Use it to inspect a project that you do not trust, if you need not render it completely.
func (o Options) WithoutRefusedEnv() (Options, []string) {
	opts, refused := o.options().WithoutRefusedEnv()
	o.hidden = opts.Hidden
	return o, refused
}

// Options returns the options that render an environment: the settings of the project, overridden by
// base. Lists of base are appended to those of the project; of the other fields of base, those that
// are not zero win. env is "" for a project without environments.
func (p *Project) Options(env string, base Options) (Options, error) {
	opts, err := fleet.Environment(p.loaded(), env, base.options(), p.given)
	if err != nil {
		return base, public(err)
	}
	if !browser.IsPage { // only what writes files asks for it
		opts.Tested = func() ([]string, bool) { return test.Paths(p.loaded()) }
	}
	base.set(opts)
	return base, nil
}

// WriteConfig writes the effective project file of an environment: everything that it inherits, with
// a comment for each key that says where it comes from; or the same as JSON.
func (p *Project) WriteConfig(w io.Writer, env string, asJSON bool) error {
	s, err := p.loaded().Environment(env)
	if err != nil {
		return public(err)
	}
	return p.loaded().WriteConfig(w, s, asJSON)
}

// MinCoverage returns the minimum coverage that the project requires, in percent, or -1.
func (p *Project) MinCoverage() int { return p.loaded().Testing().Min }
