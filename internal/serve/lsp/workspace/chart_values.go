//go:build !playground

package workspace

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"weft/internal/check/jsonschema"
	"weft/internal/engine"
	"weft/internal/engine/gitdir"
	"weft/internal/engine/load"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project/archive"
	"weft/internal/rewrite/schemas"
)

// ChartValues describes the values that a chart takes: by its values.yaml with comments, by its
// values.schema.json, and by the values.yaml of dependencies that are directories or archives in charts/.
type ChartValues struct {
	Schemas []*jsonschema.Schema // all of them describe the values

	defaults []chartDefaults
	texts    map[string][]byte // the files that it was made from, and nil for those that do not exist
	folders  []string          // the names in its folder of dependencies, if it is a directory
}

// chartDefaults is a values.yaml.
type chartDefaults struct {
	path  string // in the folder; "" if it is in an archive
	under string // the key of the values, for a dependency
	tree  *yaml.Tree
}

// ChartValues returns what charts say about the values that the document has for them.
func (d *TextDocument) ChartValues(ctx context.Context) (list []*ChartValues) {
	p := d.Project()
	if p == nil {
		return nil
	}
	var seen []string
	for _, v := range p.Views() {
		for _, g := range v.Options().Generators {
			dir, values := g.Chart()
			if dir = path.Clean(dir); !slices.Contains(values, d.path) || slices.Contains(seen, dir) {
				continue
			}
			seen = append(seen, dir)
			if c := d.snap.folder.charts.of(ctx, d.snap, dir); c != nil {
				list = append(list, c)
			}
		}
	}
	return list
}

// Default returns where values.yaml of the chart has a value. The file is nil if it does not have the value.
func (c *ChartValues) Default(keys []string) (at string, f *source.File, key source.Span) {
	for _, d := range c.defaults {
		rest := keys
		if d.under != "" {
			if len(keys) < 2 || keys[0] != d.under {
				continue
			}
			rest = keys[1:]
		}
		if n, ok := keyNode(d.tree, rest); ok && d.path != "" {
			return d.path, d.tree.File(), d.tree.Span(n)
		}
	}
	return "", nil, source.Span{}
}

// keyNode returns the key at a path of keys.
func keyNode(t *yaml.Tree, keys []string) (found yaml.NodeID, ok bool) {
	n := t.Root(t.First())
	for _, want := range keys {
		ok = false
		if n = t.Target(n); t.Kind(n) != yaml.Mapping {
			return 0, false
		}
		for key, value := range t.Pairs(n) {
			if t.Kind(key) == yaml.Scalar && string(t.Text(key)) == want {
				found, n, ok = key, value, true
				break
			}
		}
		if !ok {
			return 0, false
		}
	}
	return found, ok
}

// chartCache keeps what charts say about their values as long as their files stay the same.
type chartCache struct {
	mu    sync.Mutex
	known map[string]*ChartValues // by the path of the chart
}

// of returns what the chart at a path says about its values, or nil if it says nothing.
func (k *chartCache) of(ctx context.Context, s *Snapshot, chart string) *ChartValues {
	k.mu.Lock()
	was := k.known[chart]
	k.mu.Unlock()
	files := chartFiles{s: s, chart: chart}
	if was != nil && files.same(was) {
		return was
	}
	r := chartReader{ctx: ctx, files: &files, out: &ChartValues{texts: map[string][]byte{}}}
	r.read()
	if ctx.Err() != nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[string]*ChartValues{}
	}
	k.known[chart] = r.out
	return r.out
}

// chartFiles reads a chart: a directory or an archive.
type chartFiles struct {
	s     *Snapshot
	chart string

	archive map[string][]byte // what is in the archive; nil for a directory
}

// maxValues limits the size of a file that describes values.
const maxValues = 4 << 20

// text returns a file, or nil if there is none, or if it is too large.
func (f *chartFiles) text(name string) []byte {
	if f.archive != nil {
		return f.archive[name]
	}
	at := path.Join(f.chart, name)
	info, err := f.s.Files().Stat(at)
	if err != nil || gitdir.InFS(f.s.Files(), at) || !info.Mode().IsRegular() || info.Size() > maxValues {
		return nil
	}
	data, err := f.s.Files().ReadFile(at)
	if err != nil {
		return nil
	}
	return data
}

