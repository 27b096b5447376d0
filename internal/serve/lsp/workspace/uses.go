package workspace

import (
	"path"
	"slices"

	"weft/internal/engine/override"
	"weft/internal/lang/yaml"
	"weft/internal/project"
)

// IsProjectFile reports whether the document is a weft.yml, or a project file that one extends.
func (d *TextDocument) IsProjectFile() bool {
	if path.Base(d.path) == project.FileName {
		return true
	}
	p := d.Project()
	return p != nil && p.sources[d.path]
}

// IsTestFile reports whether the document has tests: by its name, or because weft.yml says so.
func (d *TextDocument) IsTestFile() bool {
	if project.IsTest(d.path) {
		return true
	}
	p := d.Project()
	return p != nil && slices.Contains(p.testFiles(), d.path)
}

// Overrides returns how an environment uses the document as a file of overrides. It returns false if none
// does.
func (d *TextDocument) Overrides() (override.Argument, bool) {
	p := d.Project()
	if p == nil {
		return override.Argument{}, false
	}
	for _, v := range p.Views() {
		if x, ok := v.overrides(d.path); ok {
			return x, true
		}
	}
	return override.Argument{}, false
}

// overrides returns how an environment uses a file as one of overrides. It returns false if it does not.
func (v *View) overrides(file string) (override.Argument, bool) {
	for _, x := range v.config.Overrides {
		if x.File && (path.Clean(x.Text) == file || path.Clean(x.Text) == path.Dir(file)) {
			return x, true
		}
	}
	return override.Argument{}, false
}

// Syntax returns how the YAML of the document is parsed. Project files and test files are always YAML 1.2.
func (d *TextDocument) Syntax() yaml.Options {
	_, opt := d.snap.folder.reading(d.snap, d.buffer)
	y := opt.YAML
	y.UniqueKeys, y.Workers = false, 1
	if d.IsProjectFile() || d.IsTestFile() {
		y.Grammar, y.Schema = yaml.YAML12, yaml.Core
	}
	return y
}

// RunsTests reports whether the client can run tests.
func (d *TextDocument) RunsTests() bool { return d.snap.folder.session.opt.RunsTests }

// ReportMissingSchemas reports, once per session, that there are no schemas for the Kubernetes
// objects of a document.
func (d *TextDocument) ReportMissingSchemas() {
	if s := d.snap.folder.session; s.opt.NoSchemas != nil {
		s.schemas.Do(func() { s.opt.NoSchemas(d) })
	}
}
