package engine

import (
	"context"
	"os"
	"slices"

	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/override"
	"weft/internal/lang/browser"
	"weft/internal/lang/diag"
	"weft/internal/lang/keep"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// overrides are the overrides of a session's configuration, after reading them.
type overrides struct {
	docs []tree.Doc
	only []override.Selector // which documents each is for, by the project
	read []load.Input        // the files on disk that they were read from
}

// override applies the overrides to the documents of templates and overlays.
func (e *evaluation) override(outputs []eval.Output, log *messages) error {
	if browser.IsFirst || len(e.config.Overrides) == 0 { // see Open
		return nil
	}
	defer e.config.Timings.stage("override")()
	overrides, err := e.session.readOverrides(e.ctx)
	if err != nil {
		return err
	}
	left, names := make([][]tree.Doc, len(outputs)), make([]string, len(outputs))
	empty := true
	for i := range outputs {
		left[i] = outputs[i].Docs
		if f := outputs[i].File; f != nil && f.Input.File != nil {
			names[i] = f.Input.File.Shown()
		}
		empty = empty &&
			!slices.ContainsFunc(left[i], func(d tree.Doc) bool { return !d.Value.IsNull() })
	}
	if empty {
		return nil // templates may produce no documents
	}
	docs, err := override.Apply(e.ctx, left, overrides.docs, override.Options{
		Origins: e.session.origins, Warn: func(d *diag.Diagnostic) { log.notes = append(log.notes, d) },
		Used: e.usedByOverrides(),
		Only: overrides.only, ByName: e.config.ByName, Files: names,
		KeepPlaces: e.config.Keep&keep.Comments != 0, Workers: e.config.Workers,
	})
	if err != nil {
		return err
	}
	for i := range outputs {
		outputs[i].Docs = docs[i]
	}
	return nil
}

// readOverrides reads the overrides of the configuration, once.
func (s *Session) readOverrides(ctx context.Context) (*overrides, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if browser.IsFirst || s.overrides != nil || len(s.config.Overrides) == 0 {
		return s.overrides, nil
	}
	var o overrides
	var err error
	if o.read, err = s.config.overrideFiles(); err != nil {
		return nil, err
	}
	r := override.Reader{
		Files: s.files, Stdin: s.config.Load.Stdin, FS: s.config.Load.FS,
		YAML: s.config.Compile.YAML, Typed: true, Symlinks: s.config.Load.Symlinks,
	}
	if o.docs, err = r.Overrides(ctx, s.config.Overrides); err != nil {
		return nil, err
	}
	o.only = r.Only
	s.overrides = &o
	s.keepOverrides()
	return s.overrides, nil
}

// keepOverrides records that output may come from the overrides.
func (s *Session) keepOverrides() {
	if s.lib.Keep == nil || s.overrides == nil {
		return
	}
	for _, d := range s.overrides.docs {
		if t, _, ok := d.Value.Syntax(); ok {
			s.lib.Keep.Add(t.File(), []*yaml.Tree{t}, keep.Role{Overlay: true})
		}
	}
}

// overrideFiles finds the files on disk with overrides. Links among them are checked by the same
// rule as elsewhere. Missing files are reported when they are read.
func (c *Config) overrideFiles() ([]load.Input, error) {
	if c.Load.FS != nil {
		return nil, nil
	}
	var found []load.Input
	for _, arg := range c.Overrides {
		p := onDisk(arg)
		if _, err := os.Lstat(p); err != nil {
			continue
		}
		files, err := c.Load.Symlinks.Find(p)
		if err != nil {
			return nil, err
		}
		found = append(found, files...)
	}
	return found, nil
}

// onDisks returns the paths of overrides that are files.
func onDisks(args []override.Argument) (paths []string) {
	for _, arg := range args {
		paths = append(paths, onDisk(arg))
	}
	return paths
}

// onDisk returns the path on disk of an override, or "" if it comes from elsewhere.
func onDisk(arg override.Argument) string {
	if !arg.File || arg.Text == "-" {
		return ""
	}
	if path := load.DiskPath(arg.Text); path != arg.Text || !load.IsURL(arg.Text) {
		return path
	}
	return ""
}
