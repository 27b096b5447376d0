package krm

import (
	"slices"
	"strings"

	"weft"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/shape"
	"weft/internal/lang/tree"
	"weft/internal/project"
)

// config is the functionConfig of a list, decoded.
type config struct {
	files       []named     // as for -f
	inline      []weft.File // files in the configuration itself
	valuesFiles []named     // as for --data-values-file
	values      []weft.File // data values in the configuration itself
	edition     weft.Edition

	urls []string // URLs that may be fetched, once they are checked
}

// named is a path or a URL, and where it is named.
type named struct {
	text string
	at   tree.Value
	path string // the path in the list
}

func texts(all []named) (list []string) {
	for _, n := range all {
		list = append(list, n.text)
	}
	return list
}

// check reports paths and URLs in the configuration that it must not use.
func (c *config) check(bounds *project.Bounds) error {
	var errs diag.List
	hold := func(n named, name string) {
		var d *diag.Diagnostic
		switch {
		case name == "-":
		case load.IsRemote(name):
			c.urls = append(c.urls, name)
			d = bounds.Fetches(name, n.at.Span())
		default:
			d = bounds.Check(load.DiskPath(name), n.at.Span())
		}
		if d != nil {
			d.Path = n.path
			errs = append(errs, d)
		}
	}
	for _, n := range c.files {
		name := n.text
		if _, rest, ok := strings.Cut(name, "="); ok && !load.IsRemote(name) {
			name = rest
		}
		hold(n, name)
	}
	for _, n := range c.valuesFiles {
		name := n.text
		if _, rest, ok := strings.Cut(name, ":"); ok && strings.HasPrefix(name, "@") {
			name = rest
		}
		hold(n, name)
	}
	return orNil(errs)
}

// over returns the options of the command line on top of the configuration: files of the
// configuration come first, and its values are weaker.
func (c config) over(opts weft.Options) weft.Options {
	opts.Inputs = slices.Concat(texts(c.files), opts.Inputs)
	opts.DataValues.Files = slices.Concat(texts(c.valuesFiles), opts.DataValues.Files)
	opts.DataValues.Texts = slices.Concat(c.values, opts.DataValues.Texts)
	if c.edition != weft.EditionYTT {
		opts.Edition = c.edition
	}
	return opts
}

// APIVersion and Kind are the type of a configuration.
const (
	APIVersion = "weft/v1"
	Kind       = "Weft"
)

// The name of the data values in messages, and the other kind of configuration.
const (
	valuesName    = "functionConfig values"
	kindConfigMap = "ConfigMap"
)

// readConfig reads the functionConfig, if there is one.
func (l *list) readConfig() (config, error) {
	var c config
	v, ok := l.root.Lookup("functionConfig")
	if !ok || v.IsNull() {
		return c, nil
	}
	switch kind := v.TextAt("kind"); kind {
	case Kind:
		spec, _ := v.Lookup("spec")
		err := c.readSpec(l, spec)
		return c, err
	case kindConfigMap:
		data, _ := v.Lookup("data")
		err := c.readData(data)
		return c, err
	default:
		return c, wrong(v, "functionConfig.kind", "found kind '%s', but expected Weft or ConfigMap",
			kind).WithHint("write apiVersion: %s, kind: %s", APIVersion, Kind)
	}
}

// wrong returns an error at a value of the configuration.
func wrong(v tree.Value, path, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(v.Span(), CodeConfig, format, args...)
	d.Path = path
	return d
}

// specShape returns the shape of spec.
func specShape() *shape.Shape {
	return &shape.Shape{Kind: shape.Record, Expected: "a map", Keys: specKeys()}
}

