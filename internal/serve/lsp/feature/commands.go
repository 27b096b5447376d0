package feature

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// Render returns the output of a file or its project. Errors are those of the command line.
func Render(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CommandParams,
) (*protocol.CommandResult, error) {
	v, err := viewOf(doc, p.Environment)
	if err != nil {
		return nil, err
	}
	out, err := v.Rendered(ctx, doc.Snapshot())
	if err != nil {
		return nil, err
	}
	if wrong := out.Failure(); wrong != nil {
		return nil, wire.Errorf(wire.RequestFailed, "%s", wrong)
	}
	var output printed
	if p.Scope != protocol.ScopeFile || outputOf(out.Result.Outputs, doc.Path()) != everything {
		if output, err = printScope(ctx, v, out, doc.Path(), p.Scope); err != nil {
			return nil, err
		}
	}
	r := &protocol.CommandResult{
		Title: titled("render", subjectOf(doc, p.Scope), v), Text: output.text,
		LanguageID: protocol.LanguageYAML,
	}
	switch {
	case output.text == "":
		r.Text, r.LanguageID = subjectOf(doc, p.Scope)+" makes no output\n", protocol.LanguagePlain
	case !output.yaml:
		r.LanguageID = protocol.LanguagePlain
	}
	return r, nil
}

// subjectOf describes what a command is applied to.
func subjectOf(doc *workspace.TextDocument, scope string) string {
	if scope == protocol.ScopeFile {
		return doc.Path()
	}
	return "the project"
}

func titled(what, subject string, v *workspace.View) string {
	if v.Env == "" {
		return fmt.Sprintf("weft %s: %s", what, subject)
	}
	return fmt.Sprintf("weft %s: %s (%s)", what, subject, v.Env)
}

// traced returns the traced evaluation of a document's project, which must have succeeded.
func traced(
	ctx context.Context, doc *workspace.TextDocument, env string,
) (*workspace.View, *workspace.Traced, error) {
	v, err := viewOf(doc, env)
	if err != nil {
		return nil, nil, err
	}
	t, err := v.Trace(ctx, doc.Snapshot())
	if err != nil {
		return nil, nil, err
	}
	if t.Failure != nil {
		return nil, nil, wire.Errorf(wire.RequestFailed, "%s", t.Failure)
	}
	return v, t, nil
}

// Explain returns what the overlays of a file, or the one at a place, match and change.
func Explain(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CommandParams,
) (*protocol.CommandResult, error) {
	v, t, err := traced(ctx, doc, p.Environment)
	if err != nil {
		return nil, err
	}
	steps := stepsOf(t.Result, doc)
	if p.Position != nil {
		steps = stepsAt(t.Result, doc, *p.Position)
	}
	r := &protocol.CommandResult{
		Title: titled("explain", doc.Path(), v), LanguageID: protocol.LanguagePlain,
	}
	if len(steps) == 0 {
		r.Text = "there are no overlays in " + doc.Path()
		if p.Position != nil {
			r.Text = fmt.Sprintf("there is no overlay at %s:%d", doc.Path(), p.Position.Line+1)
		}
		if v.Env != "" { // another environment may have one
			r.Text += " for " + v.Env
		}
		r.Text += "\n"
		return r, nil
	}
	steps = explain.Hide(steps, secret.Rules{}, t.Result.Secrets)
	var b bytes.Buffer
	_ = explain.WriteText(&b, t.Result.Files, steps) // writing to a buffer cannot fail
	r.Text = b.String()
	return r, nil
}

// stepsOf returns the steps of the overlays of a file.
func stepsOf(res *engine.Result, doc *workspace.TextDocument) []engine.Step {
	var steps []engine.Step
	for _, s := range res.Steps {
		if f := res.Files.File(s.Overlay.Pos); f != nil && doc.Is(f) {
			steps = append(steps, s)
		}
	}
	return steps
}

