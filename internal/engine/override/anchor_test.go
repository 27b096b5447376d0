package override

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"weft/internal/testing/yamltest"
)

// FuzzFollow compares overrides of files with anchors with a library for which an alias is the node that it
// stands for: a change of that node is a change of both.
func FuzzFollow(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 11))
		base, defined := anchoredText(r)
		root := &yaml.Node{}
		if err := yaml.Unmarshal([]byte(base), root); err != nil {
			t.Fatal(err)
		}
		var overs []string
		for range 1 + r.IntN(3) {
			var parts []string
			for _, key := range defined {
				if r.IntN(2) == 0 {
					continue
				}
				inner, n := []string{"x", "w", "new", "own"}[r.IntN(4)], 10+r.IntN(90)
				parts = append(parts, fmt.Sprintf("%s: {%s: %d}", key, inner, n))
				setNode(entryNode(root.Content[0], key), inner, n)
			}
			overs = append(overs, "{"+strings.Join(parts, ", ")+"}")
		}
		s := yamltest.Read(t, base)
		text, docs, err := applied(s, Options{Written: true}, overs...)
		if err != nil {
			t.Fatalf("%v: %s", overs, message(s, err))
		}
		var want, got any
		if err := root.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v of\n%s\ngives\n%s\n got %v\nwant %v", overs, base, text, got, want)
		}
		if said := fmt.Sprint(docs[0].Value.Go()); said != fmt.Sprint(want) {
			t.Errorf("%v of\n%s\nhas the values %s\nwant %v", overs, base, said, want)
		}
		if strings.Count(text, "*") != strings.Count(base, "*") || strings.Count(text, "&") != strings.Count(base, "&") {
			t.Errorf("%v of\n%s\nloses anchors or aliases:\n%s", overs, base, text)
		}
	})
}

// anchoredText returns a file with anchors and aliases, and its keys whose values are no aliases.
func anchoredText(r *rand.Rand) (text string, defined []string) {
	var b strings.Builder
	var anchors []string
	for i := range 3 + r.IntN(6) {
		key := fmt.Sprintf("k%d", i)
		kind := r.IntN(5)
		if anchors == nil {
			kind = 0
		}
		some := ""
		if anchors != nil {
			some = anchors[r.IntN(len(anchors))]
		}
		switch kind {
		case 0, 1:
			name := fmt.Sprintf("a%d", i)
			fmt.Fprintf(&b, "%s: &%s # anchor\n  x: %d\n  w: %d\n", key, name, i, i)
			if some != "" && r.IntN(2) == 0 {
				fmt.Fprintf(&b, "  inner: *%s\n", some)
			}
			anchors, defined = append(anchors, name), append(defined, key)
		case 2:
			fmt.Fprintf(&b, "%s: *%s\n", key, some)
		case 3:
			fmt.Fprintf(&b, "%s:\n  <<: *%s\n  own: %d # own\n", key, some, i)
			defined = append(defined, key)
		default:
			fmt.Fprintf(&b, "%s: [1, *%s, {z: *%s}]\n", key, some, some)
		}
	}
	return b.String(), defined
}

// entryNode returns the value of a key of a mapping.
func entryNode(m *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// setNode sets a key of a mapping.
func setNode(m *yaml.Node, key string, n int) {
	value := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(n)}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content[i+1] = value
			return
		}
	}
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
}
