package project

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/engine/override"
	"weft/internal/lang/diag"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
	"weft/internal/project/split"
)

// Settings is the effective settings of an environment: those of the project, of the environments
// that it extends, and its own. Paths are relative to the current directory. It never changes.
type Settings struct {
	Name string      // "" for a project without environments
	At   source.Span // where the environment is defined
	Each string      // the file of the environment, if an `each` of the project lists it

	Labels    []Pair
	Inputs    []Item // as -f takes them
	Exclude   []Item
	Marks     []Mark
	Overlays  []Item
	Overrides []Override
	// Kubernetes has the entries of the key, each with its own place; later ones replace earlier ones.
	Kubernetes []Shortcut

	Charts         []Chart
	Kustomizations []Kustomization

	Layers  []Layer // data values, the weakest first
	FromEnv []Prefix
	Require []Required
	Schemas []Item // JSON Schemas of data values
	Output  Output
	Flags   []Flag
}

// URLs returns the URLs that are fetched.
func (s *Settings) URLs() (urls []string) {
	for _, x := range slices.Concat(s.Inputs, s.Overlays) {
		_, url, named := strings.Cut(x.Text, "=")
		if load.IsRemote(x.Text) || !named {
			url = x.Text
		}
		if load.IsRemote(url) {
			urls = append(urls, url)
		}
	}
	for _, l := range s.Layers {
		if load.IsRemote(l.File) {
			urls = append(urls, l.File)
		}
	}
	return urls
}

// Item is a text and where it is.
type Item struct {
	Text string
	At   source.Span
}

// Override is a file of overrides.
type Override struct {
	Item
	Select *Node // the documents that it is for; nil for all
}

// Selection returns which documents the override is for, as override.ReadSelector reads it.
func (o *Override) Selection() string {
	switch n := o.Select; {
	case n == nil:
		return ""
	case n.Kind == yaml.Scalar:
		return n.Text
	default:
		return string(n.appendJSON(nil))
	}
}

// Pair is a name with a text.
type Pair struct {
	Name string
	Item
}

// Mark is one file mark: PATTERN:KEY=VALUE.
type Mark struct {
	Pattern, Key string
	Item
}

// Layer is one source of data values: a file, or a mapping in a project file.
type Layer struct {
	// Level is the index of the layer, from 0: layers of project files come first, then those of
	// environments.
	Level int

	File    string // the path of a plain YAML file; "" if the layer is a mapping
	Library string // the library that the file is for, as @lib; or ""

	Source *File // the project file with the mapping
	Values *Node // the mapping
	At     source.Span
}

// Prefix is a prefix of environment variables.
type Prefix struct {
	Item
	YAML bool
}

// Required is the path of a data value that a layer above Level, a variable or a flag must set.
type Required struct {
	Item
	Level int
}

// Flag is a flag with its values. Most flags have one.
type Flag struct {
	Name   string
	Values []string
	At     source.Span
}

// Output is where results are written. Dir and File have {env} replaced.
type Output struct {
	Dir, File, Format, Split Item
	all                      string // Dir or File with `*` in place of {env}
	Prune                    bool
	PruneAt                  source.Span

	Kubernetes Item   // the version of the schemas that lint checks documents against
	Schemas    []Item // where these schemas are
}

// Default returns the environment to use by default: that of the key `default`, or the only one. A
// project without environments has one without a name.
func (p *Description) Default() (string, error) {
	for _, f := range slices.Backward(p.layers) {
		if n := f.root.Get(keyDefault); n != nil {
			return n.Text, nil
		}
	}
	switch len(p.names) {
	case 0:
		return "", nil
	case 1:
		return p.names[0], nil
	}
	d := diag.Failf(CodeEnvironment, "which environment? %s has %d, and no `default`", p.Path(),
		len(p.names))
	if len(p.names) <= 10 {
		d.WithHint("name one of %s, or set `default`", shape.Words(p.names))
	} else {
		d.WithHint("name one that `weft env` lists, or set `default`")
	}
	return "", p.fail(d)
}

