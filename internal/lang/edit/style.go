package edit

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// style is the layout of new text: that of the file around it.
type style struct {
	step int // how far a mapping is indented below its key
	dash int // how far the dashes of a list are indented below its key

	oneLine bool // scalars are written on one line
	fresh   bool // strings are written as weft prints them, except that quotes stay
}

// styleOf detects the indentation of a file, from the first mapping and the first list inside a
// mapping.
func styleOf(t *yaml.Tree, column func(off int) int) style {
	src := t.File().Data()
	s := style{step: -1, dash: -1}
	var parents []yaml.NodeID // open block mappings
	for n := yaml.NodeID(0); int(n) < t.Len() && (s.step < 0 || s.dash < 0); n++ {
		for len(parents) > 0 && n >= t.Next(parents[len(parents)-1]) {
			parents = parents[:len(parents)-1]
		}
		k := t.Kind(n)
		if t.Style(n) != yaml.Block || k != yaml.Mapping && k != yaml.Sequence || t.Next(n) == n+1 {
			continue
		}
		if at := t.Start(n).Offset(); len(parents) > 0 &&
			src[at] == ':' { // a value, not an item of a list
			by := column(t.Start(n+1).Offset()) - column(
				t.Start(parents[len(parents)-1]+1).Offset(),
			)
			switch {
			case k == yaml.Mapping && s.step < 0 && by > 0:
				s.step = by
			case k == yaml.Sequence && s.dash < 0 && by >= 0:
				s.dash = by
			}
		}
		if k == yaml.Mapping {
			parents = append(parents, n)
		}
	}
	switch {
	case s.step < 0 && s.dash > 0:
		s.step = s.dash
	case s.step < 0:
		s.step = 2
	}
	if s.dash < 0 {
		s.dash = 0
		if s.step > 2 {
			s.dash = s.step
		}
	}
	return s
}

// Indents returns how far a file indents mappings, and the dashes of lists, below their keys.
func Indents(t *yaml.Tree) (step, dash int) {
	src := t.File().Data()
	s := styleOf(t, func(off int) int { return off - 1 - bytes.LastIndexAny(src[:off], "\r\n") })
	return s.step, s.dash
}

// appendBlock writes a nonempty collection in block style, with its lines in column col and without
// the last line break. The cursor must be in that column.
func (s style) appendBlock(dst []byte, v tree.Value, col int) []byte {
	var r tree.Reader
	isMap := v.Kind() == tree.MapKind
	for i, it := range r.Items(nil, v) {
		if i > 0 {
			dst = appendBreak(dst, col)
		}
		if !isMap {
			dst = s.appendItem(append(dst, '-'), it.Value, col)
			continue
		}
		dst = s.appendEntry(dst, it, col)
	}
	return dst
}

// Block returns a value as new YAML text, ending with a line break. Numbers are written as they were, and
// strings as weft prints them, except that quotes stay.
func Block(v tree.Value) []byte {
	s := style{step: 2, fresh: true}
	if isShort(v) {
		return append(s.appendShort(nil, v, -2), '\n')
	}
	return append(s.appendBlock(nil, v, 0), '\n')
}

// appendEntry writes an entry of a mapping in column col.
func (s style) appendEntry(dst []byte, it tree.Item, col int) []byte {
	if it.Key.Kind() == tree.ScalarKind {
		val, text := it.Key.Scalar()
		if val.Kind != yaml.String || yaml.IsSimpleKey(text) {
			dst = s.appendBlockScalar(dst, unquoted(it.Key), col+2)
			return s.appendValue(append(dst, ':'), it.Value, col)
		}
	}
	dst = s.appendItem(append(dst, '?'), it.Key, col)
	dst = append(appendBreak(dst, col), ':')
	return s.appendItem(dst, it.Value, col)
}

// appendValue writes what follows the colon of a key in column col.
func (s style) appendValue(dst []byte, v tree.Value, col int) []byte {
	if isShort(v) {
		return s.appendShort(append(dst, ' '), v, col)
	}
	at := s.below(v, col)
	return s.appendBlock(appendBreak(dst, at), v, at)
}

// below returns the column of a collection below a key in column col.
func (s style) below(v tree.Value, col int) int {
	if v.Kind() == tree.ArrayKind {
		return col + s.dash
	}
	return col + s.step
}

// appendItem writes what follows a dash, or a question mark, in column col.
func (s style) appendItem(dst []byte, v tree.Value, col int) []byte {
	dst = append(dst, ' ')
	if isShort(v) {
		return s.appendShort(dst, v, col)
	}
	return s.appendBlock(dst, v, col+2)
}

