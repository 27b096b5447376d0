package krm

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// list is a ResourceList as it was read.
type list struct {
	files *source.Set
	yaml  yaml.Options // the options that it was read with
	tree  *yaml.Tree
	root  tree.Value
	items []*item
	names map[string]*item // items by the names of their files
}

// item is a resource of a list.
type item struct {
	value tree.Value
	text  []byte // its text as a document
	name  string // the name of the file that it is rendered as
	own   bool   // it is the configuration of this function, not a resource
}

// read reads a list. All line breaks become line feeds, which YAML reads the same way.
func read(text []byte, opt yaml.Options) (*list, error) {
	text = bytes.ReplaceAll(edit.WithoutMark(text), []byte("\r\n"), []byte("\n"))
	l := &list{files: new(source.Set), yaml: opt, names: map[string]*item{}}
	f, err := l.files.Add("(stdin)", text)
	if err != nil {
		return nil, diag.Failf(CodeList, "%s", err)
	}
	if l.tree, err = yaml.Parse(f, opt); err != nil || l.tree.Check(false) != nil {
		return nil, l.failure(yaml.Errors(f, opt, false))
	}
	docs := slices.Collect(l.tree.Documents())
	if len(docs) == 0 {
		return nil, notList("standard input is empty, but a KRM function reads a ResourceList")
	}
	if l.root = tree.FromSyntax(l.tree, l.tree.Root(docs[0])); len(docs) > 1 || !isList(l.root) {
		return nil, notList("standard input is not a ResourceList: found " + found(docs, l.root))
	}
	if err := l.readItems(); err != nil {
		return nil, l.failure(err)
	}
	return l, nil
}

func notList(message string) *diag.Diagnostic {
	return diag.Failf(CodeList, "%s", message).
		WithHint("kustomize and kpt call weft krm; to render documents, run weft -f -")
}

// isList reports whether a value is a list that functions read.
func isList(v tree.Value) bool {
	version, kind := v.TextAt("apiVersion"), v.TextAt("kind")
	return kind == "ResourceList" && strings.HasPrefix(version, "config.kubernetes.io/") ||
		kind == "List" && version == "v1"
}

// found describes what was found instead of a list.
func found(docs []yaml.NodeID, v tree.Value) string {
	switch kind := v.TextAt("kind"); {
	case len(docs) > 1:
		return strconv.Itoa(len(docs)) + " documents"
	case kind != "":
		return fmt.Sprintf("kind %s of %s", kind, v.TextAt("apiVersion"))
	}
	return "a document without a kind"
}

// failure returns an error with places in the list, or nil.
func (l *list) failure(err error) error {
	if err == nil {
		return nil
	}
	return weft.ErrorOf(&diag.Failure{Files: l.files, List: diag.Of(err)})
}

// readItems cuts the items out of the list.
func (l *list) readItems() error {
	items, _ := l.root.Lookup("items")
	if items.IsNull() {
		return nil
	}
	t, n, ok := items.Syntax()
	if !ok || t.Kind(n) != yaml.Sequence {
		return diag.Errorf(items.Span(), CodeList, "items is %s, but expected a list",
			diag.Article(items.TypeName()))
	}
	end := t.Span(n - 1).End() // of the key, whose node precedes n
	for i := range t.Items(n) {
		it := &item{value: tree.FromSyntax(t, t.Target(i))}
		it.text, end = l.cutItem(i, end)
		it.name = fmt.Sprintf("items/%d/%s-%s.yml", len(l.items), harmless(it.value.TextAt("kind")),
			harmless(it.metadata("name")))
		it.own = l.isConfig(it)
		l.items = append(l.items, it)
		l.names[it.name] = it
	}
	return nil
}

// harmless returns a text in a form that can be part of a file name.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, s)
}

// isConfig reports whether an item is the configuration that the list is called with. Callers include
// it so that there is an item at all, or because it is among the files that they read.
func (l *list) isConfig(it *item) bool {
	config, ok := l.root.Lookup("functionConfig")
	return ok && ref(config) == ref(it.value) && it.metadata("name") != ""
}

// checkItems reports items that are not resources.
func (l *list) checkItems() error {
	var wrong diag.List
	for i, it := range l.items {
		what := diag.Article(it.value.TypeName())
		switch isMap := it.value.Kind() == tree.MapKind; {
		case isMap && !it.value.Empty():
			continue
		case isMap:
			what = "empty"
		}
		wrong = append(wrong, diag.Errorf(it.value.Span(), CodeItem,
			"items[%d] is %s, but expected a resource", i, what))
	}
	if wrong != nil {
		return wrong
	}
	return nil
}

// metadata returns a field of an item's metadata.
func (it *item) metadata(field string) string {
	meta, _ := it.value.Lookup("metadata")
	return meta.TextAt(field)
}

// identity identifies a resource.
type identity struct{ apiVersion, kind, namespace, name string }

func ref(v tree.Value) identity {
	meta, _ := v.Lookup("metadata")
	return identity{
		v.TextAt("apiVersion"), v.TextAt("kind"), meta.TextAt("namespace"), meta.TextAt("name"),
	}
}
