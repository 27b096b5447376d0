package workspace

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"weft/internal/engine/compile"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/serve/lsp/protocol"
)

// reports is what the tiers have found out about files, and what of it the client knows.
type reports struct {
	state *reportState
}

type reportState struct {
	mu      sync.Mutex
	firsts  map[string]firstReport
	seconds map[string]secondReport

	sent map[string]protocol.PublishDiagnosticsParams

	sending sync.Mutex // so that the newest is sent last
}

// firstReport is what tier 1 has found in a buffer.
type firstReport struct {
	buffer   *buffer
	analysis *compile.Analysis
}

// secondReport is what tier 2 has found.
type secondReport struct {
	buffer  *buffer
	view    *View
	outcome *Outcome
}

func newReports() reports {
	return reports{&reportState{
		firsts: map[string]firstReport{}, seconds: map[string]secondReport{},
		sent: map[string]protocol.PublishDiagnosticsParams{},
	}}
}

// knows reports whether tier 1 has seen a buffer, and what it says.
func (r reports) knows(b *buffer, a *compile.Analysis) bool {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	return r.state.firsts[b.path] == firstReport{b, a}
}

func (r reports) first(b *buffer, a *compile.Analysis) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	r.state.firsts[b.path] = firstReport{b, a}
}

// seconded reports whether tier 2 has seen a buffer.
func (r reports) seconded(b *buffer) bool {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	return r.state.seconds[b.path].buffer == b
}

func (r reports) second(b *buffer, v *View, out *Outcome) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	r.state.seconds[b.path] = secondReport{b, v, out}
}

// forget forgets what was found in documents that are not open any more.
func (r reports) forget(open map[string]*buffer) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	gone := func(path string) bool { return open[path] == nil }
	maps.DeleteFunc(r.state.firsts, func(path string, _ firstReport) bool { return gone(path) })
	maps.DeleteFunc(r.state.seconds, func(path string, _ secondReport) bool { return gone(path) })
}

// finding is a diagnostic in a file.
type finding struct {
	*diag.Diagnostic
	files *source.Set
	path  string
	envs  []string
	lint  bool // it was found by the linter
	safe  bool // its fix leaves the meaning as it is
}

// publishAll sends the diagnostics of all files.
func (f *Folder) publishAll(s *Snapshot) {
	f.reports.forget(s.open)
	outcomes := f.outcomes()
	paths := map[string]bool{}
	for p := range s.open {
		paths[p] = true
	}
	for _, o := range outcomes {
		for p := range o.found {
			paths[p] = true
		}
	}
	f.mu.Lock()
	for _, l := range f.linted {
		for p := range l {
			paths[p] = true
		}
	}
	f.mu.Unlock()
	f.reports.state.mu.Lock()
	for p := range f.reports.state.sent {
		paths[p] = true
	}
	f.reports.state.mu.Unlock()
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		f.send(s, p, outcomes)
	}
}

// publish sends the diagnostics of a file.
func (f *Folder) publish(s *Snapshot, path string) { f.send(s, path, f.outcomes()) }

// send sends the diagnostics of a file, unless the client knows them.
func (f *Folder) send(s *Snapshot, path string, outcomes []viewed) {
	r := f.reports.state
	r.sending.Lock()
	defer r.sending.Unlock()
	if s.ctx.Err() != nil {
		return // another snapshot is about to be looked at
	}
	p := protocol.PublishDiagnosticsParams{
		URI: s.URI(path), Diagnostics: f.diagnostics(s, path, outcomes),
	}
	if b := s.open[path]; b != nil {
		p.Version = &b.version
	}
	if f.reports.note(path, p) {
		f.session.publish(f, p)
	}
}

// note notes what the client is reported a file. It reports whether that is news.
func (r reports) note(path string, p protocol.PublishDiagnosticsParams) bool {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	sent := r.state.sent
	was, known := sent[path]
	if !known && len(p.Diagnostics) == 0 && p.Version == nil || known && reflect.DeepEqual(was, p) {
		return false
	}
	if sent[path] = p; len(p.Diagnostics) == 0 && p.Version == nil {
		delete(sent, path)
	}
	return true
}

// viewed is the latest outcome of a view, with what it has found in each file.
type viewed struct {
	*Outcome
	view  *View
	all   bool // it is the only environment
	found map[string][]finding
}

