package weft

import (
	"io"
	"io/fs"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/lang/keep"
	"weft/internal/lang/yaml"
	"weft/internal/project/fleet"
)

// Options configures a run. The zero value reads nothing and prints nothing.
type Options struct {
	// Inputs are the values of -f: a file, a directory, "-" for Stdin, an http or https URL, or
	// NAME=PATH to give a single file another relative path. They are read in this order; the files
	// in a directory are sorted by path.
	Inputs []string

	// FS is the file system for the paths in Inputs and DataValues, which then follow the rules of
	// io/fs; nil means the disk. Those of Symlinks are in it, too.
	FS fs.FS

	// Revision, if not empty, identifies the content of FS, such as a commit. With a Cache, the files
	// of one revision are read once, because they never change. Without a revision, a Cache has no
	// effect on files of FS.
	Revision string

	// Files are files in memory. They are read before Inputs, in this order.
	Files []File

	// Exclude are patterns of relative paths to leave out of Inputs, with * and ** as in --file-mark.
	// A pattern need not match.
	Exclude []string

	// Marks are the values of --file-mark, PATH:KEY=VALUE, applied in this order.
	Marks []string

	// Stdin is what the input "-" reads; nil means empty input.
	Stdin io.Reader

	// Symlinks lists the symbolic links that may be followed. The default is none.
	Symlinks Symlinks

	// UntrustedURLs are URLs among Inputs, DataValues and Overrides that come from someone else, such as
	// the author of a file. They may redirect only to URLs below one of AllowURLs.
	UntrustedURLs, AllowURLs []string

	// Edition is the set of rules for the inputs. It decides what YAML, Keep and
	// IgnoreUnknownComments mean if they are zero.
	Edition Edition

	// Format is the output format.
	Format Format

	// Keep is what the output preserves of the text of files; zero means that the edition decides. It
	// affects only YAML, and not the results of the Inspect functions.
	Keep Keep

	// YAML is the YAML version of the inputs; zero means that the edition decides.
	YAML Version

	// Strict rejects unquoted scalars that YAML parsers read in different ways, such as yes and
	// 007.
	Strict bool

	// IgnoreUnknownComments allows template comments that start with neither #@ nor #!.
	IgnoreUnknownComments bool

	// ImplicitMapKeyOverrides allows duplicate map keys in templates, and with Edition2026
	// everywhere; the last one wins.
	ImplicitMapKeyOverrides bool

	// DataValues are the data values set from outside, as flags do.
	DataValues DataValues

	// Validate selects the schemas that Lint checks documents against; the zero value means none.
	Validate Validation

	// Env are the environment variables that DataValues may refer to, in the form of os.Environ.
	Env []string

	// AllowEnv are the prefixes of Env that the project may read; the default is none. APP allows
	// APP and prefixes that begin with APP_. DataValues.Env and EnvYAML allow theirs.
	AllowEnv []string

	// Overrides apply to all documents, after overlays and in this order; the last one wins.
	Overrides []Override

	// DisableValidation skips the validations of data values.
	DisableValidation bool

	// WarnUnused warns about data values that no template reads.
	WarnUnused bool

	// Warnings decides what happens to warnings. By default, Result.Warnings returns them.
	Warnings Warnings

	// Cache, if not nil, holds what earlier runs with the same options have read, compiled and
	// evaluated. The run uses what is still valid, and adds to it for the next run. The cache is not
	// used with Observe.Timings and Observe.Debug, which need a whole run.
	Cache *Cache

	// Limits bounds what the run may use.
	Limits Limits

	// Observe receives information about the run.
	Observe Observe

	hidden fleet.Hidden // see Project.Options
}

// Limits bounds what a run may use. The context limits its time, and LimitMemory its memory.
type Limits struct {
	// Parallelism is how many processors the run uses; 0 means all of them.
	Parallelism int

	// Steps is how many steps the code of one file may take; 0 means a billion.
	Steps uint64

	// Depth is how deep collections may be nested, up to 100,000; 0 means 500.
	Depth int

	// Nodes is how many nodes a document may have after expanding aliases, and how many the code of one
	// file may produce. 0 means ten million for documents, and a quarter of that for code, which uses
	// more memory per node.
	Nodes int
}

// Observe receives information about a run. Fields that are nil receive nothing.
type Observe struct {
	// Print is called with each line that templates print and each warning of modules, in order,
	// after the templates have run.
	Print func(line string)

	// Timings records where the time goes.
	Timings *Timings

	// Debug receives a description of the libraries and of how each file was parsed and compiled,
	// before anything is evaluated.
	Debug io.Writer

	// Reads is called with each file and directory on disk that the run depends on, before it is read.
	// It may be called with the same path again.
	Reads func(path string)

	// Inputs is called by Render, after a run without errors, with everything that its output depends
	// on, sorted. kind is file, directory (the output also depends on files that are added there),
	// variable (an environment variable, or with * at the end all that begin like it), url or stdin;
	// name is its path or name. Files that are not named have no influence.
	Inputs func(kind, name string)
}

// Symlinks lists the symbolic links that may be followed. Without it, a tree of files from someone
// else could point at any file on the machine that renders it.
type Symlinks struct {
	All     bool     // follow every link
	Allowed []string // follow links whose final target is one of these paths or below one
}

// Validation selects the Kubernetes schemas that documents are checked against.
type Validation struct {
	// Kubernetes is the version: 1.31, 1.31.4 or master. Empty means that nothing is checked.
	Kubernetes string

	// Schemas are where to find schemas: directories in the layout of kubeconform, templates of
	// paths, and files and directories with CustomResourceDefinitions. weft fetches nothing.
	Schemas []string
}

