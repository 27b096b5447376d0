package weft_test

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// nodesOf returns documents as the nodes of another reader of YAML: with numbers as they are written.
func nodesOf(t *testing.T, text string) (docs []*yaml.Node) {
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			t.Fatalf("%s\n%s", err, text)
		}
		if d := n.Content[0]; d.Kind == yaml.ScalarNode && d.ShortTag() != "!!null" || len(d.Content) > 0 {
			docs = append(docs, d)
		}
	}
}

// meaningsOf returns what another reader of YAML sees in documents, sorted: neither their order nor that of
// keys counts. An integer is not a float of the same value, and both have all their digits.
func meaningsOf(t *testing.T, text string) (list []string) {
	for _, d := range nodesOf(t, text) {
		list = append(list, meaningOf(d))
	}
	slices.Sort(list)
	return list
}

func meaningOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.AliasNode:
		return meaningOf(n.Alias)
	case yaml.ScalarNode:
		return scalarMeaning(n)
	}
	var parts []string
	if n.Kind == yaml.SequenceNode {
		for _, x := range n.Content {
			parts = append(parts, "- "+indented(meaningOf(x)))
		}
		return "list\n" + strings.Join(parts, "\n")
	}
	for i := 0; i < len(n.Content); i += 2 {
		parts = append(parts, meaningOf(n.Content[i])+": "+indented(meaningOf(n.Content[i+1])))
	}
	slices.Sort(parts)
	return "map\n" + strings.Join(parts, "\n")
}

func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// scalarMeaning returns the type and the value of a scalar.
func scalarMeaning(n *yaml.Node) string {
	tag := n.ShortTag()
	number := new(big.Rat)
	switch {
	case tag == "!!str":
		return fmt.Sprintf("%q", n.Value)
	case tag == "!!null":
		return "null"
	case tag == "!!bool":
		return "bool " + strings.ToLower(n.Value)
	case tag == "!!int":
		i, ok := new(big.Int).SetString(strings.TrimPrefix(n.Value, "+"), 0)
		if !ok {
			return "int " + n.Value
		}
		return "int " + i.String()
	case tag == "!!float" && strings.Trim(strings.TrimLeft(n.Value, "+-"), "0123456789") == "":
		return "int " + strings.TrimPrefix(n.Value, "+") // only the reader's integers are too short
	case tag == "!!float":
		if _, ok := number.SetString(strings.ReplaceAll(n.Value, "_", "")); ok {
			return "float " + number.RatString()
		}
	}
	return strings.TrimPrefix(tag, "!!") + " " + n.Value
}

// randomEditor edits documents as people do: at random.
type randomEditor struct{ *rand.Rand }

// documents edits one of the documents, adds one, or removes one.
func (e randomEditor) documents(docs []*yaml.Node) []*yaml.Node {
	docs = slices.Clone(docs)
	switch n := e.IntN(12); {
	case n == 0 && len(docs) > 1:
		i := e.IntN(len(docs))
		return slices.Delete(docs, i, i+1)
	case n == 1 || len(docs) == 0:
		name := newMap("name", text(fmt.Sprintf("x%d", e.IntN(3))))
		return append(docs, newMap("kind", text("Extra"), "metadata", name, "data", e.value(2)))
	}
	i := e.IntN(len(docs))
	docs[i] = e.edit(docs[i], 0)
	return docs
}

// edit returns a value with something changed.
func (e randomEditor) edit(v *yaml.Node, depth int) *yaml.Node {
	switch v.Kind {
	case yaml.AliasNode:
		return e.edit(v.Alias, depth)
	case yaml.MappingNode:
		return e.editMap(v, depth)
	case yaml.SequenceNode:
		return e.editList(v, depth)
	}
	switch tag := v.ShortTag(); {
	case tag == "!!str" && strings.Contains(v.Value, "\n"):
		lines := strings.Split(v.Value, "\n")
		lines[e.IntN(len(lines))] = "edited: " + fmt.Sprint(e.IntN(9))
		return text(strings.Join(lines, "\n"))
	case tag == "!!str" && e.IntN(3) == 0:
		return text(v.Value + "x")
	case tag == "!!int" && e.IntN(3) > 0:
		if i, ok := new(big.Int).SetString(v.Value, 0); ok {
			return plain(i.Add(i, big.NewInt(1+e.Int64N(3))).String())
		}
	case tag == "!!int" && e.IntN(2) == 0: // the same number for Go, and another type for other readers
		return plain(v.Value + ".0")
	case tag == "!!float" && e.IntN(2) == 0:
		return plain(strings.TrimSuffix(v.Value, ".0"))
	case tag == "!!bool":
		return plain(map[string]string{"true": "false"}[v.Value] + map[string]string{"false": "true"}[v.Value])
	}
	return e.scalar()
}

