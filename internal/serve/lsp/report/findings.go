package report

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// finding is a diagnostic in a file.
type finding struct {
	*diag.Diagnostic
	files *source.Set
	path  string
	envs  []string
	lint  bool // it was found by the linter
	safe  bool // its fix does not change the output

	everywhere bool // it is about all environments together
}

// analyzed is a version of a document that tier 1 has seen.
type analyzed struct {
	text     *source.File
	analysis *compile.Analysis
}

// evaluated is a version of a document that tier 2 has seen. It has only what was found: the outcome would
// keep all documents of its session in memory for as long as the text stays the same.
type evaluated struct {
	text  *source.File
	env   string
	found diag.Failure
}

// noteAnalyzed records that tier 1 has seen a document. It reports whether that is new: how a
// document is read also depends on the project file.
func (f *folder) noteAnalyzed(d *workspace.TextDocument) bool {
	now := analyzed{d.File(), d.Analysis()}
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.analyzed[d.Path()]
	f.analyzed[d.Path()] = now
	return was != now
}

// wasEvaluated reports whether tier 2 has seen a document.
func (f *folder) wasEvaluated(d *workspace.TextDocument) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.evaluated[d.Path()].text == d.File()
}

func (f *folder) noteEvaluated(d *workspace.TextDocument, v *workspace.View, out *workspace.Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.evaluated[d.Path()] = evaluated{d.File(), v.Env, out.Diagnostics}
}

// forgetClosed drops what the quick tiers found in documents that are no longer open.
func (f *folder) forgetClosed(s *workspace.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.analyzed, func(path string, _ analyzed) bool { return s.OpenText(path) == nil })
	maps.DeleteFunc(f.evaluated, func(path string, _ evaluated) bool { return s.OpenText(path) == nil })
}

// outcome is the latest outcome of a view, with the findings in each file.
type outcome struct {
	*workspace.Outcome
	view  *workspace.View // nil if the project file is wrong
	found map[string][]finding
}

// outcomes returns the latest outcomes of all views.
func (f *folder) outcomes() []outcome {
	var list []outcome
	for _, p := range f.Projects() {
		if p.IsUnknown() {
			continue
		}
		for _, v := range p.Views() {
			if out := v.Latest(); out != nil && !f.isBroken(p) {
				list = append(list, outcome{out, v, f.outcomeFindings(v, out, p)})
			}
		}
		if d := p.Failure(); d != nil {
			list = append(list, outcome{&workspace.Outcome{}, nil, f.byFile(d, p.File())})
		}
	}
	return list
}

// outcomeFindings returns the findings of an outcome by their files.
//
// At rest, they are what the command line prints. While a file is being edited and has errors, the
// command line would report only those. Instead, the findings in the other files are those of an
// evaluation with the last version of that file without errors, so that findings do not come and go
// with each key.
func (f *folder) outcomeFindings(
	v *workspace.View, out *workspace.Outcome, p *workspace.Configuration,
) map[string][]finding {
	if !f.isBeingEdited(out) {
		return f.byFile(&out.Diagnostics, p.File(), v.Env)
	}
	found, everywhere := f.byFile(out.StaleDiagnostics, p.File(), v.Env), affectsOthers(out)
	for path, list := range found {
		found[path] = slices.DeleteFunc(list, func(x finding) bool {
			mayBeStale := everywhere || x.Severity != diag.Error
			return slices.Contains(out.Stale, path) || mayBeStale && !f.wasPublished(path, x)
		})
	}
	return found
}

// affectsOthers reports whether a stale file may change the findings in other files: any file but a
// template may.
func affectsOthers(out *workspace.Outcome) bool {
	return slices.ContainsFunc(out.Stale, func(path string) bool {
		good, _ := out.Snapshot.Document(path).LastGood()
		return good.Role != compile.ForOutput || good.Kind == compile.Starlark ||
			strings.Contains(path, ".lib.")
	})
}

// byFile returns findings by their files. Findings without a place are put at the beginning of the
// project file, or in the log if there is none.
func (f *folder) byFile(
	found *diag.Failure, projectFile string, envs ...string,
) map[string][]finding {
	files := map[string][]finding{}
	for _, d := range found.List {
		path := projectFile
		if at := fileOf(found.Files, d.At); at != nil {
			path = filepath.ToSlash(at.Shown())
		}
		if path == "" {
			f.reporter.opt.Log("%s: %s", d.Code, found.Files.ConcealedMessage(d.Message))
			continue
		}
		files[path] = append(files[path], finding{Diagnostic: d, files: found.Files, path: path, envs: envs})
	}
	return files
}

// wasPublished reports whether the client has a finding.
func (f *folder) wasPublished(path string, x finding) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.sent[path].Diagnostics, func(d protocol.Diagnostic) bool {
		return d.Code == string(x.Code) && strings.HasPrefix(d.Message, x.files.ConcealedMessage(x.Message))
	})
}

