package project

import (
	"cmp"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The codes of this package's diagnostics.
const (
	CodeFile        diag.Code = "project/file"        // weft.yml is missing or cannot be read
	CodeKey         diag.Code = "project/key"         // an unknown, missing or duplicate key
	CodeValue       diag.Code = "project/value"       // a value of the wrong kind
	CodeCycle       diag.Code = "project/cycle"       // something that extends itself
	CodeDepth       diag.Code = "project/depth"       // too many levels of extends
	CodePath        diag.Code = "project/path"        // a path that does not exist
	CodeOutside     diag.Code = "project/outside"     // a path outside of the project
	CodeGit         diag.Code = "project/git"         // a path that belongs to git
	CodeEnvironment diag.Code = "project/environment" // an unknown or duplicate environment
	CodeOutput      diag.Code = "project/output"      // a missing or conflicting output
)

// maxNodes is the maximum number of nodes of a project file after its aliases are expanded.
const maxNodes = 200_000

// syntax is how project files are parsed: always as YAML 1.2.
var syntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core, MaxNodes: maxNodes}

// Parse reads the YAML of a project file.
func Parse(f *source.File) (*yaml.Tree, error) { return yaml.Parse(f, syntax) }

// Decode parses a project file and checks it against the table of keys. It reads no other file. The
// error is a diag.List.
func Decode(f *source.File) (*Node, error) {
	t, err := Parse(f)
	if err != nil {
		return nil, diag.Of(err)
	}
	if t.Len() == 0 || !t.More(t.First()) {
		return nil, empty(f)
	}
	d := decoder{tree: t, Checker: shape.New(&shape.Language{
		Key: CodeKey, Value: CodeValue, Synonyms: synonyms.Get(),
		Unknown: unknownKey, Missing: missingKey, Mismatch: mismatch, Entry: checkEnvironment,
	})}
	root := d.read(t.Root(t.First()), 0)
	switch second := t.Next(t.First()); {
	case t.More(second):
		at := t.Start(second)
		d.Fail(at.To(at.Offset()+1), CodeValue, "expected one document, but found another one").
			WithHint("a project file is one mapping: remove the `---` line, or what follows it")
	case root.isNull():
		return nil, empty(f)
	case d.List == nil:
		d.Check(tree.FromSyntax(t, t.Root(t.First())), topShape.Get())
	}
	if d.List != nil {
		d.List.Sort()
		return nil, d.List
	}
	return root, nil
}

func empty(f *source.File) diag.List {
	return diag.List{diag.Errorf(f.Span(0, 0), CodeKey, "the project file is empty").
		WithHint("begin it with the edition, `weft: 2026`")}
}

func without(keys []shape.Key, name string) []shape.Key {
	return slices.DeleteFunc(keys, func(k shape.Key) bool { return k.Name == name })
}

// decoder reads the tree of one file and collects all errors.
type decoder struct {
	*shape.Checker
	tree *yaml.Tree
}

// read converts syntax to nodes. Aliases are expanded; the parser has limited the result.
func (d *decoder) read(n yaml.NodeID, depth int) *Node {
	t := d.tree
	n = t.Target(n)
	node := &Node{At: t.Span(n), Kind: t.Kind(n)}
	switch node.Kind {
	case yaml.Sequence:
		for c := range t.Items(n) {
			node.Items = append(node.Items, d.read(c, depth+1))
		}
	case yaml.Mapping:
		d.readMapping(node, n, depth)
	default:
		c := yaml.Composer{Tree: t}
		value, text := c.Scalar(n)
		node.Scalar, node.Text = value, string(text)
	}
	return node
}

func (d *decoder) readMapping(node *Node, n yaml.NodeID, depth int) {
	t := d.tree
	seen := map[string]source.Span{}
	for k, v := range t.Pairs(n) {
		key := d.read(k, depth+1)
		e := Entry{Key: key.Text, KeyAt: key.At, Value: d.read(v, depth+1)}
		switch first, again := seen[e.Key]; {
		case key.Kind != yaml.Scalar:
			d.Fail(key.At, CodeKey, "expected text as a key, but found %s", key.found())
		case e.Key == "<<" && t.Style(t.Target(k)) == yaml.Plain:
			d.Fail(key.At, CodeKey, "YAML 1.2 has no merge keys").
				WithHint("use `extends` to build on other environments")
		case again:
			d.Fail(key.At, CodeKey, "duplicate key '%s'", diag.Shortened(e.Key)).
				WithRelated(first, "it is already here")
		default:
			seen[e.Key] = key.At
			node.Entries = append(node.Entries, e)
		}
	}
}

