package feature

import (
	"bytes"
	"context"
	"iter"
	"path"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/engine/compile"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/project"
	"weft/internal/project/test"
	"weft/internal/serve/lsp/outline"
	"weft/internal/serve/lsp/workspace"
)

// described is a document whose content JSON Schemas describe.
type described struct {
	ctx    context.Context
	doc    *workspace.TextDocument
	rules  outline.Rules
	common []string // keys that people write most
	off    int      // the cursor
	uses   *uses    // of the functions around the cursor; nil if none was needed yet

	// isPlain reports whether the descriptions of the schemas are plain text at a cursor: their authors are
	// unknown, and Markdown could load images. nil means that they are Markdown.
	isPlain func(c *outline.Cursor) bool
	// names returns what only the project knows that can be written at a cursor, or nil
	names func(c *outline.Cursor, o jsonschema.Outline) []outline.Item
	// of returns the type of the document, for people, and where its schema is from; or nil
	of func(c *outline.Cursor) (name, from string)
}

// describedBy returns what describes a document, or nil if nothing does.
func describedBy(ctx context.Context, doc *workspace.TextDocument) *described {
	d := &described{ctx: ctx, doc: doc}
	switch {
	case doc.IsProjectFile():
		d.rules = d.withValues(projectSchema.Get().Outline(), "environments")
		d.names, d.common = d.projectNames, commonProjectKeys
		return d
	case doc.IsTestFile():
		d.rules = d.withValues(testSchema.Get().Outline(), "tests")
		d.names, d.common = d.testNames, commonTestKeys
		return d
	case d.byCharts():
		return d
	}
	doc.LoadNew(ctx)
	if doc.Kind() == compile.YAML || doc.Kind() == compile.PlainYAML || isOverride(doc) || isManifest(doc) {
		d.byContent()
		return d
	}
	return nil
}

// The keys of weft.yml and of test files that people write most.
var (
	commonProjectKeys = []string{
		"inputs", "environments", "valueFiles", "chart", "values", "output", "extends", "overlays", "dir",
		"validate", "images", "namespace", "kubernetes", "replicas", "labels", "git", "version", "oci", "http",
		"paths", "rules", "strict", "jobs", "keep", "warnings", "timeout",
	}
	commonTestKeys = []string{
		"select", "equal", "count", "contains", "absent", "expect", "envs", "values", "error", "golden",
		"matches", "code",
	}
)

// isManifest reports whether a document that the project does not read seems to have a Kubernetes object, or the
// configuration of a function.
func isManifest(doc *workspace.TextDocument) bool {
	ext := path.Ext(doc.Path())
	return (ext == ".yml" || ext == ".yaml") && bytes.Contains(doc.File().Data(), []byte("apiVersion:"))
}

func isOverride(doc *workspace.TextDocument) bool {
	_, ok := doc.Overrides()
	return ok
}

// byContent describes data values by their schema, and other documents by the kinds of the objects in them.
func (d *described) byContent() {
	object := d.objectRules()
	d.rules = func(t *yaml.Tree, n yaml.NodeID) jsonschema.Outline {
		doc, ok := documentOf(t, n)
		if ok && d.isSchema(t, doc) {
			return nil
		}
		if ok && d.isValues(t, doc) {
			return d.values()
		}
		if o := object(t, n); o != nil || !ok {
			return o
		}
		return d.usedAs(d.off)
	}
}

// values describes the data values of the project.
func (d *described) values() jsonschema.Outline {
	if v := d.doc.View(); v != nil {
		return v.ValuesOutline(d.ctx, d.doc.Snapshot())
	}
	return nil
}

// isValues reports whether a document has data values of the project.
func (d *described) isValues(t *yaml.Tree, doc yaml.NodeID) bool {
	if _, ok := annotationOf(t, doc, "library/ref"); ok {
		return false
	}
	_, values := annotationOf(t, doc, compile.ValuesAnnotation)
	return values || d.doc.IsValues() || d.mayBeValues(t, doc)
}

// mayBeValues reports whether a file without code and without a weft.yml looks like one that people pass with
// --data-values-file: the schema declares all keys but the one at the cursor.
func (d *described) mayBeValues(t *yaml.Tree, doc yaml.NodeID) bool {
	p := d.doc.Project()
	if p == nil || p.File() != "" || bytes.Contains(d.doc.File().Data(), []byte("#@")) {
		return false
	}
	o := d.values()
	unknown, known := 0, 0
	for key := range pairs(t, t.Root(doc)) {
		if len(o.Field(string(t.Text(key)))) > 0 {
			known++
		} else {
			unknown++
		}
	}
	return known > 0 && unknown <= 1
}

// isSchema reports whether a document declares data values.
func (d *described) isSchema(t *yaml.Tree, doc yaml.NodeID) bool {
	_, schema := annotationOf(t, doc, compile.SchemaAnnotation)
	return schema
}

// documentOf returns the document whose root a node is.
func documentOf(t *yaml.Tree, n yaml.NodeID) (yaml.NodeID, bool) {
	for doc := range t.Documents() {
		if t.Root(doc) == n {
			return doc, true
		}
	}
	return 0, false
}

