package test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"weft/internal/engine"
	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/project/fleet"
)

// testCase is a test in one environment, for one directory.
type testCase struct {
	suite  *Suite
	number int // the index of the suite
	test   *Test
	env    string // "" if the project has no environments
	dir    string // the value of {dir}
	golden string // the path of the golden file, or ""

	options fleet.Options
	prints  []string

	// what to write to the golden file, and its current content
	update, was []byte
}

func (c *testCase) outcome() Outcome {
	return Outcome{
		Name: c.fill(c.test.Name.Text), Env: c.env, File: c.suite.File.Shown(),
		Line: c.suite.File.Line(c.test.Name.At.Offset()),
	}
}

// fill replaces {dir} and {env}.
func (c *testCase) fill(text string) string {
	return strings.NewReplacer("{dir}", c.dir, "{env}", c.env).Replace(text)
}

// path returns a path of the test file relative to the current directory.
func (c *testCase) path(text string) string {
	return resolveBeside(c.suite.File.Shown(), c.fill(text))
}

// resolveBeside resolves a path named in a file, relative to the current directory.
func resolveBeside(file, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(filepath.Dir(file), name)
}

// gather finds and parses the test files, and lists the cases. The error is a diag.List, or an error
// about the project.
func (t *runner) gather() error {
	paths, err := t.find()
	if err != nil {
		return err
	}
	var suites []*Suite
	var list diag.List
	for _, p := range paths {
		s, err := t.read(p)
		if err != nil {
			list = append(list, diag.Of(err)...)
			continue
		}
		suites = append(suites, s)
	}
	for i, s := range suites {
		for _, one := range s.Tests {
			cases, err := t.expand(s, one)
			list = append(list, diag.Of(err)...)
			for j := range cases {
				cases[j].number = i
			}
			t.cases = append(t.cases, cases...)
		}
	}
	if list != nil {
		return list
	}
	return t.choose()
}

// choose keeps only the cases that the caller selected.
func (t *runner) choose() error {
	if envs := t.opts.Environments; envs != nil {
		if err := t.checkEnvironments(); err != nil {
			return err
		}
		t.cases = slices.DeleteFunc(t.cases, func(c testCase) bool {
			return !slices.Contains(envs, c.env)
		})
		if len(t.cases) == 0 {
			named := strings.Join(envs, ", ")
			return diag.List{diag.Failf(CodeNone, "no test is for %s %s",
				diag.Plural(len(envs), "environment"), named).
				WithHint("add `envs: [%s]` to a test; without `envs`, it is for the default environment",
					named)}
		}
	}
	all := len(t.cases)
	t.cases = slices.DeleteFunc(t.cases, func(c testCase) bool {
		return t.opts.Run != nil && !t.opts.Run.MatchString(Title(c.fill(c.test.Name.Text), c.env))
	})
	if len(t.cases) == 0 {
		return diag.List{diag.Failf(CodeNone, "none of the %s is selected by --run '%s'",
			diag.Count(all, "test"), t.opts.Run).
			WithHint("--run takes a regular expression for titles such as 'name [environment]'")}
	}
	return nil
}

// checkEnvironments reports environments that the project does not have.
func (t *runner) checkEnvironments() error {
	if t.opts.Project == nil {
		return diag.List{diag.Failf(CodeNone, "there is no environment '%s': there is no project",
			t.opts.Environments[0])}
	}
	_, err := t.opts.Project.Environments(t.opts.Environments)
	return err
}

func (t *runner) read(path string) (*Suite, error) {
	t.opts.ReportRead(path)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.Failf(CodePath, "cannot read '%s': %s", path, reason(err))
	}
	f, err := t.files.AddShown(path, path, data)
	if err != nil {
		return nil, diag.Failf(CodePath, "%s", err)
	}
	return Decode(f)
}

// find lists the test files.
func (t *runner) find() ([]string, error) {
	f := finder{reads: t.opts.ReportRead, bounds: t.bounds}
	if len(t.opts.Files) > 0 {
		return f.named(t.opts.Files)
	}
	if p := t.opts.Project; p != nil && p.FS() == nil {
		f.bounds = func(string) *project.Bounds { return p.Bounds() }
	}
	return f.matching(patterns(t.opts.Project))
}

// bounds returns the bounds of a test file: those of its project, or of its repository.
func (t *runner) bounds(file string) *project.Bounds {
	if p := t.opts.Project; p != nil && p.FS() == nil {
		if b := p.Bounds(); b.Encloses(file) {
			return b
		}
	}
	return project.BoundsOf(file, t.opts.AllowOutside)
}

// reason returns an error about a path, without the path.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// expand lists the cases of a test.
func (t *runner) expand(s *Suite, one *Test) (cases []testCase, err error) {
	bounds := t.bounds(s.File.Shown())
	dirs, err := directories(s, one, bounds)
	if err != nil {
		return nil, err
	}
	envs, err := t.environments(one)
	if err != nil {
		return nil, err
	}
	var list diag.List
	for _, dir := range dirs {
		for _, env := range envs {
			c := testCase{suite: s, test: one, dir: dir, env: env}
			if one.Golden.Text != "" {
				c.golden = c.path(one.Golden.Text)
			}
			cases = append(cases, c)
			list = append(list, c.checkPaths(bounds, t.opts.Update)...)
		}
	}
	if list != nil {
		return nil, list
	}
	return cases, checkPlaceholders(one, len(envs) == 1 && envs[0] == "")
}

