package engine

import (
	"context"
	"io"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/engine/cover"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/engine/shortcut"
	"weft/internal/engine/values"
	"weft/internal/lang/keep"
	"weft/internal/lang/parallel"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
)

// Config is everything that defines a project and its evaluation, grouped by the stage that uses
// it.
type Config struct {
	Load      load.Options    // which files, and how they are read
	Compile   compile.Options // how a file becomes a unit
	Values    values.Flags    // data values of the command line
	Project   []load.Memory   // project files that positions in Values.Project refer to
	Variables []string        // the environment variables for Values: KEY=VALUE
	// AllowedVariables are the prefixes of Variables that a project may read.
	AllowedVariables []string
	// limits of templates; the session sets what depends on the run
	Eval      eval.Options
	Shortcuts *shortcut.Config    // of weft.yml for Kubernetes objects, applied after overlays; may be nil
	Overrides []override.Argument // applied to the documents at the end

	// Generators are the charts and kustomizations of the project.
	Generators []Generator
	ByName     bool // an override with kind and name is for the document that they name

	Workers parallel.Workers // how many goroutines work in parallel

	NoValidation bool // data values are not validated

	// JSONSchemas reads the JSON Schemas that Values names; nil if there can be none.
	JSONSchemas *JSONSchemas

	// LateChecks has the types of data values checked after all layers, instead of after each.
	LateChecks bool

	// TypedTexts has the texts of --data-value and of variables read by the types of the schema.
	TypedTexts bool
	WarnUnused bool // warn about data values that no template reads
	Warnings   Warnings

	// Once means that the session is evaluated once: a file's unit is released as soon as it is no
	// longer needed.
	Once bool

	// Again means that the session will be reloaded: results of environments are kept for the next
	// session.
	Again bool

	// Keep is what the output preserves of the text of files: see Result.Keep.
	Keep keep.What

	// Secret are the paths of secret data values, in addition to those that schemas mark.
	Secret []path.Pattern

	// Without are the places of overlay documents that are not applied, such as over.yml:3, to find out
	// what happens without them.
	Without []string

	// Origins means that the origin of each value is recorded: see Result.Origins.
	Origins bool

	// Cover, if not nil, records what evaluations reach.
	Cover *cover.Recorder

	Timings *Timings  // if not nil, records where the time goes
	Debug   io.Writer // if not nil, gets files as they were read and compiled
}

// Loading returns the load options, limited by ctx.
func (c *Config) Loading(ctx context.Context) load.Options {
	opt := c.Load
	if opt.Fetch == nil {
		opt.Fetch = func(url string) ([]byte, error) { return load.Fetch(ctx, url, opt.RedirectsOf(url)) }
	}
	return opt
}

// reading returns the options for a single path: files of flags are not inputs, and have no marks.
func (c *Config) reading(ctx context.Context, path, mark string) load.Options {
	opt := c.Loading(ctx)
	opt.Memory, opt.Paths, opt.Marks = nil, []string{path}, []string{mark}
	if !opt.IsDir(path) {
		opt.Exclude = nil // exclude applies to inputs, not to a file that is named explicitly
	}
	return opt
}

// ReadsStdin reports whether an argument can be standard input.
func (c *Config) ReadsStdin() bool {
	dash := func(arg string) bool { return strings.HasSuffix(arg, "-") }
	return slices.ContainsFunc(c.Load.Paths, dash) ||
		slices.ContainsFunc(c.Values.Files, dash) || slices.ContainsFunc(c.Values.KVFile, dash) ||
		slices.ContainsFunc(c.Overrides, func(x override.Argument) bool { return x.File && dash(x.Text) })
}

// hasValues reports whether the command line has data values.
func (c *Config) hasValues() bool {
	v := &c.Values
	return v.Project != nil ||
		len(v.Files)+len(v.Texts)+len(v.Env)+len(v.EnvYAML)+len(v.KV)+len(v.KVYAML)+len(v.KVFile) > 0
}

// Fail returns the error of a run that failed with err, or the context's error if it has ended.
func (c *Config) Fail(ctx context.Context, files *source.Set, err error) error {
	if ctx.Err() != nil {
		return ended(ctx, err, files)
	}
	return c.failure(files, err)
}