// appendShort writes a scalar or an empty collection of a node in column col.
func (s style) appendShort(dst []byte, v tree.Value, col int) []byte {
	switch v.Kind() {
	case tree.MapKind:
		return append(dst, "{}"...)
	case tree.ArrayKind:
		return append(dst, "[]"...)
	}
	return s.appendBlockScalar(dst, v, col+2)
}

// appendBlockScalar writes a scalar in block context: as it was written, if possible.
func (s style) appendBlockScalar(dst []byte, v tree.Value, indent int) []byte {
	if s.oneLine {
		return AppendScalar(dst, v)
	}
	val, text := v.Scalar()
	raw, ok := rawScalar(v)
	if s.fresh && ok && val.Kind == yaml.String {
		ok = (raw[0] == '"' || raw[0] == '\'') && !bytes.ContainsRune(raw, '\\')
	}
	if ok && blockSafe(raw) && Portable(raw) {
		return append(dst, raw...)
	}
	if ok && raw[0] == '"' {
		return yaml.AppendDouble(dst, text)
	}
	if val.Kind == yaml.Float {
		return appendFloat(dst, val.Float())
	}
	return yaml.AppendValue(dst, val, text, indent)
}

// appendFloat writes a float so that it is parsed as one.
func appendFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = yaml.AppendFloat(dst, f)
	if !bytes.ContainsAny(dst[n:], ".en") {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendBreak ends a line and begins another in column col.
func appendBreak(dst []byte, col int) []byte {
	return appendSpaces(append(dst, '\n'), col)
}

func appendSpaces(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

// isShort reports whether a value fits on the line of its parent: a scalar, or an empty collection.
func isShort(v tree.Value) bool { return v.Kind() == tree.ScalarKind || v.Empty() }

// appendFlow writes a value in flow style, on one line.
func appendFlow(dst []byte, v tree.Value) []byte {
	if v.Kind() == tree.ScalarKind {
		return AppendScalar(dst, v)
	}
	return AppendBrackets(dst, v, appendFlowEntry, appendFlow)
}

// AppendBrackets writes a collection on one line: the entries of a mapping with entry, the items of
// a list with item.
func AppendBrackets(
	dst []byte,
	v tree.Value,
	entry func([]byte, tree.Item) []byte,
	item func([]byte, tree.Value) []byte,
) []byte {
	var r tree.Reader
	open, closing := byte('['), byte(']')
	if v.Kind() == tree.MapKind {
		open, closing = '{', '}'
	}
	dst = append(dst, open)
	for i, it := range r.Items(nil, v) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if v.Kind() == tree.MapKind {
			dst = entry(dst, it)
		} else {
			dst = item(dst, it.Value)
		}
	}
	return append(dst, closing)
}

// appendFlowEntry writes `key: value`. A key that is long, or not a scalar, needs a question mark.
func appendFlowEntry(dst []byte, it tree.Item) []byte {
	start := len(dst)
	if it.Key.Kind() == tree.ScalarKind {
		dst = AppendScalar(dst, unquoted(it.Key))
	} else {
		dst = appendFlow(append(dst, "? "...), it.Key)
	}
	const longest = 1000 // maximum length of a key without a question mark, with some slack
	if len(dst)-start > longest && dst[start] != '?' {
		dst = append(dst[:start], append([]byte("? "), dst[start:]...)...)
	}
	return appendFlow(append(dst, ": "...), it.Value)
}

// AppendScalar writes a scalar for a flow collection: as it was written, if possible.
func AppendScalar(dst []byte, v tree.Value) []byte {
	raw, ok := rawScalar(v)
	if ok && flowSafe(raw) && Portable(raw) {
		return append(dst, raw...)
	}
	val, text := v.Scalar()
	if ok && raw[0] == '"' {
		return yaml.AppendDouble(dst, text)
	}
	switch val.Kind {
	case yaml.String:
		return appendFlowString(dst, text)
	case yaml.Float:
		return appendFloat(dst, val.Float())
	}
	return yaml.AppendValue(dst, val, nil, 0)
}

// appendFlowString writes a string in a flow collection.
func appendFlowString(dst, text []byte) []byte {
	q := yaml.QuotingOf(text)
	if q == yaml.AsPlain && flowSafe(text) || q == yaml.AsSingle || q == yaml.AsDouble {
		return yaml.AppendString(dst, text, 0)
	}
	if q == yaml.AsBinary {
		encoded := yaml.AppendString(nil, text, 1)
		// Long binary data is written as a block; here its lines are joined into one quoted text.
		encoded = bytes.TrimPrefix(encoded, []byte("!!binary "))
		encoded = bytes.TrimPrefix(encoded, []byte("|"))
		dst = append(dst, `!!binary "`...)
		return append(append(dst, strings.Join(strings.Fields(string(encoded)), "")...), '"')
	}
	return yaml.AppendDouble(dst, text)
}

// appendJSON writes a value as JSON, on one line: scalars as they were written, if that is JSON.
// What JSON lacks (.inf, binary data, keys that are not strings) stays YAML.
func appendJSON(dst []byte, v tree.Value) []byte {
	if v.Kind() == tree.ScalarKind {
		if raw, ok := rawScalar(v); ok && json.Valid(raw) {
			return append(dst, raw...)
		}
		val, text := v.Scalar()
		switch val.Kind {
		case yaml.String:
			return appendJSONString(dst, text)
		case yaml.Float:
			return appendFloat(dst, val.Float())
		}
		return yaml.AppendValue(dst, val, nil, 0)
	}
	return AppendBrackets(dst, v, appendJSONEntry, appendJSON)
}

// appendJSONEntry writes `"key": value`.
func appendJSONEntry(dst []byte, it tree.Item) []byte {
	if it.Key.Kind() != tree.ScalarKind {
		return appendFlowEntry(dst, it)
	}
	if val, text := it.Key.Scalar(); val.Kind == yaml.String {
		dst = appendJSONString(dst, text)
	} else {
		dst = AppendScalar(dst, it.Key)
	}
	return appendJSON(append(dst, ": "...), it.Value)
}

func appendJSONString(dst, text []byte) []byte {
	if !utf8.Valid(text) {
		return appendFlowString(dst, text)
	}
	return yaml.AppendJSONString(dst, text)
}

// Raw returns a scalar as it was written, if it was read from a file, is on one line without a tag,
// and every parser reads that line the same way.
func Raw(v tree.Value) ([]byte, bool) {
	raw, ok := rawScalar(v)
	return raw, ok && blockSafe(raw) && Portable(raw)
}

// unquoted returns a key without unnecessary quotes.
func unquoted(key tree.Value) tree.Value {
	if t, n, ok := key.Syntax(); ok && t.Style(n) != yaml.Plain {
		return key.Materialized()
	}
	return Key(key)
}

// Key returns a key as it is printed: a key from a flag has no spelling to keep.
func Key(v tree.Value) tree.Value {
	if t, _, ok := v.Syntax(); ok && t.IsTyped() {
		return v.Materialized()
	}
	return v
}

// rawScalar returns a scalar as it was written, if it was read from a file, on one line, and its text
// alone determines its value. Text from a flag is not used; such a scalar is printed unambiguously.
func rawScalar(v tree.Value) ([]byte, bool) {
	t, n, ok := v.Syntax()
	if !ok || t.IsRetyped(n) || t.Style(n) > yaml.DoubleQuoted || t.IsTyped() && t.IsAmbiguous(n) {
		return nil, false
	}
	raw := t.Raw(n)
	return raw, len(raw) > 0 && !bytes.ContainsAny(raw, "\r\n")
}

// blockSafe reports whether a scalar as it was written means the same in block context.
func blockSafe(raw []byte) bool {
	return !strings.ContainsRune("-?:", rune(raw[0])) ||
		len(raw) > 1 && raw[1] != ' ' && raw[1] != '\t'
}

// Portable reports whether all YAML parsers read a scalar, as it was written, the same way. JSON has
// escapes that YAML lacks: `\/`, which only YAML 1.2 knows, and surrogate pairs. JSON strings may
// also contain characters that are line breaks in YAML 1.1.
func Portable(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && raw[0] == '"' && i+1 < len(raw):
			i++
			if raw[i] == '/' ||
				raw[i] == 'u' && i+2 < len(raw) && raw[i+1]|0x20 == 'd' && raw[i+2] >= '8' {
				return false
			}
		case c == 0xC2 && bytes.HasPrefix(raw[i:], []byte("\u0085")),
			c == 0xE2 &&
				(bytes.HasPrefix(raw[i:], []byte("\u2028")) ||
					bytes.HasPrefix(raw[i:], []byte("\u2029"))),
			c == 0xEF && bytes.HasPrefix(raw[i:], []byte("\ufeff")):
			return false
		}
	}
	return true
}

// flowSafe reports whether a scalar as it was written, or text that is plain in block context,
// means the same inside brackets.
func flowSafe(raw []byte) bool {
	if raw[0] == '"' || raw[0] == '\'' {
		return true
	}
	return blockSafe(raw) && raw[0] != ':' && !bytes.ContainsAny(raw, ",?[]{}#") &&
		!bytes.HasSuffix(raw, []byte(":")) &&
		!bytes.Contains(raw, []byte(": "))
}
