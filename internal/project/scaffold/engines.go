package scaffold

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"weft/internal/lang/lazy"
	"weft/internal/project"
)

// clusterVersion is the version of Kubernetes that templates of charts see in a draft.
const clusterVersion = "1.34"

// sourceKind is what builds a source.
type sourceKind uint8

const (
	kustomization sourceKind = iota
	chart
	manifests // files that are documents already
)

// source is a kustomization, a chart or a folder of manifests of a repository.
type source struct {
	kind   sourceKind
	dir    string
	group  string // the directory of what its environments are of
	name   string // of its entry in weft.yml
	env    string // the environment that it is for, or "" if it has none
	values []string
	files  []string // of manifests
	inputs []string // these files, or their folder

	release, namespace string // of a chart; "" is the name, or the usual one
	random             string // where a chart calls a function with random results, which are seeded
}

// repository is the kustomizations, charts and helmfiles of a repository.
type repository struct {
	kustomizations map[string]string // texts, by directory
	charts         []string
	libraries      []string
	helmfiles      helmfiles
	bases          []string // that nothing builds on
	files          []string // YAML files
	all            []string // all files
	left           []string // manifests that belong to none of these
}

// surveyEngines looks for kustomizations and charts.
func surveyEngines(dir fs.FS) (*repository, error) {
	e := &repository{kustomizations: map[string]string{}, helmfiles: helmfiles{dir: dir}}
	seen := 0
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if seen++; err != nil || seen > 10*maxFiles {
			return fs.SkipDir
		}
		base := path.Base(name)
		switch {
		case entry.IsDir() && name != "." && isAside(base):
			return fs.SkipDir
		case entry.IsDir():
			return e.enter(dir, name)
		case entry.Type().IsRegular():
			e.add(dir, name)
		}
		return nil
	})
	return e, err
}

// add notes a file. Helmfiles may have any name.
func (e *repository) add(dir fs.FS, name string) {
	e.all = append(e.all, name)
	if strings.HasPrefix(path.Base(name), "helmfile.") && strings.HasSuffix(name, ".gotmpl") {
		e.helmfiles.leave(leftTemplate, name)
	}
	if !isYAML(name) {
		return
	}
	e.files = append(e.files, name)
	if text, ok := readFile(dir, name); ok && helmfileMark.Get().Match(text) {
		e.helmfiles.add(name, string(text))
	}
}

// isAside reports whether a directory is hidden, generated or about the project.
func isAside(base string) bool {
	return strings.HasPrefix(base, ".") || slices.Contains(generatedDirs, base) ||
		slices.Contains(beside, strings.ToLower(base))
}

// enter notes what a directory is. Charts in charts are part of them.
func (e *repository) enter(dir fs.FS, name string) error {
	for _, file := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if text, ok := readFile(dir, path.Join(name, file)); ok {
			e.kustomizations[name] = string(text)
		}
	}
	if path.Base(name) == "templates" && isChart(dir, path.Dir(name)) ||
		path.Base(name) == "charts" && isChart(dir, path.Dir(name)) {
		return fs.SkipDir
	}
	if text, ok := readFile(dir, path.Join(name, "Chart.yaml")); ok {
		if libraryMark.Get().Match(text) {
			e.libraries = append(e.libraries, name)
		} else {
			e.charts = append(e.charts, name)
		}
	}
	return nil
}

var (
	libraryMark   = lazy.Regexp{Text: `(?m)^type: *["']?library`}
	componentMark = lazy.Regexp{Text: `(?m)^kind: *["']?Component\b`}
	// fluxMark is what resources of Flux have, whose files sometimes have the names of kustomizations.
	fluxMark = lazy.Regexp{Text: `(?m)^apiVersion: *["']?kustomize\.toolkit\.fluxcd\.io/`}
)