// specKeys returns the keys of spec.
func specKeys() []shape.Key {
	paths := &shape.Shape{
		Kind: shape.List, Item: &shape.Shape{Kind: shape.Text}, Expected: "a list of paths", Noun: "list of paths",
	}
	return []shape.Key{
		{Name: "files", Shape: paths, Doc: "Files, directories and URLs, like `-f`."},
		{
			Name: "inline", Doc: "Files in the configuration itself: their names and their text.",
			Shape: &shape.Shape{
				Kind: shape.Map, Expected: "a map of file names and their text", Noun: "mapping to text",
				JSON: shape.Object{"type": "object", "additionalProperties": shape.Object{"type": "string"}},
			},
		},
		{
			Name: "values", Doc: "Data values, like a file of `--data-values-file`.",
			Shape: &shape.Shape{
				Kind: shape.Custom, Expected: "a map of data values", Noun: "mapping",
				Fits: func(v tree.Value) bool { return v.IsNull() || v.Kind() == tree.MapKind },
				JSON: shape.Object{"type": []string{"object", "null"}},
			},
		},
		{
			Name: "valuesFiles", Shape: paths,
			Doc: "Files of data values, like `--data-values-file`. `values` overrides them.",
		},
		{
			Name: "edition", Doc: "The rules for the files, like `--edition`.",
			Shape: &shape.Shape{
				Kind: shape.Custom, Expected: "an edition", Noun: "`ytt` or `2026`",
				Fits: func(v tree.Value) bool { return editionOf(v) != nil },
				JSON: shape.Object{"enum": []any{"ytt", "2026", 2026}},
			},
		},
	}
}

// Reference returns a Markdown table of the keys of spec.
func Reference() string { return shape.Table(specKeys()) }

// Schema returns the JSON Schema (2020-12) of configurations, for editors.
func Schema() []byte {
	text := &shape.Shape{Kind: shape.Text}
	metadata := shape.Object{
		"type": "object", "properties": shape.Object{
			"name":        shape.Object{"type": "string"},
			"annotations": shape.Object{"type": "object", "additionalProperties": shape.Object{"type": "string"}},
		},
	}
	return shape.Schema("functionConfig", "The configuration of `weft krm`, a function of kustomize and kpt.",
		shape.RecordOf(
			shape.Key{Name: "apiVersion", Shape: text, Doc: "`" + APIVersion + "`."},
			shape.Key{Name: "kind", Shape: shape.OneOf(Kind), Doc: "`" + Kind + "`."},
			shape.Key{
				Name: "metadata", Shape: &shape.Shape{Kind: shape.AnyMap, JSON: metadata},
				Doc: "The name, and the annotations by which kustomize finds the function.",
			},
			shape.Key{Name: "spec", Shape: specShape(), Doc: "What to render, and with which data values."},
		).Requiring("apiVersion", "kind"), nil)
}

// readSpec reads the spec of a configuration of kind Weft.
func (c *config) readSpec(l *list, spec tree.Value) error {
	if spec.IsNull() {
		return nil
	}
	err := c.checkSpec(spec)
	c.files, c.valuesFiles = paths(spec, "files"), paths(spec, "valuesFiles")
	if values, _ := spec.Lookup("values"); values.Kind() == tree.MapKind {
		c.values = []weft.File{{Path: valuesName, Data: l.cutMap(values)}}
	}
	if v, _ := spec.Lookup("edition"); editionOf(v) != nil {
		c.edition = *editionOf(v)
	}
	return err
}

// checkSpec returns what is wrong with spec, and reads the files in it.
func (c *config) checkSpec(spec tree.Value) error {
	check := shape.New(&shape.Language{
		Key: CodeConfig, Value: CodeConfig, Path: "spec",
		Unknown: unknownKey, Mismatch: mismatch,
		Entry: func(check *shape.Checker, e tree.Item) {
			file, err := inlineFile(e, "spec.inline")
			c.inline = append(c.inline, file)
			check.List = append(check.List, diag.Of(err)...)
		},
	})
	check.Check(spec, specShape())
	return orNil(check.List)
}

// Check returns what is wrong with a document if it is a configuration of kind Weft.
func Check(doc tree.Value) diag.List {
	spec, _ := doc.Lookup("spec")
	if doc.TextAt("kind") != Kind || doc.TextAt("apiVersion") != APIVersion || spec.IsNull() {
		return nil
	}
	return diag.Of((&config{}).checkSpec(spec))
}

func unknownKey(d *diag.Diagnostic, key string, of *shape.Shape) {
	d.Message = "unknown key '" + key + "' in spec"
	if d.Fix == nil {
		d.WithHint("the keys are %s", strings.Join(shape.Names(of.Keys), ", "))
	}
}

