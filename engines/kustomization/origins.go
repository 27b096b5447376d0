package kustomization

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// origins finds out where the lines of documents come from, by building variants of the kustomization. A line
// whose origin is not certain has a file only, or nothing.
type origins struct {
	tree       *tree
	answer     *wire.Answer
	claims     *claims
	tokens     *tokens
	generators *generators
	operations []operation
	known      map[string]int // chains that the answer has

	claimed, withTokens, noCopies []*yaml.Node // the documents of variants
	copies                        bool         // whether values are copied: replacements, vars
}

// addOrigins adds the origins of the documents of an answer.
func addOrigins(a *wire.Answer, t *tree, dir string) {
	o := &origins{tree: t, answer: a, known: map[string]int{}, claims: t.newClaims(), tokens: t.newTokens()}
	if o.claims == nil {
		return
	}
	o.operations = t.operationsOf()
	o.generators = &generators{tree: t}
	m, err := t.build(dir, o.claims.variant(func(file string, k *types.Kustomization) {
		t.withoutOperations(file, k)
		o.generators.change(file, k)
	}))
	if err != nil {
		o.generators.list, o.operations = nil, nil
		m, err = t.build(dir, o.claims.variant(o.generators.change))
	}
	o.claimed = o.nodes(m, err)
	o.withTokens = o.nodes(t.build(dir, &variant{kustomization: o.tokens.change}))
	o.noCopies = o.nodes(t.build(dir, &variant{kustomization: func(_ string, k *types.Kustomization) {
		o.copies = o.copies || len(k.Replacements) > 0 || len(k.Vars) > 0 || len(k.Transformers) > 0
		k.Replacements, k.Vars, k.Transformers = nil, nil, nil
		notEmpty(k)
	}}))
	t.refused = nil
	for i := range a.Docs {
		o.document(i)
	}
}

// nodes returns the documents of a build, or nil if it failed or has not as many documents as the answer.
func (o *origins) nodes(m resmap.ResMap, err error) []*yaml.Node {
	if err != nil || m.Size() != len(o.answer.Docs) {
		return nil
	}
	var list []*yaml.Node
	for _, r := range m.Resources() {
		list = append(list, r.YNode())
	}
	return list
}

// document finds the origins of the lines of one document.
func (o *origins) document(i int) {
	d := &o.answer.Docs[i]
	root, err := yaml.Parse(d.Text)
	if err != nil {
		return
	}
	p := parallel{
		out: root.YNode(), claimed: same(o.claimed, i, root.YNode()),
		withTokens: same(o.withTokens, i, root.YNode()), noCopies: same(o.noCopies, i, root.YNode()),
	}
	w := &walk{
		origins: o, lines: make([][]wire.Place, wire.Lines(d.Text)), text: strings.Split(d.Text, "\n"),
		by: o.generators.of(p.claimed), file: o.fileOf(p.claimed),
	}
	w.collection(p)
	w.finish(len(w.lines) + 1)
	d.Origins = make([]int, len(w.lines))
	for line, chain := range w.lines {
		d.Origins[line] = o.chain(chain)
	}
}

// same returns the document of another build at an index, if it has the same kind.
func same(list []*yaml.Node, i int, doc *yaml.Node) *yaml.Node {
	if i >= len(list) {
		return nil
	}
	a, b := field(list[i], "kind"), field(doc, "kind")
	if a == nil || b == nil || a.Value != b.Value {
		return nil
	}
	return list[i]
}

// fileOf returns the file that a resource was read from, or "".
func (o *origins) fileOf(doc *yaml.Node) string {
	for i := 0; doc != nil && i+1 < len(doc.Content); i += 2 {
		if p, ok := o.claims.place(doc.Content[i]); ok && doc.Content[i].Value == "kind" {
			return p.File
		}
	}
	return ""
}

// chain returns the number of a chain in the answer.
func (o *origins) chain(chain []wire.Place) int {
	if len(chain) == 0 {
		return 0
	}
	key := fmt.Sprint(chain)
	if o.known[key] == 0 {
		o.answer.Chains = append(o.answer.Chains, chain)
		o.known[key] = len(o.answer.Chains)
	}
	return o.known[key]
}

// walk goes through a document.
type walk struct {
	*origins
	lines [][]wire.Place
	text  []string
	by    []generator
	file  string // of the resource

	open     *yaml.Node // the last scalar, which may have more lines
	from     *yaml.Node // where it was read from
	fromFile string     // the file whose lines are its lines
}

func (w *walk) collection(p parallel) {
	for i, n := range p.out.Content {
		switch {
		case p.out.Kind == yaml.SequenceNode:
			w.node(p.item(i, n), n.Line)
		case i%2 == 1:
			key := p.out.Content[i-1]
			w.node(p.at(key.Value, n), key.Line)
		}
	}
}

// node finds the origin of a node whose line has its key, if it has one.
func (w *walk) node(p parallel, line int) {
	w.finish(line)
	if p.out.Kind == yaml.ScalarNode || len(p.out.Content) == 0 {
		w.set(line, w.scalar(p))
		w.open = p.out
		if source := w.claims.source(p.claimed); source != nil && sameScalar(p.out, p.claimed) {
			w.from = p.claimed
		}
		return
	}
	if p.key != nil {
		if place, ok := w.claims.place(p.key); ok {
			w.set(line, []wire.Place{place})
		} else {
			w.set(line, w.somewhere())
		}
	} else if len(p.path) > 0 && len(w.lines) >= line && w.lines[line-1] == nil && isKeyed(p) {
		w.set(line, w.somewhere())
	}
	w.collection(p)
}