// outcomes returns the latest outcomes of all views.
func (f *Folder) outcomes() []viewed {
	f.mu.Lock()
	projects := slices.Collect(maps.Values(f.projects))
	f.mu.Unlock()
	slices.SortFunc(projects, func(a, b *Project) int { return strings.Compare(a.key, b.key) })
	var list []viewed
	for _, p := range projects {
		if p.IsUnknown() {
			continue
		}
		for _, v := range p.Views() {
			if out := v.Latest(); out != nil && !f.isLost(p) {
				list = append(list, viewed{out, v, len(p.views) == 1, f.foundIn(v, out, p)})
			}
		}
		if p.failure != nil {
			list = append(list, viewed{&Outcome{Failed: true}, nil, true, p.failures()})
		}
	}
	return list
}

// foundIn returns the findings of an outcome by their files. What has no place is told at the
// beginning of the project file, if there is one.
//
// At rest, they are what the command line says. While a file is half typed, they are what is wrong
// in the others as long as it was right: the command line would stop before these, and they would
// come and go with each key.
func (f *Folder) foundIn(v *View, out *Outcome, p *Project) map[string][]finding {
	if !f.isTyped(out) {
		return v.findings(&told{out.Files, out.List}, p.file)
	}
	found, stale := v.findings(out.meanwhile, p.file), out.stale
	for path, list := range found {
		found[path] = slices.DeleteFunc(list, func(x finding) bool {
			return slices.Contains(stale, path) ||
				mayBeStale(out, x.Diagnostic, stale) && !f.reports.knew(path, x)
		})
	}
	return found
}

// findings returns what was told, by files.
func (v *View) findings(t *told, projectFile string) map[string][]finding {
	found := map[string][]finding{}
	for _, d := range t.list {
		path := projectFile
		if f := fileOf(t.files, d.At); f != nil {
			path = filepath.ToSlash(f.Shown())
		}
		if path == "" {
			v.folder.session.opt.Log("%s: %s", d.Code, t.files.ConcealedMessage(d.Message))
			continue
		}
		found[path] = append(found[path], finding{
			Diagnostic: d, files: t.files, path: path, envs: []string{v.Env},
		})
	}
	return found
}

// knew reports whether the client has been told a finding before.
func (r reports) knew(path string, x finding) bool {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	return slices.ContainsFunc(r.state.sent[path].Diagnostics, func(d protocol.Diagnostic) bool {
		return d.Code == string(x.Code) && strings.HasPrefix(d.Message, x.files.ConcealedMessage(x.Message))
	})
}

// mayBeStale reports whether a finding may be there only because a file was evaluated as it was
// before. Templates are no one's business but their own; all others may matter everywhere.
func mayBeStale(out *Outcome, d *diag.Diagnostic, stale []string) bool {
	return d.Severity != diag.Error || slices.ContainsFunc(stale, func(p string) bool {
		good := out.Snapshot.open[p].good
		return good.Role != compile.ForOutput || good.Kind == compile.Starlark ||
			strings.Contains(p, ".lib.")
	})
}

// fileOf returns the file that a place is in, if it is one that an editor can open.
func fileOf(files *source.Set, at source.Span) *source.File {
	if files == nil {
		return nil
	}
	if f := files.File(at.Pos); f != nil && !f.Argument() {
		return f
	}
	return nil
}

// diagnostics returns the diagnostics of a file.
func (f *Folder) diagnostics(s *Snapshot, path string, outcomes []viewed) []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	for _, x := range f.addLinted(s, path, f.findings(s, path, outcomes)) {
		if d, ok := f.convert(s, x); ok && !slices.ContainsFunc(out, func(o protocol.Diagnostic) bool {
			return reflect.DeepEqual(o, d)
		}) {
			out = append(out, d)
		}
	}
	sortDiagnostics(out)
	return out
}

// sortDiagnostics puts diagnostics in the order of their places.
func sortDiagnostics(list []protocol.Diagnostic) {
	slices.SortStableFunc(list, func(a, b protocol.Diagnostic) int {
		if a.Range.Start.Line != b.Range.Start.Line {
			return a.Range.Start.Line - b.Range.Start.Line
		}
		return a.Range.Start.Character - b.Range.Start.Character
	})
}

