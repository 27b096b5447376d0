package workspace

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"weft/internal/check/lint"
	"weft/internal/engine"
	"weft/internal/engine/compile"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/fleet"
	"weft/internal/project/test"
	"weft/internal/serve/lsp/wire"
)

// MaxSteps limits the steps of the code of one file: a loop over a number that is only half typed
// must not keep the machine busy.
const MaxSteps = 10_000_000

// MaxViews limits the environments of a project that are evaluated while the user types.
const MaxViews = 8

// Configuration is a set of files that are rendered together: those that a weft.yml names, or a folder.
type Configuration struct {
	folder *Folder
	key    string
	file   string           // the path of weft.yml, or ""
	names  []string         // the names of all environments; [""] if there are none
	views  map[string]*View // by environment
	env    string           // the active environment

	lint      lint.Options
	testFiles func() []string // the files of `weft test`
	sources   map[string]bool // weft.yml, and the project files that it extends
	failure   *diag.Failure   // why views are missing
	broken    bool            // weft.yml cannot be read: the views are those from before
	overtaken bool            // a document changed before weft.yml was read
	structure int             // the value of Snapshot.structure when the project was opened
}

// Active returns the name of the environment that features show.
func (p *Configuration) Active() string { return p.env }

// Key identifies the project in its folder, even after its files have changed.
func (p *Configuration) Key() string { return p.key }

// Linting returns the options of `weft lint`.
func (p *Configuration) Linting() lint.Options { return p.lint }

// Failure returns what is wrong with the project file, or nil.
func (p *Configuration) Failure() *diag.Failure { return p.failure }

// Broken reports whether the project file cannot be read. Then the views are those from before.
func (p *Configuration) Broken() bool { return p.broken }

// Overtaken reports whether the project file was not read to the end, because a document has changed. A later
// snapshot reads it.
func (p *Configuration) Overtaken() bool { return p.overtaken }

// File returns the path of weft.yml, or "" if there is none.
func (p *Configuration) File() string { return p.file }

// Environments returns the names of all environments, or [""] if the project has none.
func (p *Configuration) Environments() []string { return p.names }

// Views returns the first MaxViews environments, the active one first.
func (p *Configuration) Views() []*View {
	views := []*View{}
	if v := p.active(); v != nil {
		views = append(views, v)
	}
	for _, name := range p.names {
		if v := p.views[name]; v != nil && v.Env != p.env && len(views) < MaxViews {
			views = append(views, v)
		}
	}
	return views
}

// View returns an environment by its name, or the active one for "". It is nil if there is none.
func (p *Configuration) View(env string) *View {
	if env == "" {
		return p.active()
	}
	return p.views[env]
}

func (p *Configuration) active() *View { return p.views[p.env] }

// projectOf returns the project that a file belongs to, or nil.
func (f *Folder) projectOf(s *Snapshot, name string) *Configuration {
	if f.disk == nil {
		return nil
	}
	f.opening.Lock()
	defer f.opening.Unlock()
	settings := f.settings()
	key, file := f.keyOf(s, name, settings)
	f.mu.Lock()
	was, env := f.projects[key], f.environments[key]
	f.mu.Unlock()
	if was != nil && !was.overtaken && was.structure >= s.structure {
		return was
	}
	p := f.openProject(s, key, file, settings, was)
	p.choose(env, settings.Environment)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.projects[key] = p
	return p
}

// Projects returns the projects that were opened, in the order of their keys.
func (f *Folder) Projects() []*Configuration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.SortedFunc(maps.Values(f.projects), byKey)
}

// OpenProjects returns the projects of the open documents, in the order of their keys.
func (s *Snapshot) OpenProjects() []*Configuration {
	var list []*Configuration
	for _, d := range s.OpenDocuments() {
		if p := d.Project(); p != nil && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, byKey)
	return list
}

func byKey(a, b *Configuration) int { return strings.Compare(a.key, b.key) }

// Retain drops all other projects. One that was read again in the meantime is still the same project.
func (f *Folder) Retain(projects []*Configuration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.projects, func(key string, _ *Configuration) bool {
		return !slices.ContainsFunc(projects, func(p *Configuration) bool { return p.key == key })
	})
}