func (e randomEditor) editMap(v *yaml.Node, depth int) *yaml.Node {
	if len(v.Content) == 0 {
		return newMap("new", e.scalar())
	}
	now := &yaml.Node{Kind: yaml.MappingNode, Style: v.Style, Content: slices.Clone(v.Content)}
	i := 2 * e.IntN(len(now.Content)/2)
	switch n := e.IntN(10); {
	case n == 0 && depth > 0 && len(now.Content) > 2:
		now.Content = slices.Delete(now.Content, i, i+2)
	case n == 1:
		key := e.key()
		if slices.ContainsFunc(now.Content, func(x *yaml.Node) bool { return x.Value == key.Value }) {
			return e.editMap(v, depth)
		}
		now.Content = append(now.Content, key, e.value(2))
	case n == 2 && depth > 1:
		now.Content[i+1] = e.value(1)
	default:
		now.Content[i+1] = e.edit(now.Content[i+1], depth+1)
	}
	return now
}

func (e randomEditor) editList(v *yaml.Node, depth int) *yaml.Node {
	deeper := depth < 2 || e.IntN(4) > 0
	list := slices.Clone(v.Content)
	switch n := e.IntN(6); {
	case n == 0 && len(list) > 1:
		i := e.IntN(len(list))
		list = slices.Delete(list, i, i+1)
	case n == 1:
		list = slices.Insert(list, e.IntN(len(list)+1), e.like(list))
	case n == 2 && len(list) > 1:
		i := e.IntN(len(list) - 1)
		list[i], list[i+1] = list[i+1], list[i]
	case len(list) > 0 && deeper:
		i := e.IntN(len(list))
		list[i] = e.edit(list[i], depth+1)
	default:
		list = append(list, e.like(list))
	}
	return &yaml.Node{Kind: yaml.SequenceNode, Style: v.Style, Content: list}
}

// like returns a new item for a list.
func (e randomEditor) like(list []*yaml.Node) *yaml.Node {
	if len(list) > 0 && list[0].Kind == yaml.MappingNode {
		for i := 0; i < len(list[0].Content); i += 2 {
			if list[0].Content[i].Value == "name" {
				return newMap("name", text(fmt.Sprintf("new%d", e.IntN(9))), "value", e.scalar())
			}
		}
		return e.value(1)
	}
	return e.scalar()
}

func (e randomEditor) value(depth int) *yaml.Node {
	switch n := e.IntN(4); {
	case n == 0 && depth > 0:
		return newMap("a", e.value(depth-1), "b.c/d", e.scalar())
	case n == 1 && depth > 0:
		return &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{e.value(depth - 1), e.scalar()}}
	}
	return e.scalar()
}

// key returns a new key. Readers disagree about some of them without quotes.
func (e randomEditor) key() *yaml.Node {
	keys := []string{"added0", "added1", "added2", "on", "y", "1", "a b", "null"}
	return text(keys[e.IntN(len(keys))])
}

// scalar returns a new scalar: a text, or a number or word in a spelling that people use.
func (e randomEditor) scalar() *yaml.Node {
	texts := []string{
		"text", "", "two\nlines\n", "no end\nhere", "\n two\n\n", "- #@ x", "#! comment", "on", "y", "0644",
		"1.10", "null", "a: b", " leading", "tab\there", "(@= 1 @)", "é ‹›", "{}", "*x", "&y", "!!z", "'q'",
		"1_000", "0x1F", "2e3", "25.0", "~", "2026-11-18", "12345678901234567890123",
	}
	plains := []string{
		"0", "7", "-3", "1.5", "25.0", "2e3", "-0.0", "1e21", "true", "false", "null", "~", "0x1F", "0o17",
		"12345678901234567890123", "18446744073709551615", ".inf", "6.02E23",
	}
	if e.IntN(2) == 0 {
		return text(texts[e.IntN(len(texts))])
	}
	return plain(plains[e.IntN(len(plains))])
}

// text returns a string, in quotes where some reader needs them.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if s == "on" || s == "y" || strings.HasPrefix(s, "\n") { // yaml.v3 cannot read its blocks of the last kind
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// plain returns a scalar as it is written.
func plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

// newMap returns a mapping of keys to nodes.
func newMap(pairs ...any) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode}
	for _, x := range pairs {
		if key, ok := x.(string); ok {
			x = text(key)
		}
		m.Content = append(m.Content, x.(*yaml.Node))
	}
	return m
}
