package fleet

import (
	"io"
	"io/fs"
	"strings"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/cover"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/keep"
	"weft/internal/lang/parallel"
	"weft/internal/lang/yaml"
)

// Options configures the rendering of an environment, before the edition's defaults are applied. The
// public API documents the fields. It repeats them, because its types may not be internal;
// TestOptionsConvert fails if one is missing there.
type Options struct {
	Inputs   []string
	FS       fs.FS
	Revision string
	Files    []load.Memory
	Exclude  []string
	Marks    []string
	Stdin    io.Reader
	Symlinks load.Symlinks

	UntrustedURLs, AllowURLs []string

	Edition Edition
	Format  Format
	Keep    keep.What
	YAML    Version

	Strict                  bool
	IgnoreUnknownComments   bool
	ImplicitMapKeyOverrides bool

	Values    values.Flags // its field Project is not set
	Env       []string
	AllowEnv  []string
	Overrides []override.Argument

	DisableValidation bool
	WarnUnused        bool
	Warnings          engine.Warnings

	Limits  Limits
	Print   func(line string)
	Timings *engine.Timings
	Debug   io.Writer
	Reads   func(path string)
	Decides func(kind, name string)
	Cache   *Cache

	Kubernetes string   // the version of the Kubernetes schemas to check documents against, or ""
	Schemas    []string // where these schemas are found

	Hidden
}

// Limits bounds what a run may use.
type Limits struct {
	Parallelism int
	Steps       uint64
	Depth       int
	Nodes       int
}

// Hidden is options that only projects, tests and other packages of weft set: callers of the public
// API cannot.
type Hidden struct {
	Layers  *values.ProjectValues // data values that are weaker than all others; nil without a project
	Test    *values.ProjectValues // data values of a test, stronger than those of all files
	Sources []load.Memory         // project and test files, for the places in Layers and Test
	Paths   func() []string       // the paths on disk that any environment reads; nil without a project
	// the short cuts of the project for Kubernetes objects; nil for none
	Shortcuts *shortcut.Config
	// the charts and kustomizations of the project
	Generators []Generator
	// the paths on disk that tests of the project name, and whether these are all of them; or nil
	Tested func() (paths []string, all bool)

	Libraries []load.Library // the vendored sources of the project

	Named lint.Schemas // the schemas that the project names, and what it may read

	Rewrite func(in load.Input, text []byte) []byte // replaces texts of inputs, to try out a change
	Without []string                                // places of overlays that are not applied: see engine.Config
	Cover   *cover.Recorder                         // records what runs reach; or nil
}

// Format is an output format.
type Format uint8

// The output formats.
const (
	YAML Format = iota
	JSON
	Pos
)

func (f Format) String() string {
	switch f {
	case JSON:
		return "json"
	case Pos:
		return "pos"
	default:
		return "yaml"
	}
}

// Version is a version of the YAML language; zero means that of the edition.
type Version uint8

// The YAML versions.
const (
	YAML11 Version = iota + 1
	YAML12
)

// KeepNothing requests canonical output, even if the edition keeps comments.
const KeepNothing keep.What = 1 << 7

// MaxDepth is the largest useful value of Limits.Depth. Recursive functions read and print
// collections, and Go ends a program whose stack exceeds its limit.
const MaxDepth = 100_000

