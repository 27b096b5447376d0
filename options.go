package weft

import (
	"io"
	"io/fs"

	"weft/internal/compile"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/override"
	"weft/internal/pipeline"
	"weft/internal/values"
	"weft/internal/yaml"
)

// Options is everything that decides a run. The zero value reads nothing and prints nothing.
type Options struct {
	// Inputs are the values of -f: a file, a directory, "-" for Stdin, an http or https URL, or NAME=PATH to give a
	// single file another relative path. They are read in this order; the files of a directory come sorted by path.
	Inputs []string

	// FS is where the files lie that Inputs and DataValues name, with paths as io/fs has them; nil is the disk. Symbolic links in it are followed only if
	// Symlinks.All is set.
	FS fs.FS

	// Files are files in memory, which are read before Inputs, in this order.
	Files []File

	// Marks are the values of --file-mark, PATH:KEY=VALUE, applied in this order.
	Marks []string

	// Stdin is what the input "-" reads; nil is an empty one.
	Stdin io.Reader

	// Symlinks says which symbolic links among the inputs may be followed. By default none are.
	Symlinks Symlinks

	// Format is the form of the output.
	Format Format

	// YAML is the version of the language that inputs are written in.
	YAML Version

	// Strict refuses unquoted scalars that YAML readers take in different ways, such as yes and 007.
	Strict bool

	// IgnoreUnknownComments accepts comments in templates that are neither annotations nor marked as
	// comments with #!.
	IgnoreUnknownComments bool

	// ImplicitMapKeyOverrides lets a map key come again in a template: the later item takes the place of the earlier.
	ImplicitMapKeyOverrides bool

	// DataValues are the data values of the command line.
	DataValues DataValues

	// Env are the environment variables that DataValues may name, as os.Environ gives them.
	Env []string

	// Overrides are applied to all documents, after overlays and in this order: the last one wins.
	Overrides []Override

	// DisableValidation leaves out the validations of data values.
	DisableValidation bool

	// WarnUnused warns of data values that no template reads.
	WarnUnused bool

	// Warnings says what happens to warnings. By default they are in Result.Warnings.
	Warnings Warnings

	// Print is called with each line that templates print and each warning, in order, after they have run. They may be dropped with nil.
	Print func(line string)

	// Timings is filled with where the time goes, if it is not nil.
	Timings *Timings

	// Debug is written to before anything is evaluated, if it is not nil: the tree of libraries, and what each file was read and compiled as.
	Debug io.Writer

	// MaxSteps is how many steps the code of one file may take; 0 means DefaultMaxSteps.
	MaxSteps uint64

	// MaxDepth is how deep collections may be nested, at most LargestMaxDepth; 0 means DefaultMaxDepth.
	MaxDepth int

	// MaxNodes is how many nodes a document may have once its aliases are expanded, and the code of a file may make; 0 means
	// DefaultMaxNodes for what is read and a quarter of that for what is made, which takes more memory.
	MaxNodes int
}

// The limits that hold where Options name none. Real configuration stays far below them; they end input
// that was made to exhaust the machine.
const (
	DefaultMaxDepth = yaml.DefaultMaxDepth
	DefaultMaxNodes = yaml.DefaultMaxNodes
	DefaultMaxSteps = eval.DefaultMaxSteps
)

// LargestMaxDepth is the largest useful value of Options.MaxDepth. Collections are read and printed by functions
// that call themselves, and Go ends a program whose stack outgrows its limit.
const LargestMaxDepth = 100_000

// Symlinks says which symbolic links may be followed: a tree of files that somebody else wrote could
// otherwise point at any secret of the machine that renders it.
type Symlinks struct {
	All     bool     // follow every link
	Allowed []string // follow links whose final target is one of these paths or lies below one
}

// SchemaFormat is a form in which InspectSchema describes a schema.
type SchemaFormat uint8

// The forms of schemas.
const (
	OpenAPI    SchemaFormat = iota // OpenAPI 3.0
	JSONSchema                     // JSON Schema 2020-12
)

// Format is a form of output.
type Format uint8

// The formats.
const (
	YAML Format = iota // canonical YAML, documents separated by ---
	JSON               // one document a line
	Pos                // one line for each node, with the place that it comes from
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

// Version is a version of the YAML language.
type Version uint8

// The versions.
const (
	// YAML11 reads scalars as YAML 1.1 does (yes and on are booleans, 017 is fifteen), and takes the slack
	// in indentation that ytt takes.
	YAML11 Version = iota
	// YAML12 is strict YAML 1.2 with its core schema: yes and on are strings, 017 is seventeen.
	YAML12
)

func (v Version) String() string {
	if v == YAML12 {
		return "1.2"
	}
	return "1.1"
}

// config is the options as the pipeline takes them: the one place where they are translated.
func (o Options) config() pipeline.Config {
	c := pipeline.Config{
		Load: load.Options{
			Paths: o.Inputs, Marks: o.Marks, Stdin: o.Stdin, FS: o.FS,
			Symlinks: load.Symlinks(o.Symlinks),
		},
		Compile: compile.Options{
			Strict: o.Strict, IgnoreUnknownComments: o.IgnoreUnknownComments, YAML: o.syntax(),
		},
		Values:       values.Flags(o.DataValues),
		Variables:    o.Env,
		Eval:         eval.Options{MaxSteps: o.MaxSteps, MaxNodes: o.MaxNodes, Overrides: o.ImplicitMapKeyOverrides},
		NoValidation: o.DisableValidation,
		WarnUnused:   o.WarnUnused,
		Warnings:     pipeline.Warnings(o.Warnings),
		Debug:        o.Debug,
	}
	for _, f := range o.Files {
		c.Load.Memory = append(c.Load.Memory, load.Memory(f))
	}
	for _, a := range o.Overrides {
		c.Overrides = append(c.Overrides, override.Argument(a))
	}
	if o.Timings != nil {
		c.Timings = &o.Timings.timings
	}
	return c
}

// syntax is how YAML is read.
func (o Options) syntax() yaml.Options {
	opt := yaml.Options{MaxDepth: min(o.MaxDepth, LargestMaxDepth), MaxNodes: o.MaxNodes}
	if o.YAML == YAML12 {
		opt.Grammar, opt.Schema = yaml.YAML12, yaml.Core
	}
	return opt
}