// same reports whether the files that were read are still the same, and the dependencies. What was read of an
// archive is the archive alone.
func (f *chartFiles) same(was *ChartValues) bool {
	for name, text := range was.texts {
		now := f.text(name)
		if (now == nil) != (text == nil) || !bytes.Equal(now, text) {
			return false
		}
	}
	return slices.Equal(f.dependencies(), was.folders)
}

// unpack reads the archive, if the chart is one.
func (f *chartFiles) unpack(data []byte) {
	files, err := archive.Read(f.chart, data, archive.Limits{})
	f.archive = map[string][]byte{}
	if err != nil {
		return // the evaluation reports it
	}
	for x := range files.Below(files.Top()).All() {
		if len(x.Data) <= maxValues {
			f.archive[x.Name] = x.Data
		}
	}
}

// dependencies returns the names in the folder of dependencies.
func (f *chartFiles) dependencies() (names []string) {
	if f.archive == nil {
		dir := path.Join(f.chart, "charts")
		if gitdir.InFS(f.s.Files(), dir) {
			return nil
		}
		entries, _ := f.s.Files().ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	for name := range f.archive {
		if rest, ok := strings.CutPrefix(name, "charts/"); ok {
			dir, _, isDir := strings.Cut(rest, "/")
			if (isDir || isPacked(dir)) && !slices.Contains(names, dir) {
				names = append(names, dir)
			}
		}
	}
	slices.Sort(names)
	return names
}

// chartReader reads what a chart says about its values.
type chartReader struct {
	ctx   context.Context
	files *chartFiles
	out   *ChartValues
	set   source.Set

	unpacked int64 // how much the archives of dependencies had
}

// maxDependencies limits the dependencies of a chart that are read, once for each alias.
const maxDependencies = 50

func (r *chartReader) read() {
	if data := r.text(""); data != nil {
		r.files.unpack(data)
	}
	if data := r.text("values.schema.json"); data != nil {
		r.schema(data)
	}
	if data := r.text("values.yaml"); data != nil {
		r.add("values.yaml", "", data, false)
	}
	names := r.dependencyKeys()
	dirs := r.files.dependencies()
	if r.files.archive == nil {
		r.out.folders = dirs
	}
	left := maxDependencies
	for _, dir := range dirs[:min(len(dirs), maxDependencies)] {
		if left == 0 || r.ctx.Err() != nil {
			return
		}
		d := r.dependency(dir)
		if d.values == nil {
			continue
		}
		keys := names[d.name]
		if keys == nil {
			keys = []string{d.name}
		}
		keys = keys[:min(len(keys), left)]
		left -= len(keys)
		for _, key := range keys {
			r.add(d.path, key, d.values, d.packed)
		}
	}
}

// dependency is a chart that another one uses.
type dependency struct {
	name, path string // of the chart, and of its values.yaml
	values     []byte // nil if there are none
	packed     bool   // it is an archive
}

// isPacked reports whether a dependency with a name is an archive.
func isPacked(name string) bool {
	return strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar.gz")
}

// maxPacked limits the archives in an archive or a directory of a chart: what each may have, and all together.
const (
	maxPacked    = 16 << 20
	maxPackedAll = 64 << 20
	maxEntries   = 5000
)

// dependency reads a dependency by its name in the folder of dependencies.
func (r *chartReader) dependency(dir string) dependency {
	at := path.Join("charts", dir)
	if !isPacked(dir) {
		at = path.Join(at, "values.yaml")
		return dependency{name: dir, path: at, values: r.text(at)}
	}
	d := dependency{path: path.Join(at, "values.yaml"), packed: true}
	data := r.text(at)
	limit := min(maxPacked, maxPackedAll-r.unpacked)
	if data == nil || limit <= 0 {
		return d
	}
	files, err := archive.Read(at, data, archive.Limits{Bytes: limit, Entries: maxEntries})
	if err != nil {
		r.unpacked += limit // it may have been too large
		return d
	}
	d.name = files.Top()
	for x := range files.Below(files.Top()).All() {
		r.unpacked += int64(len(x.Data))
		switch {
		case len(x.Data) > maxValues:
		case x.Name == "values.yaml":
			d.values = x.Data
		case x.Name == "Chart.yaml":
			for _, v := range r.parse(at, x.Data) {
				d.name = cmp.Or(v.TextAt("name"), d.name)
			}
		}
	}
	return d
}

// text returns a file of the chart, and notes that it was read.
func (r *chartReader) text(name string) []byte {
	data := r.files.text(name)
	if r.files.archive == nil {
		r.out.texts[name] = data
	}
	return data
}

// dependencyKeys returns the keys of the values of dependencies by their names. A dependency may have several
// aliases.
func (r *chartReader) dependencyKeys() map[string][]string {
	keys := map[string][]string{}
	for _, v := range r.parse("Chart.yaml", r.text("Chart.yaml")) {
		list, _ := v.Lookup("dependencies")
		for d := range list.Elements() {
			name, alias := d.TextAt("name"), d.TextAt("alias")
			if alias == "" {
				alias = name
			}
			keys[name] = append(keys[name], alias)
		}
	}
	return keys
}

func (r *chartReader) parse(name string, data []byte) []tree.Value {
	f, err := r.set.Add(name, data)
	if err != nil {
		return nil
	}
	docs, err := jsonschema.Parse(f)
	if err != nil {
		return nil
	}
	return docs
}

// schema adds a values.schema.json. It must not refer to other files.
func (r *chartReader) schema(data []byte) {
	f, err := r.set.Add("values.schema.json", data)
	if err != nil {
		return
	}
	loader := jsonschema.Loader{Read: func(string) (*source.File, error) { return nil, errOffline }}
	if s, wrong := loader.Load(f, f.Name()); wrong == nil {
		r.out.Schemas = append(r.out.Schemas, s)
	}
}

// add adds a values.yaml, whose values are below a key if it is that of a dependency, which may be packed.
func (r *chartReader) add(name, under string, data []byte, packed bool) {
	if r.ctx.Err() != nil {
		return
	}
	f, err := r.set.Add(name, data)
	if err != nil {
		return
	}
	t, err := yaml.Parse(f, yaml.Options{})
	if err != nil || !t.More(t.First()) {
		return
	}
	d := chartDefaults{under: under, tree: t}
	if r.files.archive == nil && !packed {
		d.path = path.Join(r.files.chart, name)
	}
	r.out.defaults = append(r.out.defaults, d)
	imported, err := schemas.Import(schemas.Options{
		File: schemas.File{Name: name, Data: data}, From: schemas.Values,
	})
	if err != nil {
		return
	}
	text := r.jsonSchema(imported.Text)
	if text == nil {
		return
	}
	if under != "" {
		key := yaml.AppendJSONString(nil, []byte(under))
		text = slices.Concat([]byte(`{"properties": {`), key, []byte(": "), text, []byte("}}"))
	}
	if f, err = r.set.Add(name+" as a schema", text); err == nil {
		if s, wrong := (&jsonschema.Loader{}).Load(f, f.Name()); wrong == nil {
			r.out.Schemas = append(r.out.Schemas, s)
		}
	}
}

// jsonSchema returns a weft schema as JSON Schema, or nil if that fails.
func (r *chartReader) jsonSchema(text string) []byte {
	var config engine.Config
	config.Load.Memory = []load.Memory{{Path: "schema.yml", Data: []byte(text)}}
	config.Eval.MaxSteps, config.Workers = MaxSteps, 1
	ctx, stop := limited(r.ctx)
	defer stop()
	session, err := engine.Open(ctx, config)
	if err != nil {
		return nil
	}
	res, err := session.Evaluate(ctx, engine.Request{Goal: engine.SchemaJSON})
	if err != nil || res.Schema == nil {
		return nil
	}
	var w yaml.JSONWriter
	var p tree.Printer
	p.Write(&w, res.Schema.JSONSchema())
	return w.Bytes()
}