// paths returns the paths that a case names.
func (c *testCase) paths() (paths []string) {
	for _, f := range c.test.ValueFiles {
		_, name := cutLibrary(f.Text)
		paths = append(paths, c.path(name))
	}
	if s := c.test.Star; s != nil {
		paths = append(paths, c.path(s.File.Text))
	}
	if c.golden != "" {
		paths = append(paths, c.golden)
	}
	return paths
}

// checkPaths reports paths of a case outside of the bounds of test files.
func (c *testCase) checkPaths(bounds *project.Bounds, update bool) (list diag.List) {
	add := func(d *diag.Diagnostic) {
		if d != nil {
			list = append(list, d)
		}
	}
	for _, f := range c.test.ValueFiles {
		_, name := cutLibrary(f.Text)
		add(bounds.CheckInside(c.path(name), f.At))
	}
	if s := c.test.Star; s != nil {
		script := c.path(s.File.Text)
		add(bounds.CheckInside(script, s.File.At))
		for _, beside := range engine.ScriptNeighbors(script) {
			add(bounds.CheckInside(beside, s.File.At))
		}
	}
	switch at := c.test.Golden.At; {
	case c.golden == "":
	case update:
		add(bounds.Writes(c.golden, at))
	default:
		add(bounds.CheckInside(c.golden, at))
	}
	return list
}

// cutLibrary splits @library:PATH.
func cutLibrary(name string) (library, path string) {
	if library, rest, ok := strings.Cut(name, ":"); ok && strings.HasPrefix(name, "@") {
		return library, rest
	}
	return "", name
}

// checkPlaceholders reports placeholders that nothing replaces, and golden files that several cases
// would share.
func checkPlaceholders(one *Test, noEnvs bool) error {
	texts := slices.Concat([]Text{one.Name, one.Golden}, one.ValueFiles)
	if one.Star != nil {
		texts = append(texts, one.Star.File)
	}
	var list diag.List
	for _, x := range texts {
		if one.Each.Text == "" && strings.Contains(x.Text, "{dir}") {
			list = append(list, diag.Errorf(x.At, CodeValue, "{dir} has no meaning here").
				WithHint("add `each: PATTERN`, which makes one test per directory"))
		}
		if noEnvs && strings.Contains(x.Text, "{env}") {
			list = append(list, diag.Errorf(x.At, CodeValue,
				"{env} has no meaning here: there are no environments"))
		}
	}
	if list != nil {
		return list
	}
	return nil
}