// Has reports whether the project has an environment with this name.
func (p *Description) Has(name string) bool { return p.envs[name] != nil }

// Environment returns the effective settings of an environment. A project without environments has
// one, without a name. The error is a *diag.Failure.
func (p *Description) Environment(name string) (*Settings, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.settled[name]; s != nil {
		return s, nil
	}
	s, err := p.effective(name)
	if err == nil && len(p.settled) < maxSettled {
		p.settled[name] = s
	}
	return s, err
}

// maxSettled is the maximum number of settings that are kept: a hundred thousand would take 100 MB.
// Others are computed whenever they are needed, which takes microseconds.
const maxSettled = 1000

// effective computes the effective settings of an environment.
func (p *Description) effective(name string) (*Settings, error) {
	s, list := p.merged(name)
	if p.places.fsys != nil && p.places.draft != nil {
		list = p.withoutAbsent(s, list)
	}
	if list != nil {
		return nil, p.fail(list)
	}
	return s, nil
}

// withMissing returns the settings of an environment that cannot be rendered because a file is missing, or
// nil if that is not all that is wrong with it.
func (p *Description) withMissing(name string) *Settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, list := p.merged(name)
	if slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code != CodePath }) {
		return nil
	}
	return s
}

// merged computes the settings of an environment, and what is wrong with them.
func (p *Description) merged(name string) (*Settings, diag.List) {
	if name == "" && len(p.names) > 0 || name != "" && p.envs[name] == nil {
		return nil, diag.List{p.unknown(name, source.Span{})}
	}
	m := merger{project: p, settings: &Settings{Name: name}}
	for _, f := range p.layers {
		m.add(fragment{f, f.root})
	}
	if name == "" {
		m.settings.At = source.Span{Pos: p.own.root.At.Pos}
	} else {
		m.settings.At = p.envs[name].at
		for _, d := range p.lineage(name) {
			for i, f := range d.fragments {
				m.each = ""
				if i == len(d.fragments)-1 {
					m.each = d.each
				}
				m.add(f)
			}
		}
		m.settings.Each = p.envs[name].each
	}
	m.finish()
	m.list.Sort()
	return m.settings, m.list
}

// CheckOutputs returns an error if environments would be written to the same place.
func (p *Description) CheckOutputs() error {
	type owner struct {
		name  string
		at    source.Span
		place string
	}
	taken := map[string]owner{}
	var list diag.List
	for _, name := range p.names {
		s, err := p.Environment(name)
		if err != nil {
			continue // the error is reported where the environment is used
		}
		at := s.Output.place()
		if at.Text == "" {
			continue
		}
		key := outdir.Key(filepath.ToSlash(filepath.Clean(at.Text)))
		other, found := taken[key]
		if !found {
			taken[key] = owner{s.Name, s.At, at.Text}
			continue
		}
		message := fmt.Sprintf("would both be written to '%s'", at.Text)
		if other.place != at.Text {
			message = fmt.Sprintf("would be written to '%s' and '%s', which some file systems treat as one path",
				other.place, at.Text)
		}
		list = append(list, diag.Errorf(at.At, CodeOutput,
			"environments '%s' and '%s' %s", other.name, s.Name, message).
			WithRelated(other.at, "'%s' is here", other.name).
			WithRelated(s.At, "'%s' is here", s.Name).
			WithHint("add {env} to the path"))
	}
	if list != nil {
		return p.fail(list)
	}
	return nil
}

// place returns the output directory or file.
func (o *Output) place() Item {
	if o.File.Text != "" {
		return o.File
	}
	return o.Dir
}

// Common returns the settings that all environments share. Their files are not checked.
func (p *Description) Common() *Settings {
	m := merger{project: p, settings: &Settings{}}
	for _, f := range p.layers {
		m.add(fragment{f, f.root})
	}
	return m.settings
}

