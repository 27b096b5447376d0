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
	"weft/internal/engine/values"
	"weft/internal/lang/keep"
	"weft/internal/lang/parallel"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
)

// Config is everything that decides what a project is and how it is evaluated, grouped by the
// stage that obeys it.
type Config struct {
	Load      load.Options    // which files, and how they are read
	Compile   compile.Options // how a file becomes a unit
	Values    values.Flags    // data values of the command line
	Project   []load.Memory   // project files that places of Values.Project point into
	Variables []string        // the environment that Values may name: KEY=VALUE
	// AllowedVariables are the prefixes of Variables that a project may read.
	AllowedVariables []string
	// limits of templates; what depends on the run is set by the session
	Eval      eval.Options
	Overrides []override.Argument // applied to the documents at the end

	Workers parallel.Workers // how many things are done at a time

	NoValidation bool // data values are not validated
	WarnUnused   bool // data values that no template reads are warned of
	Warnings     Warnings

	// Once says that the session is evaluated once: a file's unit is forgotten as soon as no one
	// can need it again.
	Once bool

	// Again says that the session will be reloaded: also what environments made is left to the next.
	Again bool

	// Keep is what the output keeps of the files that it comes from: see Result.Keep.
	Keep keep.What

	// Secret are the paths of data values that are secret besides those that schemas mark.
	Secret []path.Pattern

	// Origins says that what set each value is kept: see Result.Origins.
	Origins bool

	// Cover takes what evaluations reach, if it is not nil.
	Cover *cover.Recorder

	Timings *Timings  // is filled with where the time goes, if it is not nil
	Debug   io.Writer // gets files as they were read and compiled, if it is not nil
}

// Loading returns how everything is read, as long as ctx lasts.
func (c *Config) Loading(ctx context.Context) load.Options {
	opt := c.Load
	if opt.Fetch == nil {
		opt.Fetch = func(url string) ([]byte, error) { return load.Fetch(ctx, url, opt.RedirectsOf(url)) }
	}
	return opt
}

// reading returns how a single path is read: the files of flags are not inputs, and have no marks.
func (c *Config) reading(ctx context.Context, path, mark string) load.Options {
	opt := c.Loading(ctx)
	opt.Memory, opt.Paths, opt.Marks = nil, []string{path}, []string{mark}
	if !opt.IsDir(path) {
		opt.Exclude = nil // a file that is named is meant; what is excluded is excluded from inputs
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

// hasValues reports whether there are data values of the command line.
func (c *Config) hasValues() bool {
	v := &c.Values
	return v.Project != nil ||
		len(v.Files)+len(v.Texts)+len(v.Env)+len(v.EnvYAML)+len(v.KV)+len(v.KVYAML)+len(v.KVFile) > 0
}

// Fail returns the error of a run that failed with err: the context's, if that has ended.
func (c *Config) Fail(ctx context.Context, files *source.Set, err error) error {
	if ctx.Err() != nil {
		return ended(ctx, err, files)
	}
	return c.failure(files, err)
}