// documentAt returns the document of the YAML that a line belongs to, counted from 1, with the
// comments above it.
func documentAt(doc *workspace.TextDocument, line int) yaml.NodeID {
	t := doc.Analysis().Tree
	if t == nil {
		return 0
	}
	found := t.First()
	for n := range t.Documents() {
		if doc.File().Line(beginOf(doc, n)) > line {
			break
		}
		found = n
	}
	return found
}

// beginOf returns the offset where a document begins, including comments and annotations above it.
func beginOf(doc *workspace.TextDocument, n yaml.NodeID) int {
	t := doc.Analysis().Tree
	begin := t.Begin(n).Offset()
	for _, m := range doc.Analysis().Marks {
		if m.Owner == n {
			return min(begin, m.At.Offset())
		}
	}
	return begin
}

// Blame returns the history of output lines: of those that come from a line of the document, or of
// one line of the preview.
func Blame(
	ctx context.Context, doc *workspace.TextDocument, p protocol.CommandParams,
) (*protocol.CommandResult, error) {
	if p.Position == nil && p.Line == nil {
		return nil, wire.Errorf(wire.InvalidParams, "weft.blame needs a position, or a line of the preview")
	}
	v, t, err := traced(ctx, doc, p.Environment)
	if err != nil {
		return nil, err
	}
	r := &protocol.CommandResult{LanguageID: protocol.LanguagePlain}
	var chosen func(*blame.Report) *blame.Selection
	if p.Line != nil {
		r.Title = titled("blame", fmt.Sprintf("line %d of %s", *p.Line+1, subjectOf(doc, p.Scope)), v)
		if chosen, err = blamedLine(ctx, v, t, doc, p); err != nil {
			return nil, err
		}
	} else {
		r.Title = titled("blame", fmt.Sprintf("%s:%d", doc.Path(), p.Position.Line+1), v)
		chosen = blamedSource(t, doc, p.Position.Line)
	}
	v.Blame(t, func(report *blame.Report) {
		var b strings.Builder
		if s := chosen(report); s != nil {
			_ = report.WriteLong(&b, s, false) // writing to a builder cannot fail
		}
		r.Text = b.String()
	})
	if r.Text == "" {
		r.Text = "nothing of the output comes from this line\n"
		if p.Line != nil {
			r.Text = "this line does not come from data: it is a comment, a separator, or text copied from " +
				"the template\n"
		}
	}
	return r, nil
}

// blamedSource selects the output lines that come from a line of a document.
func blamedSource(
	t *workspace.Traced, doc *workspace.TextDocument, line int,
) func(*blame.Report) *blame.Selection {
	return func(r *blame.Report) *blame.Selection {
		for _, f := range t.Result.Files.All() {
			if doc.Is(f) {
				return r.SelectSource(f, line+1)
			}
		}
		return nil
	}
}

// blamedLine selects one line of the preview.
func blamedLine(
	ctx context.Context, v *workspace.View, t *workspace.Traced, doc *workspace.TextDocument,
	p protocol.CommandParams,
) (func(*blame.Report) *blame.Selection, error) {
	out := &workspace.Outcome{Result: t.Result}
	output, err := printScope(ctx, v, out, doc.Path(), p.Scope)
	if err != nil {
		return nil, err
	}
	return func(r *blame.Report) *blame.Selection {
		if *p.Line < 0 || *p.Line >= len(output.lines) {
			return nil
		}
		switch l := output.lines[*p.Line]; {
		case l.file != "":
			return r.SelectText(l.file, l.number)
		case l.doc >= 0:
			return r.SelectNode(l.doc, output.pathTo(l.node, printedDocument(t.Result, l.doc)))
		}
		return nil
	}, nil
}

// printedDocument returns a document by its number in the output.
func printedDocument(res *engine.Result, number int) tree.Value {
	for i := range res.Docs {
		if res.Docs[i].Value.Empty() {
			continue
		}
		if number == 0 {
			return res.Docs[i].Value
		}
		number--
	}
	return tree.Value{}
}
