package engine

import (
	"weft/internal/engine/cover"
	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// AlwaysCover makes every run measure coverage, so that tests can show that the results are the
// same.
var AlwaysCover *cover.Recorder

// points registers the points of all files, even of files that no run needs.
func (s *Session) points() {
	if s.config.Cover == nil {
		return
	}
	for _, f := range s.lib.Files {
		if f.Input.Type == load.Data {
			continue // the file is read only if something asks for its text
		}
		if u, err := f.Unit(); err == nil && u.Cover != nil {
			s.config.Cover.Add(u.Cover)
		}
	}
}

// concealData keeps the data of Secrets out of the coverage report: code may contain it as text.
func (e *evaluation) concealData(docs []tree.Doc) {
	if e.config.Cover == nil {
		return
	}
	for _, d := range docs {
		e.config.Cover.Conceal(secret.Texts(nil, d.Value))
	}
}

// covers returns the function that records what overlays match, or nil.
func (e *evaluation) covers() func(at source.Pos, n int) {
	r := e.config.Cover
	if r == nil {
		return nil
	}
	return func(at source.Pos, n int) {
		found := int32(cover.Matched)
		if n == 0 {
			found = cover.Missing
		}
		r.Reach(e.files.File(at),
			cover.Key{Kind: cover.Overlays, Start: int32(at.Offset()), Case: found})
	}
}

// verdictRecorder returns the function that records the results of validations, or nil.
func (e *evaluation) verdictRecorder() func(schema.Verdict) {
	r := e.config.Cover
	if r == nil {
		return nil
	}
	return func(v schema.Verdict) {
		f, k := e.files.File(v.At), cover.Key{Kind: cover.Rules, Start: int32(v.At.Offset())}
		if k.Case = cover.Failed; v.Passed {
			k.Case = cover.Passed
		}
		r.Reach(f, k)
		if v.One >= 0 {
			k.Case = cover.One + int32(v.One)
			r.Reach(f, k)
		}
	}
}

// coverValues registers the data values of the project, and records those that a test sets.
func (l *library) coverValues(t *schema.Type) {
	r := l.run.config.Cover
	if r == nil || !l.isProject() {
		return
	}
	key := func(at source.Pos) (*source.File, cover.Key) {
		return l.run.files.File(at), cover.Key{Kind: cover.Values, Start: int32(at.Offset())}
	}
	t.Leaves(func(at source.Pos, path string) {
		if f, k := key(at); f != nil {
			r.Declare(f, cover.Point{Key: k, Miss: path + ": set by no test"})
		}
	})
	for _, d := range l.given.tested {
		if len(d.Ref) == 0 {
			t.LeavesOf(d.Value, func(at source.Pos) {
				if f, k := key(at); f != nil {
					r.Reach(f, k)
				}
			})
		}
	}
}
