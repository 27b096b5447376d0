package lsp_test

import (
	"fmt"
	"path/filepath"
	"strings"

	"weft/internal/serve/lsp/protocol"
)

// goTo is the action of a request that leads to places. Its arguments are names of locations, or one
// golden that begins with @.
func goTo(method string) func(r *markerRun, at place, args []string) {
	return func(r *markerRun, at place, args []string) {
		var list []protocol.Location
		r.call(method, r.position(at), &list)
		r.expectPlaces(at, method, list, args)
	}
}

// references: the places that use what the marker points at, with its declaration.
func (r *markerRun) references(at place, args []string) {
	var list []protocol.Location
	p := protocol.ReferenceParams{PositionParams: r.position(at)}
	p.Context.IncludeDeclaration = true
	r.call("textDocument/references", p, &list)
	r.expectPlaces(at, "references", list, args)
}

// highlight: the places of the file that are the same.
func (r *markerRun) highlight(at place, args []string) {
	var list []protocol.DocumentHighlight
	r.call("textDocument/documentHighlight", r.position(at), &list)
	var b strings.Builder
	for _, h := range list {
		fmt.Fprintf(&b, "%s kind %d | %s\n", showRange(h.Range), h.Kind, r.lineAt(at.path, h.Range))
	}
	r.golden(args[0], b.String())
}

// calls: who calls the function that the marker points at, and whom it calls.
func (r *markerRun) calls(at place, args []string) {
	var items []protocol.CallHierarchyItem
	r.call("textDocument/prepareCallHierarchy", r.position(at), &items)
	var b strings.Builder
	show := func(what string, it protocol.CallHierarchyItem, at []protocol.Range) {
		fmt.Fprintf(&b, "%s %s, kind %d, %s:%s", what, it.Name, it.Kind, r.pathOf(it.URI),
			showRange(it.SelectionRange))
		for _, x := range at {
			fmt.Fprintf(&b, " at %s", showRange(x))
		}
		b.WriteByte('\n')
	}
	for _, it := range items {
		show("function", it, nil)
		var in []protocol.IncomingCall
		r.call("callHierarchy/incomingCalls", protocol.CallsParams{Item: it}, &in)
		for _, c := range in {
			show("called by", c.From, c.FromRanges)
		}
		r.outgoing(it, show)
		for _, c := range in {
			if c.From.Kind == protocol.SymbolFile {
				r.outgoing(c.From, func(what string, it protocol.CallHierarchyItem, at []protocol.Range) {
					show(c.From.Name+" "+what, it, at)
				})
			}
		}
	}
	r.golden(args[0], b.String())
}

func (r *markerRun) outgoing(
	of protocol.CallHierarchyItem, show func(string, protocol.CallHierarchyItem, []protocol.Range),
) {
	var out []protocol.OutgoingCall
	r.call("callHierarchy/outgoingCalls", protocol.CallsParams{Item: of}, &out)
	for _, c := range out {
		show("calls", c.To, c.FromRanges)
	}
}

// links: the paths of the file that lead to files.
func (r *markerRun) links(at place, args []string) {
	var list []protocol.DocumentLink
	r.call("textDocument/documentLink", r.document(at.path), &list)
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "%s %s | %s\n", showRange(l.Range), r.pathOf(l.Target),
			r.lineAt(at.path, l.Range))
	}
	r.golden(args[0], b.String())
}

// selection: what is around the place, from the smallest.
func (r *markerRun) selection(at place, args []string) {
	var list []protocol.SelectionRange
	r.call("textDocument/selectionRange", protocol.SelectionRangeParams{
		DocumentParams: r.document(at.path), Positions: []protocol.Position{at.pos},
	}, &list)
	var b strings.Builder
	for s := &list[0]; s != nil; s = s.Parent {
		fmt.Fprintf(&b, "%s\n", showRange(s.Range))
	}
	r.golden(args[0], b.String())
}

// workspaceSymbols: the symbols of all files that match the second argument.
func (r *markerRun) workspaceSymbols(_ place, args []string) {
	var list []protocol.SymbolInformation
	r.call("workspace/symbol", protocol.WorkspaceSymbolParams{Query: args[1]}, &list)
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s, kind %d, %s\n", s.Name, s.Kind, r.showLocation(s.Location))
	}
	r.golden(args[0], b.String())
}

// move: the lines that change if the file, or the folder of the second argument, gets the path of
// the last. What the project makes must stay the same.
func (r *markerRun) move(at place, args []string) {
	r.t.Helper()
	old, to := at.path, args[len(args)-1]
	if len(args) == 3 {
		old = args[1]
	}
	var edit protocol.WorkspaceEdit
	r.call("workspace/willRenameFiles", protocol.RenameFilesParams{
		Files: []protocol.FileRename{{OldURI: r.uri(old), NewURI: r.uri(to)}},
	}, &edit)
	after := r.edited(edit)
	r.golden(args[0], changedLines(r.texts, after))
	moved := map[string]string{}
	for name, text := range after {
		if name == old {
			name = to
		} else if rest, ok := strings.CutPrefix(name, old+"/"); ok {
			name = to + "/" + rest
		}
		moved[name] = text
	}
	want := renderWith(r.t, r.engines, r.texts)
	if got := renderWith(r.t, r.engines, moved); got != want {
		r.t.Errorf("%s:%d: the output after the move is\n%s\nbefore it was\n%s", at.path,
			at.pos.Line+1, got, want)
	}
}

// expectPlaces compares places with a golden, or with locations.
func (r *markerRun) expectPlaces(at place, what string, list []protocol.Location, args []string) {
	r.t.Helper()
	if len(args) == 1 && r.locations[args[0]] == (place{}) {
		var b strings.Builder
		for _, l := range list {
			fmt.Fprintf(&b, "%s | %s\n", r.showLocation(l), r.lineAt(r.pathOf(l.URI), l.Range))
		}
		r.golden(args[0], b.String())
		return
	}
	if len(list) != len(args) {
		r.t.Errorf("%s:%d: %s gives %d places, want %d: %v", at.path, at.pos.Line+1, what, len(list),
			len(args), list)
		return
	}
	for i, name := range args {
		want := r.locations[name]
		if got := r.pathOf(list[i].URI); got != want.path || list[i].Range.Start != want.pos {
			r.t.Errorf("%s:%d: %s leads to %s, want %s (%s:%d:%d)", at.path, at.pos.Line+1, what,
				r.showLocation(list[i]), name, want.path, want.pos.Line+1, want.pos.Character+1)
		}
	}
}

// pathOf is the path in the workspace that a URI names.
func (r *markerRun) pathOf(uri protocol.DocumentURI) string {
	rel, err := filepath.Rel(r.root, uri.Path())
	if err != nil {
		return string(uri)
	}
	return filepath.ToSlash(rel)
}

// lineAt is the line in which a range begins.
func (r *markerRun) lineAt(path string, at protocol.Range) string {
	lines := strings.Split(r.texts[path], "\n")
	if at.Start.Line >= len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[at.Start.Line])
}
