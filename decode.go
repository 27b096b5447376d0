package weft

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

const codeDecode diag.Code = "api/decode" // documents that do not fit a Go value

// Decode stores the documents in the value that v points to, by the rules and tags of encoding/json,
// as for the Go types of Kubernetes: fields that v does not have are ignored. If v points to a slice,
// it gets one element per document. Otherwise there must be exactly one document. A value that does
// not fit is an *Error with its place.
func (r *Result) Decode(v any) error {
	to := reflect.ValueOf(v)
	if to.Kind() == reflect.Pointer && !to.IsNil() && to.Elem().Kind() == reflect.Slice {
		return r.decodeAll(to.Elem())
	}
	var docs []Document
	for d := range r.Documents() {
		docs = append(docs, d)
	}
	if len(docs) != 1 {
		var at source.Span
		if len(docs) > 1 {
			at = docs[1].span()
		}
		return newError(r.res.Result.Files, diag.List{diag.Errorf(at, codeDecode,
			"expected one document to decode, but found %d", len(docs)).
			WithHint("decode into a slice, or use Document.Decode")})
	}
	return docs[0].Decode(v)
}

// decodeAll fills a slice with one element per document.
func (r *Result) decodeAll(list reflect.Value) error {
	all := reflect.MakeSlice(list.Type(), 0, len(r.res.Docs))
	for d := range r.Documents() {
		one := reflect.New(list.Type().Elem())
		if err := d.Decode(one.Interface()); err != nil {
			return err
		}
		all = reflect.Append(all, one.Elem())
	}
	list.Set(all)
	return nil
}

// Decode stores the document in the value that v points to: see Result.Decode.
func (d Document) Decode(v any) error {
	var b bytes.Buffer
	if _, err := emit.JSON(&b, []tree.Doc{d.doc}); err != nil {
		return err
	}
	err := json.Unmarshal(b.Bytes(), v)
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok || d.of == nil {
		return err
	}
	at := nodeAt(b.Bytes(), d.doc.Value, wrong.Offset).Span()
	return newError(d.of.res.Result.Files, diag.List{diag.Errorf(at, codeDecode,
		"expected a value for %s, but found %s", wrong.Type, diag.Article(wrong.Value))})
}

func (d Document) span() source.Span { return d.doc.Pos.To(d.doc.Pos.Offset()) }

// nodeAt returns the value in a document whose first token ends at an offset of its JSON text.
func nodeAt(text []byte, v tree.Value, offset int64) tree.Value {
	tokens := json.NewDecoder(bytes.NewReader(text))
	found := v
	var walk func(v tree.Value) bool
	next := func() bool {
		_, err := tokens.Token()
		return err == nil && tokens.InputOffset() < offset
	}
	walk = func(v tree.Value) bool {
		if !next() {
			found = v
			return false
		}
		if m, ok := v.Map(); ok {
			for _, it := range m.Entries() {
				if !next() || !walk(it.Value) {
					return false
				}
			}
			return next()
		}
		if a, ok := v.Array(); ok {
			for _, it := range a.Entries() {
				if !walk(it.Value) {
					return false
				}
			}
			return next()
		}
		return true
	}
	walk(v)
	return found
}
