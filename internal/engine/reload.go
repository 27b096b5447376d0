package engine

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/values"
	"weft/internal/lang/browser"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// FileChanges is what happened to the files of a session.
type FileChanges struct {
	// Paths are the files on disk, or in the file system of the configuration, whose content may
	// have changed. New and removed files are detected anyway.
	Paths []string

	// Only means that nothing changed on disk except at Paths, which include new and removed files.
	// Then directories need not be listed.
	Only bool

	// Memory is the new files in memory. If it is nil, they stay the same.
	Memory []load.Memory

	// FS is the new file system. If it is nil, it stays the same. Files that Paths does not name
	// are the same in both.
	FS fs.FS
}

// Reload returns the session after files changed, appeared or disappeared. Only what changed is
// read again, and compiled again when it is needed; the results of the last evaluation for the rest
// are reused. s does not change.
func (s *Session) Reload(ctx context.Context, change FileChanges) (*Session, error) {
	// next does not have files that s reads from here on.
	s.mu.Lock()
	next, flags, shared, overrides := s.next(), s.flags, s.shared, s.overrides
	s.mu.Unlock()
	next.snapshot = &sync.Map{}
	if change.Memory != nil {
		next.config.Load.Memory = change.Memory
	}
	if change.FS != nil {
		next.config.Load.FS = change.FS
	}
	changed := setOf(change.Paths)
	is := changed.has
	defer s.config.Timings.stage("load")()
	same := false
	var err error
	opt := next.config.Loading(ctx)
	if change.Only && change.Memory == nil && opt.FS == nil {
		paths := slices.Collect(maps.Keys(changed))
		next.inputs, next.read, same, err = load.Refresh(next.files, opt, s.inputs, paths)
	}
	if !same {
		next.inputs, next.read, err = load.Reload(next.files, opt, s.inputs, is)
	}
	if err != nil {
		return nil, s.config.Fail(ctx, next.files, err)
	}
	next.lib = s.lib.Next(next.inputs)
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.forgetKept(next)
	next.last, next.inJSON, next.analyses = s.last, s.inJSON, s.analyses
	if s.origins != nil {
		next.origins = &tree.Origins{} // origins in declarations refer to the old table
	} else {
		next.inherit(s.declared)
	}
	valuePaths := append(slices.Clone(s.config.Values.Files), layerPaths(s.config.Values.Project)...)
	has := func(l *Layers, dirs []string) bool { return l.changed(dirs, change.Paths, is) }
	next.environments = s.environments.next(has)
	if flags != nil && !has(flags, valuePaths) {
		next.flags = flags.withFiles(next.files)
	} else {
		next.forget(flags)
	}
	if x := shared; x != nil && !has(x.before, valuePaths) && !has(x.after, nil) {
		next.shared = &sharedLayers{x.before.withFiles(next.files), x.after.withFiles(next.files)}
	} else if x != nil {
		next.forget(x.before)
		next.forget(x.after)
	}
	if x := overrides; x != nil && !anyChanged(x.read, onDisks(s.config.Overrides), change.Paths, is) {
		next.overrides = x
	}
	return next, nil
}

// pathSet is a set of clean paths.
type pathSet map[string]bool

func setOf(paths []string) pathSet {
	set := pathSet{}
	for _, p := range paths {
		set[filepath.Clean(p)] = true
	}
	return set
}

func (s pathSet) has(path string) bool { return s[filepath.Clean(path)] }

// Release drops what the evaluations of the session keep for the next ones, after Reload has passed it on.
// Declarations that later sessions inherit refer to the session, and would keep all its documents in memory.
func (s *Session) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.inJSON, s.analyses = nil, nil, nil
}

// withFiles returns the same layers for another set of files.
func (l *Layers) withFiles(files *source.Set) *Layers {
	same := *l
	same.files = files
	return &same
}

// changed reports whether a file of data values has changed, or a changed file is in one of the
// directories that they are read from.
func (l *Layers) changed(dirs, paths []string, is func(string) bool) bool {
	return anyChanged(l.read, slices.Concat(dirs, l.asked), paths, is)
}

// anyChanged reports whether one of the inputs has changed, or a changed file is one of dirs or in one.
func anyChanged(read []load.Input, dirs, paths []string, is func(string) bool) bool {
	if slices.ContainsFunc(read, func(in load.Input) bool { return is(in.Origin()) }) {
		return true
	}
	return slices.ContainsFunc(dirs, func(arg string) bool {
		if _, after, ok := strings.Cut(arg, ":"); ok && strings.HasPrefix(arg, "@") {
			arg = after
		}
		dir := load.DiskPath(arg)
		return slices.ContainsFunc(paths, func(p string) bool {
			rel, err := filepath.Rel(dir, p)
			return dir != "" && err == nil && filepath.IsLocal(rel)
		})
	})
}

// layerPaths returns the files and directories that a project sets data values from.
func layerPaths(p *values.ProjectValues) []string {
	if p == nil {
		return nil
	}
	var paths []string
	for _, l := range p.Layers {
		paths = append(paths, l.Path)
	}
	return paths
}

