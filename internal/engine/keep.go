package engine

import (
	"slices"

	"weft/internal/engine/eval"
	"weft/internal/engine/values"
	"weft/internal/lang/tree"
)

// last is what the last evaluation of a session keeps for the next.
type last struct {
	files  *eval.Kept
	values *lastValues
}

// lastValues is the data values of the last evaluation, and what they were computed from.
type lastValues struct {
	stack           values.Stack
	log             messages
	layers          *Layers
	schemas, values *documents
}

// keeps reports whether evaluations of the library keep something for the next one. Those of the
// project do, unless the session is evaluated once, or intermediate results are requested.
func (l *library) keeps() bool {
	e := l.run
	return l.isProject() && !e.config.Once && !e.config.WarnUnused && !e.config.Origins &&
		e.request.Library == ""
}

// lastValues returns the data values of the last evaluation, if the result would be the same.
func (l *library) lastValues(files *declared) *lastValues {
	was := l.run.session.lastOf(l)
	if was == nil || was.values == nil || was.values.layers.id != l.given.id ||
		len(l.schemas)+len(l.with) > 0 {
		return nil
	}
	v := was.values
	if v.schemas != files.schemaDocuments(l) || v.values != files.valuesDocuments(l) {
		return nil
	}
	return v
}

// lastOf returns what the last evaluation kept, for a library that can use it.
func (s *Session) lastOf(l *library) *last {
	if !l.keeps() {
		return nil
	}
	if env := l.run.request.environment; env != nil {
		return env.last
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// keep passes the results of the last evaluation to an evaluation of templates.
func (l *library) keep(opt *eval.Options, vals *valued) {
	if !l.keeps() {
		return
	}
	opt.Keep, opt.ValuesID = true, vals.id
	if was := l.run.session.lastOf(l); was != nil {
		opt.Kept = was.files
	}
}

// keepResult keeps the result for the next evaluation, unless the data values are not those of the
// command line, or only some of the files were evaluated.
func (l *library) keepResult(res *eval.Result, vals *valued) {
	s := l.run.session
	if !l.keeps() || l.isPart() || res.Keep() == nil {
		return
	}
	if env := l.run.request.environment; env != nil {
		s.environments.keep(env, &last{files: res.Keep(), values: vals.id})
		return
	}
	if l.run.request.Layers != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = &last{files: res.Keep(), values: vals.id}
}

// isPart reports whether only some of the project's files are evaluated.
func (l *library) isPart() bool { return l.isProject() && len(l.run.request.Only) > 0 }

// batch returns the templates that are to be evaluated.
func (l *library) batch(files *declared) *eval.Batch {
	if !l.isPart() {
		return files.templates
	}
	return files.templates.Only(func(f *eval.File) bool {
		return slices.Contains(l.run.request.Only, f.Input.Path)
	})
}

// unchecked returns the documents that the last evaluation has not checked for JSON.
func (s *Session) unchecked(docs []tree.Doc) []tree.Doc {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inJSON == nil {
		return docs
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d tree.Doc) bool { return s.inJSON[d] })
}

// checked records which documents can be printed as JSON, for the next evaluation.
func (s *Session) checked(docs []tree.Doc) {
	if s.config.Once {
		return
	}
	known := make(map[tree.Doc]bool, len(docs))
	for _, d := range docs {
		known[d] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inJSON = known
}
