package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"weft/internal/check/lint"
	"weft/internal/engine/budget"
	"weft/internal/lang/diag"
)

// linted is what `weft lint` finds in a project, by files.
type linted map[string][]finding

// lintDelay is how many times longer than for an evaluation nothing must change before all is
// evaluated with origins, which costs several times as much.
const lintDelay = 4

// bulkGarbage is how much garbage there may be while all is evaluated with origins, as a percentage of
// what is alive. With the 50 percent of a server at rest, much of the time goes into collections.
const bulkGarbage = 150

// seek returns the last part of tier 3: what `weft lint` finds in the open projects, in all
// environments together. It reports whether that took much more memory than all else.
func (f *Folder) seek(s *Snapshot, projects []*Project) (large bool) {
	select {
	case <-s.ctx.Done():
		return false
	case <-time.After((lintDelay - 1) * f.session.opt.Debounce):
	}
	end := budget.Bulk(bulkGarbage)
	for _, p := range projects {
		large = f.lint(s, p) || large
	}
	end()
	for _, p := range projects {
		if v := p.active(); v != nil && s.ctx.Err() == nil {
			v.Values(s.ctx, s) // for who does not want to wait
		}
	}
	if s.ctx.Err() == nil {
		f.restAt(s)
		f.publishAll(s)
		what := RefreshLenses
		if f.unreadChanged() {
			what |= RefreshTokens
		}
		f.session.refresh(what)
	}
	return large
}

// restAt notes that all is about to be told.
func (f *Folder) restAt(s *Snapshot) {
	wrong := map[string]bool{}
	for _, path := range s.staleBuffers() {
		wrong[path] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	broken := map[string]bool{}
	for key, p := range f.projects {
		broken[key] = p.broken
	}
	f.rest = rest{s.ID, wrong, broken}
}

// unreadChanged reports whether other data values are unread than when it was called last.
func (f *Folder) unreadChanged() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	var keys []string
	for _, l := range f.linted {
		for path, list := range l {
			for _, x := range list {
				if x.Code == codeUnread {
					keys = append(keys, fmt.Sprint(path, " ", x.At.Offset()))
				}
			}
		}
	}
	slices.Sort(keys)
	now := strings.Join(keys, "\n")
	changed := now != f.unread
	f.unread = now
	return changed
}

// lint looks at a project. It reports whether what it made was large.
func (f *Folder) lint(s *Snapshot, p *Project) (large bool) {
	if p.broken || p.IsUnknown() {
		f.noteLinted(p, nil)
		return false
	}
	linter, err := lint.New(p.lint)
	if err != nil {
		f.session.opt.Log("lint: %s", err)
		return false
	}
	var last *Traced
	var failed error // why some findings are missing
	for _, v := range p.Views() {
		t := v.trace(s.ctx, s, last)
		if s.ctx.Err() != nil {
			return large
		}
		if t.Session != nil {
			opts := v.opts
			opts.FS = s.Files()
			env := opts.Linting()
			env.Config = v.config
			failed = cmp.Or(failed, linter.Add(s.ctx, env, t.Session, t.Result, t.err))
		}
		if v.Env == p.env {
			v.offerTrace(t)
			v.noteReads(t)
		}
		large = large || t.Result != nil && len(t.Result.Docs) > maxKeptTrace
		last = &Traced{Session: t.Session, of: v} // what it made is not needed any more
	}
	found, evaluated := linted{}, p.evaluated()
	if failed != nil {
		found = p.cannotLint(failed)
	}
	for _, d := range linter.Report().Found {
		at := fileOf(d.Files, d.At)
		rule, ok := lint.Find(string(d.Code))
		if at == nil || ok && rule.Needs == lint.Environments && len(p.names) > maxViews {
			continue // no one has looked everywhere
		}
		x := *d.Diagnostic
		x.Severity = d.Level.Severity()
		path := filepath.ToSlash(at.Shown())
		if ok || !evaluated[lintPlace{path, d.At.Offset(), d.Code}] {
			found[path] = append(found[path], finding{
				Diagnostic: &x, files: d.Files, path: path, lint: ok, safe: d.Safe,
			})
		}
	}
	f.noteLinted(p, found)
	return large
}

// lintPlace is a finding at its place.
type lintPlace struct {
	path string
	at   int
	code diag.Code
}

// evaluated returns what evaluations have found. They know first if it is not there any more.
func (p *Project) evaluated() map[lintPlace]bool {
	found := map[lintPlace]bool{}
	for _, v := range p.Views() {
		out := v.Latest()
		if out == nil {
			continue
		}
		for _, d := range out.List {
			if at := fileOf(out.Files, d.At); at != nil {
				found[lintPlace{filepath.ToSlash(at.Shown()), d.At.Offset(), d.Code}] = true
			}
		}
	}
	return found
}

func (f *Folder) noteLinted(p *Project, found linted) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.linted[p.key] = found
}

// cannotLint returns why the linter could not look at everything: schemas that are missing.
func (p *Project) cannotLint(err error) linted {
	found := linted{}
	for _, part := range failureOf(err) {
		for _, d := range part.list {
			path := p.file
			if at := fileOf(part.files, d.At); at != nil {
				path = filepath.ToSlash(at.Shown())
			}
			if path == "" {
				p.folder.session.opt.Log("lint: %s", d.Message)
				continue
			}
			found[path] = append(found[path], finding{
				Diagnostic: d, files: part.files, path: path, lint: true,
			})
		}
	}
	return found
}

// staleBuffers returns the open files that are evaluated as they were when they had no errors.
func (s *Snapshot) staleBuffers() []string {
	var paths []string
	for p, b := range s.open {
		if b.good == nil {
			continue
		}
		if kind, opt := s.folder.reading(s, b); len(b.analyse(kind, opt).Errors) > 0 {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// addLinted adds what the linter has found in a file to what the tiers have: what both have found
// is told once. What is not a rule of the linter is an error that no run has come to, in a library
// that nothing uses for example; it is told only of the text that it is about.
func (f *Folder) addLinted(s *Snapshot, path string, list []finding) []finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	told := map[lintPlace]bool{}
	for _, x := range list {
		told[lintPlace{path, x.At.Offset(), x.Code}] = true
	}
	for _, l := range f.linted {
		for _, x := range l[path] {
			if !told[lintPlace{path, x.At.Offset(), x.Code}] && (x.lint || x.isOf(s.open[path])) {
				list = append(list, x)
			}
		}
	}
	return list
}

// isOf reports whether a finding is about the text of a buffer, or of the file if there is none.
func (x finding) isOf(b *buffer) bool {
	at := fileOf(x.files, x.At)
	return b == nil || at.SameText(b.file)
}