// Variant returns a session with another configuration, as Open would. Files that s has read are not read
// again, unless changed names them, and those that both compile in the same way are not compiled again.
// s does not change; Variant is safe for concurrent use.
func (s *Session) Variant(ctx context.Context, config Config, changed ...string) (*Session, error) {
	next := newSession(config, s.files.Copy())
	if !sameLoading(&s.config.Load, &next.config.Load) {
		return Open(ctx, config)
	}
	defer s.config.Timings.stage("load")()
	if len(changed) == 0 {
		next.snapshot = s.snapshot
	}
	s.mu.Lock()
	next.forget(s.flags)
	s.mu.Unlock()
	if err := next.replaceProject(ctx, s); err != nil {
		return nil, err
	}
	is := setOf(changed).has
	var err error
	next.inputs, next.read, err = load.Reload(next.files, next.config.Loading(ctx), s.inputs, is)
	if err != nil {
		return nil, s.config.Fail(ctx, next.files, err)
	}
	if s.config.Compile == next.config.Compile && s.config.Keep == config.Keep {
		next.setLibrary(s.lib.Next(next.inputs))
	} else {
		next.setLibrary(eval.NewLibrary(next.inputs, next.config.Compile))
		next.lib.Keep = config.keeper()
	}
	return next, nil
}

// replaceProject takes over the project files of another session, or adds those of the configuration.
func (s *Session) replaceProject(ctx context.Context, old *Session) error {
	same := func(a, b load.Memory) bool { return a.Path == b.Path && bytes.Equal(a.Data, b.Data) }
	if slices.EqualFunc(s.config.Project, old.config.Project, same) {
		s.project = old.project
		return nil
	}
	for _, f := range old.project {
		s.files.Remove(f.File)
	}
	return s.addProject(ctx)
}

// sameLoading reports whether files that are read with one set of options are the same with another. Which
// files are read may differ, and how URLs are fetched.
func sameLoading(a, b *load.Options) bool {
	key := func(o load.Options) string {
		o.Paths, o.Exclude, o.Marks, o.Stdin, o.FS, o.Fetch = nil, nil, nil, nil, nil, nil
		var k keyWriter
		k.load(&o)
		return string(k.text)
	}
	return (a.FS == nil) == (b.FS == nil) && key(*a) == key(*b)
}

// Sibling returns a session of the same files with the data values and overrides of another
// configuration, such as those of another environment. What both share is not read, compiled or
// analyzed again, and their evaluations are independent. s does not change.
func (s *Session) Sibling(config Config) *Session {
	next := s.next()
	next.config.Values, next.config.Overrides = config.Values, config.Overrides
	next.config.Shortcuts, next.config.JSONSchemas = config.Shortcuts, config.JSONSchemas
	next.config.Generators = config.Generators
	next.inputs = s.inputs
	next.lib = s.lib.Next(s.inputs)
	if s.origins != nil {
		next.origins = &tree.Origins{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next.analyses = s.analyses
	next.forget(s.flags)
	return next
}

// next returns a session like s, but without files.
func (s *Session) next() *Session {
	return &Session{
		config: s.config, files: s.files.Copy(), origins: s.origins, project: s.project,
		snapshot: s.snapshot,
	}
}

// inherit takes over the declarations of libraries.
func (s *Session) inherit(old map[declaredKey]*declared) {
	s.declared = map[declaredKey]*declared{}
	for key, d := range old {
		scope, ok := key.scope.In(s.lib)
		if !ok {
			continue
		}
		key.scope = scope
		s.declared[key] = &declared{before: d.legacy()}
	}
}

// forgetKept drops the comments of files that the next session does not have.
func (s *Session) forgetKept(next *Session) {
	if browser.IsFirst || s.lib.Keep == nil {
		return
	}
	removed := map[*source.File]bool{}
	for _, in := range s.inputs {
		removed[in.File] = true
	}
	if s.flags != nil && next.flags == nil {
		for _, in := range s.flags.read {
			removed[in.File] = true
		}
	}
	if s.overrides != nil && next.overrides == nil {
		for _, in := range s.overrides.read {
			removed[in.File] = true
		}
	}
	for _, in := range next.inputs {
		delete(removed, in.File)
	}
	next.lib.Keep = s.lib.Keep.Without(removed)
}

// forget forgets the files that layers were read from.
func (s *Session) forget(layers *Layers) {
	if layers == nil {
		return
	}
	for _, in := range layers.read {
		if in.File != nil && s.files.File(in.File.Pos(0)) == in.File {
			s.files.Remove(in.File)
		}
	}
}

// Stats returns the counts of the session's work so far.
func (s *Session) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Read: s.read, Compiled: s.lib.Compiled(), Evaluated: s.lib.Evaluated()}
}

// countFiles returns how many inputs were read.
func countFiles(inputs []load.Input) int {
	n := 0
	for _, in := range inputs {
		if in.File != nil {
			n++
		}
	}
	return n
}

// scope returns the files of the project, or of a private library by its folder.
func (s *Session) scope(folder string) eval.Scope {
	if folder == "" {
		return s.lib.Root()
	}
	return s.lib.At(folder)
}
