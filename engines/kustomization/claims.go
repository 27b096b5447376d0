package kustomization

import (
	"regexp"
	"sort"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// A claim is the line that a node of a build has kept from its file. kustomize's nodes have the number of
// the line that they were read from, in their document. A build for claims has line breaks before each
// document, as many as make the number different from that of any other line. Whatever kustomize moves
// keeps its number; whatever it sets has none.
type claims struct {
	chunks []numbered // by their first number
	nodes  map[position]*yaml.Node
	values map[*yaml.Node]*yaml.Node // by their keys
	next   int
}

// numbered is a document of a file with the number of the line before its first.
type numbered struct {
	file  string
	line  int // of its first line in the file
	text  string
	start int
	lines int
}

// position is where a node begins in a build for claims.
type position struct{ line, column int }

// maxPadding is how many line breaks all documents may get. With more of them, lines are not claimed.
const maxPadding = 48 << 20

// newClaims numbers the documents of resources and patches, and of patches in kustomizations.
func (t *tree) newClaims() *claims {
	c := &claims{nodes: map[position]*yaml.Node{}, values: map[*yaml.Node]*yaml.Node{}}
	for name, what := range t.roles {
		if what != resource {
			continue
		}
		if text := t.text(name); text != nil {
			c.add(name, 1, text)
		}
	}
	for _, file := range t.kustomizations {
		for _, e := range t.entriesIn(file) {
			if n := inlinePatch(e); n != nil {
				c.add(file, n.Line+1, []byte(n.Value))
			}
		}
	}
	if !c.number() {
		return nil
	}
	return c
}

// inlinePatch returns the text of a patch in an entry, if each of its lines is a line of the kustomization.
func inlinePatch(e entry) *yaml.Node {
	n := e.item
	switch e.key {
	case "patches", "patchesJson6902":
		n = field(n, "patch")
	case "patchesStrategicMerge":
	default:
		return nil
	}
	if n == nil || n.Style&yaml.LiteralStyle == 0 {
		return nil
	}
	return n
}

// field returns the value of a key.
func field(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return follow(n.Content[i+1])
		}
	}
	return nil
}

// add adds the documents of a text that begins at a line of a file.
func (c *claims) add(file string, line int, text []byte) {
	list := chunksOf(text)
	for _, d := range list {
		if head, _ := d.split(); strings.HasPrefix(d.text, "\ufeff") || strings.Trim(head, "- \n") != "" {
			return // a line has more than `---`, or there is a byte order mark
		}
	}
	for _, d := range list {
		c.chunks = append(c.chunks, numbered{
			file: file, line: line + d.line - 1, text: d.text,
			lines: strings.Count(d.text, "\n") + 1,
		})
	}
}

// number numbers all lines. The first number is above those of nodes that kustomize reads from its own YAML. It
// reports false if that takes too many line breaks.
func (c *claims) number() bool {
	sort.Slice(c.chunks, func(i, j int) bool {
		a, b := &c.chunks[i], &c.chunks[j]
		return a.file < b.file || a.file == b.file && a.line < b.line
	})
	c.next = 1000
	for _, d := range c.chunks {
		c.next = max(c.next, len(d.text))
	}
	padding := 0
	for i := range c.chunks {
		d := &c.chunks[i]
		d.start = c.next
		c.next += d.lines + 1
		if padding += d.start; padding > maxPadding {
			return false
		}
		if root, err := yaml.Parse(d.text); err == nil && root != nil {
			c.index(root.YNode(), d.start)
		}
	}
	return true
}

func (c *claims) index(n *yaml.Node, start int) {
	at := position{start + n.Line, n.Column}
	if n.Kind == yaml.ScalarNode || c.nodes[at] == nil { // a mapping begins where its first key does
		c.nodes[at] = n
	}
	for i, child := range n.Content {
		c.index(child, start)
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			c.values[n.Content[i-1]] = child
		}
	}
}