// literal returns a path as a pattern that matches it alone.
func literal(path string) string {
	special := []string{"*", "[*]", "?", "[?]", "[", "[[]"}
	if filepath.Separator != '\\' {
		special = append(special, `\`, `\\`)
	}
	return strings.NewReplacer(special...).Replace(path)
}

// directories returns the values of {dir}: the matching directories, or one empty value.
func directories(s *Suite, one *Test, bounds *project.Bounds) ([]string, error) {
	if one.Each.Text == "" {
		return []string{""}, nil
	}
	base := filepath.Dir(s.File.Shown())
	pattern := filepath.Join(base, filepath.FromSlash(one.Each.Text))
	before, _, _ := strings.Cut(pattern, "*")
	if d := bounds.CheckInside(filepath.Dir(before), one.Each.At); d != nil {
		return nil, d
	}
	found, err := filepath.Glob(filepath.Join(literal(base), filepath.FromSlash(one.Each.Text)))
	if err != nil {
		return nil, diag.Errorf(one.Each.At, CodeValue, "expected a pattern of directories, "+
			"but found '%s': %s", one.Each.Text, err)
	}
	var dirs []string
	for _, p := range found {
		if info, err := os.Stat(p); err != nil || !info.IsDir() {
			continue
		}
		if d := bounds.CheckInside(p, one.Each.At); d != nil {
			return nil, d
		}
		rel, err := filepath.Rel(base, p)
		if err != nil {
			return nil, diag.Errorf(one.Each.At, CodePath, "%s", err)
		}
		dirs = append(dirs, filepath.ToSlash(rel))
	}
	if dirs == nil {
		return nil, diag.Errorf(one.Each.At, CodePath, "no directory matches '%s'",
			one.Each.Text).WithHint("the pattern begins in the directory of the test file")
	}
	return dirs, nil
}

// environments returns the names of the environments that a test is for.
func (t *runner) environments(one *Test) ([]string, error) {
	p := t.opts.Project
	if p == nil || len(p.Names()) == 0 {
		if one.Envs != nil {
			return nil, diag.Errorf(one.Envs[0].At, CodeValue,
				"there is no environment '%s': there are none at all", one.Envs[0].Text).
				WithHint("environments are those of weft.yml")
		}
		return []string{""}, nil
	}
	if one.AllEnvs {
		return p.Names(), nil
	}
	if one.Envs == nil {
		name, err := p.Default()
		if err != nil {
			return nil, diag.Errorf(one.Name.At, CodeKey, "which environment? the project has "+
				"%d, and no `default`", len(p.Names())).WithHint("add `envs`, a list of names or `all`")
		}
		return []string{name}, nil
	}
	if list := one.UnknownEnvs(p.Names()); list != nil {
		return nil, list
	}
	var names []string
	for _, e := range one.Envs {
		names = append(names, e.Text)
	}
	return names, nil
}

// UnknownEnvs returns an error for each environment of the test that is not among those of the project.
func (one *Test) UnknownEnvs(names []string) (list diag.List) {
	for _, e := range one.Envs {
		if !slices.Contains(names, e.Text) {
			d := diag.Errorf(e.At, CodeValue, "there is no environment '%s'", e.Text)
			list = append(list, d.WithHint("`weft env` lists them").WithNearest(e.Text, names))
		}
	}
	return list
}

// testLevel is the level of the data values of tests, which override those of environments.
const testLevel = math.MaxInt32

// runs returns the cases as environments to render.
func (t *runner) runs() ([]fleet.Run, error) {
	files := t.testFiles()
	byEnv := map[string]fleet.Options{}
	runs := make([]fleet.Run, len(t.cases))
	for i := range t.cases {
		c := &t.cases[i]
		o, ok := byEnv[c.env]
		if !ok {
			var err error
			if o, err = t.environmentOptions(c.env, files); err != nil {
				return nil, err
			}
			byEnv[c.env] = o
		}
		first := len(o.Sources) - len(files)
		o.Test = c.values(first + c.number)
		c.options = o
		runs[i] = fleet.Run{Name: c.env, Options: o}
	}
	return runs, nil
}

// testFiles returns the test files, for the places of their data values.
func (t *runner) testFiles() (files []load.Memory) {
	last := (*source.File)(nil)
	number := -1
	for i := range t.cases { // test files without a selected test are not needed
		c := &t.cases[i]
		if c.suite.File != last {
			last = c.suite.File
			number++
			files = append(files, load.Memory{Path: last.Shown(), Data: last.Data()})
		}
		c.number = number
	}
	return files
}

// environmentOptions returns the options of an environment, in which test files are not inputs.
func (t *runner) environmentOptions(env string, files []load.Memory) (fleet.Options, error) {
	o := t.opts.Options
	if p := t.opts.Project; p != nil {
		var err error
		if o, err = fleet.Environment(p, env, o, t.opts.Given); err != nil {
			return o, err
		}
	} else {
		o.Layers = &values.ProjectValues{}
		o.Exclude = slices.Concat(o.Exclude, project.TestPatterns)
	}
	o.Format, o.Debug, o.Cover, o.Without = fleet.YAML, nil, t.cover, t.opts.LeftOut[env]
	o.Sources = slices.Concat(o.Sources, files)
	return o, nil
}

// values returns the data values of a case. file is the number of its test file.
func (c *testCase) values(file int) *values.ProjectValues {
	v := &values.ProjectValues{}
	place := func(at source.Span) values.Place {
		return values.Place{File: file, Start: at.Offset(), End: at.End()}
	}
	for _, f := range c.test.ValueFiles {
		l := values.Layer{Level: testLevel, At: place(f.At)}
		library, name := cutLibrary(f.Text)
		l.Library, l.Path = library, c.path(name)
		v.Layers = append(v.Layers, l)
	}
	if at := c.test.Values; at.IsValid() {
		v.Layers = append(v.Layers, values.Layer{Level: testLevel, At: place(at)})
	}
	return v
}

// readGolden reads a golden file. It returns nil only if there is none: an empty file is not nil.
func readGolden(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// write writes the golden files that differ from the output. If two cases want different content
// for one file, both fail.
func (t *runner) write(ctx context.Context, out *Report) error {
	first := map[string]int{}
	for i := range t.cases {
		c, o := &t.cases[i], &out.Outcomes[i]
		if c.update == nil {
			continue
		}
		if j, again := first[c.golden]; again {
			if string(c.update) != string(t.cases[j].update) {
				o.Failures = append(o.Failures, Failure{
					At: c.suite.Where(c.test.Golden.At), Doc: -1,
					Message: "'" + out.Outcomes[j].Title() + "' writes something else to '" +
						c.golden + "'",
				})
			}
			continue
		}
		first[c.golden] = i
		if err := c.writeGolden(ctx); err != nil {
			return err
		}
		o.Updated = c.golden
	}
	return nil
}

func (c *testCase) writeGolden(ctx context.Context) error {
	if c.was == nil {
		if err := outdir.MakeDir(filepath.Dir(c.golden)); err != nil {
			return err
		}
		return outdir.WriteFile(ctx, c.golden, c.update)
	}
	real, err := filepath.EvalSymlinks(c.golden)
	if err != nil {
		return diag.Failf(CodePath, "cannot write '%s': %s", c.golden, reason(err))
	}
	files := []outdir.Replacement{{Path: real, Old: c.was, New: c.update}}
	return (&outdir.Hold{}).Replace(ctx, files)
}
