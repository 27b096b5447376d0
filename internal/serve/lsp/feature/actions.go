package feature

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/report"
	"weft/internal/serve/lsp/workspace"
)

// MakeProject is the title of the action that creates a weft.yml.
const MakeProject = "make a weft.yml here"

// Actions returns what can be done about a part of a document: fixes of the findings there, and one
// action that applies all safe fixes of the linter.
func Actions(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CodeActionParams, found []report.Finding,
) ([]protocol.CodeAction, error) {
	list := []protocol.CodeAction{}
	if wants(p.Context.Only, protocol.QuickFix) {
		for _, x := range near(doc, found, p.Range) {
			for _, fix := range quickFixes(doc, x) {
				if !slices.ContainsFunc(list, doesTheSame(fix)) { // environments may report it in different words
					list = append(list, fix)
				}
			}
		}
	}
	if pr := doc.Project(); wants(p.Context.Only, protocol.QuickFix) && pr != nil && pr.IsUnknown() {
		if edit := doc.Draft(); edit != nil {
			list = append(list, protocol.CodeAction{Title: MakeProject, Kind: protocol.QuickFix, Edit: edit})
		}
	}
	if slices.Contains(p.Context.Only, "source") || slices.Contains(p.Context.Only, protocol.Organize) {
		if all := organizeLoads(ctx, doc); all != nil {
			list = append(list, *all)
		}
	}
	if wants(p.Context.Only, protocol.FixAll) {
		if all := fixAll(doc, found); all != nil {
			list = append(list, *all)
		}
	}
	return list, nil
}

// doesTheSame returns a function that reports whether actions differ at most in what they are about.
func doesTheSame(as protocol.CodeAction) func(protocol.CodeAction) bool {
	as.Diagnostics = nil
	return func(a protocol.CodeAction) bool {
		a.Diagnostics = nil
		return reflect.DeepEqual(a, as)
	}
}

// near returns the findings that a range touches or, if it touches none, those on its first line. The
// lines of annotations belong to the node below them, which most findings about an annotation are at.
func near(doc *workspace.TextDocument, found []report.Finding, at protocol.Range) (list []report.Finding) {
	for _, x := range found {
		if touches(x.Published.Range, at) {
			list = append(list, x)
		}
	}
	if list != nil {
		return list
	}
	f := doc.File()
	lines := []int{at.Start.Line}
	n := at.Start.Line + 1
	for ; n <= f.Lines() && bytes.HasPrefix(bytes.TrimSpace(f.Text(n)), []byte("#@")); n++ {
	}
	if n > at.Start.Line+1 {
		lines = append(lines, n-1)
	}
	for _, x := range found {
		if slices.Contains(lines, x.Published.Range.Start.Line) {
			list = append(list, x)
		}
	}
	return list
}

// wants reports whether a client asks for a kind of action: it may name the kind or one that includes
// it, such as "source" for "source.fixAll".
func wants(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return o == kind || strings.HasPrefix(kind, o+".") || o == ""
	})
}

// touches reports whether two ranges have a place in common.
func touches(a, b protocol.Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// quickFixes returns the actions that resolve a diagnostic: first a repair that is likely, then the fix that
// comes with it.
func quickFixes(doc *workspace.TextDocument, x report.Finding) []protocol.CodeAction {
	var list []protocol.CodeAction
	add := func(title string, edits workspace.Edits, preferred bool) {
		list = append(list, protocol.CodeAction{
			Title: title, Kind: protocol.QuickFix, IsPreferred: preferred,
			Diagnostics: []protocol.Diagnostic{x.Published}, Edit: edits.Workspace(doc.Snapshot()),
		})
	}
	var others []repair
	if repair := repairs.Get()[x.Of.Code]; repair != nil {
		others = repair(doc, x)
	}
	slices.SortStableFunc(others, func(a, b repair) int { return boolOrder(b.likely) - boolOrder(a.likely) })
	for len(others) > 0 && others[0].likely {
		add(others[0].title, others[0].edits, len(list) == 0)
		others = others[1:]
	}
	if fix := x.Of.Located(x.Files); fix != nil {
		edits := workspace.Edits{}
		if addFix(doc, x, fix, edits) && renameUses(doc, x, fix, edits) {
			add(fix.Title, edits, len(list) == 0 && (!x.Lint || x.Safe))
		}
	}
	for _, r := range append(respell(doc, x), others...) {
		add(r.title, r.edits, false)
	}
	return list
}

// addFix adds the edits of a fix. It returns false if the text that they edit has changed.
func addFix(
	doc *workspace.TextDocument, x report.Finding, fix *diag.Fix, edits workspace.Edits,
) bool {
	for _, e := range fix.Edits {
		f := x.Files.File(e.At.Pos)
		if !edits.Add(doc.Snapshot(), f, e.At.Offset(), e.At.End(), e.Text) {
			return false
		}
	}
	return true
}

// fixAll returns an action that applies all safe fixes of the linter in a document. If fixes overlap,
// it applies the first; the others can be applied next time.
func fixAll(doc *workspace.TextDocument, found []report.Finding) *protocol.CodeAction {
	edits := workspace.Edits{}
	var done []edit.Splice
	var resolved []protocol.Diagnostic
	for _, x := range found {
		fix := x.Of.Located(x.Files)
		if !x.Lint || !x.Safe || fix == nil {
			continue
		}
		fixSplices, ok := splicesOf(doc, x, fix)
		if !ok || !edit.Disjoint(done, fixSplices) || !addFix(doc, x, fix, edits) {
			continue
		}
		done = append(done, fixSplices...)
		resolved = append(resolved, x.Published)
	}
	if len(resolved) == 0 {
		return nil
	}
	return &protocol.CodeAction{
		Title: "Fix everything that weft lint can fix", Kind: protocol.FixAll,
		Diagnostics: resolved, Edit: edits.Workspace(doc.Snapshot()),
	}
}

// splicesOf returns the edits of a fix, if they are all in the document.
func splicesOf(doc *workspace.TextDocument, x report.Finding, fix *diag.Fix) ([]edit.Splice, bool) {
	var list []edit.Splice
	for _, e := range fix.Edits {
		if f := x.Files.File(e.At.Pos); f == nil || !doc.Is(f) {
			return nil, false
		}
		list = append(list, edit.Splice{From: e.At.Offset(), To: e.At.End(), Text: e.Text})
	}
	return list, true
}