// sources returns the kustomizations and charts, with their environments. A single one has none. If there are
// any, folders of manifests are added.
func (e *repository) sources(f *found) []source {
	all := append(e.overlays(), e.releases()...)
	all = append(all, e.helmfiles.sources...)
	if len(all) > 0 {
		var more []source
		more, e.left = e.plain(f)
		all = append(all, more...)
	}
	nameSources(all)
	if len(all) < 2 {
		return all
	}
	taken := map[string]bool{}
	for _, s := range all {
		taken[s.env] = true
	}
	for i := range all {
		if s := &all[i]; s.env == "" { // it is an environment by itself
			if s.env = s.name; taken[s.env] {
				s.env = joined(s.dir)
			}
		}
	}
	return all
}

// planOf returns the plan of a project for kustomizations and charts.
func planOf(all []source) *plan {
	p := &plan{edition: "2026", foreign: true}
	if len(all) == 1 && all[0].env == "" {
		p.common.sources = slices.Clone(all)
		p.common.takeManifests()
		return p
	}
	byEnv := map[string][]source{}
	for _, s := range all {
		byEnv[s.env] = append(byEnv[s.env], s)
	}
	p.common.dir = "out/{env}"
	p.common.sources = shared(byEnv)
	for _, name := range slices.Sorted(maps.Keys(byEnv)) {
		env := environment{name: name}
		for _, s := range byEnv[name] {
			if !slices.ContainsFunc(p.common.sources, s.pattern().equal) {
				env.sources = append(env.sources, s)
			}
		}
		env.takeManifests()
		p.envs = append(p.envs, env)
	}
	return p
}

// takeManifests makes files of manifests inputs.
func (s *settings) takeManifests() {
	s.sources = slices.DeleteFunc(s.sources, func(x source) bool {
		if x.kind == manifests {
			s.inputs = append(s.inputs, x.inputs...)
		}
		return x.kind == manifests
	})
}

// nameSources gives sources of different groups different names.
func nameSources(all []source) {
	groups := map[string]string{}
	twice := map[string]bool{}
	for _, s := range all {
		if g, ok := groups[s.name]; ok && g != s.group {
			twice[s.name] = true
		}
		groups[s.name] = s.group
	}
	for i := range all {
		if twice[all[i].name] {
			all[i].name = joined(all[i].group)
		}
	}
}

// joined returns a path as a name.
func joined(dir string) string {
	if dir == "." {
		return "app"
	}
	return strings.ReplaceAll(dir, "/", "-")
}

// notes returns what the draft of kustomizations and charts leaves out.
func (e *repository) notes() []Note {
	var notes []Note
	if len(e.libraries) > 0 {
		notes = append(notes, Note{Text: "left out, since library charts cannot be rendered: " +
			SomeOf(e.libraries)})
	}
	if len(e.bases) > 0 {
		notes = append(notes, Note{Text: "left out, since no kustomization builds on them: " + SomeOf(e.bases)})
	}
	if len(e.left) > 0 {
		notes = append(notes, Note{Text: "left out: manifests that no kustomization names; add them to `inputs`: " +
			SomeOf(e.left)})
	}
	return append(notes, e.helmfiles.notes()...)
}

// covers reports whether a file is in the directory of a kustomization or a chart, or below it.
func (e *repository) covers(name string) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if _, ok := e.kustomizations[dir]; ok || slices.Contains(e.charts, dir) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// shared returns the sources that all environments have, with {env} in their paths.
func shared(byEnv map[string][]source) []source {
	var common []source
	first := slices.Sorted(maps.Keys(byEnv))[0]
	for _, s := range byEnv[first] {
		pattern := s.pattern()
		in := func(list []source) bool {
			return slices.ContainsFunc(list, func(x source) bool { return x.pattern().equal(pattern) })
		}
		everywhere := len(byEnv) > 1 && s.kind != manifests
		for _, list := range byEnv {
			everywhere = everywhere && in(list)
		}
		if everywhere {
			common = append(common, pattern)
		}
	}
	return common
}

func (s source) equal(x source) bool {
	return s.name == x.name && s.kind == x.kind && s.dir == x.dir && slices.Equal(s.values, x.values) &&
		slices.Equal(s.inputs, x.inputs) && s.release == x.release && s.namespace == x.namespace &&
		(s.random == "") == (x.random == "")
}

