//go:build !playground

package feature

import (
	"context"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/project/suggest"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/wire"
	"weft/internal/serve/lsp/workspace"
)

// Suggest returns the changes of the sources that give an edited preview: with another value in one line, or
// with another text. They are proved as those of `weft suggest`, and the client applies one of them.
func Suggest(
	ctx context.Context, doc *workspace.TextDocument, p protocol.SuggestParams,
) (*protocol.Suggestions, error) {
	v, err := viewOf(doc, p.Environment)
	if err != nil {
		return nil, err
	}
	in, err := editedPreview(ctx, v, doc, p)
	if err != nil {
		return nil, err
	}
	report, err := v.Suggest(ctx, doc.Snapshot(), doc.Project(), in)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, wire.Errorf(wire.RequestFailed, "%s", strings.Join(diag.FailureOf(err).Located(), "\n"))
	}
	answer := &protocol.Suggestions{Suggestions: []protocol.Suggestion{}, Problems: []string{}}
	for _, plan := range report.Plans {
		if edit := doc.Snapshot().Rewriting(plan, rewriting(doc)); edit != nil {
			answer.Suggestions = append(answer.Suggestions, protocol.Suggestion{Title: plan.Title(), Edit: edit})
		}
	}
	for _, x := range report.Problems {
		answer.Problems = append(answer.Problems, strings.TrimSuffix(x.Message+"\nhint: "+x.Hint, "\nhint: "))
	}
	switch {
	case report.Changes == 0:
		answer.Problems = append(answer.Problems, "nothing changes")
	case len(answer.Suggestions) > 0:
	case slices.ContainsFunc(report.Plans, func(p *suggest.Plan) bool { return len(p.Arguments) > 0 }):
		answer.Problems = append(answer.Problems,
			"the change needs a new overlay, but without a weft.yml no file can name it: create one with `weft init`")
	case len(report.Plans) > 0:
		answer.Problems = append(answer.Problems, "the change needs a new file, which the editor cannot create")
	}
	return answer, nil
}

// editedPreview returns what was edited.
func editedPreview(
	ctx context.Context, v *workspace.View, doc *workspace.TextDocument, p protocol.SuggestParams,
) (in suggest.Input, err error) {
	if p.Line == nil {
		if p.Text == "" || p.Scope == protocol.ScopeFile {
			return in, wire.Errorf(wire.InvalidParams,
				"weft/suggest needs a line of the preview, or the edited text of the preview of a project")
		}
		in.Edited = []suggest.File{{Path: "preview", Data: []byte(p.Text)}}
		return in, nil
	}
	out, err := v.Rendered(ctx, doc.Snapshot())
	if err != nil {
		return in, err
	}
	if wrong := out.Failure(); wrong != nil {
		return in, wire.Errorf(wire.RequestFailed, "%s", wrong)
	}
	output, err := printScope(ctx, v, out, doc.Path(), p.Scope)
	if err != nil {
		return in, err
	}
	if *p.Line < 0 || *p.Line >= len(output.lines) {
		return in, wire.Errorf(wire.InvalidParams, "the preview has no line %d", *p.Line+1)
	}
	l := output.lines[*p.Line]
	if l.doc < 0 || output.nodes[l.node].parent < 0 {
		return in, wire.Errorf(wire.RequestFailed, "line %d has no value: it is a comment, a separator, or text",
			*p.Line+1)
	}
	document := printedDocument(out.Result, l.doc)
	way := output.pathTo(l.node, document)
	if was, ok := tree.At(document, way.Steps()); !ok || was.Kind() != tree.ScalarKind {
		return in, wire.Errorf(wire.RequestFailed, "line %d has a map or a list: change a line inside it",
			*p.Line+1)
	}
	in.At = []suggest.SetAt{{Document: l.doc, Path: way, Value: p.Value}}
	return in, nil
}

// rewriting returns edits of whole lines of a file.
func rewriting(doc *workspace.TextDocument) func(path string, old, now []byte) []protocol.TextEdit {
	return func(path string, old, now []byte) []protocol.TextEdit {
		f, err := (&source.Set{}).Add(path, old)
		if err != nil {
			return nil // it was small enough to be read
		}
		return edits(doc.Snapshot().MapperOf(f), string(old), string(now))
	}
}
