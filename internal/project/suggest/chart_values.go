package suggest

import (
	"io/fs"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project"
)

// chart is a chart of the environment, with its values as templates see them, as far as they are known.
type chart struct {
	*search
	name     string
	values   tree.Value    // of values.yaml and of the values files without code
	version  tree.Value    // the version of the application
	isFolder bool          // values.yaml is known
	defaults tree.Value    // of values.yaml
	files    []chartValues // the weakest first
	all      []chartValue  // all values that are not items of lists, or below them
	items    []chartValue  // scalars that are
}

// chartValue is a value of a chart.
type chartValue struct {
	at    []tree.Step
	value tree.Value
}

// chartValues is a values file of a chart.
type chartValues struct {
	file   string
	value  tree.Value
	plain  bool // it has no code
	shared bool // other environments read it
}

// charts returns the charts of the environment.
func (s *search) charts() []*chart {
	if s.chartList != nil || s.now == nil {
		return s.chartList
	}
	settings, err := s.now.Environment(s.in.Env)
	if err != nil {
		return nil
	}
	for _, x := range settings.Charts {
		s.chartList = append(s.chartList, s.newChart(x))
	}
	return s.chartList
}

func (s *search) newChart(x project.Chart) *chart {
	c := &chart{search: s, name: x.Name, values: tree.Of(tree.NewMap(nil, x.At.Pos))}
	about, _ := s.readValues(pathpkg.Join(x.Chart.Text, "Chart.yaml"))
	c.version, _ = about.Lookup("appVersion")
	if c.defaults, c.isFolder = s.readValues(pathpkg.Join(x.Chart.Text, "values.yaml")); c.isFolder {
		c.values = merged(c.values, c.defaults)
	}
	for _, item := range x.Values {
		f := chartValues{file: item.Text, shared: s.isShared(item.Text)}
		if f.value, f.plain = s.readValues(item.Text); f.plain {
			c.values = merged(c.values, f.value)
		}
		c.files = append(c.files, f)
	}
	c.note(c.values, nil)
	return c
}

// maxChartValues limits how many values of a chart are looked at.
const maxChartValues = 20000

// note notes all values.
func (c *chart) note(v tree.Value, at []tree.Step) {
	isItem := slices.ContainsFunc(at, func(x tree.Step) bool { return x.Index >= 0 })
	if isItem && len(c.items) >= maxChartValues || len(c.all) >= maxChartValues {
		return // a long list does not hide the values after it
	}
	switch {
	case isItem && v.Kind() == tree.ScalarKind:
		c.items = append(c.items, chartValue{at, v})
	case !isItem && len(at) > 0:
		c.all = append(c.all, chartValue{at, v})
	}
	if v.Kind() != tree.ScalarKind {
		for i, it := range v.Entries() {
			c.note(it.Value, append(slices.Clip(at), stepTo(v, i)))
		}
	}
}

// each calls a function with all values that are not items of lists.
func (c *chart) each(visit func(at []tree.Step, v tree.Value)) {
	for _, x := range c.all {
		visit(x.at, x.value)
	}
}

// eachScalar calls a function with all values that are scalars, those below lists last.
func (c *chart) eachScalar(visit func(at []tree.Step, v tree.Value)) {
	for _, list := range [][]chartValue{c.all, c.items} {
		for _, x := range list {
			if x.value.Kind() == tree.ScalarKind {
				visit(x.at, x.value)
			}
		}
	}
}

// readValues reads a file with values. ok is false if it is missing, cannot be read, or has code. A link is
// not followed: weft-engines checks where links lead only for files that it reads.
func (s *search) readValues(name string) (v tree.Value, ok bool) {
	if info, err := fs.Lstat(s.in.FS, name); err != nil || !info.Mode().IsRegular() {
		return v, false
	}
	text, err := s.read(name)
	if err != nil || strings.Contains(string(text), "#@") {
		return v, false
	}
	_, docs, err := parse(text, name, yaml.Options{})
	switch {
	case err != nil || len(docs) > 1:
		return v, false
	case len(docs) == 0 || docs[0].IsNull():
		return tree.Of(tree.NewMap(nil, v.Start())), true
	}
	return docs[0], docs[0].Kind() == tree.MapKind
}

