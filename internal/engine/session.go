package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Session is a loaded project, compiled as far as needed. Its inputs never change, so any number of
// evaluations may share it.
type Session struct {
	config Config
	files  *source.Set
	inputs []load.Input
	lib    *eval.Library

	project []*values.ProjectFile // the project files of the configuration

	// The table of origins grows with each evaluation. Sessions that Reload returns have their own,
	// and share only what has no origins. It is nil unless requested.
	origins *tree.Origins
	follows bool // origins are kept only to follow data values: see follow

	environments *keptFleet
	snapshot     *sync.Map // see GeneratorRequest
	schemas      knownSchemas

	mu        sync.Mutex // guards the following fields
	declared  map[declaredKey]*declared
	flags     *Layers
	shared    *sharedLayers // for a fleet
	overrides *overrides
	last      *last             // what the last evaluation kept for the next
	read      int               // the number of inputs read
	analysed  int               // the number of inputs analysed
	inJSON    map[tree.Doc]bool // documents that can be printed as JSON
	analyses  map[load.Input]*compile.Analysis
	readBy    map[string]*Generated // what generators have read, by their folders; without documents
}

// Stats counts the work of a session since it was opened or reloaded, so that tests can show that
// nothing is done twice.
type Stats struct {
	Read      int // files that were read
	Compiled  int // files that were parsed and compiled
	Evaluated int // files that were evaluated
}

// Open loads the files of a project. The error is a *diag.Failure if the input is invalid.
func Open(ctx context.Context, config Config) (*Session, error) {
	s := newSession(config, &source.Set{})
	defer s.config.Timings.stage("load")()
	if browser.IsFirst && (config.Keep != 0 || len(config.Overrides) > 0) {
		return nil, s.config.Fail(ctx, s.files, browser.Later())
	}
	if err := s.addProject(ctx); err != nil {
		return nil, err
	}
	var err error
	if s.inputs, err = load.Read(s.files, s.config.Loading(ctx)); err != nil {
		return nil, s.config.Fail(ctx, s.files, err)
	}
	s.read = countFiles(s.inputs)
	s.setLibrary(eval.NewLibrary(s.inputs, s.config.Compile))
	s.lib.Keep = config.keeper()
	return s, nil
}

// keeper returns what keeps the comments and layout of files, or nil if they are not kept.
func (c *Config) keeper() *keep.Files {
	if c.Keep == 0 {
		return nil
	}
	return &keep.Files{What: c.Keep, YAML: c.Compile.YAML}
}

// newSession returns a session without files.
func newSession(config Config, files *source.Set) *Session {
	s := &Session{config: config, files: files, snapshot: &sync.Map{}}
	if config.Again {
		s.environments = &keptFleet{}
	}
	s.config.Load.Stdin = load.Once(config.Load.Stdin)
	s.config.Origins = config.Origins || AlwaysTrace
	if s.config.Origins {
		s.origins = &tree.Origins{}
		s.config.Compile.Trace = true
		s.config.Cover = nil // a traced program is another program, so it cannot be measured
	}
	if s.config.Cover == nil && !s.config.Origins {
		s.config.Cover = AlwaysCover
	}
	s.config.Compile.Cover = s.config.Cover != nil
	s.config.Eval.Cover = s.config.Cover
	return s
}

// addProject adds the project files of the configuration.
func (s *Session) addProject(ctx context.Context) error {
	for _, m := range s.config.Project {
		f, err := s.files.AddShown(m.Path, m.Path, m.Data)
		if err != nil {
			return s.config.Fail(ctx, s.files, diag.Failf(load.CodeTooLarge, "%s", err))
		}
		s.project = append(s.project, &values.ProjectFile{File: f})
	}
	return nil
}

// setLibrary sets the library of the inputs, and what the configuration says about it.
func (s *Session) setLibrary(lib *eval.Library) {
	s.lib = lib
	lib.InProject, lib.Vendored = len(s.config.Project) > 0, s.config.Load.Libraries
	lib.Observe = s.config.Timings.observe()
}

// Paths returns the paths of all files outside private libraries, in input order.
func (s *Session) Paths() []string { return eval.Accessible(s.inputs) }

// Files returns the files that positions point into.
func (s *Session) Files() *source.Set { return s.files }

// Compile compiles all files outside private libraries. Their errors affect every evaluation.
func (s *Session) Compile(ctx context.Context) error {
	e := s.evaluation(ctx, Request{})
	if _, err := e.root().compile(); err != nil {
		return s.config.Fail(ctx, s.files, err)
	}
	return nil
}