// missingKey adds a hint on how to begin a project file.
func missingKey(d *diag.Diagnostic, key string, in tree.Value) {
	switch key {
	case keyWeft:
		d.WithHint("begin the file with the edition, `weft: 2026`")
	case keyEach:
		d.WithHint("a name with a * needs a pattern of files, such as `each: envs/*.yml`")
	case "file":
		if _, selects := in.Lookup("select"); !selects {
			d.WithHint(overridesAreFiles)
		}
	}
}

// overridesAreFiles is the hint for people who write an override into the project file.
const overridesAreFiles = "overrides are files: put these lines into one, such as ours.yml, and write " +
	"`overrides: [ours.yml]`"

// unknownKey adds a hint about where an unknown key belongs, or that it is a flag.
func unknownKey(d *diag.Diagnostic, key string, of *shape.Shape) {
	names := shape.Names(of.Keys)
	if slices.Contains(names, "max-steps") {
		unknownFlag(d, key)
	}
	known := slices.Contains(shape.Names(table.Get()), key)
	switch {
	case d.Fix != nil:
	case slices.Contains(names, "file") && slices.Contains(names, "select"):
		d.WithHint(overridesAreFiles)
	case known && slices.Contains(names, keyEnvironments):
		d.WithHint("`%s` belongs in an environment", key)
	case known && slices.Contains(names, keyLabels):
		d.WithHint("`%s` belongs at the top of the file", key)
	case slices.Contains(names, keyFlags) && slices.Contains(FlagNames(), key):
		d.WithHint("`%s` is a flag: put it below `flags`", key)
	case slices.Contains(names, keyKubernetes) && isShortcut(key):
		d.WithHint("put it below `kubernetes`")
	}
}

// isShortcut reports whether a key belongs below kubernetes.
func isShortcut(key string) bool {
	return slices.Contains(shape.Names(kubernetesKeys()), cmp.Or(synonyms.Get()[key], key))
}

// unknownFlag adds a hint about why a project cannot set a flag, and what to do instead.
func unknownFlag(d *diag.Diagnostic, key string) {
	d.Message = "a project cannot set the flag '" + diag.Shortened(key) + "'"
	hint := ""
	switch {
	case strings.HasPrefix(key, "dangerous-"):
		hint = "give dangerous flags on the command line"
	case strings.HasPrefix(key, "-"):
		hint = "write flags without dashes: " + strings.TrimLeft(key, "-")
	case insteadOf.Get()[key] != "":
		hint = "use `" + insteadOf.Get()[key] + "` instead"
	case slices.Contains(CommandLineOnly, key):
		hint = "give it on the command line: it is up to who runs weft"
	default:
		return
	}
	d.Hint, d.Fix, d.Word = hint, nil, diag.Word{}
}

// withEnv returns a path with the placeholder that weft has, for others that people use.
func withEnv(path string) string {
	return strings.NewReplacer("{environment}", "{env}", "{name}", "{env}", "${env}", "{env}", "$env", "{env}",
		"%env%", "{env}").Replace(path)
}

