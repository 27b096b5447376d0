package fleet

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/engine/values"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/rewrite/format"
)

// Environment returns the options to render an environment of a project: the project's settings,
// overridden by base. given reports whether the caller has set a flag; then its value in base wins,
// even if it is zero. If given is nil, nonzero values win.
func Environment(
	p *project.Description, env string, base Options, given func(flag string) bool,
) (Options, error) {
	s, err := p.Environment(env)
	if err != nil {
		return base, err
	}
	return over(p, s, base, given), nil
}

func over(p *project.Description, s *project.Settings, base Options, given func(flag string) bool) Options {
	o := base
	o.FS = p.FS()
	o.Inputs = slices.Concat(textsOf(s.Inputs), textsOf(s.Overlays), base.Inputs)
	o.Exclude = slices.Concat(textsOf(s.Exclude), base.Exclude, p.OwnFiles(s), project.TestPatterns)
	o.Marks = nil
	for _, m := range s.Marks {
		o.Marks = append(o.Marks, m.Pattern+":"+m.Key+"="+m.Text)
	}
	o.Marks = append(o.Marks, base.Marks...)
	o.Overrides = nil
	for _, x := range s.Overrides {
		o.Overrides = append(o.Overrides,
			override.Argument{Text: x.Text, File: true, Select: x.Selection()})
	}
	o.Overrides = append(o.Overrides, base.Overrides...)
	o.setLayers(p, s)
	o.Libraries = p.Libraries()
	if o.Kubernetes == "" {
		o.Kubernetes = s.Output.Kubernetes.Text
		o.Named.At, o.Named.Files = s.Output.Kubernetes.At, p.Files
	}
	o.Schemas = slices.Concat(base.Schemas, textsOf(s.Output.Schemas))
	o.Named.FromProject, o.Named.CheckPath = len(s.Output.Schemas), func(path string) error {
		if d := p.Bounds().CheckInside(path, source.Span{}); d != nil {
			return d
		}
		return nil
	}
	flags{given, &o}.setAll(p, s)
	if urls := s.URLs(); urls != nil {
		o.UntrustedURLs, o.AllowURLs = urls, p.Bounds().URLs()
	}
	return o
}

func textsOf(items []project.Item) (texts []string) {
	for _, x := range items {
		texts = append(texts, x.Text)
	}
	return texts
}

// setLayers sets the data values of an environment.
func (o *Options) setLayers(p *project.Description, s *project.Settings) {
	o.Layers, o.Sources = &values.ProjectValues{}, nil
	o.Paths = func() []string { return pathsOf(p) }
	number := map[*source.File]int{}
	for i, f := range p.Sources() {
		number[f.Source] = i
		o.Sources = append(o.Sources, load.Memory{Path: f.Path, Data: f.Source.Data()})
	}
	place := func(at source.Span) values.Place {
		return values.Place{File: number[p.Files.File(at.Pos)], Start: at.Offset(), End: at.End()}
	}
	o.Shortcuts = shortcutsOf(p, s, place)
	o.setGenerators(p, s, place)
	for _, l := range s.Layers {
		o.Layers.Layers = append(o.Layers.Layers, values.Layer{
			Level: l.Level, Path: l.File, Library: l.Library, At: place(l.At),
		})
	}
	for _, x := range s.FromEnv {
		o.Layers.FromEnv = append(o.Layers.FromEnv, values.Prefix{
			Text: x.Text, YAML: x.YAML, At: place(x.At),
		})
	}
	for _, x := range s.Schemas {
		o.Layers.Schemas = append(o.Layers.Schemas, values.JSONSchema{Path: x.Text, At: place(x.At)})
	}
	for _, r := range s.Require {
		o.Layers.Require = append(o.Layers.Require, values.Required{
			Path: r.Text, Level: r.Level, At: place(r.At),
		})
	}
}

// IsOption reports whether a flag that a project sets is one of the options.
func IsOption(flag string) bool {
	switch flag {
	case "strict", "ignore-unknown-comments", "implicit-map-key-overrides", "warn-unused", "yaml", "keep",
		"warnings", "jobs", "max-depth", "max-nodes", "max-steps", "data-value-file",
		"allow-symlink-destination":
		return true
	}
	return false
}

type givenKey struct{}

// WithGiven returns a context for projects that are opened by a command: given reports whether the
// command line has set a flag, such as strict. Then its value wins over that of the project, even if
// it is zero. Without it, options that are not zero win.
func WithGiven(ctx context.Context, given func(flag string) bool) context.Context {
	return context.WithValue(ctx, givenKey{}, given)
}

// GivenOf returns the function of WithGiven, or nil.
func GivenOf(ctx context.Context) func(flag string) bool {
	given, _ := ctx.Value(givenKey{}).(func(flag string) bool)
	return given
}

// flags applies the flags of a project to options that the caller has not set.
type flags struct {
	given func(flag string) bool
	o     *Options
}

func (f flags) setAll(p *project.Description, s *project.Settings) {
	if free(f, "edition", f.o.Edition) {
		f.o.Edition = EditionOf(p)
	}
	if s.Output.Format.Text != "" && free(f, "output", f.o.Format) {
		f.o.Format = map[string]Format{"json": JSON}[s.Output.Format.Text]
	}
	for _, x := range s.Flags {
		if len(x.Values) > 0 {
			f.set(x, x.Values[len(x.Values)-1])
		}
	}
}

