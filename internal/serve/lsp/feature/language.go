package feature

import (
	"bytes"
	"context"

	"weft/internal/engine/compile"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// LanguageOf returns the language of a document, for clients that cannot determine it from the name.
// For a file of a project, it depends on how the project reads the file. Other files must look like
// templates, since most YAML is not for weft.
func LanguageOf(
	ctx context.Context, doc *workspace.TextDocument, _ protocol.LanguageOfParams,
) (protocol.LanguageOf, error) {
	return protocol.LanguageOf{LanguageID: languageOf(ctx, doc)}, nil
}

func languageOf(ctx context.Context, doc *workspace.TextDocument) string {
	kind, read := doc.ReadAs(ctx)
	var look *compile.Analysis
	if !read {
		look = doc.Guess()
		kind = look.Kind
	}
	switch kind {
	case compile.Starlark:
		return protocol.LanguageScript
	case compile.Text:
		if bytes.Contains(doc.File().Data(), []byte("(@")) {
			return protocol.LanguageText
		}
	case compile.YAML:
		if read || len(look.Marks) > 0 {
			return protocol.LanguageTemplate
		}
	case compile.PlainYAML:
		if read {
			return protocol.LanguageYAML
		}
	case compile.PlainText:
	}
	return ""
}