// mismatch adds a hint about an invalid edition, a list of environments, or an output that is only a
// path.
func mismatch(d *diag.Diagnostic, v tree.Value, s *shape.Shape) {
	switch {
	case s.Kind == shape.List && v.Kind() == tree.MapKind && s.Item.Kind == shape.Either &&
		slices.ContainsFunc(s.Item.Either, func(s *shape.Shape) bool {
			return slices.Contains(s.Required, "file")
		}):
		d.WithHint(overridesAreFiles)
	case s.Kind == shape.Map && v.Kind() == tree.ArrayKind && s.Item != nil:
		d.WithHint("write a mapping by name: {%s}", entriesLike(v, s.Item))
	case s.Kind == shape.Record && s.Full && v.Kind() == tree.ScalarKind && isImage(s):
		d.WithHint("write {tag: '%s'}", diag.Shortened(v.Written()))
	case s.Kind == shape.Map && v.Kind() == tree.ArrayKind:
		d.WithHint("write a mapping of names: %s", mappingOf(v))
	case s.Kind == shape.Record && v.Kind() == tree.ScalarKind && slices.ContainsFunc(s.Keys,
		func(k shape.Key) bool { return k.Name == "prune" }):
		d.WithHint("write {dir: '%s'} for a directory, or {file: …} for one file",
			withEnv(diag.Shortened(v.Written())))
	case s.Kind == shape.Record && v.Kind() == tree.ScalarKind && slices.ContainsFunc(s.Keys,
		func(k shape.Key) bool { return k.Name == "oci" }):
		d.WithHint("write {git: '%[1]s'} for a repository, or {http: '%[1]s'} for a file",
			diag.Shortened(v.Written()))
	case s.Kind == shape.Text && v.Kind() == tree.ScalarKind && withEnv(v.Text()) != v.Text():
		d.WithHint("write '%s': {env} is the name of the environment", withEnv(diag.Shortened(v.Text())))
	case s.Kind != shape.Custom:
	case v.IsString("2026"):
		d.WithHint("remove the quotes")
	case isNumber(v):
		d.WithHint("this weft knows the editions 2026 and ytt: a newer one may know more")
	}
}

// isImage reports whether a shape is that of an image.
func isImage(s *shape.Shape) bool {
	return slices.ContainsFunc(s.Keys, func(k shape.Key) bool { return k.Name == "digest" })
}

// entriesLike returns the entries of a list as those of a mapping with values of a shape. kustomize has lists
// of images and replicas.
func entriesLike(list tree.Value, s *shape.Shape) string {
	name, value := "NAME", "TEXT"
	var first tree.Value
	if list.Len() > 0 {
		first = list.Entries()[0].Value
	}
	switch first.Kind() {
	case tree.MapKind:
		name = cmp.Or(diag.Shortened(first.TextAt("name")), name)
	case tree.ScalarKind:
		name = cmp.Or(diag.Shortened(first.Text()), name)
	}
	switch {
	case isImage(s):
		value = "{tag: '1.2'}"
		if tag := textIn(first, "newTag"); tag != "" {
			value = "{tag: '" + diag.Shortened(tag) + "'}"
		}
	case s.Kind == shape.Number:
		value = cmp.Or(diag.Shortened(textIn(first, "count")), "3")
	case s.Kind != shape.Text:
		value = "{}"
	}
	return name + ": " + value
}

func textIn(v tree.Value, key string) string {
	if v.Kind() != tree.MapKind {
		return ""
	}
	return v.TextAt(key)
}

// mappingOf returns a mapping with the items of a list as its keys.
func mappingOf(list tree.Value) string {
	var names []string
	for _, it := range list.Entries() {
		if it.Value.Kind() == tree.ScalarKind {
			names = append(names, diag.Shortened(it.Value.Written())+": {}")
		}
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// synonyms maps keys of other tools to weft's keys.
var synonyms = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"edition": keyWeft, "version": keyWeft, "bases": keyExtends, "base": keyExtends,
		"include": keyExtends, "files": keyInputs, "resources": keyInputs, "templates": keyInputs,
		"file": keyInputs, "paths": keyInputs, "patches": keyOverlays, "overlay": keyOverlays,
		"valuesFiles": keyValueFiles, "dataValuesFiles": keyValueFiles, "dataValues": keyValues,
		"value": keyValues, "vars": keyValues, "envs": keyEnvironments, "env": keyEnvironments,
		"profiles": keyEnvironments, "stages": keyEnvironments, "required": keyRequire,
		"out": keyOutput, "outputs": keyOutput, "options": keyFlags, "format": keyFmt,
		"tests": keyTest, "tags": keyLabels, "ignore": keyExclude, "excludes": keyExclude,
		"newTag": "tag", "newName": "name", "commonLabels": keyLabels, "commonAnnotations": "annotations",
		"fileMarks": keyMarks, "directory": "dir", "inherits": keyExtends, "parent": keyExtends,
	}
}}
