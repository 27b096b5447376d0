package feature

import (
	"context"

	"weft/internal/lang/diag"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/protocol"
	"weft/internal/serve/lsp/workspace"
)

// memberDefinitions returns where the code writes the field of a struct or the key of a dict at an
// offset, or nil if there is none.
func memberDefinitions(ctx context.Context, doc *workspace.TextDocument, off int) []protocol.Location {
	cur := codeAt(ctx, doc, off)
	if cur == nil || cur.Of.Type == nil || cur.Kind != index.MemberPlace && cur.Kind != index.KeyPlace {
		return nil
	}
	for _, field := range cur.Of.Type.Keys {
		if field.Name != cur.typed {
			continue
		}
		in, at, ok := field.Place()
		if !ok {
			return nil
		}
		if in.Name() == doc.Path() { // with another word at the cursor
			shift := workspace.NewShift(in.Data(), doc.File().Data())
			start, ok := shift.Now(at.Start)
			end, same := shift.Now(at.End)
			if !ok || !same {
				return nil
			}
			return []protocol.Location{{URI: doc.URI(), Range: doc.Mapper().Range(start, end)}}
		}
		if d := doc.Snapshot().Document(in.Name()); d != nil && d.File().SameText(in) {
			return []protocol.Location{{URI: d.URI(), Range: d.Mapper().Range(at.Start, at.End)}}
		}
	}
	return nil
}

// codeAt returns the code around the word at an offset, or nil if it is in something else.
func codeAt(ctx context.Context, doc *workspace.TextDocument, off int) *cursor {
	data := doc.File().Data()
	for off < len(data) && diag.IsWord(data[off]) {
		off++
	}
	c := newCompletion(ctx, doc, off)
	code, kind := c.code()
	if kind != inCode && kind != inAnnotation {
		return nil
	}
	return c.cursor(code)
}