// views returns the views of all projects.
func (f *Folder) views() []*View {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []*View
	for _, p := range f.projects {
		for _, v := range p.views {
			list = append(list, v)
		}
	}
	return list
}

// lastChange returns the ID of the snapshot in which a file last changed.
func (f *Folder) lastChange(path string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changes[path]
}

// openProject reads a project file. It keeps existing views whose configuration is the same.
func (f *Folder) openProject(
	s *Snapshot, key, file string, settings Settings, was *Configuration,
) *Configuration {
	p := &Configuration{
		folder: f, key: key, file: file, names: []string{""}, views: map[string]*View{},
		structure: s.structure, sources: map[string]bool{}, lint: lint.Options{All: true, Cache: &f.schemas},
		testFiles: func() []string { return nil },
	}
	base := f.session.options(settings, s.Files())
	if file == "" {
		if base.Inputs = settings.Inputs; len(base.Inputs) == 0 {
			base.Inputs = []string{folderOfKey(key)}
		}
		p.addView("", base, was)
		return p
	}
	p.sources[file] = true
	opened, err := f.session.openFile(s.ctx, file, s.Files())
	if err != nil {
		p.fail(err, was)
		p.broken = true
		return p
	}
	p.testFiles = sync.OnceValue(func() []string { return testFiles(opened) })
	p.lint = fleet.Linting(opened, p.lint)
	if names := opened.Names(); len(names) > 0 {
		p.names = names
	}
	for _, src := range opened.Sources() {
		p.sources[src.Path] = true
	}
	for _, name := range p.names {
		opts, err := fleet.Environment(opened, name, base, nil)
		if err != nil {
			p.fail(err, was)
			continue
		}
		p.addView(name, f.session.withoutRefusedEnv(opts), was)
	}
	if name, err := opened.Default(); err == nil {
		p.env = name
	}
	return p
}

// openFile opens a project file.
func (s *Session) openFile(ctx context.Context, file string, files *Files) (*project.Description, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return project.Open(project.Options{Path: file, FS: files, Engines: s.opt.Engines})
}

// options returns the settings as options of the command line.
func (s *Session) options(settings Settings, files *Files) fleet.Options {
	return fleet.Options{
		FS: files, Env: s.opt.Env, AllowEnv: s.opt.AllowEnv,
		Marks: settings.FileMarks, Limits: fleet.Limits{Steps: MaxSteps}, Values: settings.dataValues(),
	}
}

// withoutRefusedEnv returns options without the environment variables that the user has not allowed
// projects to read. It warns once.
func (s *Session) withoutRefusedEnv(opts fleet.Options) fleet.Options {
	opts, refused := opts.WithoutRefusedEnv()
	if refused != nil && s.opt.Warn != nil {
		s.warnEnv.Do(func() { s.opt.Warn(values.RefusedNote(refused)) })
	}
	return opts
}

// fail records an error of a project file. Existing views stay, so that the server does not lose
// everything while the user edits the project file.
func (p *Configuration) fail(err error, was *Configuration) {
	if errors.Is(err, context.Canceled) {
		p.overtaken = true
	}
	if p.failure == nil {
		p.failure = diag.FailureOf(err)
	}
	if was != nil && len(p.views) == 0 {
		p.names, p.views, p.env = was.names, maps.Clone(was.views), was.env
		p.lint, p.testFiles = was.lint, was.testFiles
		maps.Copy(p.sources, was.sources)
	}
}

// testFiles returns the test files of a project, or nil if they cannot be found.
func testFiles(p *project.Description) []string {
	files, err := test.Files(p)
	if err != nil {
		return nil
	}
	for i, name := range files {
		files[i] = filepath.ToSlash(name)
	}
	return files
}

func (p *Configuration) addView(env string, opts fleet.Options, was *Configuration) {
	config := p.configOf(opts)
	if was != nil {
		if v := was.views[env]; v != nil && sameConfig(v.config, config) {
			p.views[env] = v
			return
		}
	}
	v := newView(p.folder, env, opts, config)
	v.good = was.lastGood(env)
	p.views[env] = v
}

// lastGood returns the last outcome without errors of an environment, or of the active one if the project has
// no environments any longer, or nil: it is not lost while the user edits the project file. p may be nil.
func (p *Configuration) lastGood(env string) *Outcome {
	if p == nil {
		return nil
	}
	v := p.views[env]
	if v == nil && env == "" {
		v = p.active()
	}
	if v == nil {
		return nil
	}
	return v.LastGood()
}

