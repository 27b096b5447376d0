package diff

import (
	"bytes"
	"strings"

	"weft/internal/lang/edit"
	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// scalars compares two scalars that differ. Strings that hold YAML or JSON are compared by their content,
// unless they differ only in layout.
func (c *comparer) scalars(x, y tree.Value) {
	v, w, ok := c.embedded(x, y)
	if !ok || edit.Equal(v, w) {
		c.changed(x, y)
		return
	}
	was, at, secretAt, secrets := c.was, c.at, c.secretAt, c.secrets
	c.inside++
	c.path = append(c.path, path.Segment{Kind: path.Inside})
	c.values(v, w)
	c.path = c.path[:len(c.path)-1]
	c.inside--
	c.was, c.at, c.secretAt, c.secrets = was, at, secretAt, secrets
}

// Limits for parsing the content of strings.
const (
	maxEmbedded = 1 << 20 // bytes
	maxInside   = 3       // nesting of strings in strings
)

// embedded parses two strings as YAML or JSON. It returns false unless both hold a map or a list.
func (c *comparer) embedded(x, y tree.Value) (v, w tree.Value, ok bool) {
	if c.inside >= maxInside || c.whole() {
		return v, w, false
	}
	if v, ok = c.parse(x); ok {
		w, ok = c.parse(y)
	}
	return v, w, ok && v.Kind() == w.Kind()
}

// whole reports whether the current path is that of a text file, which is shown as text.
func (c *comparer) whole() bool {
	return len(c.path) == 0 && c.object.A >= 0 && c.a.Docs[c.object.A].Text
}

// parse parses a string that holds a map or a list: JSON, or YAML of more than one line.
func (c *comparer) parse(v tree.Value) (tree.Value, bool) {
	val, text := v.Scalar()
	if val.Kind != yaml.String || len(text) > maxEmbedded {
		return tree.Value{}, false
	}
	trimmed := bytes.TrimSpace(text)
	json := len(trimmed) > 1 && (trimmed[0] == '{' || trimmed[0] == '[')
	if !json && !bytes.ContainsAny(trimmed, "\n") {
		return tree.Value{}, false
	}
	f, err := new(source.Set).Add("string", bytes.Clone(text))
	if err != nil {
		return tree.Value{}, false
	}
	opt := c.opt.YAML
	opt.Workers = 1
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return tree.Value{}, false
	}
	first := t.First()
	if !t.More(first) || t.More(t.Next(first)) || t.Check(false) != nil {
		return tree.Value{}, false
	}
	// Nothing may point into the text, because positions refer to files.
	parsed := detached(tree.FromSyntax(t, t.Root(first)))
	return parsed, parsed.Kind() != tree.ScalarKind
}

// detached returns a value without positions.
func detached(v tree.Value) tree.Value {
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind:
		items := r.Items(nil, v)
		for i := range items {
			items[i] = tree.Item{Key: detached(items[i].Key), Value: detached(items[i].Value)}
		}
		return tree.Of(tree.NewMap(items, source.Pos{}))
	case tree.ArrayKind:
		items := r.Items(nil, v)
		for i := range items {
			items[i] = tree.Item{Value: detached(items[i].Value)}
		}
		return tree.Of(tree.NewArray(items, source.Pos{}))
	}
	return tree.Of(v.Starlark())
}

// isLines reports whether two strings are compared line by line.
func isLines(x, y tree.Value) bool {
	return isText(x) && isText(y) &&
		(strings.Contains(x.Text(), "\n") || strings.Contains(y.Text(), "\n"))
}

func isText(v tree.Value) bool {
	if v.Kind() != tree.ScalarKind {
		return false
	}
	val, _ := v.Scalar()
	return val.Kind == yaml.String
}
