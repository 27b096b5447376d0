package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// LensParams are a lens to resolve.
type LensParams struct {
	protocol.CodeLens
}

// Target returns the document of the lens.
func (p LensParams) Target() protocol.DocumentURI { return p.subject().TextDocument.URI }

func (p LensParams) subject() (s lensSubject) {
	_ = json.Unmarshal(p.Data, &s) // a lens of another server names no document
	return s
}

// lensSubject is what a lens describes.
type lensSubject struct {
	protocol.DocumentParams
	Overlay  bool     `json:"overlay,omitempty"`  // the overlay that begins on the line
	Value    []string `json:"value,omitempty"`    // a data value
	Function string   `json:"function,omitempty"` // a name that other files may load
}

// Lenses returns lenses without titles for overlays, declared data values, and functions that others
// may load.
func Lenses(
	_ context.Context, doc *workspace.TextDocument, _ protocol.CodeLensParams,
) ([]protocol.CodeLens, error) {
	l := lenses{doc: doc, a: doc.Analysis(), list: []protocol.CodeLens{}}
	if doc.Settings().CodeLenses && doc.RunsTests() && doc.IsTestFile() {
		l.tests()
		return l.list, nil
	}
	v := doc.View()
	if !doc.Settings().CodeLenses || v == nil || v.Latest() == nil {
		return l.list, nil
	}
	if _, ok := v.Latest().Input(doc.Path()); !ok {
		return l.list, nil
	}
	if l.a.Tree != nil {
		l.overlays()
		if l.a.Role == compile.ForSchema {
			l.values()
		}
	}
	if l.a.Kind == compile.Starlark || strings.Contains(filepath.Base(doc.Path()), ".lib.") {
		l.functions()
	}
	return l.list, nil
}

type lenses struct {
	doc  *workspace.TextDocument
	a    *compile.Analysis
	list []protocol.CodeLens
}

func (l *lenses) add(start, end int, about lensSubject) {
	about.TextDocument.URI = l.doc.URI()
	data, err := json.Marshal(about)
	if err != nil {
		return // strings can always be encoded
	}
	l.list = append(l.list, protocol.CodeLens{Range: l.doc.Mapper().Range(start, end), Data: data})
}

// overlays adds the overlays, at their annotations.
func (l *lenses) overlays() {
	for _, m := range l.a.Marks {
		if m.Name == "overlay/match" && l.a.Tree.More(m.Owner) &&
			l.a.Tree.Kind(m.Owner) == yaml.Document {
			l.add(m.At.Offset(), m.At.End(), lensSubject{Overlay: true})
		}
	}
}

// values adds the data values that a schema declares, without maps.
func (l *lenses) values() {
	t := l.a.Tree
	var walk func(n yaml.NodeID, above []string)
	walk = func(n yaml.NodeID, above []string) {
		if t.Kind(n) != yaml.Mapping {
			return
		}
		for k, value := range t.Pairs(n) {
			if t.Kind(k) != yaml.Scalar {
				continue
			}
			path := append(slices.Clip(above), string(t.Text(k)))
			if t.Kind(value) == yaml.Mapping {
				walk(value, path)
				continue
			}
			l.add(t.Span(k).Offset(), t.Span(k).End(), lensSubject{Value: path})
		}
	}
	for d := range t.Documents() {
		walk(t.Root(d), nil)
	}
}

// functions adds the functions and variables that others may load.
func (l *lenses) functions() {
	for _, d := range defsIn(l.doc, l.a) {
		if !strings.HasPrefix(d.name, "_") {
			l.add(d.at.Start, d.at.End, lensSubject{Function: d.name})
		}
	}
}

// ResolveLens returns a lens with its title.
func ResolveLens(
	ctx context.Context, doc *workspace.TextDocument, p LensParams,
) (protocol.CodeLens, error) {
	lens, about := p.CodeLens, p.subject()
	lens.Command = &protocol.Command{}
	v := doc.View()
	if v == nil {
		return lens, nil
	}
	if about.Overlay {
		lens.Command = overlayCommand(ctx, v, doc, lens.Range.Start)
		return lens, nil
	}
	w, err := newIndexedDoc(ctx, doc, false)
	if err != nil {
		return lens, err
	}
	if about.Function != "" {
		lens.Command.Title = usedBy(w.all, w.own, about.Function)
		return lens, nil
	}
	n := w.readsOf(about.Value)
	switch n.all {
	case 0:
		lens.Command.Title = "not read by its name"
	case 1:
		lens.Command.Title = "read once"
	default:
		lens.Command.Title = fmt.Sprintf("read %d times", n.all)
	}
	lens.Command.Title += n.atRunTimeText()
	return lens, nil
}

// usedBy returns how many files load a name of a file, for people.
func usedBy(all *index.Index, src *index.Source, name string) string {
	n := 0
	for _, s := range all.Sources {
		if slices.ContainsFunc(s.File.Bindings, func(b index.Binding) bool {
			return b.Kind == index.Loaded && b.From == name && all.Find(s, b.Module) == src
		}) {
			n++
		}
	}
	if n == 0 {
		return "used by no other file"
	}
	return "used by " + diag.Count(n, "file")
}

// overlayCommand returns a command whose title says what an overlay did. The command shows more.
func overlayCommand(
	ctx context.Context, v *workspace.View, doc *workspace.TextDocument, at protocol.Position,
) *protocol.Command {
	c := &protocol.Command{Title: "not applied yet"}
	res := v.Explained(ctx, doc.Snapshot())
	if res == nil {
		return c
	}
	steps := explain.Hide(stepsAt(res, doc, at), secret.Rules{}, res.Secrets)
	if len(steps) == 0 {
		return c
	}
	c.Title, c.Command = matchTitle(steps), "weft.explain"
	argument, err := json.Marshal(protocol.CommandParams{
		DocumentParams: protocol.DocumentParams{
			TextDocument: protocol.DocumentIdentifier{URI: doc.URI()},
		},
		Position: &at,
	})
	if err == nil {
		c.Arguments = []json.RawMessage{argument}
	}
	return c
}

// stepsAt returns the steps of the overlay whose document contains a place of the current text.
func stepsAt(
	res *engine.Result, doc *workspace.TextDocument, at protocol.Position,
) []engine.Step {
	var steps []engine.Step
	for _, s := range stepsOf(res, doc) {
		f := res.Files.File(s.Overlay.Pos)
		line, ok := doc.Snapshot().LinesNow(doc.Path(), f)(s.Overlay.Offset())
		if ok && documentAt(doc, line+1) == documentAt(doc, at.Line+1) {
			steps = append(steps, s)
		}
	}
	return steps
}

// matchTitle describes in a few words what overlays did.
func matchTitle(steps []engine.Step) string {
	matched, changes, near := 0, 0, ""
	for _, s := range steps {
		matched += len(s.Matched)
		changes += len(s.Effects)
		for _, k := range s.Skipped {
			if len(k.Near) > 0 && near == "" {
				near = k.Near[0].Message
			}
			if k.Hint != "" && near == "" {
				near = k.Hint
			}
		}
	}
	switch {
	case matched > 0:
		return fmt.Sprintf("matches %s · %s", diag.Count(matched, "document"),
			diag.Count(changes, "change"))
	case near != "":
		return "matches nothing: " + near
	}
	return "matches nothing"
}