// isKeyed reports whether a node is the value of a key, and not an item.
func isKeyed(p parallel) bool { return p.out.Kind == yaml.SequenceNode || p.out.Line > 0 }

// somewhere returns the file of the resource or of its generator.
func (w *walk) somewhere() []wire.Place {
	switch {
	case w.file != "":
		return []wire.Place{{File: w.file}}
	case len(w.by) > 0:
		return []wire.Place{{File: w.by[0].file}}
	}
	return nil
}

func (w *walk) set(line int, chain []wire.Place) {
	if line >= 1 && line <= len(w.lines) {
		w.lines[line-1] = chain
	}
}

// scalar returns the origin of a scalar, or of an empty collection.
func (w *walk) scalar(p parallel) []wire.Place {
	if p.withTokens != nil && p.withTokens.Kind == p.out.Kind {
		if places, keeps := w.tokens.find(p.out.Value, p.withTokens.Value); len(places) > 0 {
			if key, ok := w.claims.place(p.key); ok && keeps && w.contained(p) && w.extended(p) {
				places = append(places, key)
			}
			return places
		}
	}
	unchanged := p.claimed != nil && equal(p.claimed, p.out)
	if unchanged && setBy(w.operations, p.path, p.out) {
		return w.somewhere() // an operation may have set what was there already
	}
	key, ok := w.claims.place(p.key)
	if ok && unchanged && w.contained(p) && kept(p.path) {
		return []wire.Place{key}
	}
	if place, ok := w.claims.place(p.claimed); ok && unchanged {
		return []wire.Place{place}
	}
	if chain := w.generated(p); chain != nil {
		return chain
	}
	if ok && unchanged && w.contained(p) && w.extended(p) {
		return []wire.Place{key}
	}
	if !unchanged {
		if chain := lineFor(w.operations, p.path, p.out); chain != nil {
			return chain
		}
	}
	return w.somewhere()
}

// kept reports whether kustomize puts a value back after it has applied a patch.
func kept(path []string) bool {
	return len(path) == 1 && (path[0] == "kind" || path[0] == "apiVersion")
}

// extended reports whether kustomize only adds to a value of a file, as prefixes and hashes of names do.
// No entry sets all of it, and no replacement, variable or transformer does.
func (w *walk) extended(p parallel) bool {
	return p.withTokens != nil && !w.tokens.overrides(p.withTokens.Value) &&
		(!w.copies || p.noCopies != nil && equal(p.noCopies, p.out))
}

// contained reports whether a value contains the one at its key in the file.
func (w *walk) contained(p parallel) bool {
	source := w.claims.values[w.claims.source(p.key)]
	return source != nil && source.Kind == yaml.ScalarNode && source.Value != "" &&
		strings.Contains(p.out.Value, source.Value)
}

// generated returns the origin of a value of a generated ConfigMap or Secret.
func (w *walk) generated(p parallel) []wire.Place {
	if len(w.by) == 0 {
		return nil
	}
	switch {
	case len(p.path) == 2 && (p.path[0] == "data" || p.path[0] == "binaryData"):
		entry, content, ok := w.generators.line(w.by, p.path[1], valueOf(p.out))
		if !ok {
			return w.somewhere()
		}
		w.fromFile = content
		return []wire.Place{entry}
	case len(p.path) == 2 && p.path[0] == "metadata" && p.path[1] == "name":
		if line := lineOfField(w.by[len(w.by)-1].item, "name"); line > 0 {
			return []wire.Place{{File: w.by[len(w.by)-1].file, Line: line}}
		}
	}
	return w.somewhere()
}

// finish sets the origins of the lines of the last scalar after its first one, up to a line.
func (w *walk) finish(line int) {
	if w.open == nil {
		return
	}
	first := w.open.Line // of the scalar, which may begin below its key
	for at := first + 1; at < line && at <= len(w.lines); at++ {
		w.lines[at-1] = w.further(at - first)
	}
	w.open, w.from, w.fromFile = nil, nil, ""
}

// further returns the origin of a line of a text after the line of its key. The text must be one in which
// each line is a line of the file, too.
func (w *walk) further(n int) []wire.Place {
	if w.open.Style&yaml.LiteralStyle == 0 {
		return w.continued()
	}
	text := w.text[w.open.Line+n-1]
	if w.fromFile != "" {
		return lineIn(w.fromFile, w.tree.text(w.fromFile), n, text)
	}
	if w.from == nil {
		return w.continued()
	}
	place, _ := w.claims.place(w.from)
	if w.from.Style&yaml.LiteralStyle == 0 {
		return []wire.Place{{File: place.File}}
	}
	return lineIn(place.File, w.tree.text(place.File), place.Line+n, text)
}

// continued returns the origin of a line that kustomize has wrapped: that of the first, if all of the text
// was in one line.
func (w *walk) continued() []wire.Place {
	if w.from == nil || strings.Contains(w.from.Value, "\n") || !w.inOneLine() {
		return w.somewhere()
	}
	return w.lines[w.open.Line-1]
}

// inOneLine reports whether a scalar is in one line of its file: what its line ends with is its end.
func (w *walk) inOneLine() bool {
	place, _ := w.claims.place(w.from)
	lines := strings.Split(string(w.tree.text(place.File)), "\n")
	return place.Line <= len(lines) && strings.Contains(lines[place.Line-1], w.from.Value)
}

// lineIn returns a line of a file, if it has the text, or else the file.
func lineIn(file string, data []byte, n int, text string) []wire.Place {
	lines := strings.Split(string(data), "\n")
	if n > len(lines) || strings.TrimSpace(lines[n-1]) != strings.TrimSpace(text) {
		return []wire.Place{{File: file}}
	}
	return []wire.Place{{File: file, Line: n}}
}
