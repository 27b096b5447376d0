package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Session is a project that is loaded, and compiled as far as needed. What it was made from never
// changes, so any number of evaluations may share it.
type Session struct {
	config Config
	files  *source.Set
	inputs []load.Input
	lib    *eval.Library

	project []*values.ProjectFile // of the configuration

	// The table of origins grows with each evaluation. Sessions made by Reload have their own, and
	// share only what has no origins. It is nil unless requested.
	origins *tree.Origins
	follows bool // it has origins only to follow data values: see follow

	environments *keptFleet

	mu        sync.Mutex // guards the following fields
	declared  map[declaredKey]*declared
	flags     *Layers
	shared    *sharedLayers // of a fleet
	overrides *overrides
	last      *last             // what the last evaluation leaves to the next
	read      int               // how many inputs were read
	analysed  int               // how many of them were analysed
	inJSON    map[tree.Doc]bool // documents that can be printed as JSON
	analyses  map[load.Input]*compile.Analysis
}

// Stats counts the work of a session since it was opened or reloaded, so that tests can show that
// nothing is done twice.
type Stats struct {
	Read      int // files that were read
	Compiled  int // files that were parsed and compiled
	Evaluated int // files that were evaluated
}

// Open loads the files of a project. The error is a *diag.Failure if the input is wrong.
func Open(ctx context.Context, config Config) (*Session, error) {
	s := &Session{config: config, files: &source.Set{}}
	if config.Again {
		s.environments = &keptFleet{}
	}
	s.config.Load.Stdin = load.Once(config.Load.Stdin)
	s.config.Origins = config.Origins || AlwaysTrace
	if s.config.Origins {
		s.origins = &tree.Origins{}
		s.config.Compile.Trace = true
		s.config.Cover = nil // a traced run is a different program
	}
	if s.config.Cover == nil && !s.config.Origins {
		s.config.Cover = AlwaysCover
	}
	s.config.Compile.Cover = s.config.Cover != nil
	s.config.Eval.Cover = s.config.Cover
	defer s.config.Timings.stage("load")()
	for _, m := range config.Project {
		f, err := s.files.AddShown(m.Path, m.Path, m.Data)
		if err != nil {
			return nil, s.config.Fail(ctx, s.files, diag.Failf(load.CodeTooLarge, "%s", err))
		}
		s.project = append(s.project, &values.ProjectFile{File: f})
	}
	var err error
	if s.inputs, err = load.Read(s.files, s.config.Loading(ctx)); err != nil {
		return nil, s.config.Fail(ctx, s.files, err)
	}
	s.read = countFiles(s.inputs)
	s.lib = eval.NewLibrary(s.inputs, s.config.Compile)
	s.lib.InProject = len(s.config.Project) > 0
	s.lib.Observe = s.config.Timings.observe()
	if config.Keep != 0 {
		s.lib.Keep = &keep.Files{What: config.Keep, YAML: config.Compile.YAML}
	}
	return s, nil
}

// Paths returns the paths of all files outside of private libraries, in their order.
func (s *Session) Paths() []string { return eval.Accessible(s.inputs) }

// Files returns the files that positions point into.
func (s *Session) Files() *source.Set { return s.files }

// Compile compiles all files outside of private libraries. What is wrong with any of them is
// wrong for every evaluation.
func (s *Session) Compile(ctx context.Context) error {
	e := s.evaluation(ctx, Request{})
	if _, err := e.root().compile(); err != nil {
		return s.config.Fail(ctx, s.files, err)
	}
	return nil
}

// Request is what one evaluation of a session is asked for.
type Request struct {
	Goal    Goal
	Only    []string // evaluate these files alone, by their paths; overlays are not applied then
	Library string   // evaluate the private library in this folder instead of the project
	Partial bool     // files that cannot be compiled are left out, and reported with the rest
	Explain bool     // what each overlay matched and changed is kept
	JSON    bool     // the documents will be printed as JSON: what cannot be is an error

	// Layers are the data values from outside. If they are nil, those of the command line are.
	Layers *Layers

	// environment is what the last rendering of an environment left; it takes what this one leaves.
	environment *keptEnvironment

	// Print is called with each line that templates print and each warning of a module, in order,
	// after they have run. It may be nil.
	Print func(line string)
}

// Goal is how far an evaluation goes.
type Goal uint8

// The goals.
const (
	Documents     Goal = iota // what templates, overlays and overrides make
	DataValues                // the data values: templates do not matter
	SchemaOpenAPI             // the schema of data values, as OpenAPI 3.0
	SchemaJSON                // the same, as JSON Schema 2020-12
)

// Result is what an evaluation made.
type Result struct {
	Docs     []tree.Doc
	Outputs  []eval.Output // what each file made; Docs is all of theirs
	Files    *source.Set   // that the positions of documents and warnings point into
	Warnings diag.List
	Steps    []Step // what overlays did, if that was asked for

	// Explained says that the project's own overlays were reached: Steps has all of them.
	Explained bool

	// Secrets are the texts of data values that schemas mark as secret, for those who show documents
	// to people.
	Secrets []string

	// Origins tells what set the values of Docs, if the session keeps that.
	Origins *tree.Origins

	// Keep has the files that Docs come from, if something of them is kept.
	Keep *keep.Files

	// Read are the files on disk that the run has read. Its output must not overwrite them.
	Read []string
}

// Evaluate evaluates the project once. If the input is wrong, the error is a *diag.Failure, and the
// result has what the files made that are right, as it is before overlays.
func (s *Session) Evaluate(ctx context.Context, req Request) (*Result, error) {
	if w := s.config.Debug; w != nil {
		if err := writeDebug(w, s.lib, s.config.Compile.YAML); err != nil {
			return nil, fmt.Errorf("writing debug output: %w", err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of its own, so that nothing of it is kept by a context that lasts longer
	e := s.evaluation(ctx, req)
	layers := req.Layers
	if layers == nil {
		var err error
		if layers, err = s.commandLine(ctx); err != nil {
			_, broken := e.root().compile() // the two have nothing to do with each other
			return nil, s.config.Fail(ctx, s.files, errors.Join(broken, err))
		}
	}
	e.files = layers.files
	res, err := e.run(layers)
	if err == nil && e.follows && s.origins == nil && req.Goal == Documents && len(req.Only) == 0 {
		return e.follow(ctx, layers, res)
	}
	return res, err
}

// evaluation begins an evaluation.
func (s *Session) evaluation(ctx context.Context, req Request) *evaluation {
	e := &evaluation{ctx: ctx, session: s, config: &s.config, request: req, files: s.files}
	e.env.YAML = s.config.Compile.YAML
	e.env.Warn = e.remark
	if s.origins != nil {
		e.tracer = eval.NewTracer(s.origins)
		if s.follows {
			e.tracer.FollowTexts()
		}
	}
	return e
}

// readFrom returns the files on disk that the project and these layers were read from.
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
		for _, arg := range s.config.Load.Paths { // also where marks leave out all that is in it
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