// SchemaFormat is a format in which InspectSchema describes a schema.
type SchemaFormat uint8

// The schema formats.
const (
	OpenAPI    SchemaFormat = iota // OpenAPI 3.0
	JSONSchema                     // JSON Schema 2020-12
)

// Format is an output format. Documents can be written as YAML, JSON or Pos; reports in all formats
// except Pos. The zero value means YAML for documents, and Text for reports.
type Format uint8

// The output formats.
const (
	YAML Format = iota // canonical YAML, documents separated by ---
	JSON               // for documents, one per line; for reports, for programs
	Pos                // one line per node, with the place it comes from

	Text      // for people
	HTML      // one self-contained page
	Markdown  // for comments on pull requests
	Patch     // a unified diff
	SourceMap // ECMA-426
	JUnit     // XML
	TAP       // Test Anything Protocol
	LCOV      // coverage in the format of lcov
)

var formatNames = [...]string{
	"yaml", "json", "pos", "text", "html", "markdown", "patch", "sourcemap", "junit", "tap", "lcov",
}

// String returns the name of the format, as in -o.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "unknown"
}

// Keep is what the output preserves of the text of files. If nothing is kept, output is canonical:
// equal data prints as equal bytes.
type Keep uint8

// What can be kept.
const (
	KeepComments   = Keep(keep.Comments)   // comments, with the nodes that they belong to
	KeepLiterals   = Keep(keep.Literals)   // constants as they are written: 1.0, 0x1F, quotes, blocks
	KeepBlankLines = Keep(keep.BlankLines) // blank lines, one at most

	// KeepAll keeps everything, including indentation and style: unchanged text is copied.
	KeepAll = KeepComments | KeepLiterals | KeepBlankLines

	// KeepNothing writes canonical output, even if the edition keeps comments.
	KeepNothing = Keep(fleet.KeepNothing)
)

// Version is a version of the YAML language.
type Version uint8

// The YAML versions.
const (
	// YAML11 reads scalars as YAML 1.1 does (yes and on are booleans, 017 is fifteen), and accepts
	// the invalid indentation that ytt accepts.
	YAML11 = Version(fleet.YAML11)
	// YAML12 is strict YAML 1.2 with its core schema: yes and on are strings, 017 is seventeen.
	YAML12 = Version(fleet.YAML12)
)

// String returns the version, as in --yaml.
func (v Version) String() string {
	switch v {
	case YAML11:
		return "1.1"
	case YAML12:
		return "1.2"
	default:
		return "that of the edition"
	}
}

// options returns the options in the form of other packages.
func (o Options) options() fleet.Options {
	out := fleet.Options{
		Inputs: o.Inputs, FS: o.FS, Revision: o.Revision, Exclude: o.Exclude, Marks: o.Marks, Stdin: o.Stdin,
		Symlinks: load.Symlinks(o.Symlinks), UntrustedURLs: o.UntrustedURLs, AllowURLs: o.AllowURLs,
		Edition: fleet.Edition(o.Edition), Format: fleet.Format(o.Format), Keep: keep.What(o.Keep),
		YAML: fleet.Version(o.YAML), Strict: o.Strict,
		IgnoreUnknownComments: o.IgnoreUnknownComments, ImplicitMapKeyOverrides: o.ImplicitMapKeyOverrides,
		Values: o.DataValues.flags(), Env: o.Env, AllowEnv: o.AllowEnv,
		DisableValidation: o.DisableValidation, WarnUnused: o.WarnUnused, Warnings: engine.Warnings(o.Warnings),
		Limits: fleet.Limits(o.Limits),
		Print:  o.Observe.Print, Debug: o.Observe.Debug, Reads: o.Observe.Reads,
		Decides:    o.Observe.Inputs,
		Kubernetes: o.Validate.Kubernetes, Schemas: o.Validate.Schemas, Hidden: o.hidden,
	}
	for _, f := range o.Files {
		out.Files = append(out.Files, load.Memory(f))
	}
	for _, a := range o.Overrides {
		out.Overrides = append(out.Overrides, override.Argument(a))
	}
	if o.Observe.Timings != nil {
		out.Timings = &o.Observe.Timings.timings
	}
	if o.Cache != nil {
		out.Cache = &o.Cache.cache
	}
	return out
}

// set sets the options that a project may set.
func (o *Options) set(from fleet.Options) {
	o.Inputs, o.FS, o.Exclude, o.Marks = from.Inputs, from.FS, from.Exclude, from.Marks
	o.Symlinks = Symlinks(from.Symlinks)
	o.UntrustedURLs, o.AllowURLs = from.UntrustedURLs, from.AllowURLs
	o.Edition, o.Format, o.Keep = Edition(from.Edition), Format(from.Format), Keep(from.Keep)
	o.YAML, o.Strict = Version(from.YAML), from.Strict
	o.IgnoreUnknownComments, o.ImplicitMapKeyOverrides = from.IgnoreUnknownComments, from.ImplicitMapKeyOverrides
	o.DataValues.KVFile, o.WarnUnused, o.Warnings = from.Values.KVFile, from.WarnUnused, Warnings(from.Warnings)
	o.Limits, o.Validate = Limits(from.Limits), Validation{from.Kubernetes, from.Schemas}
	o.hidden = from.Hidden
	o.Overrides = nil
	for _, a := range from.Overrides {
		o.Overrides = append(o.Overrides, Override(a))
	}
}

// config returns the options in the form of the pipeline.
func (o Options) config() engine.Config { return o.options().Config() }

// syntax returns how YAML is read.
func (o Options) syntax() yaml.Options { return o.options().Syntax() }