// merger merges the fragments of an environment into its settings.
type merger struct {
	project  *Description
	settings *Settings
	level    int
	each     string // the file of the current environment, if an `each` lists it
	list     diag.List
}

// add merges a fragment into the settings: it merges mappings, appends to lists, and replaces
// everything else.
func (m *merger) add(f fragment) {
	for _, n := range f.node.Get(keyReplace).texts() {
		m.drop(n.Text)
	}
	s, n := m.settings, f.node
	s.Inputs = append(s.Inputs, m.inputs(f, keyInputs)...)
	s.Overlays = append(s.Overlays, m.inputs(f, keyOverlays)...)
	s.Overrides = append(s.Overrides, m.overrides(f)...)
	m.shortcuts(n.Get(keyKubernetes))
	m.charts(f)
	m.kustomizations(f)
	for _, x := range n.Get(keyExclude).texts() {
		s.Exclude = append(s.Exclude, Item{x.Text, x.At})
	}
	for _, e := range entriesOf(n.Get(keyMarks)) {
		m.mark(e)
	}
	for _, e := range entriesOf(n.Get(keyLabels)) {
		m.label(e)
	}
	m.values(f)
	for _, x := range n.Get(keyValuesSchema).texts() {
		s.Schemas = append(s.Schemas, Item{m.readable(f, x.Text, x), x.At})
	}
	for _, x := range n.Get(keyRequire).texts() {
		s.Require = append(s.Require, Required{Item{x.Text, x.At}, m.level})
	}
	m.output(f, n.Get(keyOutput))
	for _, e := range entriesOf(n.Get(keyFlags)) {
		m.flag(f, e)
	}
	m.level++
}

// drop removes the inherited value of a key.
func (m *merger) drop(key string) {
	s := m.settings
	switch key {
	case keyInputs:
		s.Inputs = nil
	case keyExclude:
		s.Exclude = nil
	case keyMarks:
		s.Marks = nil
	case keyOverlays:
		s.Overlays = nil
	case keyOverrides:
		s.Overrides = nil
	case keyKubernetes:
		s.Kubernetes = nil
	case keyCharts:
		s.Charts = nil
	case keyKustomizations:
		s.Kustomizations = nil
	case keyValueFiles:
		s.Layers = slices.DeleteFunc(s.Layers, func(l Layer) bool { return l.File != "" })
	case keyValues:
		s.Layers = slices.DeleteFunc(s.Layers, func(l Layer) bool { return l.Values != nil })
	case keyValuesFromEnv:
		s.FromEnv = nil
	case keyRequire:
		s.Require = nil
	case keyValuesSchema:
		s.Schemas = nil
	case keyOutput:
		s.Output = Output{}
	case keyFlags:
		s.Flags = nil
	case keyLabels:
		s.Labels = nil
	}
}

// inputs returns the elements of a list whose values -f accepts.
func (m *merger) inputs(f fragment, key string) (items []Item) {
	for _, n := range f.node.Get(key).texts() {
		name, file, found := strings.Cut(n.Text, "=")
		if load.IsURL(n.Text) || !found {
			name, file = "", n.Text
		} else {
			name += "="
		}
		switch {
		case file == "-":
		case load.IsRemote(file):
			m.report(m.project.places.fetches(file, n.At))
		default:
			if file = m.readable(f, file, n); strings.Contains(file, "=") { // -f would read it as NAME=PATH
				m.report(diag.Errorf(n.At, CodePath, "the path '%s' has the character '='", file).
					WithHint("rename the file or the directory"))
			}
		}
		items = append(items, Item{name + file, n.At})
	}
	return items
}

// overrides returns the files of overrides of a fragment, after checking what they select.
func (m *merger) overrides(f fragment) (list []Override) {
	for _, n := range f.node.Get(keyOverrides).texts() {
		o := Override{}
		if n.Kind == yaml.Mapping {
			n, o.Select = n.Get("file"), n.Get("select")
		}
		o.Item = Item{m.readable(f, n.Text, n), n.At}
		if _, err := override.ReadSelector("`select`", o.Selection()); err != nil {
			d := diag.Of(err)[0]
			d.At = o.Select.At
			m.report(d)
		}
		list = append(list, o)
	}
	return list
}

