package feature

import (
	"context"

	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/serve/lsp/workspace"
)

// lastOutput returns the documents of the last evaluation before a document was edited, with their
// files, and rules that hide secrets. If nothing could be rendered yet, they are what the templates say
// without their code, and there are no files.
func lastOutput(ctx context.Context, doc *workspace.TextDocument) ([]tree.Doc, *source.Set, secret.Rules) {
	var rules secret.Rules
	v := doc.View()
	if v == nil {
		return nil, nil, rules
	}
	out := v.Before(ctx, doc.Snapshot(), doc.Path())
	if out == nil || out.Result == nil {
		out = v.Latest()
	}
	if out == nil || out.Result == nil || len(out.Result.Docs) == 0 {
		return doc.LiteralDocs(ctx), &source.Set{}, rules
	}
	rules.Hide(out.Result.Secrets)
	return out.Result.Docs, out.Result.Files, rules
}