// variant returns the variant of a build for claims, with one more change to each kustomization.
func (c *claims) variant(change func(file string, k *types.Kustomization)) *variant {
	return &variant{
		file: func(file string, text []byte) []byte { return c.pad(file, 1, text) },
		kustomization: func(file string, k *types.Kustomization) {
			c.padInline(file, k)
			change(file, k)
		},
	}
}

// padInline puts line breaks before the patches in a kustomization.
func (c *claims) padInline(file string, k *types.Kustomization) {
	for i := range k.Patches {
		k.Patches[i].Patch = c.padText(file, k.Patches[i].Patch)
	}
	for i := range k.PatchesStrategicMerge {
		k.PatchesStrategicMerge[i] = types.PatchStrategicMerge(c.padText(file, string(k.PatchesStrategicMerge[i])))
	}
}

// padText puts line breaks before the documents of a patch in a kustomization, after a comment: kustomize
// drops line breaks at its beginning. Of equal texts, none gets any.
func (c *claims) padText(file, text string) string {
	if text == "" {
		return text
	}
	at := 0
	first := chunksOf([]byte(text))[0].text
	for _, d := range c.chunks {
		if d.file == file && d.text == first {
			if at != 0 {
				return text
			}
			at = d.line
		}
	}
	if at == 0 {
		return text
	}
	return "#" + string(c.pad(file, at, []byte(text)))
}

// pad puts line breaks before each document of a text that begins at a line of a file.
func (c *claims) pad(file string, line int, text []byte) []byte {
	var b strings.Builder
	for i, d := range chunksOf(text) {
		n := c.find(file, line+d.line-1)
		if n == nil || n.text != d.text {
			return text
		}
		if i > 0 {
			b.WriteString("---\n")
		}
		head, rest := d.split()
		b.WriteString(head + strings.Repeat("\n", n.start) + rest)
	}
	return []byte(b.String())
}

func (c *claims) find(file string, line int) *numbered {
	i := sort.Search(len(c.chunks), func(i int) bool {
		d := &c.chunks[i]
		return d.file > file || d.file == file && d.line >= line
	})
	if i < len(c.chunks) && c.chunks[i].file == file && c.chunks[i].line == line {
		return &c.chunks[i]
	}
	return nil
}

// source returns the node of a file that a node of a build is, or nil if kustomize has made it.
func (c *claims) source(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	was := c.nodes[position{n.Line, n.Column}]
	if was == nil || was.Kind != n.Kind || n.Kind == yaml.ScalarNode && was.Value != n.Value {
		return nil
	}
	return was
}

// place returns the line that a node was read from, or false if kustomize has made it.
func (c *claims) place(n *yaml.Node) (wire.Place, bool) {
	if c.source(n) == nil {
		return wire.Place{}, false
	}
	i := sort.Search(len(c.chunks), func(i int) bool { return c.chunks[i].start >= n.Line }) - 1
	d := &c.chunks[i]
	return wire.Place{File: d.file, Line: d.line + n.Line - d.start - 1}, true
}

// chunk is a document of a file, as kustomize splits files.
type chunk struct {
	line int // of its first line, in the file
	text string
}

// split returns the text up to where line breaks can be put: after a `---` at its beginning.
func (c chunk) split() (head, rest string) {
	if strings.HasPrefix(c.text, "---") {
		at := strings.Index(c.text+"\n", "\n") + 1
		return c.text[:min(at, len(c.text))], c.text[min(at, len(c.text)):]
	}
	return "", c.text
}

var separator = regexp.MustCompile(`\n---.*\n`)

// chunksOf splits a file as kustomize does.
func chunksOf(text []byte) []chunk {
	s := strings.ReplaceAll(string(text), "\r\n", "\n")
	var list []chunk
	line, prev := 1, 0
	for _, at := range separator.FindAllStringIndex(s, -1) {
		list = append(list, chunk{line, s[prev : at[0]+1]})
		line += strings.Count(s[prev:at[1]], "\n")
		prev = at[1]
	}
	return append(list, chunk{line, s[prev:]})
}