// findings returns what is to be said of a file: what evaluations have found in its text, or, until
// they have seen it, what the quick tiers say.
func (f *Folder) findings(s *Snapshot, path string, outcomes []viewed) []finding {
	b := s.open[path]
	var deep []finding
	fresh := true // evaluations have seen this text
	for _, o := range outcomes {
		deep = append(deep, o.found[path]...)
		if b != nil && o.view != nil {
			if seen := o.view.textOf(o.Outcome, path); seen != nil && !bytes.Equal(seen, b.file.Data()) {
				fresh = false
			}
		}
	}
	deep = joinEnvironments(deep, outcomes)
	if b == nil {
		return deep
	}
	r := f.reports.state
	r.mu.Lock()
	first, second := r.firsts[path], r.seconds[path]
	r.mu.Unlock()
	if first.buffer != b {
		return deep
	}
	own := findingsOf(path, first.analysis)
	typed := slices.ContainsFunc(outcomes, func(o viewed) bool {
		return f.isTyped(o.Outcome) && slices.Contains(o.stale, path)
	})
	switch {
	case first.analysis.Kind == compile.PlainText || f.isUnread(s, path):
		return deep
	case fresh && !typed && f.isEvaluated(s, outcomes, path):
		return deep // which has the same errors, and knows who loads the file
	case len(first.analysis.Errors) > 0:
		return own
	case second.buffer == b:
		return append(own, second.found(path)...)
	}
	return append(own, slices.DeleteFunc(deep, func(x finding) bool { return foundFirst(x.Code) })...)
}

// isTyped reports whether someone types into a file that an outcome has as it was before: it was
// right when all was told last, and all has not been told since.
func (f *Folder) isTyped(out *Outcome) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return out.meanwhile != nil && out.Snapshot.ID > f.rest.id &&
		slices.ContainsFunc(out.stale, func(path string) bool { return !f.rest.wrong[path] })
}

// isLost reports whether a project file is not just half typed, but wrong for longer: the command
// line says nothing of the other files then.
func (f *Folder) isLost(p *Project) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return p.broken && f.rest.broken[p.key]
}

// isUnread reports whether the project of a file is wrong in a way that keeps its files from being
// read: what they should be read as is not known, and the command line says nothing of them.
func (f *Folder) isUnread(s *Snapshot, path string) bool {
	p := f.projectOf(s, path)
	if p == nil {
		return false
	}
	if f.isLost(p) {
		return true
	}
	for _, v := range p.Views() {
		if out := v.Latest(); out == nil || out.Session != nil {
			return false
		}
	}
	return p.failure != nil || len(p.views) > 0
}

// isEvaluated reports whether an outcome has the file among its inputs.
func (f *Folder) isEvaluated(s *Snapshot, outcomes []viewed, path string) bool {
	return slices.ContainsFunc(outcomes, func(o viewed) bool {
		return o.view != nil && o.view.textOf(o.Outcome, path) != nil
	})
}

// textOf returns the text with which a file was evaluated, or nil if it was not.
func (v *View) textOf(out *Outcome, path string) []byte {
	inputs := out.inputs
	if out.read != nil {
		inputs = out.read
	}
	if in, ok := inputs[path]; ok {
		return in.File.Data()
	}
	return nil
}

// foundFirst reports whether tier 1 finds what a code stands for.
func foundFirst(c diag.Code) bool {
	area, _, _ := strings.Cut(string(c), "/")
	return area == "yaml" || area == "script" || area == "template"
}

// findingsOf returns the errors of an analysis, or its warnings if there are none: a warning may
// follow from an error, and the command line does not tell it, either.
func findingsOf(path string, a *compile.Analysis) []finding {
	set := source.Single(a.File)
	told := a.Errors
	if len(told) == 0 {
		told = a.Warnings
	}
	var list []finding
	for _, d := range told {
		list = append(list, finding{Diagnostic: d, files: set, path: path})
	}
	return list
}

// found returns what tier 2 has found in a file.
func (r secondReport) found(path string) []finding {
	return r.view.findings(&told{r.outcome.Files, r.outcome.List}, "")[path]
}