// EditionOf returns the edition of a project.
func EditionOf(p *project.Description) Edition {
	if p.Edition() == Edition2026.String() {
		return Edition2026
	}
	return EditionYTT
}

// free reports whether a project may set a flag whose current value is v.
func free[T comparable](f flags, flag string, v T) bool {
	if f.given != nil {
		return !f.given(flag)
	}
	var zero T
	return v == zero
}

// assign sets a value to that of a flag, if the project may.
func assign[T comparable](f flags, flag string, to *T, v T) {
	if free(f, flag, *to) {
		*to = v
	}
}

func (f flags) set(x project.Flag, value string) {
	on := value == "true"
	n, _ := strconv.Atoi(value) // the decoder has checked it
	o := f.o
	switch x.Name {
	case "strict":
		assign(f, x.Name, &o.Strict, on)
	case "ignore-unknown-comments":
		assign(f, x.Name, &o.IgnoreUnknownComments, on)
	case "implicit-map-key-overrides":
		assign(f, x.Name, &o.ImplicitMapKeyOverrides, on)
	case "warn-unused":
		assign(f, x.Name, &o.WarnUnused, on)
	case "yaml":
		assign(f, x.Name, &o.YAML, map[string]Version{"1.1": YAML11, "1.2": YAML12}[value])
	case "keep":
		assign(f, x.Name, &o.Keep, keepOf(x.Values))
	case "warnings":
		modes := map[string]engine.Warnings{"off": engine.WarningsOff, "error": engine.WarningsError}
		assign(f, x.Name, &o.Warnings, modes[value])
	case "jobs":
		assign(f, x.Name, &o.Limits.Parallelism, n)
	case "max-depth":
		assign(f, x.Name, &o.Limits.Depth, n)
	case "max-nodes":
		assign(f, x.Name, &o.Limits.Nodes, n)
	case "max-steps":
		assign(f, x.Name, &o.Limits.Steps, uint64(n))
	case "data-value-file":
		o.Values.KVFile = slices.Concat(x.Values, o.Values.KVFile)
	case "allow-symlink-destination":
		o.Symlinks.Allowed = slices.Concat(x.Values, o.Symlinks.Allowed)
	}
}

func keepOf(names []string) (k keep.What) {
	for _, name := range names {
		k |= map[string]keep.What{
			"comments": keep.Comments, "literals": keep.Literals, "blank-lines": keep.BlankLines,
			"all": keep.Everything, "none": KeepNothing,
		}[name]
	}
	return k
}

// Linting returns the settings of the linter: those of a project, overridden by opts.
func Linting(p *project.Description, opts lint.Options) lint.Options {
	settings := p.Lint()
	opts.Rules = slices.Concat(settings.Rules, opts.Rules)
	var paths []lint.PathRules
	for _, x := range settings.Paths {
		paths = append(paths, lint.PathRules(x))
	}
	opts.Paths = append(paths, opts.Paths...)
	return opts
}

// Formatting returns the formatting options of a project.
func Formatting(p *project.Description) format.Options {
	syntax := Options{Limits: Limits{Parallelism: 1}}
	if EditionOf(p) == Edition2026 {
		syntax.YAML = YAML12
	}
	return format.Options{
		YAML: syntax.Syntax(),
		Sequences: map[string]format.Sequences{
			"flush": format.Flush, "indented": format.Indented,
		}[p.Sequences()],
	}
}

// pathsOf returns the paths on disk that rendering any environment of a project reads. For an
// invalid environment, these are the paths that it names.
func pathsOf(p *project.Description) []string {
	names := p.Names()
	if len(names) == 0 {
		names = []string{""}
	}
	var paths []string
	seen := map[string]bool{} // many environments have the same inputs
	for _, name := range names {
		s, err := p.Environment(name)
		if err != nil {
			continue // nothing can be rendered
		}
		o := over(p, s, Options{}, nil)
		for _, x := range o.Overrides {
			paths = append(paths, x.Text)
		}
		for _, l := range s.Layers {
			paths = append(paths, l.File)
		}
		paths = append(paths, textsOf(s.Schemas)...)
		for _, kv := range o.Values.KVFile {
			_, file, _ := strings.Cut(kv, "=")
			paths = append(paths, file)
		}
		key := strings.Join(slices.Concat(o.Inputs, []string{""}, o.Exclude, []string{""}, o.Marks), "\x00")
		if !seen[key] {
			seen[key] = true
			paths = append(paths, inputsOf(o)...)
		}
	}
	return paths
}

// inputsOf returns the paths on disk of the inputs that options name.
func inputsOf(o Options) (paths []string) {
	opt := load.Options{Exclude: o.Exclude, Marks: o.Marks, Symlinks: o.Symlinks}
	for _, arg := range o.Inputs {
		if p := load.OnDisk(arg); p != "" {
			opt.Paths = append(opt.Paths, arg)
			paths = append(paths, p)
		}
	}
	inputs, err := opt.List()
	if err != nil {
		return paths
	}
	for _, in := range inputs {
		paths = append(paths, in.Disk())
	}
	return paths
}
