package kustomization

import (
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"weft/internal/project/engines/wire"
)

// generatedBy begins the annotations that a build has on ConfigMaps and Secrets, one for each generator that
// has added to them.
const generatedBy = "weft.invalid/"

// generators are the entries of configMapGenerator and secretGenerator that a tree has read.
type generators struct {
	tree *tree
	list []generator
}

type generator struct {
	file    string
	item    *yaml.Node
	sources types.KvPairSources
}

// change adds an annotation to what each generator of a kustomization generates.
func (g *generators) change(file string, k *types.Kustomization) {
	entries := g.tree.newTokens() // for the lines of entries
	note := func(key string, i int, args *types.GeneratorArgs) {
		item := entries.node(file, key, i)
		if item == nil {
			return
		}
		o := types.GeneratorOptions{}
		if args.Options != nil {
			o = *args.Options
		}
		o.Annotations = map[string]string{fmt.Sprint(generatedBy, len(g.list)): ""}
		args.Options = &o
		g.list = append(g.list, generator{file, item, args.KvPairSources})
	}
	for i := range k.ConfigMapGenerator {
		note("configMapGenerator", i, &k.ConfigMapGenerator[i].GeneratorArgs)
	}
	for i := range k.SecretGenerator {
		note("secretGenerator", i, &k.SecretGenerator[i].GeneratorArgs)
	}
}

// of returns the generators of a document.
func (g *generators) of(doc *yaml.Node) []generator {
	var list []generator
	annotations := field(field(doc, "metadata"), "annotations")
	for i := range g.list {
		if field(annotations, generatedBy+strconv.Itoa(i)) != nil {
			list = append(list, g.list[i])
		}
	}
	return list
}

// valueOf returns the value of a key of a ConfigMap, or of a Secret, as a generator was given it.
func valueOf(n *yaml.Node) []string {
	list := []string{n.Value}
	if data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(n.Value, "\n", "")); err == nil {
		list = append(list, string(data))
	}
	return list
}

// source is where a generator gets a value.
type source struct {
	entry   wire.Place
	value   string
	content string // the file whose text is the value
}

// line returns the line of a value for a key, and the file whose lines are the lines of the value, if it
// is one. If several generators have the same value for the key, it is not certain whose counts.
func (g *generators) line(by []generator, key string, values []string) (wire.Place, string, bool) {
	var found []source
	for _, b := range by {
		for _, s := range g.sources(b, key) {
			if s.entry.Line > 0 && slices.Contains(values, s.value) {
				found = append(found, s)
			}
		}
	}
	if len(found) != 1 {
		return wire.Place{}, "", false
	}
	return found[0].entry, found[0].content, true
}

// sources returns what a generator has for a key.
func (g *generators) sources(b generator, key string) []source {
	var list []source
	dir := path.Dir(b.file)
	for _, s := range b.sources.LiteralSources {
		if name, value, ok := strings.Cut(s, "="); ok && name == key {
			value = strings.Trim(value, `"'`)
			list = append(list, source{wire.Place{File: b.file, Line: itemLine(b.item, "literals", s)}, value, ""})
		}
	}
	for _, s := range b.sources.FileSources {
		name, file, named := strings.Cut(s, "=")
		if !named {
			name, file = path.Base(s), s
		}
		if name == key {
			file = path.Join(dir, file)
			list = append(list, source{
				wire.Place{File: b.file, Line: itemLine(b.item, "files", s)},
				string(g.tree.text(file)), file,
			})
		}
	}
	for _, name := range append(slices.Clone(b.sources.EnvSources), b.sources.EnvSource) {
		file := path.Join(dir, name)
		for i, line := range strings.Split(string(g.tree.text(file)), "\n") {
			if variable, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && variable == key {
				list = append(list, source{wire.Place{File: file, Line: i + 1}, value, ""})
			}
		}
	}
	return list
}

// itemLine returns the line of an item of a list, if it is one line.
func itemLine(n *yaml.Node, key, value string) int {
	if list := field(n, key); list != nil && !strings.Contains(value, "\n") {
		for _, item := range list.Content {
			if item = follow(item); item.Value == value {
				return item.Line
			}
		}
	}
	return 0
}
