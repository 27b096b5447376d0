package explain

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// This file formats values, keys, paths and numbers for messages.

// describeDocument returns the name of a document for a message: " (Deployment/web)".
func describeDocument(c overlay.Cell) string {
	if name := documentName(c); name != "" {
		return " (" + name + ")"
	}
	return ""
}

// documentName returns the name of a Kubernetes object without brackets, such as "Deployment/web". If there
// is none, it returns the kind.
func documentName(c overlay.Cell) string {
	if name := objectOf(c).String(); name != "" {
		return name
	}
	return textsOf(c)("kind")
}

// objectOf returns the name and the kind that a document has at this moment: overlays may change them.
func objectOf(c overlay.Cell) selector.Object {
	meta, _ := c.Lookup(overlay.KeyOf(tree.String("metadata")))
	return selector.ObjectFrom(textsOf(c), textsOf(meta))
}

// textsOf returns a function that returns the scalar at a key of a map, or "".
func textsOf(c overlay.Cell) func(string) string {
	return func(key string) string {
		v, ok := c.Lookup(overlay.KeyOf(tree.String(key)))
		if !ok || v.Kind() != tree.ScalarKind || v.Value().IsNull() {
			return ""
		}
		return v.Value().Text()
	}
}

// pathKey returns a key as part of a path, quoted if necessary.
func pathKey(v tree.Value) string {
	s, ok := v.Starlark().(starlark.String)
	if !ok {
		return show(v)
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '_', c == '-', c == '/', c >= 0x80:
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		default:
			return strconv.Quote(string(s))
		}
	}
	if s == "" {
		return `""`
	}
	return string(s)
}

// intoString is the step into a string in a path: see package path.
const intoString = " › "

func joinPath(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	case b[0] == '[' || strings.HasSuffix(a, intoString):
		return a + b
	case strings.HasPrefix(b, intoString[1:]):
		return a + " " + b
	}
	return a + "." + b
}

// show returns a value for a message: strings quoted, collections abbreviated.
func show(v tree.Value) string {
	switch v.Kind() {
	case tree.MapKind:
		if v.Len() == 0 {
			return "{}"
		}
		return fmt.Sprintf("a map of %s", diag.Count(v.Len(), "item"))
	case tree.ArrayKind:
		if v.Len() == 0 {
			return "[]"
		}
		return fmt.Sprintf("an array of %s", diag.Count(v.Len(), "item"))
	}
	val, text := v.Scalar()
	if val.Kind == yaml.String {
		const maxBytes = 60
		if s := string(text); len(s) <= maxBytes {
			return strconv.Quote(s)
		}
		return strconv.Quote(string(bytes.ToValidUTF8(text[:maxBytes], nil)) + "…")
	}
	s := string(yaml.AppendValue(nil, val, text, 0))
	if val.Kind == yaml.Float && strings.Trim(s, "-0123456789") == "" {
		s += ".0" // otherwise it would look like an integer, which does not match
	}
	return s
}