// Config translates the options for the pipeline. It is the only place that does.
func (o Options) Config() engine.Config {
	o = o.settled()
	workers := parallel.Workers(o.Limits.Parallelism)
	c := engine.Config{
		Workers: workers,
		Load: load.Options{
			Paths: o.Inputs, Memory: o.Files, Exclude: o.Exclude, Marks: o.Marks, Stdin: o.Stdin, FS: o.FS,
			Symlinks: o.Symlinks, Workers: workers, Rewrite: o.Rewrite,
			Untrusted: o.UntrustedURLs, Allowed: o.AllowURLs, Revision: o.Revision, Libraries: o.Libraries,
		},
		Compile: compile.Options{
			Strict: o.Strict, YAML: o.Syntax(),
			IgnoreUnknownComments: o.IgnoreUnknownComments || o.Keep&keep.Comments != 0,
			KnownAnnotations:      o.knownAnnotations(),
			Literals:              o.Keep&keep.Literals != 0,
		},
		Keep:       o.Keep,
		Values:     o.Values,
		TypedTexts: o.Edition == Edition2026,
		LateChecks: o.Edition == Edition2026,
		Project:    o.Sources,
		Variables:  o.Env,
		Eval: eval.Options{
			MaxSteps: o.Limits.Steps, MaxNodes: o.Limits.Nodes, Overrides: o.ImplicitMapKeyOverrides,
			Workers: workers, Literals: o.Keep&keep.Literals != 0,
		},
		Shortcuts:    o.Shortcuts,
		Generators:   o.generators(),
		Overrides:    o.Overrides,
		ByName:       o.Edition == Edition2026,
		NoValidation: o.DisableValidation,
		WarnUnused:   o.WarnUnused,
		Warnings:     o.Warnings,
		Timings:      o.Timings,
		Debug:        o.Debug,
		Cover:        o.Cover,
		Without:      o.Without,
	}
	c.Values.Project = o.Layers
	c.JSONSchemas = o.jsonSchemas()
	c.AllowedVariables = c.Values.Allowed(o.AllowEnv)
	if !c.ReadsStdin() {
		c.Load.Stdin = nil // standard input is not part of the key
	}
	o.reportReads()
	return c
}

// Syntax returns how YAML is parsed.
func (o Options) Syntax() yaml.Options {
	opt := yaml.Options{
		MaxDepth: min(o.Limits.Depth, MaxDepth), MaxNodes: o.Limits.Nodes,
		Workers:    parallel.Workers(o.Limits.Parallelism),
		UniqueKeys: o.uniqueKeys(),
		NoteKeys:   !o.uniqueKeys() && !o.ImplicitMapKeyOverrides,
	}
	if o.settled().YAML == YAML12 {
		opt.Grammar, opt.Schema = yaml.YAML12, yaml.Core
	}
	return opt
}

// Linting returns the environment for the linter.
func (o Options) Linting() lint.Environment {
	env := lint.Environment{Config: o.Config(), Schemas: o.Named}
	env.Schemas.Version, env.Schemas.Locations = o.Kubernetes, o.Schemas
	env.Schemas.FS, env.Schemas.Reads = o.FS, o.Reads
	return env
}

// reportReads reports the paths that the run depends on.
func (o *Options) reportReads() {
	if o.Reads == nil || o.FS != nil {
		return
	}
	for _, arg := range o.Inputs {
		o.ReportRead(load.OnDisk(arg))
	}
	for _, l := range o.Libraries {
		o.ReportRead(l.Dir)
	}
	for _, arg := range o.Values.Files {
		if _, path, ok := strings.Cut(arg, ":"); ok && strings.HasPrefix(arg, "@") {
			arg = path // the data values of a library
		}
		o.ReportRead(arg)
	}
	for _, arg := range o.Values.KVFile {
		_, path, _ := strings.Cut(arg, "=")
		o.ReportRead(path)
	}
	for _, x := range o.Overrides {
		if x.File {
			o.ReportRead(x.Text)
		}
	}
	for _, path := range o.schemaPaths() {
		o.ReportRead(path)
	}
	o.reportGenerators()
	if o.Layers != nil {
		for _, l := range o.Layers.Layers {
			o.ReportRead(l.Path)
		}
	}
}

// ReportRead reports a path to Reads, if it is the path of a file.
func (o *Options) ReportRead(path string) {
	if o.Reads == nil {
		return
	}
	if path = load.DiskPath(path); path != "" && path != "-" && !load.IsURL(path) {
		o.Reads(path)
	}
}

// WithoutRefusedEnv returns the options without the prefixes of environment variables that a
// project names but AllowEnv does not allow, and those of them for which a variable is set. It is
// for callers that inspect a project they do not trust, and need not render it completely.
func (o Options) WithoutRefusedEnv() (Options, []string) {
	p := o.Layers
	if p == nil || len(p.FromEnv) == 0 {
		return o, nil
	}
	refused := p.Refused(o.Env, o.Values.Allowed(o.AllowEnv))
	var prefixes []string
	for _, x := range refused {
		prefixes = append(prefixes, x.Text)
	}
	if refused != nil {
		o.Layers = p.Without(refused)
	}
	return o, prefixes
}
