package weft

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
)

// ProjectOptions says which project to open.
type ProjectOptions struct {
	// Path is the project file. If it is empty, weft.yml is searched in Dir and the directories
	// above it, up to a git repository or the home directory.
	Path string

	// Text, if not nil, is taken for the project file at Path, which is not read and need not exist:
	// it is for those who want to know what a project would do before they write it.
	Text []byte

	// Dir is where the search begins; "" means the current directory.
	Dir string

	// FS is the file system that the project is in, and its root is the root of the project; nil
	// means the disk.
	FS fs.FS

	// AllowOutside are paths outside of the project's root that it may use, and beginnings of URLs
	// that it may fetch. The default is none.
	AllowOutside []string

	// Reads, if not nil, is called with each file and directory on disk that the project depends on,
	// before it is read.
	Reads func(path string)

	// Given reports whether the caller has set a flag of the command line, such as strict: its value
	// in the options then wins over that of the project, also if it is zero. If Given is nil, values
	// that are not zero win.
	Given func(flag string) bool
}

// ErrNoProject is what OpenProject returns if it finds no weft.yml.
var ErrNoProject = errors.New("no weft.yml in this directory or above it")

// Project is a weft.yml with all that it extends. It may be used from several goroutines.
type Project struct {
	opened *project.Project // nil in the zero value, which is a project that says nothing
	opts   ProjectOptions
}

// OpenProject reads a project file and lists its environments. If the file is wrong, the error is an
// *Error.
func OpenProject(ctx context.Context, opts ProjectOptions) (*Project, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	made, err := project.Open(project.Options{
		Path: opts.Path, Text: opts.Text, Dir: opts.Dir, FS: opts.FS, AllowOutside: opts.AllowOutside,
		Reads: opts.Reads,
	})
	if errors.Is(err, project.ErrNone) {
		return nil, ErrNoProject
	}
	if err != nil {
		return nil, publicProject(err)
	}
	return &Project{made, opts}, nil
}

// loaded returns the project that was opened, or an empty one.
func (p *Project) loaded() *project.Project {
	if p.opened == nil {
		return project.Empty()
	}
	return p.opened
}

// publicProject is an error of a project as callers see it.
func publicProject(err error) error {
	if f, ok := errors.AsType[*project.Failure](err); ok {
		return &Error{files: f.Files, list: f.List}
	}
	return err
}

// Path returns the path of the project file.
func (p *Project) Path() string { return p.loaded().Path() }

// Root returns the directory that the project may not leave: that of its git repository, or its
// own.
func (p *Project) Root() string { return p.loaded().Root() }

// LintSettings adds the settings of the project to those of the linter, which win.
func (p *Project) LintSettings(own LintOptions) LintOptions {
	made := p.loaded().Lint()
	own.Rules = slices.Concat(made.Rules, own.Rules)
	var paths []LintPath
	for _, x := range made.Paths {
		paths = append(paths, LintPath(x))
	}
	own.Paths = append(paths, own.Paths...)
	return own
}

// Sequences returns how the project wants lists to be formatted: keep, flush, indented, or "" if it
// does not say.
func (p *Project) Sequences() string { return p.loaded().Sequences() }

// FormatExclude returns the patterns of files that the project does not want to be formatted, for
// FormatOptions.
func (p *Project) FormatExclude() []string { return p.loaded().FormatExclude() }

// Edition returns the edition of the project.
func (p *Project) Edition() Edition {
	if p.loaded().Edition() == Edition2026.String() {
		return Edition2026
	}
	return EditionYTT
}

// Names returns the names of all environments, in the order of the file. A project may have none.
func (p *Project) Names() []string { return slices.Clone(p.loaded().Names()) }

// Default returns the name of the environment to use if nobody names one: that of the key default,
// or the only one. It is "" for a project without environments.
func (p *Project) Default() (string, error) {
	name, err := p.loaded().Default()
	return name, publicProject(err)
}

// ProjectEnvironment is an environment of a project.
type ProjectEnvironment struct {
	Name   string
	Labels map[string]string
	Output ProjectOutput
	Place  Place  // where it is defined
	Values string // the file that it was made of by the key each, or ""
}

// ProjectOutput is where the result of an environment is written: to Dir, to File, or nowhere.
type ProjectOutput struct {
	Dir    string
	File   string
	Prune  bool
	Split  string // how Dir names one file per document, or ""
	Format Format

	Place Place // where Dir or File is set
}

// Environment returns an environment by its name. The name is "" for a project without
// environments.
func (p *Project) Environment(name string) (*ProjectEnvironment, error) {
	s, err := p.loaded().Environment(name)
	if err != nil {
		return nil, publicProject(err)
	}
	return p.environment(s), nil
}

