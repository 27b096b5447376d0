package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"weft/internal/check/lint"
	"weft/internal/engine/shortcut"
	"weft/internal/lang/diag"
	"weft/internal/serve/lsp/workspace"
)

// linted is what `weft lint` finds in a project, by files.
type linted map[string][]finding

// lintDelay is the factor by which the pause before projects are linted is longer than that before an
// evaluation: evaluations with origins cost several times as much.
const lintDelay = 4

// lintAll lints the open projects, each with all of its environments: the last part of tier 3. tallies have
// the short cuts that the evaluations of the projects have used.
func (f *folder) lintAll(
	s *workspace.Snapshot, projects []*workspace.Configuration,
	tallies map[*workspace.Configuration]*shortcut.Tally,
) {
	ctx := s.Context()
	select {
	case <-ctx.Done():
		return
	case <-time.After((lintDelay - 1) * f.reporter.opt.Debounce):
	}
	f.bulk.grow(lintHeap)
	for _, p := range projects {
		if f.isLinted(s, p) {
			continue // a document was opened or closed
		}
		f.lint(s, p, tallies[p].Unmatched())
		f.noteLintedOf(s, p)
	}
	for _, p := range projects {
		if v := p.View(""); v != nil && ctx.Err() == nil {
			v.Values(ctx, s) // so that features do not wait for them
		}
	}
	if ctx.Err() == nil {
		f.noteRest(s)
		f.publishAll(s)
		what := RefreshLenses
		if f.unreadChanged() {
			what |= RefreshTokens
		}
		f.refresh(s, what)
	}
}

// lintedOf is what the linter has looked at: findings stay the same if it is the same again.
type lintedOf struct {
	content int
	active  string
	views   []*workspace.View
}

// isLinted reports whether the linter has looked at a project with the same texts.
func (f *folder) isLinted(s *workspace.Snapshot, p *workspace.Configuration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was, ok := f.lintedOf[p.Key()]
	return ok && was.content == s.Content && was.active == p.Active() && slices.Equal(was.views, p.Views())
}

// noteLintedOf records that the linter has looked at a project, unless it was interrupted.
func (f *folder) noteLintedOf(s *workspace.Snapshot, p *workspace.Configuration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.lintedOf, p.Key())
	if s.Context().Err() == nil {
		f.lintedOf[p.Key()] = lintedOf{s.Content, p.Active(), p.Views()}
	}
}

// rest is the state of the last snapshot that was published completely.
type rest struct {
	id     int
	stale  map[string]bool // files with errors that were evaluated in an earlier version
	broken map[string]bool // projects whose files could not be read, by key
}

// noteRest records that everything is about to be published.
func (f *folder) noteRest(s *workspace.Snapshot) {
	r := rest{s.ID, map[string]bool{}, map[string]bool{}}
	for _, path := range s.Stale() {
		r.stale[path] = true
	}
	for _, p := range f.Projects() {
		r.broken[p.Key()] = p.Broken()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rest = r
}

// unreadChanged reports whether the set of unread data values has changed since the last call.
func (f *folder) unreadChanged() bool {
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

// lint lints a project. unmatched are the errors about short cuts that match nothing in any environment.
func (f *folder) lint(s *workspace.Snapshot, p *workspace.Configuration, unmatched []*diag.Failure) {
	if p.Broken() || p.IsUnknown() {
		f.noteLinted(p, nil)
		return
	}
	linter, err := lint.New(p.Linting())
	if err != nil {
		f.reporter.opt.Log("lint: %s", err)
		return
	}
	var failed error // why some findings are missing
	p.TraceAll(s.Context(), s, func(v *workspace.View, t *workspace.Traced) {
		if t.Session != nil {
			opts := v.Options()
			opts.FS = s.Files()
			env := opts.Linting()
			env.Config = v.Config()
			if t.Again != nil {
				linter.AddAgain(env, t.Session, t.Again, v.Latest().Diagnostics)
			} else {
				failed = cmp.Or(failed, linter.Add(s.Context(), env, t.Session, t.Result, t.Err))
			}
			v.NoteLinted(t, linter.Seen())
		}
	})
	if s.Context().Err() != nil {
		return
	}
	linter.Everywhere(unmatched)
	found := linted{}
	if failed != nil {
		found = f.lintErrors(p, failed)
	}
	seen := evaluationFindings(p)
	for _, d := range linter.Report().Found {
		at := fileOf(d.Files, d.At)
		rule, ok := lint.Find(string(d.Code))
		if at == nil || ok && rule.Needs == lint.Environments && len(p.Environments()) > workspace.MaxViews {
			continue // not all environments were evaluated
		}
		x := *d.Diagnostic
		x.Severity = d.Level.Severity()
		path := filepath.ToSlash(at.Shown())
		everywhere := slices.ContainsFunc(unmatched, func(f *diag.Failure) bool {
			return f.List[0] == d.Diagnostic
		})
		if ok || everywhere || !seen[findingKey{path, d.At.Offset(), d.Code}] {
			found[path] = append(found[path], finding{
				Diagnostic: &x, files: d.Files, path: path, lint: ok, safe: d.Safe, everywhere: everywhere,
			})
		}
	}
	f.noteLinted(p, found)
}

func (f *folder) noteLinted(p *workspace.Configuration, found linted) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.linted[p.Key()] = found
}

// lintErrors returns why the linter could not check everything: missing schemas.
func (f *folder) lintErrors(p *workspace.Configuration, err error) linted {
	found := linted{}
	errs := diag.FailureOf(err).Errors()
	for _, d := range errs.List {
		path := p.File()
		if at := fileOf(errs.Files, d.At); at != nil {
			path = filepath.ToSlash(at.Shown())
		}
		if path == "" {
			f.reporter.opt.Log("lint: %s", d.Message)
			continue
		}
		found[path] = append(found[path], finding{
			Diagnostic: d, files: errs.Files, path: path, lint: true,
		})
	}
	return found
}

// findingKey identifies a finding.
type findingKey struct {
	path string
	at   int
	code diag.Code
}

// evaluationFindings returns what evaluations have found. They are the first to notice when a finding
// is resolved, so the linter need not report it too.
func evaluationFindings(p *workspace.Configuration) map[findingKey]bool {
	found := map[findingKey]bool{}
	for _, v := range p.Views() {
		out := v.Latest()
		if out == nil {
			continue
		}
		for _, d := range out.Diagnostics.List {
			if at := fileOf(out.Diagnostics.Files, d.At); at != nil {
				found[findingKey{filepath.ToSlash(at.Shown()), d.At.Offset(), d.Code}] = true
			}
		}
	}
	return found
}

// addLinted adds the findings of the linter in a file, without duplicates. A code that is not a lint
// rule is an error that evaluations do not reach, such as one in a library that is not used; it is
// added only if the text has not changed since.
func (f *folder) addLinted(s *workspace.Snapshot, path string, list []finding) []finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := map[findingKey]bool{}
	for _, x := range list {
		seen[findingKey{path, x.At.Offset(), x.Code}] = true
	}
	text := s.OpenText(path)
	for _, l := range f.linted {
		for _, x := range l[path] {
			key := findingKey{path, x.At.Offset(), x.Code}
			switch current := x.lint || text == nil || fileOf(x.files, x.At).SameText(text); {
			case current && x.everywhere && seen[key]: // it stands for those about single environments
				list = slices.DeleteFunc(list, func(y finding) bool {
					return key == findingKey{path, y.At.Offset(), y.Code}
				})
				list = append(list, x)
			case current && !seen[key]:
				list = append(list, x)
			}
		}
	}
	return list
}