func mismatch(d *diag.Diagnostic, v tree.Value, s *shape.Shape) {
	found := diag.Article(v.TypeName())
	d.Message, d.Hint = d.Path+" is "+found+", but expected "+s.Expected, ""
	switch s.Expected {
	case "":
		d.Message = "found " + found + " in " + d.Path + ", but expected a path"
	case "an edition":
		d.Message = "unknown edition '" + v.Text() + "'"
		d.WithHint("%s", editionHint)
	}
}

// paths returns the texts of a list, which is a key of spec.
func paths(spec tree.Value, key string) (all []named) {
	v, _ := spec.Lookup(key)
	for x := range v.Elements() {
		all = append(all, named{x.Text(), x, "spec." + key})
	}
	return all
}

func orNil(list diag.List) error {
	if len(list) == 0 {
		return nil
	}
	return list
}

// inlineFile reads a name of a file and its text.
func inlineFile(e tree.Item, path string) (weft.File, error) {
	name := e.Key.Text()
	path += "['" + name + "']"
	switch {
	case !hasExtension(name):
		return weft.File{}, wrong(e.Key, path, "found the file name '%s', but expected one that "+
			"ends in .yml, .yaml, .star or .txt", name).WithHint("write %s.yml", name)
	case e.Value.Kind() != tree.ScalarKind || e.Value.TypeName() != "string":
		return weft.File{}, wrong(e.Value, path, "the file %s is %s, but expected its text", name,
			diag.Article(e.Value.TypeName())).WithHint("write %s: |, and the text below, indented", name)
	}
	return weft.File{Path: name, Data: []byte(e.Value.Text())}, nil
}

// hasExtension reports whether weft reads files of this name.
func hasExtension(name string) bool {
	for _, ext := range []string{".yml", ".yaml", ".star", ".txt"} {
		if strings.HasSuffix(name, ext) && len(name) > len(ext) {
			return true
		}
	}
	return false
}

const editionHint = "the editions are ytt and 2026"

// editionOf returns the edition that a value names, or nil.
func editionOf(v tree.Value) *weft.Edition {
	for _, e := range []weft.Edition{weft.EditionYTT, weft.Edition2026} {
		if v.Kind() == tree.ScalarKind && v.Text() == e.String() {
			return &e
		}
	}
	return nil
}

// readData reads the data of a ConfigMap, where all values are strings: kpt creates one from
// arguments. Keys that are file names are files; the others are those of spec.
func (c *config) readData(data tree.Value) error {
	if !data.IsNull() && data.Kind() != tree.MapKind {
		return wrong(data, "data", "data is %s, but expected a map", diag.Article(data.TypeName()))
	}
	var errs diag.List
	for _, e := range data.Entries() {
		errs = append(errs, diag.Of(c.readDatum(e))...)
	}
	return orNil(errs)
}

// words are paths separated by blanks.
func words(v tree.Value, path string) (all []named) {
	for text := range strings.FieldsSeq(v.Text()) {
		all = append(all, named{text, v, path})
	}
	return all
}

func (c *config) readDatum(e tree.Item) (err error) {
	key := e.Key.Text()
	path := "data." + key
	if e.Value.Kind() != tree.ScalarKind {
		return wrong(e.Value, path, "%s is %s, but a ConfigMap has text", path,
			diag.Article(e.Value.TypeName())).WithHint("use kind: Weft, with spec instead of data")
	}
	switch text := e.Value.Text(); {
	case hasExtension(key):
		var file weft.File
		file, err = inlineFile(e, "data")
		c.inline = append(c.inline, file)
	case key == "files":
		c.files = words(e.Value, path)
	case key == "valuesFiles":
		c.valuesFiles = words(e.Value, path)
	case key == "values":
		c.values = []weft.File{{Path: valuesName, Data: []byte(text)}}
	case key == "edition":
		if editionOf(e.Value) == nil {
			return wrong(e.Value, path, "unknown edition '%s'", text).WithHint("%s", editionHint)
		}
		c.edition = *editionOf(e.Value)
	default:
		err = wrong(e.Key, path, "unknown key '%s' in data", key).
			WithHint("the keys are files, values, valuesFiles, edition and names of files; "+
				"to set a data value, write values: '{%s: ...}'", key)
	}
	return err
}