func (p *Project) environment(s *project.Settings) *ProjectEnvironment {
	e := &ProjectEnvironment{Name: s.Name, Labels: map[string]string{}, Values: s.Each}
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

// Environments returns environments by their names, with the errors of all of them.
func (p *Project) Environments(names []string) ([]*ProjectEnvironment, error) {
	envs := make([]*ProjectEnvironment, 0, len(names))
	var list diag.List
	told := map[string]bool{} // many environments have the same mistake
	for _, name := range names {
		e, err := p.Environment(name)
		if err == nil {
			envs = append(envs, e)
			continue
		}
		for _, d := range ErrorOf(err).list {
			key := fmt.Sprint(d.At, d.Message)
			if !told[key] {
				told[key] = true
				list = append(list, d)
			}
		}
	}
	if list != nil {
		return nil, &Error{files: p.loaded().Files, list: list}
	}
	return envs, nil
}

// CheckOutputs reports environments that would be written to the same place.
func (p *Project) CheckOutputs() error {
	if err := p.loaded().CheckOutputs(); err != nil {
		return publicProject(err)
	}
	return nil
}

// ProjectFlag is a flag of the command line that a project sets.
type ProjectFlag struct {
	Name   string   // without dashes
	Values []string // most flags have one
	List   bool     // the command line adds to it
	at     source.Span
}

// Flags returns the flags that a project sets for an environment and that Options does not have,
// such as quiet.
func (p *Project) Flags(env string) ([]ProjectFlag, error) {
	s, err := p.loaded().Environment(env)
	if err != nil {
		return nil, publicProject(err)
	}
	return flagsOf(s), nil
}

// CommonFlags returns those that a project sets for all environments.
func (p *Project) CommonFlags() []ProjectFlag { return flagsOf(p.loaded().Common()) }

func flagsOf(s *project.Settings) (flags []ProjectFlag) {
	for _, f := range s.Flags {
		if !optionFlags[f.Name] {
			flags = append(flags, ProjectFlag{
				Name: f.Name, Values: f.Values, List: project.IsList(f.Name), at: f.At,
			})
		}
	}
	return flags
}

// FlagError is an error about a flag that a project sets, with its place.
func (p *Project) FlagError(f ProjectFlag, err error) error {
	list := diag.Of(err)
	for _, d := range list {
		d.At = f.at
		d.Code = project.CodeValue
	}
	return &Error{files: p.loaded().Files, list: list}
}

// WithoutRefusedEnv returns the options without the prefixes of environment variables that a project
// names and AllowEnv does not allow, and these prefixes, as far as a variable has them. It is for
// those who look at a project that they do not trust, and need not render it in full.
func (o Options) WithoutRefusedEnv() (Options, []string) {
	p := o.DataValues.project.values
	if p == nil || len(p.FromEnv) == 0 {
		return o, nil
	}
	flags := o.DataValues.flags()
	refused := p.Refused(o.Env, flags.Allowed(o.AllowEnv))
	var prefixes []string
	for _, x := range refused {
		prefixes = append(prefixes, x.Text)
	}
	if refused != nil {
		o.DataValues.project.values = p.Without(refused)
	}
	return o, prefixes
}

// Options returns the options that render an environment: what the project says, and base over it.
// Lists of base are added to those of the project, and all other fields of base that are not zero
// win. The environment is "" for a project without environments.
func (p *Project) Options(env string, base Options) (Options, error) {
	s, err := p.loaded().Environment(env)
	if err != nil {
		return base, publicProject(err)
	}
	return p.options(s, base), nil
}

func (p *Project) options(s *project.Settings, base Options) Options {
	o := base
	o.FS = p.opts.FS
	o.Inputs = slices.Concat(textsOf(s.Inputs), textsOf(s.Overlays), base.Inputs)
	o.Exclude = slices.Concat(textsOf(s.Exclude), base.Exclude, project.TestPatterns)
	o.Marks = nil
	for _, m := range s.Marks {
		o.Marks = append(o.Marks, m.Pattern+":"+m.Key+"="+m.Text)
	}
	o.Marks = append(o.Marks, base.Marks...)
	o.Overrides = nil
	for _, x := range s.Overrides {
		o.Overrides = append(o.Overrides, Override{Text: x.Text, File: true})
	}
	o.Overrides = append(o.Overrides, base.Overrides...)
	o.DataValues.project = p.values(s)
	if o.Validate.Kubernetes == "" {
		o.Validate.Kubernetes = s.Output.Kubernetes.Text
		o.Validate.at, o.Validate.files = s.Output.Kubernetes.At, p.loaded().Files
	}
	o.Validate.Schemas = slices.Concat(base.Validate.Schemas, textsOf(s.Output.Schemas))
	o.Validate.held, o.Validate.stays = len(s.Output.Schemas), p.stays
	p.setFlags(s, &o)
	if urls := s.URLs(); urls != nil {
		o.held, o.allowed = urls, p.loaded().Bounds().URLs()
	}
	return o
}

// stays says why the project may not lead to a path.
func (p *Project) stays(path string) error {
	if d := p.loaded().Bounds().Stays(path, source.Span{}); d != nil {
		return d
	}
	return nil
}

func textsOf(items []project.Item) (texts []string) {
	for _, x := range items {
		texts = append(texts, x.Text)
	}
	return texts
}

// values is the data values of an environment as the pipeline takes them.
func (p *Project) values(s *project.Settings) projectValues {
	v := projectValues{values: &values.Project{}, reads: p.reads}
	number := map[*source.File]int{}
	for i, f := range p.loaded().Sources() {
		number[f.Source] = i
		v.files = append(v.files, load.Memory{Path: f.Path, Data: f.Source.Data()})
	}
	place := func(at source.Span) values.Place {
		return values.Place{
			File: number[p.loaded().Files.File(at.Pos)], Start: at.Offset(), End: at.End(),
		}
	}
	for _, l := range s.Layers {
		v.values.Layers = append(v.values.Layers, values.Layer{
			Level: l.Level, Path: l.File, Library: l.Library, At: place(l.At),
		})
	}
	for _, x := range s.FromEnv {
		v.values.FromEnv = append(v.values.FromEnv, values.Prefix{
			Text: x.Text, YAML: x.YAML, At: place(x.At),
		})
	}
	for _, r := range s.Require {
		v.values.Require = append(v.values.Require, values.Required{
			Path: r.Text, Level: r.Level, At: place(r.At),
		})
	}
	return v
}

// optionFlags are the flags that setFlags knows.
var optionFlags = map[string]bool{
	"strict": true, "ignore-unknown-comments": true, "implicit-map-key-overrides": true,
	"warn-unused": true, "yaml": true, "keep": true, "warnings": true, "jobs": true,
	"max-depth": true, "max-nodes": true, "max-steps": true, "data-value-file": true,
	"allow-symlink-destination": true,
}

// setFlags applies the flags of a project that options have, where the caller does not say
// otherwise.
func (p *Project) setFlags(s *project.Settings, o *Options) {
	if free(p, "edition", o.Edition) {
		o.Edition = p.Edition()
	}
	if s.Output.Format.Text != "" && free(p, "output", o.Format) {
		o.Format = map[string]Format{"json": JSON}[s.Output.Format.Text]
	}
	for _, f := range s.Flags {
		if len(f.Values) > 0 {
			p.setFlag(f, f.Values[len(f.Values)-1], o)
		}
	}
}

// free reports whether a project may set a flag, whose value is v.
func free[T comparable](p *Project, flag string, v T) bool {
	if p.opts.Given != nil {
		return !p.opts.Given(flag)
	}
	var zero T
	return v == zero
}

// assign sets a value to that of a flag, if the project may.
func assign[T comparable](p *Project, flag string, to *T, v T) {
	if free(p, flag, *to) {
		*to = v
	}
}

func (p *Project) setFlag(f project.Flag, value string, o *Options) {
	on := value == "true"
	n, _ := strconv.Atoi(value) // the decoder has checked it
	switch f.Name {
	case "strict":
		assign(p, f.Name, &o.Strict, on)
	case "ignore-unknown-comments":
		assign(p, f.Name, &o.IgnoreUnknownComments, on)
	case "implicit-map-key-overrides":
		assign(p, f.Name, &o.ImplicitMapKeyOverrides, on)
	case "warn-unused":
		assign(p, f.Name, &o.WarnUnused, on)
	case "yaml":
		assign(p, f.Name, &o.YAML, map[string]Version{"1.1": YAML11, "1.2": YAML12}[value])
	case "keep":
		assign(p, f.Name, &o.Keep, keepOf(f.Values))
	case "warnings":
		modes := map[string]Warnings{"off": WarningsOff, "error": WarningsError}
		assign(p, f.Name, &o.Warnings, modes[value])
	case "jobs":
		assign(p, f.Name, &o.Parallelism, n)
	case "max-depth":
		assign(p, f.Name, &o.MaxDepth, n)
	case "max-nodes":
		assign(p, f.Name, &o.MaxNodes, n)
	case "max-steps":
		assign(p, f.Name, &o.MaxSteps, uint64(n))
	case "data-value-file":
		o.DataValues.KVFile = slices.Concat(f.Values, o.DataValues.KVFile)
	case "allow-symlink-destination":
		o.Symlinks.Allowed = slices.Concat(f.Values, o.Symlinks.Allowed)
	}
}

func keepOf(names []string) (k Keep) {
	for _, name := range names {
		k |= map[string]Keep{
			"comments": KeepComments, "literals": KeepLiterals, "blank-lines": KeepBlankLines,
			"all": KeepAll, "none": KeepNothing,
		}[name]
	}
	return k
}

// WriteConfig writes the effective project file of an environment: all that it inherits, each key
// with a comment that says where it comes from, or as JSON.
func (p *Project) WriteConfig(w io.Writer, env string, asJSON bool) error {
	s, err := p.loaded().Environment(env)
	if err != nil {
		return publicProject(err)
	}
	return p.loaded().WriteConfig(w, s, asJSON)
}

// ProjectSchema returns the JSON Schema of weft.yml, for editors.
func ProjectSchema() []byte { return project.Schema() }

// Sources returns the paths of the project file and of those that it extends.
func (p *Project) Sources() (paths []string) {
	for _, f := range p.loaded().Sources() {
		paths = append(paths, f.Path)
	}
	return paths
}
