package diff

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"weft/internal/engine/emit"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// jsonChange is the JSON format of a change. Field names are stable; new ones may be added.
type jsonChange struct {
	Op      string          `json:"op"`               // add, remove, change, move or rename
	Object  string          `json:"object"`           // the name shown to people
	Path    string          `json:"path"`             // as written by people; "" is the document
	Pointer string          `json:"pointer"`          // RFC 6901, in the document
	Inside  []string        `json:"inside,omitempty"` // pointers in the strings on the path
	Before  json.RawMessage `json:"before,omitempty"`
	After   json.RawMessage `json:"after,omitempty"`
	Secret  bool            `json:"secret,omitempty"`
	Cause   string          `json:"cause,omitempty"`
	At      *jsonPlace      `json:"at,omitempty"`
}

// jsonPlace is where the new value is written, or the old one if there is no new one.
type jsonPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// WriteJSON writes a difference as JSON: an array with an object for each change or, with summary, one
// object that counts documents.
func (d *Difference) WriteJSON(w io.Writer, summary bool) error {
	var out any = d.Summary()
	if !summary {
		list := make([]jsonChange, len(d.Changes))
		for i := range d.Changes {
			list[i] = d.json(&d.Changes[i])
		}
		out = list
	}
	return emit.Report(w, out)
}

func (d *Difference) json(c *Change) jsonChange {
	j := jsonChange{
		Op: c.Op.String(), Object: c.Object.Name.String(), Path: c.Path.String(),
		Secret: c.Secret, At: place(d.B.Files, c.At),
	}
	j.Pointer, j.Inside = c.Path.Pointer()
	if c.Op != Added {
		j.Before = appendJSON(nil, c.Before)
	}
	if c.Op != Removed {
		j.After = appendJSON(nil, c.After)
	} else {
		j.At = place(d.A.Files, c.Was)
	}
	if c.Cause >= 0 {
		j.Cause = d.Causes[c.Cause].Title
	}
	return j
}

func place(files *source.Set, at source.Pos) *jsonPlace {
	if files == nil {
		return nil
	}
	f := files.File(at)
	if f == nil {
		return nil
	}
	p := f.Place(at.Offset())
	return &jsonPlace{f.Shown(), p.Line, p.Column}
}

// appendJSON appends v as JSON. Values that JSON cannot represent become strings: numbers that are not
// finite, bytes that are not UTF-8, and keys that are not strings.
func appendJSON(dst []byte, v tree.Value) []byte {
	if v.Kind() == tree.ScalarKind {
		return appendJSONScalar(dst, v)
	}
	open, closing := byte('['), byte(']')
	if v.Kind() == tree.MapKind {
		open, closing = '{', '}'
	}
	dst = append(dst, open)
	var r tree.Reader
	for i, it := range r.Items(nil, v) {
		if i > 0 {
			dst = append(dst, ',')
		}
		if open == '{' {
			key := appendJSON(nil, it.Key)
			if it.Key.Kind() == tree.ScalarKind {
				key = []byte(it.Key.Text())
			}
			dst = append(yaml.AppendJSONString(dst, key), ':')
		}
		dst = appendJSON(dst, it.Value)
	}
	return append(dst, closing)
}

func appendJSONScalar(dst []byte, v tree.Value) []byte {
	val, text := v.Scalar()
	if val.Kind == yaml.String && !utf8.Valid(text) {
		return yaml.AppendJSONString(dst, appendBinary(nil, text))
	}
	if number, ok := edit.LongNumber(v); ok {
		return append(dst, number...)
	}
	start := len(dst)
	dst = yaml.AppendJSONValue(dst, val, text)
	if val.Kind == yaml.Float && !bytes.ContainsAny(dst[start:], `.eE"`) {
		dst = append(dst, ".0"...) // distinguishes 1.0 from 1
	}
	return dst
}