// readable returns a path of a fragment relative to the current directory, after checking that it
// may be read.
func (m *merger) readable(f fragment, name string, n *Node) string {
	file := m.project.places.from(f.file, name)
	m.checkPath(file, n.At)
	return file
}

// checkPath reports a path that must not be read, or does not exist.
func (m *merger) checkPath(file string, at source.Span) {
	d := m.project.places.check(file, at)
	if d != nil && d.Code == CodePath {
		m.project.explainVendored(d, file)
	}
	m.report(d)
}

func (m *merger) report(d *diag.Diagnostic) {
	if d != nil {
		m.list = append(m.list, d)
	}
}

// mark adds the marks of one pattern.
func (m *merger) mark(e Entry) {
	for _, k := range e.Value.Entries {
		mark := Mark{e.Key, k.Key, Item{k.Value.Text, k.Value.At}}
		i := slices.IndexFunc(m.settings.Marks, func(old Mark) bool {
			return old.Pattern == mark.Pattern && old.Key == mark.Key
		})
		if i >= 0 {
			m.settings.Marks[i] = mark
		} else {
			m.settings.Marks = append(m.settings.Marks, mark)
		}
	}
}

func (m *merger) label(e Entry) {
	pair := Pair{e.Key, Item{e.Value.Text, e.Value.At}}
	i := slices.IndexFunc(m.settings.Labels, func(old Pair) bool { return old.Name == pair.Name })
	if i >= 0 {
		m.settings.Labels[i] = pair
	} else {
		m.settings.Labels = append(m.settings.Labels, pair)
	}
}

// values adds the data values of a fragment.
func (m *merger) values(f fragment) {
	s := m.settings
	for _, n := range f.node.Get(keyValueFiles).texts() {
		l := Layer{Level: m.level, At: n.At}
		file := n.Text
		if library, rest, ok := strings.Cut(file, ":"); ok && strings.HasPrefix(file, "@") {
			l.Library, file = library, rest
		}
		if load.IsRemote(file) {
			m.report(m.project.places.fetches(file, n.At))
			l.File = file
		} else {
			l.File = m.readable(f, file, n)
		}
		s.Layers = append(s.Layers, l)
	}
	if m.each != "" { // the file was found, so it may be read
		at := f.node.Get(keyEach).At
		s.Layers = append(s.Layers, Layer{Level: m.level, File: m.each, At: at})
	}
	if n := f.node.Get(keyValues); n != nil {
		s.Layers = append(s.Layers, Layer{Level: m.level, Source: f.file, Values: n, At: n.At})
	}
	for _, n := range f.node.Get(keyValuesFromEnv).texts() {
		p := Prefix{Item: Item{n.Text, n.At}}
		if n.Kind == yaml.Mapping {
			name := n.Get("prefix")
			p = Prefix{Item{name.Text, name.At}, n.Get("yaml").isTrue()}
		}
		s.FromEnv = append(s.FromEnv, p)
	}
}

// output merges the output of a fragment. A directory replaces a file, and a file a directory.
func (m *merger) output(f fragment, n *Node) {
	out := &m.settings.Output
	if dir := n.Get("dir"); dir != nil {
		out.Dir, out.File = Item{m.project.places.from(f.file, dir.Text), dir.At}, Item{}
	}
	if file := n.Get("file"); file != nil {
		item := Item{m.project.places.from(f.file, file.Text), file.At}
		*out = Output{
			File: item, Format: out.Format, Kubernetes: out.Kubernetes, Schemas: out.Schemas,
		}
	}
	for _, e := range entriesOf(n) {
		item := Item{e.Value.Text, e.Value.At}
		switch e.Key {
		case "format":
			out.Format = item
		case "split":
			out.Split = item
		case "prune":
			out.Prune, out.PruneAt = e.Value.isTrue(), e.Value.At
		case "validate":
			m.validate(f, e.Value)
		}
	}
}

