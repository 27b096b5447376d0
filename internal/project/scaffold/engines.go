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

// source is a kustomization or a chart of a repository.
type source struct {
	dir    string
	group  string // the directory of what its environments are of
	name   string // of its entry in weft.yml
	env    string // the environment that it is for, or "" if it has none
	values []string
	chart  bool
}

// engines are the kustomizations and charts of a repository.
type engines struct {
	kustomizations map[string]string // texts, by directory
	charts         []string
	libraries      []string
	bases          []string // that nothing builds on
	files          []string // YAML files
}

// surveyEngines looks for kustomizations and charts.
func surveyEngines(dir fs.FS) (*engines, error) {
	e := &engines{kustomizations: map[string]string{}}
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
		case entry.Type().IsRegular() && isYAML(name):
			e.files = append(e.files, name)
		}
		return nil
	})
	return e, err
}

// isAside reports whether a directory is hidden, generated or about the project.
func isAside(base string) bool {
	return strings.HasPrefix(base, ".") || slices.Contains(generatedDirs, base) ||
		slices.Contains(beside, strings.ToLower(base))
}

// enter notes what a directory is. Charts in charts are part of them.
func (e *engines) enter(dir fs.FS, name string) error {
	for _, file := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if text, err := fs.ReadFile(dir, path.Join(name, file)); err == nil {
			e.kustomizations[name] = string(text)
		}
	}
	if path.Base(name) == "templates" && isChart(dir, path.Dir(name)) ||
		path.Base(name) == "charts" && isChart(dir, path.Dir(name)) {
		return fs.SkipDir
	}
	if text, err := fs.ReadFile(dir, path.Join(name, "Chart.yaml")); err == nil {
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

// sources returns the kustomizations and charts, with their environments. A single one has none.
func (e *engines) sources() []source {
	all := append(e.overlays(), e.releases()...)
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
	p := &plan{edition: "2026"}
	if len(all) == 1 && all[0].env == "" {
		p.common.sources = all
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
		p.envs = append(p.envs, env)
	}
	return p
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
func (e *engines) notes(f *found) []Note {
	var notes []Note
	if len(e.libraries) > 0 {
		notes = append(notes, Note{Text: "left out, since library charts cannot be rendered: " +
			someOf(e.libraries)})
	}
	if len(e.bases) > 0 {
		notes = append(notes, Note{Text: "left out, since no kustomization builds on them: " + someOf(e.bases)})
	}
	var plain []string
	for _, x := range f.files {
		if x.manifest && !e.covers(x.path) {
			plain = append(plain, x.path)
		}
	}
	if len(plain) > 0 {
		notes = append(notes, Note{Text: "left out: manifests that no kustomization names; add them to `inputs`: " +
			someOf(plain)})
	}
	return notes
}

// covers reports whether a file is in the directory of a kustomization or a chart, or below it.
func (e *engines) covers(name string) bool {
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
		everywhere := len(byEnv) > 1
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
	return s.name == x.name && s.chart == x.chart && s.dir == x.dir && slices.Equal(s.values, x.values)
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
	if !s.chart {
		s.dir = generic(s.dir)
	}
	list := slices.Clone(s.values)
	for i := range list {
		list[i] = generic(list[i])
	}
	s.values = list
	return s
}

// overlayDirs are directories with one directory or file for each environment.
var overlayDirs = []string{"overlays", "overlay", "envs", "env", "environments", "clusters", "stages"}

// overlays returns the kustomizations that no other one builds on. Bases that nothing builds on are left out.
func (e *engines) overlays() []source {
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
		at := len(parts) - 1
		for at >= 0 && !slices.Contains(overlayDirs, parts[at]) {
			at--
		}
		s := source{dir: dir, group: dir}
		switch {
		case at >= 0 && at < len(parts)-1:
			s.env, s.group = strings.Join(parts[at+1:], "-"), path.Join(append([]string{"."}, parts[:at]...)...)
		case siblings[dir]:
			s.env, s.group = path.Base(dir), path.Dir(dir)
		}
		if s.name = path.Base(s.group); s.name == "." {
			s.name = "app"
		}
		if project.IsName(joined(s.group)) && (s.env == "" || project.IsName(s.env)) {
			list = append(list, s)
		}
	}
	return list
}

// references returns the directories that kustomizations name, and those of kustomizations that name one
// next to them, or in it. Every word is tried, so it needs no parser.
func (e *engines) references() (used, siblings map[string]bool) {
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
func (e *engines) releases() []source {
	var list []source
	for _, dir := range e.charts {
		name := path.Base(dir)
		if dir == "." {
			name = "app"
		}
		if !project.IsName(name) {
			continue
		}
		values, common := e.valuesOf(dir, name)
		if len(values) == 0 {
			list = append(list, source{dir: dir, group: dir, name: name, chart: true, values: common})
		}
		for _, env := range slices.Sorted(maps.Keys(values)) {
			list = append(list, source{
				dir: dir, group: dir, name: name, env: env, chart: true,
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
func (e *engines) valuesOf(dir, name string) (values map[string][]string, common []string) {
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
func (e *engines) belongs(file, dir, name string) bool {
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
	title := ""
	for _, chart := range []bool{true, false} {
		for _, s := range sources {
			switch {
			case s.chart != chart:
				continue
			case chart && title != "charts":
				title = "charts"
				b.WriteString(pad + "charts:\n")
			case !chart && title != "kustomizations":
				title = "kustomizations"
				b.WriteString(pad + "kustomizations:\n")
			}
			b.WriteString(pad + "  " + project.Quote(s.name) + ":")
			if !chart {
				b.WriteString(" " + project.Quote(s.dir) + "\n")
				continue
			}
			b.WriteString("\n" + pad + "    chart: " + project.Quote(s.dir) + "\n")
			b.WriteString(pad + "    kubernetes: " + clusterVersion + "\n")
			if len(s.values) > 0 {
				b.WriteString(pad + "    values: " + flow(s.values, project.Quote) + "\n")
			}
		}
	}
}