// configOf returns the configuration of an environment, without the files.
func (p *Configuration) configOf(opts fleet.Options) engine.Config {
	config := opts.Config()
	config.Load.FS, config.Load.Fetch = nil, nil
	config.Eval.MaxSteps = min(config.Eval.MaxSteps, MaxSteps)
	// Links are followed only inside the folder: see Files.
	config.Load.Symlinks = load.Symlinks{All: opts.Symlinks.All || len(opts.Symlinks.Allowed) > 0}
	for i := range config.Generators {
		followGenerator(&config.Generators[i])
	}
	return config
}

// choose makes an environment the active one: the first of the wanted ones that has a view, or the
// default of the project, or the first.
func (p *Configuration) choose(wanted ...string) {
	for _, env := range append(wanted, p.env) {
		if p.views[env] != nil && (env != "" || len(p.names) == 1) {
			p.env = env
			return
		}
	}
	for _, name := range p.names {
		if p.views[name] != nil {
			p.env = name
			return
		}
	}
}

func (f *Folder) setEnvironment(name, env string) error {
	p := f.projectOf(f.Snapshot(), name)
	if p == nil {
		return wire.Errorf(wire.InvalidParams, "%s belongs to no project", name)
	}
	if p.views[env] == nil {
		return p.UnknownEnvironment(env)
	}
	return f.update(func(*Snapshot) error {
		f.environments[p.key] = env
		f.structure++
		return nil
	})
}

// Problem returns why the project has no view.
func (p *Configuration) Problem() string {
	if p.failure == nil {
		return "the project has no environment"
	}
	return diag.Lines(p.failure.Files, p.failure.List)
}

// UnknownEnvironment returns the error for an environment that the project does not have.
func (p *Configuration) UnknownEnvironment(env string) error {
	if len(p.names) == 1 && p.names[0] == "" {
		return wire.Errorf(wire.InvalidParams, "there is no environment '%s': the project has none", env)
	}
	return wire.Errorf(wire.InvalidParams, "there is no environment '%s': the project has %s", env,
		strings.Join(p.names, ", "))
}

// dataValues returns the data values of the settings in the form of flags.
func (s Settings) dataValues() (v values.Flags) {
	for _, text := range s.DataValues {
		if strings.Contains(text, "=") {
			v.KV = append(v.KV, text)
		} else {
			v.Files = append(v.Files, text)
		}
	}
	v.KVYAML = s.YAMLValues
	return v
}

// errOffline is the error of inputs that are URLs.
var errOffline = diag.Failf(load.CodeURL, "the language server fetches no URLs").
	WithHint("keep a copy in the project")

// reading returns how a buffer is read, and the options. A file that no project reads is read by its
// name if it looks like a template. Otherwise it is not read at all, since most YAML is not for weft.
func (f *Folder) reading(s *Snapshot, b *buffer) (compile.Kind, compile.Options) {
	if p := f.projectOf(s, b.path); p != nil {
		for _, v := range p.Views() {
			if kind, ok := v.KindOf(b.path); ok {
				return kind, v.config.Compile
			}
			if kind, opt, ok := v.chartValues(b.path, b.file.Data()); ok {
				return kind, opt
			}
		}
		if p.sources[b.path] || slices.Contains(p.testFiles(), b.path) {
			return compile.PlainText, compile.Options{} // comments in it are not code
		}
	}
	if b.isForeign() {
		return compile.PlainText, compile.Options{} // for another server
	}
	return f.guessKind(b), compile.Options{}
}

// guessKind returns how a buffer is read, based only on its name and text.
func (f *Folder) guessKind(b *buffer) compile.Kind {
	in := load.Named(b.path)
	if f.root == "" && in.Type == load.Data {
		in = load.Named("untitled.yml") // a buffer without a file
	}
	if in.Type == load.Data || in.Type != load.Starlark && !hasMarks(b.file.Data()) {
		return compile.PlainText
	}
	return engine.KindOf(in)
}

// hasMarks reports whether a text looks like a template.
func hasMarks(text []byte) bool {
	return bytes.Contains(text, []byte("#@")) || bytes.Contains(text, []byte("(@"))
}
