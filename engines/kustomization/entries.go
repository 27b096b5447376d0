package kustomization

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// tokens are texts that a build has in the values of entries such as namespace, labels and images. Where
// one of them is in a document, the entry has set that value.
type tokens struct {
	list  []token
	files map[string][]entry
}

// token is a text or a number in the value of an entry.
type token struct {
	text  string
	was   string // the number in the place of which text is, or ""
	keeps bool   // whether the rest of the value comes from elsewhere, as with a prefix
	place wire.Place
}

// newTokens returns tokens for the kustomizations that a tree has read.
func (t *tree) newTokens() *tokens {
	k := &tokens{files: map[string][]entry{}}
	for _, file := range t.kustomizations {
		k.files[file] = t.entriesIn(file)
	}
	return k
}

// add adds a token for the value of an entry, and returns the value with the token.
func (k *tokens) add(file string, line int, value string, keeps bool) string {
	if value == "" || line == 0 {
		return value
	}
	t := token{
		text: fmt.Sprintf("weft%dq", len(k.list)), keeps: keeps,
		place: wire.Place{File: file, Line: line},
	}
	k.list = append(k.list, t)
	return value + t.text
}

// number adds a token for a number.
func (k *tokens) number(file string, line int, value int64) int64 {
	n := 1_900_000_000 + int64(len(k.list))
	k.list = append(k.list, token{
		text: strconv.FormatInt(n, 10), was: strconv.FormatInt(value, 10),
		place: wire.Place{File: file, Line: line},
	})
	return n
}

// change puts tokens into a kustomization.
func (k *tokens) change(file string, c *types.Kustomization) {
	c.Namespace = k.add(file, k.line(file, "namespace"), c.Namespace, false)
	c.NamePrefix = k.add(file, k.line(file, "namePrefix"), c.NamePrefix, true)
	c.NameSuffix = k.add(file, k.line(file, "nameSuffix"), c.NameSuffix, true)
	k.changeMap(file, k.node(file, "commonLabels", 0), c.CommonLabels)
	k.changeMap(file, k.node(file, "commonAnnotations", 0), c.CommonAnnotations)
	for i := range c.Labels {
		k.changeMap(file, field(k.node(file, "labels", i), "pairs"), c.Labels[i].Pairs)
	}
	for i := range c.Images {
		n, image := k.node(file, "images", i), &c.Images[i]
		image.NewName = k.add(file, lineOfField(n, "newName"), image.NewName, false)
		image.NewTag = k.add(file, lineOfField(n, "newTag"), image.NewTag, false)
		image.Digest = k.add(file, lineOfField(n, "digest"), image.Digest, false)
	}
	for i := range c.Replicas {
		if line := lineOfField(k.node(file, "replicas", i), "count"); line > 0 {
			c.Replicas[i].Count = k.number(file, line, c.Replicas[i].Count)
		}
	}
}

func (k *tokens) changeMap(file string, n *yaml.Node, m map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		m[key] = k.add(file, lineOfField(n, key), m[key], false)
	}
}

// line returns the line of a key of a kustomization, or 0.
func (k *tokens) line(file, key string) int {
	for _, e := range k.files[file] {
		if e.key == key {
			return e.line
		}
	}
	return 0
}

// node returns an item of a list of a kustomization, or the value of a key that has no list.
func (k *tokens) node(file, key string, i int) *yaml.Node {
	for _, e := range k.files[file] {
		if e.key != key {
			continue
		}
		if i == 0 {
			return e.item
		}
		i--
	}
	return nil
}

// lineOfField returns the line of the value of a key, or 0. A value of several lines has none.
func lineOfField(n *yaml.Node, key string) int {
	v := field(n, key)
	if v == nil || v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || strings.Contains(v.Value, "\n") {
		return 0
	}
	return v.Line
}

// find returns the entries that have set a value, given the value in the build with tokens, or nil if the two
// values are not the same place of a document.
func (k *tokens) find(value, with string) (places []wire.Place, keeps bool) {
	if value == with {
		return nil, false
	}
	rest, keeps := with, true
	for _, t := range slices.Backward(k.list) {
		if t.was == "" && strings.Contains(rest, t.text) {
			rest = strings.ReplaceAll(rest, t.text, "")
		} else if t.was != "" && rest == t.text {
			rest = t.was
		} else {
			continue
		}
		places = append(places, t.place)
		keeps = keeps && t.keeps
	}
	if rest != value {
		return nil, false
	}
	return places, keeps
}

// overrides reports whether a value of the build with tokens has one that stands for the whole value.
func (k *tokens) overrides(with string) bool {
	return slices.ContainsFunc(k.list, func(t token) bool { return !t.keeps && strings.Contains(with, t.text) })
}