// Request configures one evaluation of a session.
type Request struct {
	Goal    Goal
	Only    []string // evaluate only the files with these paths, without overlays
	Library string   // evaluate the private library in this folder instead of the project
	Partial bool     // leave out files that do not compile, and report them with the rest
	Explain bool     // record what each overlay matched and changed
	JSON    bool     // the documents will be printed as JSON: documents that cannot be are an error

	// Layers are the data values from outside; nil means those of the command line.
	Layers *Layers

	// environment is what the last rendering of the environment kept; this evaluation replaces it.
	environment *keptEnvironment

	// Print is called with each line that templates print and each warning of a module, in order,
	// after the templates have run. It may be nil.
	Print func(line string)
}

// Goal is how far an evaluation goes.
type Goal uint8

// The goals.
const (
	Documents     Goal = iota // the results of templates, overlays and overrides
	DataValues                // the data values; templates are not evaluated
	SchemaOpenAPI             // the schema of data values, as OpenAPI 3.0
	SchemaJSON                // the schema of data values, as JSON Schema 2020-12
)

// Result is the result of an evaluation.
type Result struct {
	Docs     []tree.Doc
	Outputs  []eval.Output // the output of each file; Docs has the documents of all of them
	Files    *source.Set   // the files that positions of documents and warnings point into
	Warnings diag.List
	Steps    []Step // what overlays did, if requested

	// Placed means that documents name the files that they are written to: see emit.Place.
	Placed bool

	// Explained means that the project's own overlays were reached, so Steps is complete.
	Explained bool

	// Secrets are the texts of data values that schemas mark as secret, for code that shows
	// documents to people.
	Secrets []string

	// Origins has the origins of the values in Docs, if the session keeps them.
	Origins *tree.Origins

	// Keep has the files that Docs come from, if Config.Keep is set.
	Keep *keep.Files

	// Watched is what the templates have seen, if Config.WarnUnused is set and all of it is known.
	Watched *Watched

	// Schema is the schema of data values, if that is the goal.
	Schema *schema.Type

	// Read lists the files on disk that the run has read. Its output must not overwrite them.
	Read []string
}

// Evaluate evaluates the project once. If the input is invalid, the error is a *diag.Failure, and
// the result has the output of the valid files before overlays.
func (s *Session) Evaluate(ctx context.Context, req Request) (*Result, error) {
	if w := s.config.Debug; w != nil {
		if err := writeDebug(w, s.lib, s.config.Compile.YAML); err != nil {
			return nil, fmt.Errorf("writing debug output: %w", err)
		}
	}
	caller := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // its own context, so that the caller's context does not keep the evaluation in memory
	e := s.evaluation(ctx, req)
	e.caller = caller
	layers := req.Layers
	if layers == nil {
		var err error
		if layers, err = s.commandLine(ctx); err != nil {
			_, broken := e.root().compile() // errors that are independent of the others
			return nil, s.config.Fail(ctx, s.files, errors.Join(broken, err))
		}
	}
	if e.files = layers.files; len(s.config.Generators) > 0 {
		// Documents of charts are files of this evaluation alone.
		if _, err := s.readOverrides(ctx); err != nil {
			return nil, s.config.Fail(ctx, s.files, err)
		}
		e.files = layers.files.Fork()
	}
	res, err := e.run(layers)
	if err == nil && e.follows && s.origins == nil && req.Goal == Documents && len(req.Only) == 0 {
		return e.follow(ctx, layers, res)
	}
	return res, err
}

// evaluation begins an evaluation.
func (s *Session) evaluation(ctx context.Context, req Request) *evaluation {
	e := &evaluation{ctx: ctx, session: s, config: &s.config, request: req, files: s.files}
	e.quoted = sync.OnceValue(e.quotedWords)
	e.env.YAML = s.config.Compile.YAML
	e.env.Warn = e.remark
	if s.config.WarnUnused {
		e.uses = &eval.Uses{}
	}
	if s.origins != nil {
		e.tracer = eval.NewTracer(s.origins)
		if s.follows {
			e.tracer.FollowTexts()
		}
	}
	return e
}

// readFrom returns the files on disk that the project and the layers were read from.
func (s *Session) readFrom(layers *Layers) []string {
	var paths []string
	add := func(inputs []load.Input) {
		for _, in := range inputs {
			if p := in.Disk(); p != "" {
				paths = append(paths, p)
			}
		}
	}
	add(s.inputs)
	if s.config.Load.FS == nil {
		for _, m := range s.config.Project {
			paths = append(paths, m.Path)
		}
		// a directory counts even if file marks exclude everything in it
		for _, arg := range s.config.Load.Paths {
			if p := load.OnDisk(arg); p != "" {
				paths = append(paths, p)
			}
		}
	}
	add(layers.read)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.overrides != nil {
		add(s.overrides.read)
	}
	return paths
}