// pattern returns the source with {env} for the name of its environment, as a part of a path.
func (s source) pattern() source {
	generic := func(name string) string {
		parts := strings.Split(name, "/")
		for i, part := range parts {
			switch stem := strings.TrimSuffix(part, path.Ext(part)); {
			case part == s.env:
				parts[i] = "{env}"
			case strings.HasSuffix(stem, s.env) && stem != part:
				parts[i] = strings.TrimSuffix(stem, s.env) + "{env}" + path.Ext(part)
			}
		}
		return strings.Join(parts, "/")
	}
	if s.kind != chart {
		s.dir = generic(s.dir)
	}
	s.values, s.inputs = slices.Clone(s.values), slices.Clone(s.inputs)
	for _, list := range [][]string{s.values, s.inputs} {
		for i := range list {
			list[i] = generic(list[i])
		}
	}
	return s
}

// overlayDirs are directories with one directory or file for each environment.
var overlayDirs = []string{"overlays", "overlay", "envs", "env", "environments", "clusters", "stages"}

// overlays returns the kustomizations that no other one builds on. Bases that nothing builds on are left out.
func (e *repository) overlays() []source {
	used, siblings := e.references()
	var list []source
	for _, dir := range slices.Sorted(maps.Keys(e.kustomizations)) {
		text := e.kustomizations[dir]
		if used[dir] || componentMark.Get().MatchString(text) || fluxMark.Get().MatchString(text) {
			continue
		}
		parts := strings.Split(dir, "/")
		if len(e.kustomizations) > 1 && (slices.Contains(parts, "base") || slices.Contains(parts, "bases")) {
			e.bases = append(e.bases, dir)
			continue
		}
		if s := (source{dir: dir}); s.place(siblings[dir]) {
			list = append(list, s)
		}
	}
	return list
}

// place sets the environment, the group and the name of a source by its directory. It reports whether they
// can be names. A sibling has its base next to it.
func (s *source) place(sibling bool) bool {
	parts := strings.Split(s.dir, "/")
	at := len(parts) - 1
	for at >= 0 && !slices.Contains(overlayDirs, parts[at]) {
		at--
	}
	s.group = s.dir
	switch {
	case at >= 0 && at < len(parts)-1:
		s.env, s.group = strings.Join(parts[at+1:], "-"), path.Join(append([]string{"."}, parts[:at]...)...)
	case sibling:
		s.env, s.group = path.Base(s.dir), path.Dir(s.dir)
	}
	if s.name = path.Base(s.group); s.name == "." {
		s.name = "app"
	}
	return project.IsName(joined(s.group)) && (s.env == "" || project.IsName(s.env))
}

// references returns the directories that kustomizations name, and those of kustomizations that name one
// next to them, or in it. Every word is tried, so it needs no parser.
func (e *repository) references() (used, siblings map[string]bool) {
	used, siblings = map[string]bool{}, map[string]bool{}
	separates := func(r rune) bool { return strings.ContainsRune(" \t\r\n,[]\"'", r) }
	for dir, text := range e.kustomizations {
		for word := range strings.FieldsFuncSeq(text, separates) {
			to := path.Join(dir, word)
			if _, ok := e.kustomizations[to]; !ok || to == dir {
				continue
			}
			used[to] = true
			beside := path.Dir(dir) == "." || strings.HasPrefix(to, path.Dir(dir)+"/")
			if beside && dir != "." && !strings.HasPrefix(to, dir+"/") {
				siblings[dir] = true
			}
		}
	}
	return used, siblings
}

// releases returns the charts, one for each of their environments.
func (e *repository) releases() []source {
	var list []source
	for _, dir := range e.charts {
		if slices.ContainsFunc(e.helmfiles.sources, func(s source) bool { return s.dir == dir }) {
			continue
		}
		name := path.Base(dir)
		if dir == "." {
			name = "app"
		}
		if !project.IsName(name) {
			continue
		}
		values, common := e.valuesOf(dir, name)
		if len(values) == 0 {
			list = append(list, source{dir: dir, group: dir, name: name, kind: chart, values: common})
		}
		for _, env := range slices.Sorted(maps.Keys(values)) {
			list = append(list, source{
				dir: dir, group: dir, name: name, env: env, kind: chart,
				values: append(slices.Clone(common), values[env]...),
			})
		}
	}
	return list
}