// validate merges the schemas of a fragment. They need not exist: only lint reads them. For a
// template of paths, the directory before its first placeholder must be in the project, and so must
// the whole path if the placeholders are ordinary names. Paths with values of documents are checked
// when they are read.
func (m *merger) validate(f fragment, n *Node) {
	out := &m.settings.Output
	if version := n.Get("kubernetes"); version != nil {
		out.Kubernetes = Item{version.Text, version.At}
	}
	for _, x := range n.Get("schemas").texts() {
		if v := m.project.vendoredNamed(f.file, x.Text); v != nil {
			out.Schemas = append(out.Schemas, Item{v.Dir, x.At})
			continue
		}
		dir, rest, template := strings.Cut(x.Text, "{{")
		if template {
			rest = x.Text[strings.LastIndexByte(dir, '/')+1:]
			dir = x.Text[:strings.LastIndexByte(dir, '/')+1]
		}
		file := m.project.places.from(f.file, orHere(dir))
		m.report(m.project.places.checkInside(file, x.At))
		if template {
			file = path.Join(file, rest)
			m.report(m.project.places.checkInside(file, x.At))
		}
		out.Schemas = append(out.Schemas, Item{file, x.At})
	}
}

func orHere(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// flag sets a flag. If the flag is a list, it appends to it.
func (m *merger) flag(f fragment, e Entry) {
	flag := Flag{Name: e.Key, At: e.Value.At}
	i := slices.IndexFunc(m.settings.Flags, func(old Flag) bool { return old.Name == e.Key })
	if e.Value.Kind == yaml.Sequence && i >= 0 {
		flag.Values = slices.Clone(m.settings.Flags[i].Values)
	}
	for _, n := range e.Value.texts() {
		text := n.Text
		switch e.Key {
		case "allow-symlink-destination":
			text = m.readable(f, text, n)
		case "data-value-file":
			key, file, ok := strings.Cut(text, "=")
			if !ok {
				m.report(diag.Errorf(n.At, CodeValue, "expected KEY=PATH, but found %s", n.found()))
				continue
			}
			text = key + "=" + m.readable(f, file, n)
		}
		flag.Values = append(flag.Values, text)
	}
	if i >= 0 {
		m.settings.Flags[i] = flag
	} else {
		m.settings.Flags = append(m.settings.Flags, flag)
	}
}

// placeholder is replaced by the name of the environment in an output path.
const placeholder = "{env}"

// finish completes the settings that depend on all fragments.
func (m *merger) finish() {
	m.checkCharts()
	out := &m.settings.Output
	for _, item := range []*Item{&out.Dir, &out.File} {
		if item.Text == "" {
			continue
		}
		if m.settings.Name == "" && strings.Contains(item.Text, placeholder) {
			m.report(diag.Errorf(item.At, CodeOutput, "the project has no environments, but the "+
				"output has %s", placeholder))
		}
		out.all = strings.ReplaceAll(item.Text, placeholder, "*")
		item.Text = strings.ReplaceAll(item.Text, placeholder, m.settings.Name)
		if m.project.places.fsys != nil {
			continue
		}
		m.report(m.project.places.checkWritten(item.Text, item.At))
	}
	if out.Split.Text != "" {
		if _, err := split.Parse(out.Split.Text); err != nil {
			d := diag.Of(err)[0]
			d.At = out.Split.At
			m.report(d)
		}
	}
	if out.Dir.Text == "" {
		for _, x := range []struct {
			key string
			at  source.Span
		}{{"prune", out.PruneAt}, {"split", out.Split.At}} {
			if x.at.IsValid() && (out.File.Text != "" || x.key == "split") {
				m.report(diag.Errorf(x.at, CodeOutput, "`%s` needs a directory", x.key).
					WithHint("add `dir` to `output`"))
			}
		}
	}
}
