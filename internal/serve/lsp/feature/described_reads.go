//go:build !playground

package feature

import (
	"bytes"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/lazy"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/outline"
)

// field is a field whose value is exactly a read of a data value: `resources: #@ data.values.resources`.
type field struct {
	*outline.Cursor
	known jsonschema.Outline
	of    string // the type of its document, or ""
}

// readAt returns a field that reads a data value, or a map or a list around it. What
// is known is about the data value. It returns nil if nothing is known about such fields.
func (d *described) readAt(path []outline.Step) *field {
	all, src, err := d.doc.Index(d.ctx, false)
	if err != nil {
		return nil
	}
	names := indexPath(path)
	for n := len(path); n > 0; n-- {
		if path[n-1].Item {
			continue
		}
		f := d.fieldOf(all, all.KeyValue(src, &index.Key{Path: names[:n]}))
		if f == nil {
			continue
		}
		for _, s := range path[n:] {
			f.known = s.Below(f.known)
		}
		return f
	}
	return nil
}

// maxFields limits the fields that one request looks at: for each of them, a document is read again.
const maxFields = 8

// fieldOf returns the first field that reads a data value and of which something is known, or nil.
func (d *described) fieldOf(all *index.Index, v index.Value) (found *field) {
	left := maxFields
	all.Reads(v, func(s *index.Source, r *index.Read, _ bool) {
		start, ok := readOnly(s.File.Text.Data(), r)
		if !ok || found != nil || left == 0 || d.ctx.Err() != nil {
			return
		}
		left--
		_, shift := d.doc.Snapshot().TextNow(s.Path, s.File.Text)
		doc := d.doc.Snapshot().Document(s.Path)
		if start, ok = shift.Now(start); !ok || doc == nil {
			return
		}
		of, at := d.writtenAt(doc, start)
		if at == nil {
			return
		}
		if o := at.Outline(of.rules); len(o) > 0 {
			found = &field{Cursor: at, known: o}
			found.Plain = true
			if of.of != nil {
				found.of, _ = of.of(at)
			}
		}
	})
	return found
}

// readOnly returns where the mark of code begins that is nothing but a read.
func readOnly(data []byte, r *index.Read) (start int, ok bool) {
	line := bytes.LastIndexAny(data[:r.At.Start], "\r\n") + 1
	rest, _, _ := bytes.Cut(data[r.At.End:], []byte("\n"))
	m := readCode.Get().FindIndex(data[line:r.At.End])
	if r.Form != index.Identifier || m == nil || len(bytes.TrimSpace(rest)) > 0 {
		return 0, false
	}
	return line + m[0], true
}

var readCode = lazy.Regexp{Text: `#@ +[A-Za-z_][\w.]*$`}

// isDataValue reports whether a cursor is in data values or their schema.
func (d *described) isDataValue(at *outline.Cursor) bool {
	return d.isValues(at.Tree, at.Doc) || d.isSchema(at.Tree, at.Doc)
}

// readItems returns what the field that reads the data value at a cursor may be. Its schema, which says o,
// must leave that open.
func (d *described) readItems(at *outline.Cursor, o jsonschema.Outline) []outline.Item {
	if len(o.Fields()) > 0 || len(o.Values()) > 0 || !d.isDataValue(at) {
		return nil
	}
	f := d.readAt(at.Path)
	if f == nil {
		return nil
	}
	as := *at
	as.Plain, as.Nulls = true, false
	items := as.Items(f.known, d.common)
	if len(f.known.Values()) == 0 && isScalar(at) && f.known.Type() == "string" {
		items = append(items, namedChoices(f.known)...)
	}
	return items
}

// readHover describes the key or the scalar of data values at a cursor by the field that reads it.
func (d *described) readHover(at *outline.Cursor) string {
	if !d.isDataValue(at) {
		return ""
	}
	f := d.readAt(at.Path)
	if f == nil {
		return ""
	}
	as := *at
	as.Plain = true
	return as.Hover(f.known, f.of)
}

// readBy shows what the field that reads a data value may be.
func (h *hover) readBy(path []string) {
	d := describedBy(h.ctx, h.doc)
	if d == nil {
		return
	}
	var steps []outline.Step
	for _, key := range path {
		steps = append(steps, outline.Step{Key: key, Item: key == ""})
	}
	f := d.readAt(steps)
	if f == nil {
		return
	}
	if text := f.Hover(f.known, f.of); text != "" {
		h.add("Value of %s", text)
	}
}