// forAll are names of files with values for all environments.
var forAll = []string{"common", "default", "defaults", "base", "global", "all", "shared", "values"}

// chartValues matches names of values files; the groups are names of environments, or of charts.
var chartValues = lazy.Regexp{
	Text: `^(?:values[-._]([^/]+)|([^/]+)[-._]values|values/([^/]+)|` +
		`(?:envs?|environments|clusters|stages)/([^/]+)(?:/(?:values|([^/]+)))?)\.ya?ml$`,
}

// valuesOf returns the values files of a chart by environment, and those for all. It looks in the chart, in
// directories with the chart's name, and above it if there is no other chart.
func (e *repository) valuesOf(dir, name string) (values map[string][]string, common []string) {
	values = map[string][]string{}
	for _, file := range e.files {
		rest, ok := strings.CutPrefix(file, dir+"/")
		if dir == "." {
			rest, ok = file, true
		}
		if !ok && e.belongs(file, dir, name) {
			rest, ok = strings.Replace(file, "/"+name+"/", "/", 1), true
			if above := commonDir(dir, file); above != "." {
				rest = strings.TrimPrefix(rest, above+"/")
			}
		}
		m := chartValues.Get().FindStringSubmatch(rest)
		if !ok || m == nil || m[5] != "" && m[5] != name && m[5] != name+"-values" {
			continue
		}
		env := m[1] + m[2] + m[3] + m[4]
		switch {
		case slices.Contains(forAll, env):
			common = append(common, file)
		case project.IsName(env) && env != "schema":
			values[env] = append(values[env], file)
		}
	}
	return values, common
}

// belongs reports whether a values file that is not in a chart is for it: it has the chart's name in its
// path, or there is only one chart.
func (e *repository) belongs(file, dir, name string) bool {
	contains := func(c string) bool { return c != "." && strings.HasPrefix(file, c+"/") }
	if slices.ContainsFunc(e.charts, contains) {
		return false
	}
	return len(e.charts) == 1 || strings.Contains("/"+path.Dir(file)+"/", "/"+name+"/") ||
		strings.TrimSuffix(path.Base(file), path.Ext(file)) == name
}

// commonDir returns the directory that contains both of two paths.
func commonDir(a, b string) string {
	for a != "." && !strings.HasPrefix(b, a+"/") {
		a = path.Dir(a)
	}
	return a
}

// writeSources writes the keys charts and kustomizations.
func writeSources(b *strings.Builder, pad string, sources []source) {
	of := map[sourceKind]string{}
	for _, s := range sources {
		of[s.kind] += s.text(pad + "  ")
	}
	if of[chart] != "" {
		b.WriteString(pad + "charts:\n" + of[chart])
	}
	if of[kustomization] != "" {
		b.WriteString(pad + "kustomizations:\n" + of[kustomization])
	}
}

// text returns the entry of a chart or a kustomization.
func (s *source) text(pad string) string {
	entry := pad + project.Quote(s.name) + ":"
	if s.kind == kustomization {
		return entry + " " + project.Quote(s.dir) + "\n"
	}
	pad = "\n" + pad + "  "
	entry += pad + "chart: " + project.Quote(s.dir) + pad + "kubernetes: " + clusterVersion
	if s.release != "" && s.release != s.name {
		entry += pad + "release: " + project.Quote(s.release)
	}
	if s.namespace != "" {
		entry += pad + "namespace: " + project.Quote(s.namespace)
	}
	if len(s.values) > 0 {
		entry += pad + "values: " + flow(s.values, project.Quote)
	}
	if s.random != "" {
		entry += pad + "random: seeded # predictable: not for real secrets"
	}
	return entry + "\n"
}