// annotationOf returns the arguments of an annotation of a document. It returns false if it has none.
func annotationOf(t *yaml.Tree, doc yaml.NodeID, name string) (string, bool) {
	for _, c := range t.Comments() {
		if c.Owner() != doc {
			continue
		}
		text, ok := strings.CutPrefix(string(t.CommentText(c)), "@"+name)
		if ok && (text == "" || text[0] == ' ') {
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}

// projectSchema and testSchema are the schemas that `weft schema` prints.
var (
	projectSchema = lazy.Value[*jsonschema.Schema]{New: func() *jsonschema.Schema {
		return builtinSchema("weft.yml", project.Schema())
	}}
	testSchema = lazy.Value[*jsonschema.Schema]{New: func() *jsonschema.Schema {
		return builtinSchema("test file", test.Schema())
	}}
)

// builtinSchema reads a schema that weft itself wrote.
func builtinSchema(name string, text []byte) *jsonschema.Schema {
	f, err := (&source.Set{}).Add(name, text)
	if err != nil {
		panic(err)
	}
	s, list := (&jsonschema.Loader{}).Load(f, name)
	if list != nil {
		panic(list)
	}
	return s
}

// withValues returns rules for a file that has one schema, and data values in its key `values` and in that of
// each entry of another key.
func (d *described) withValues(o jsonschema.Outline, in string) outline.Rules {
	return func(t *yaml.Tree, n yaml.NodeID) jsonschema.Outline {
		root := t.Root(t.First())
		if n == root {
			return o
		}
		for key, value := range pairs(t, root) {
			if t.IsString(key, "values") && value == n {
				return d.values()
			}
			if t.IsString(key, in) && n > value && n < t.Next(value) && isValuesOfEntry(t, value, n) {
				return d.values()
			}
		}
		return nil
	}
}

// isValuesOfEntry reports whether a node is the value of the key `values` of an entry of a map or a list.
func isValuesOfEntry(t *yaml.Tree, list, n yaml.NodeID) bool {
	for entry := range t.Items(list) {
		for key, value := range pairs(t, entry) {
			if value == n {
				return t.IsString(key, "values")
			}
		}
	}
	return false
}

// pairs returns the keys that are scalars of a map, with their values; none for other nodes.
func pairs(t *yaml.Tree, n yaml.NodeID) iter.Seq2[yaml.NodeID, yaml.NodeID] {
	return func(yield func(key, value yaml.NodeID) bool) {
		if t.Kind(n) != yaml.Mapping {
			return
		}
		for key, value := range t.Pairs(n) {
			if t.Kind(key) == yaml.Scalar && !yield(key, value) {
				return
			}
		}
	}
}

// scalarAt returns the text of a key of a map, or "".
func scalarAt(t *yaml.Tree, n yaml.NodeID, name string) string {
	for key, value := range pairs(t, n) {
		if t.IsString(key, name) && t.Kind(value) == yaml.Scalar {
			return string(t.Text(value))
		}
	}
	return ""
}

// complete adds what the schema allows at the cursor.
func (d *described) complete(c *completion) {
	if d == nil {
		return
	}
	d.off = c.off
	at := outline.Typed(yamlAround(d.doc, c.off), c.off, d.doc.Syntax())
	if at == nil {
		return
	}
	c.refKeys(at)
	c.passedKeys(d, at)
	if d.isValues(at.Tree, at.Doc) {
		c.keys(at)
		at.Nulls = true
	} else if d.isSchema(at.Tree, at.Doc) {
		c.readKeys(at)
	}
	at.Plain = d.isPlain != nil && d.isPlain(at)
	o := at.Outline(d.rules)
	items := append(at.Items(o, d.common), d.readItems(at, o)...)
	if d.names != nil {
		items = append(items, d.names(at, o)...)
	}
	if isOverride(d.doc) {
		items = append(items, d.overrideNames(at)...)
	}
	items = d.withOthers(at, o, d.withExisting(at, items))
	for _, it := range items {
		if c.has(it.Label) {
			continue // a key of data values, of which more is known
		}
		if at.NoSpace {
			it.Text = " " + it.Text
		}
		c.add(it.Rank, len(at.Word), it.Text, it.CompletionItem)
	}
}

// hover shows what the schema says about the key or the scalar at an offset, and returns its place.
func (d *described) hover(h *hover, off int) (start, end int) {
	if d == nil {
		return 0, 0
	}
	d.off = off
	at := outline.Over(yamlAround(d.doc, off), off, d.doc.Syntax())
	if at == nil {
		return 0, 0
	}
	if x := directiveAt(at); x != nil && isOverride(d.doc) {
		h.add("`%s`", x.Name)
		h.add("%s", x.Doc)
		return at.Span(at.Node)
	}
	of, from := "", ""
	if d.of != nil {
		of, from = d.of(at)
	}
	at.Plain = d.isPlain != nil && d.isPlain(at)
	text := at.Hover(at.Outline(d.rules), of)
	if text == "" {
		text = d.readHover(at)
	}
	if text == "" {
		return 0, 0
	}
	if !at.Plain {
		text = withoutPageLinks(text)
	}
	h.parts = append(h.parts, text)
	if from != "" {
		h.add("From %s", jsonschema.Code(from))
	}
	return at.Span(at.Node)
}

// withoutPageLinks returns Markdown without links to pages of the reference: an editor cannot open them.
func withoutPageLinks(text string) string {
	return pageLink.Get().ReplaceAllStringFunc(text, func(link string) string {
		m := pageLink.Get().FindStringSubmatch(link)
		if strings.Contains(m[2], "://") {
			return link
		}
		return m[1]
	})
}

var pageLink = lazy.Regexp{Text: `\[([^\]]+)\]\(([^)]+)\)`}

// ownAnalysis returns the analysis of a project file, a test file or the configuration of a function, which are
// plain YAML, or nil for others.
func ownAnalysis(doc *workspace.TextDocument) *compile.Analysis {
	if !doc.IsProjectFile() && !doc.IsTestFile() && !isFunctionConfig(doc) {
		return nil
	}
	return compile.Analyse(doc.File(), compile.PlainYAML, compile.Options{YAML: doc.Syntax()})
}