// joinEnvironments makes one finding of those that several environments have.
func joinEnvironments(list []finding, outcomes []viewed) []finding {
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
		if all := having(outcomes, out[i].path); len(out[i].envs) >= all {
			out[i].envs = nil
		}
	}
	return out
}

// having returns the number of environments that have looked at a file.
func having(outcomes []viewed, path string) int {
	n := 0
	for _, o := range outcomes {
		if o.view != nil && (o.view.textOf(o.Outcome, path) != nil || len(o.found[path]) > 0) {
			n++
		}
	}
	return n
}

// failures returns what is wrong with the project file.
func (p *Project) failures() map[string][]finding {
	found := map[string][]finding{}
	files := p.failure.Files
	for _, d := range p.failure.List {
		path := p.file
		if f := fileOf(files, d.At); f != nil {
			path = filepath.ToSlash(f.Shown())
		}
		found[path] = append(found[path], finding{Diagnostic: d, files: files, path: path})
	}
	return found
}

// convert returns a finding as the client gets it. It has none if the text that it is about has
// gone.
func (f *Folder) convert(s *Snapshot, x finding) (protocol.Diagnostic, bool) {
	d := protocol.Diagnostic{
		Severity: severities[x.Severity], Code: string(x.Code), Source: "weft",
		Message: x.files.ConcealedMessage(x.Message), Tags: tagsOf(x.Code),
	}
	if x.lint {
		d.Source = "weft lint"
	}
	if len(x.envs) > 0 {
		d.Message += " (" + strings.Join(x.envs, ", ") + ")"
	}
	if x.Hint != "" {
		d.Message += "\nhint: " + x.files.ConcealedMessage(x.Hint)
	}
	if file := fileOf(x.files, x.At); file != nil {
		at := x.Marked(x.files)
		if !file.Holds(at.Pos) {
			at = x.At
		}
		r, ok := f.rangeNow(s, x.path, file, at)
		if !ok {
			return d, false
		}
		d.Range = r
	}
	for _, rel := range x.Related {
		file := fileOf(x.files, rel.At)
		if file == nil {
			continue
		}
		path := filepath.ToSlash(file.Shown())
		if r, ok := f.rangeNow(s, path, file, rel.At); ok {
			d.RelatedInformation = append(d.RelatedInformation, protocol.RelatedInformation{
				Location: protocol.Location{URI: s.URI(path), Range: r},
				Message:  x.files.ConcealedMessage(rel.Message),
			})
		}
	}
	return d, true
}

// rangeNow returns where a place is in the text that the client has.
func (f *Folder) rangeNow(
	s *Snapshot, path string, file *source.File, at source.Span,
) (protocol.Range, bool) {
	b := s.open[path]
	end := visibleEnd(file.Data(), at)
	if b == nil || b.file.SameText(file) {
		return s.MapperOf(file).Range(at.Offset(), end), true
	}
	shift := NewShift(file.Data(), b.file.Data())
	start, ok := shift.Now(at.Offset())
	end, _ = shift.Now(end)
	return s.MapperOf(b.file).Range(start, end), ok
}

// visibleEnd returns where a place ends: a place between two characters, or at one where a word
// begins or a dot is before one, has the word in it, as editors show little of a narrow range.
func visibleEnd(text []byte, at source.Span) int {
	end := at.End()
	if at.Len > 1 || end >= len(text) || text[end] == '\n' || text[end] == '\r' {
		return end
	}
	if at.Len == 1 && text[at.Offset()] != '.' && !diag.IsWord(text[at.Offset()]) {
		return end
	}
	for end < len(text) && diag.IsWord(text[end]) {
		end++
	}
	if end == at.Offset() {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return end
}

var severities = map[diag.Severity]protocol.DiagnosticSeverity{
	diag.Error: protocol.SeverityError, diag.Warning: protocol.SeverityWarning,
	diag.Advice: protocol.SeverityHint,
}

// tagsOf returns how text with a finding is shown: faded if nothing needs it.
func tagsOf(c diag.Code) []protocol.DiagnosticTag {
	_, name, _ := strings.Cut(string(c), "/")
	switch {
	case name == "deprecated":
		return []protocol.DiagnosticTag{protocol.Deprecated}
	case name == "unread", name == "shadowed", strings.HasPrefix(name, "unused-"):
		return []protocol.DiagnosticTag{protocol.Unnecessary}
	}
	return nil
}