// fileOf returns the file that a place is in, or nil if an editor cannot open it.
func fileOf(files *source.Set, at source.Span) *source.File {
	if files == nil {
		return nil
	}
	if f := files.File(at.Pos); f != nil && !f.Argument() {
		return f
	}
	return nil
}

// findings returns the findings in a file: those of the tiers and of the linter, and those of other commands.
func (f *folder) findings(s *workspace.Snapshot, path string, outcomes []outcome) []finding {
	return append(f.addLinted(s, path, f.tierFindings(s, path, outcomes)), f.ownFindings(s, path)...)
}

// tierFindings returns what evaluations have found in a file or, until they have seen its text, what
// the quick tiers have found.
func (f *folder) tierFindings(s *workspace.Snapshot, path string, outcomes []outcome) []finding {
	var deep []finding
	for _, o := range outcomes {
		deep = append(deep, o.found[path]...)
	}
	deep = joinEnvironments(deep, outcomes)
	f.mu.Lock()
	first, second := f.analyzed[path], f.evaluated[path]
	f.mu.Unlock()
	text := s.OpenText(path)
	if text == nil || first.text != text || first.analysis.Kind == compile.PlainText || f.isUnread(s, path) {
		return deep
	}
	found := analysisFindings(path, first.analysis)
	switch {
	case f.isCurrent(outcomes, path, text):
		return deep // the evaluation has the same errors, and names the files that load this one
	case len(first.analysis.Errors) > 0:
		return found
	case second.text == text:
		return append(found, f.byFile(&second.found, "", second.env)[path]...)
	}
	return append(found, slices.DeleteFunc(deep, func(x finding) bool { return isFoundByAnalysis(x.Code) })...)
}

// isCurrent reports whether evaluations have seen the text of a file.
func (f *folder) isCurrent(outcomes []outcome, path string, text *source.File) bool {
	evaluated := false
	for _, o := range outcomes {
		if f.isBeingEdited(o.Outcome) && slices.Contains(o.Stale, path) {
			return false
		}
		if seen := o.Text(path); seen != nil {
			if evaluated = true; !bytes.Equal(seen, text.Data()) {
				return false
			}
		}
	}
	return evaluated
}

// isBeingEdited reports whether an outcome used an older version of a file that now has errors, but
// had none when everything was last published.
func (f *folder) isBeingEdited(out *workspace.Outcome) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return out.StaleDiagnostics != nil && out.Snapshot.ID > f.rest.id &&
		slices.ContainsFunc(out.Stale, func(path string) bool { return !f.rest.stale[path] })
}

// isBroken reports whether a project file cannot be read and is not being edited. Then the command
// line does not look at other files.
func (f *folder) isBroken(p *workspace.Configuration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return p.Broken() && f.rest.broken[p.Key()]
}

// isUnread reports whether the project of a file is wrong in such a way that its files cannot be
// read: it is unknown how to read them, and the command line does not look at them.
func (f *folder) isUnread(s *workspace.Snapshot, path string) bool {
	p := s.Document(path).Project()
	if p == nil {
		return false
	}
	if f.isBroken(p) {
		return true
	}
	for _, v := range p.Views() {
		if out := v.Latest(); out == nil || out.Session != nil || out.IsTooLarge() {
			return false
		}
	}
	return p.Failure() != nil || len(p.Views()) > 0
}

// isFoundByAnalysis reports whether tier 1 finds diagnostics with a code.
func isFoundByAnalysis(c diag.Code) bool {
	area, _, _ := strings.Cut(string(c), "/")
	return area == "yaml" || area == "script" || area == "template"
}

// analysisFindings returns the errors of an analysis or, if there are none, its warnings: a warning
// may be a consequence of an error, and the command line would not print it either.
func analysisFindings(path string, a *compile.Analysis) []finding {
	set, found := source.Single(a.File), a.Errors
	if len(found) == 0 {
		found = a.Warnings
	}
	var list []finding
	for _, d := range found {
		list = append(list, finding{Diagnostic: d, files: set, path: path})
	}
	return list
}

// joinEnvironments merges findings that several environments share. If all of them share a finding,
// it names none.
func joinEnvironments(list []finding, outcomes []outcome) []finding {
	var out []finding
	at := map[string]int{}
	for _, x := range list {
		key := fmt.Sprint(x.At.Offset(), x.At.Len, x.Code, x.Message)
		if i, ok := at[key]; ok {
			out[i].envs = append(slices.Clip(out[i].envs), x.envs...)
			continue
		}
		at[key] = len(out)
		out = append(out, x)
	}
	for i := range out {
		if len(out[i].envs) >= environmentsWith(outcomes, out[i].path) {
			out[i].envs = nil
		}
	}
	return out
}

// environmentsWith returns the number of environments that have evaluated a file, or found something
// in it.
func environmentsWith(outcomes []outcome, path string) int {
	n := 0
	for _, o := range outcomes {
		if o.view != nil && (o.Text(path) != nil || len(o.found[path]) > 0) {
			n++
		}
	}
	return n
}