// merged returns values with those of a stronger file: maps are merged, and null removes what is there.
func merged(weak, strong tree.Value) tree.Value {
	if weak.Kind() != tree.MapKind || strong.Kind() != tree.MapKind {
		return strong
	}
	var items []tree.Item
	find, old := finder(strong), finder(weak)
	for _, it := range weak.Entries() {
		v, ok := find(it.Key)
		if ok {
			it.Value = merged(it.Value, v)
		}
		if !ok || !v.IsNull() {
			items = append(items, it)
		}
	}
	for _, it := range strong.Entries() {
		if _, ok := old(it.Key); !ok {
			items = append(items, it)
		}
	}
	return tree.Of(tree.NewMap(items, weak.Start()))
}

// chartOf returns the chart that printed a document, or nil.
func (s *search) chartOf(doc int) *chart {
	f := s.res.Files.File(s.docs[doc].Value.Start())
	if f == nil || !f.IsRendered() {
		return nil
	}
	for _, c := range s.charts() {
		if strings.HasPrefix(f.Name(), "charts/"+c.name+"/") {
			return c
		}
	}
	return nil
}

// onLine returns the paths of the values that the line of a printed value has.
func (c *chart) onLine(v tree.Value) (list [][]tree.Step) {
	f := c.res.Files.File(v.Start())
	if f == nil || !f.IsRendered() {
		return nil
	}
	for _, keys := range f.Values(v.Start().Offset()) {
		list = append(list, c.steps(keys))
	}
	return list
}

// steps returns the path of a value, as weft-engines names it.
func (c *chart) steps(keys []string) (way []tree.Step) {
	v := c.values
	for _, key := range keys {
		step := tree.Step{Key: key, Index: -1}
		if n, err := strconv.Atoi(key); err == nil && v.Kind() == tree.ArrayKind {
			step = tree.Step{Index: n}
		}
		way = append(way, step)
		v, _ = tree.At(v, []tree.Step{step})
	}
	return way
}

// mapsOf returns the paths of the maps of values that a printed map is: its entries are values of theirs,
// with the same keys.
func (c *chart) mapsOf(m tree.Value) (list [][]tree.Step) {
	for _, it := range m.Entries() {
		for _, way := range c.onLine(it.Key) {
			n := len(way) - 1
			if n >= 0 && way[n].Index < 0 && way[n].Key == tree.KeyText(it.Key) {
				list = append(list, way[:n])
			}
		}
	}
	return list
}

// hasDefault reports whether the chart may have a value without values files.
func (c *chart) hasDefault(at []tree.Step) bool {
	_, ok := tree.At(c.defaults, at)
	return ok || !c.isFolder
}

// chartOption returns the way to set a value of a chart in a values file, or to remove it; ok is false if
// there is no file for it.
func (s *search) chartOption(c *chart, at []tree.Step, to *tree.Value) (o option, ok bool) {
	mayChange := func(f chartValues) bool {
		return f.plain && (!f.shared || s.attempt.shared) && fs.ValidPath(f.file) && !s.isVendored(f.file) &&
			s.isWritable(f.file)
	}
	setter, last, times := -1, -1, 0
	for i, f := range c.files {
		if _, found := tree.At(f.value, at); found {
			setter, times = i, times+1
		}
		if mayChange(f) {
			last = i
		}
	}
	if setter >= 0 && mayChange(c.files[setter]) &&
		(!c.files[setter].shared || last < 0 || c.files[last].shared) {
		last = setter
	}
	if last < 0 {
		return o, false
	}
	was, existed := tree.At(c.values, at)
	if to == nil && (times > 1 || setter != last || c.hasDefault(at)) {
		to = &tree.Value{} // null removes what weaker files set
	}
	o = option{
		at: spot{file: c.files[last].file, path: at, offset: -1}, kind: Literal, value: to, was: was,
		name: stepsText(at), ofChart: true, isNew: !existed,
	}
	return o, true
}

// generators returns the paths of the charts and kustomizations of all environments.
func (s *search) generators() (list []string) {
	if s.now == nil {
		return nil
	}
	for _, env := range s.environments() {
		settings, err := s.now.Environment(env)
		if err != nil {
			continue
		}
		for _, x := range settings.Charts {
			list = append(list, x.Chart.Text)
		}
		for _, x := range settings.Kustomizations {
			list = append(list, x.Dir.Text)
		}
	}
	return list
}
