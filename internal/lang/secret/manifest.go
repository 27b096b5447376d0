package secret

import (
	"strings"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// maxInside is the maximum depth of strings inside strings that are parsed.
const maxInside = 3

// HoldsManifest reports whether a text is YAML or JSON, of any number of documents, that contains a
// Kubernetes Secret.
func HoldsManifest(text string) bool {
	found := false
	inText(text, maxInside, func(tree.Value) { found = true })
	return found
}

// collectionIn parses the map or list in a string, if it is JSON or multi-line YAML.
func collectionIn(v tree.Value) (tree.Value, bool) {
	val, text := v.Scalar()
	trimmed := strings.TrimSpace(string(text))
	if val.Kind != yaml.String || len(trimmed) < 2 ||
		trimmed[0] != '{' && trimmed[0] != '[' && !strings.Contains(trimmed, "\n") {
		return tree.Value{}, false
	}
	f, err := new(source.Set).Add("string", []byte(text))
	if err != nil {
		return tree.Value{}, false
	}
	t, err := yaml.Parse(f, yaml.Options{Workers: 1})
	if err != nil || t.Check(false) != nil || !t.More(t.First()) {
		return tree.Value{}, false
	}
	inner := tree.FromSyntax(t, t.Root(t.First()))
	return inner, inner.Kind() != tree.ScalarKind
}

// inText calls each for the Secrets with data in a text.
func inText(text string, depth int, each func(tree.Value)) {
	// Hardly any text has all of these words, and searching for them is cheaper than parsing.
	if depth == 0 || !strings.Contains(text, "Secret") || !strings.Contains(text, "kind") ||
		!strings.Contains(text, "data") && !strings.Contains(text, "Data") {
		return
	}
	eachDocument(text, func(v tree.Value) { inValue(v, depth-1, other, each) })
}

// eachDocument calls f for the maps and lists that are the documents of a text, if it is YAML.
func eachDocument(text string, f func(tree.Value)) {
	file, err := new(source.Set).Add("string", []byte(text))
	if err != nil {
		return
	}
	t, err := yaml.Parse(file, yaml.Options{Workers: 1})
	if err != nil || t.Check(false) != nil {
		return
	}
	for doc := range t.Documents() {
		if v := tree.FromSyntax(t, t.Root(doc)); v.Kind() != tree.ScalarKind {
			f(v)
		}
	}
}

// inValue calls each for the Secrets with data in a value, and in its strings.
func inValue(v tree.Value, depth int, as role, each func(tree.Value)) {
	kind := v.Kind()
	if kind == tree.ScalarKind {
		if val, text := v.Scalar(); val.Kind == yaml.String {
			inText(string(text), depth, each)
		}
		return
	}
	if kind == tree.MapKind && (as == object || IsObject(v)) && hasData(v) {
		each(v)
	}
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		inValue(it.Value, depth, as.below(v, it.Key), each)
	}
}

// hasData reports whether a Secret has data. One without is a reference to another.
func hasData(v tree.Value) bool {
	for _, field := range dataFields {
		if data, ok := v.Lookup(field); ok && !data.Empty() {
			return true
		}
	}
	return false
}
