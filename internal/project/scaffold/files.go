package scaffold

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/project"
	"weft/internal/rewrite/migrate"
)

// maxFiles is the maximum number of files that are examined.
const maxFiles = 20_000

// maxFile is the maximum size of a file that is read.
const maxFile = 64 << 20

// isFile reports whether there is a regular file that is small enough to read. Links are not followed: they
// may lead out of the directory, into .git, or to a device or a pipe without an end.
func isFile(dir fs.FS, name string) bool {
	info, err := fs.Lstat(dir, name)
	return err == nil && info.Mode().IsRegular() && info.Size() <= maxFile
}

// readFile returns the text of a file, and whether it can be read.
func readFile(dir fs.FS, name string) ([]byte, bool) {
	if !isFile(dir, name) {
		return nil, false
	}
	text, err := fs.ReadFile(dir, name)
	return text, err == nil
}

// FromFiles drafts projects for the files of a directory: one, or several if it has several
// unrelated ones.
func FromFiles(dir fs.FS) ([]*Draft, error) {
	f, err := survey(dir, generatedDirs)
	if err == nil && len(f.files) == 0 { // perhaps a release of others that is to be patched
		f, err = survey(dir, withoutVendored(generatedDirs))
	}
	if err != nil {
		return nil, err
	}
	e, err := surveyEngines(dir)
	if err != nil {
		return nil, err
	}
	if all := e.sources(f); len(all) > 0 && !f.hasCode() {
		return []*Draft{{Dir: ".", Text: planOf(all).text(), Notes: e.notes(), sources: all}}, nil
	}
	if len(e.helmfiles.paths) > 0 && !f.hasCode() { // what else there is are values
		none := Note{Text: "found nothing that weft can render: add charts, kustomizations or inputs"}
		return []*Draft{{Dir: ".", Text: (&plan{edition: "2026"}).text(), Notes: append(e.notes(), none)}}, nil
	}
	var drafts []*Draft
	for _, root := range f.roots(".") {
		p := f.below(root).plan()
		d := &Draft{Dir: root, Text: p.text()}
		if len(p.twice) > 0 {
			d.Notes = append(d.Notes, Note{Text: "left out, since other files have the values of these " +
				"environments; add them to `valueFiles`: " + SomeOf(p.twice)})
		}
		if len(p.common.inputs) == 0 {
			d.Notes = append(d.Notes, Note{Text: "found no templates: add them to `inputs`"})
		}
		drafts = append(drafts, d)
	}
	if len(f.left) > 0 {
		note := Note{Text: "left out, since it is generated, about the project or for other tools: " +
			SomeOf(f.left)}
		drafts[0].Notes = append(drafts[0].Notes, note)
	}
	return drafts, nil
}

// maxNames is how many of many names are shown.
const maxNames = 5

// SomeOf joins the first few of many names, as they can be shown.
func SomeOf(names []string) string {
	var shown []string
	for _, name := range names[:min(len(names), maxNames)] {
		shown = append(shown, diag.Visible(name))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - maxNames; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// kind is what a file is for.
type kind uint8

const (
	plainFile kind = iota
	template       // has code
	schema
	dataValues
	overlay
	helper // is loaded by others
)

type file struct {
	path     string
	kind     kind
	manifest bool     // it is deployed to a cluster
	object   bool     // it also has a version of an API
	library  bool     // it belongs to a library
	layer    bool     // it adds to the schema or the data values of other files
	keys     []string // the keys of its data values
}

// found is the files of a directory.
type found struct {
	files []file
	left  []string // directories and files with YAML that were left out

	generated []string // names of directories that are not examined
}

// survey examines the files below a directory. It leaves out files that are hidden, generated, meant
// for other tools, or only about the project.
func survey(dir fs.FS, generated []string) (*found, error) {
	f := &found{generated: generated}
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			if entry != nil && entry.IsDir() && name != "." {
				return fs.SkipDir // the directory cannot be read
			}
			return err
		}
		if entry.IsDir() {
			return f.enter(dir, name)
		}
		base := path.Base(name)
		if strings.HasPrefix(base, ".") || base == project.FileName || !entry.Type().IsRegular() ||
			len(f.files) >= maxFiles {
			return nil
		}
		switch {
		case isYAML(base):
			f.add(dir, name)
		case path.Ext(base) == ".star":
			f.files = append(f.files, file{path: name, kind: helper})
		}
		return nil
	})
	return f, err
}

// enter decides what to do with a directory. Directories of libraries are not examined.
func (f *found) enter(dir fs.FS, name string) error {
	if name == "." || inLibrary(name+"/") {
		return nil
	}
	generated := slices.Contains(f.generated, path.Base(name))
	if !generated && !isLeftOut(dir, name) {
		return nil
	}
	if hasYAML(dir, name, generated) {
		f.left = append(f.left, name)
	}
	return fs.SkipDir
}

// add records a YAML file.
func (f *found) add(dir fs.FS, name string) {
	data, ok := readFile(dir, name)
	if !ok {
		return
	}
	if bytes.IndexByte(data, 0) >= 0 { // such as an encrypted file
		f.left = append(f.left, name)
		return
	}
	text := string(data)
	x := file{path: name, kind: kindOf(text), library: inLibrary(name)}
	if isForeign(name, text, x.kind) && !x.library {
		f.left = append(f.left, name)
		return
	}
	switch x.kind {
	case plainFile:
		x.manifest = manifestMark.Get().MatchString(text)
		x.object = x.manifest && versionMark.Get().MatchString(text)
	case schema:
		x.layer = overlayMark.Get().MatchString(text)
	case dataValues:
		x.layer = overlayMark.Get().MatchString(text)
		for _, m := range keyMark.Get().FindAllStringSubmatch(text, -1) {
			x.keys = addOnce(x.keys, m[1])
		}
	}
	f.files = append(f.files, x)
}

func inLibrary(name string) bool { return strings.Contains("/"+name, "/_ytt_lib/") }

var (
	schemaMark   = lazy.Regexp{Text: `(?m)^#@ *data/values-schema`}
	valuesMark   = lazy.Regexp{Text: `(?m)^#@ *data/values\b`}
	overlayMark  = lazy.Regexp{Text: `(?m)^#@ *overlay/(match|match-child-defaults)\b`}
	code         = lazy.Regexp{Text: `(?m)(^|\s)#@`}
	versionMark  = lazy.Regexp{Text: `(?m)^apiVersion:\s`}
	manifestMark = lazy.Regexp{Text: `(?m)^(kind|"kind"):\s`}
	keyMark      = lazy.Regexp{Text: `(?m)^["']?([A-Za-z_][\w.-]*)["']?:(?:\s|$)`}
)

func kindOf(text string) kind {
	switch {
	case schemaMark.Get().MatchString(text):
		return schema
	case valuesMark.Get().MatchString(text):
		return dataValues
	case overlayMark.Get().MatchString(text):
		return overlay
	case code.Get().MatchString(text):
		return template
	}
	return plainFile
}

// top returns the first part of a path.
func top(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

// valuesFile matches names of files with the values of an environment; the group is its name.
var valuesFile = lazy.Regexp{
	Text: `^(?:(?:.*/)?(?:envs?|environments|clusters|stages|values)/([^/]+)|` +
		`(?:.*/)?values[-._]([^/]+))\.ya?ml$`,
}

// environmentOf returns the name of the environment whose values a file has, or "".
func environmentOf(x file) string {
	m := valuesFile.Get().FindStringSubmatch(x.path)
	if m == nil || x.kind != plainFile || x.library || x.manifest {
		return ""
	}
	if name := m[1] + m[2]; project.IsName(name) && name != "schema" && name != "values" {
		return name
	}
	return ""
}

// isEnvironment reports whether a file has the values of an environment of the project at the top.
func isEnvironment(x file) bool {
	dir, _, deep := strings.Cut(x.path, "/")
	return environmentOf(x) != "" && (!deep || valuesFile.Get().MatchString(dir+"/x.yml") &&
		strings.Count(x.path, "/") == 1)
}

// plan sorts files into a project.
func (f *found) plan() *plan {
	p := &plan{edition: "2026"}
	values := map[string]string{} // the file with the values of each environment
	var names []string
	overlays := map[string]string{} // overlays of environments, by name
	inputs := map[string]string{}   // inputs, by top directory
	aside := slices.Clone(f.left)   // files that are not rendered
	var unused []string
	whole := f.hasLibraries() // the whole directory is the input
	for _, x := range f.files {
		if x.kind != plainFile && x.kind != helper {
			p.edition = "ytt"
		}
		name := environmentOf(x)
		switch {
		case name != "" && values[name] == "":
			values[name] = x.path
			names = append(names, name)
			aside = append(aside, x.path)
		case name != "": // values, too, and never documents
			p.twice = append(p.twice, x.path)
			aside = append(aside, x.path)
		case x.kind == overlay && !whole && (!strings.Contains(x.path, "/") || isOverlayDir(top(x.path))):
			overlays[stem(x.path)] = x.path
		case x.kind == plainFile && (x.path == "values.yml" || x.path == "values.yaml"):
			p.common.valueFiles = append(p.common.valueFiles, x.path)
			aside = append(aside, x.path)
		case f.rendered(x):
			if inputs[top(x.path)] == "" {
				inputs[top(x.path)] = f.input(x.path)
			}
		default:
			unused = append(unused, x.path)
		}
	}
	p.common.inputs = slices.Sorted(maps.Values(inputs))
	if whole {
		p.common.inputs = []string{"."}
		aside = append(append(aside, unused...), project.FileName)
		if len(names) > 0 {
			aside = append(aside, "out")
		}
	}
	p.common.exclude = excluded(aside, p.common.inputs)
	if p.edition == "ytt" {
		p.comment = migrate.Advice
	}
	slices.Sort(names)
	for _, name := range slices.Sorted(keys(overlays)) {
		if values[name] == "" {
			p.common.overlays = append(p.common.overlays, overlays[name])
		}
	}
	p.environments(names, values, overlays)
	return p
}

// hasLibraries reports whether there are libraries at the top. Templates find them only next to
// themselves, so a library as a separate input would not be found.
func (f *found) hasLibraries() bool {
	return slices.ContainsFunc(f.files, func(x file) bool { return top(x.path) == "_ytt_lib" })
}

// input returns the input that includes a file: the file itself, or the directory that it is rendered
// with. That is its top directory, or the first directory below it that contains several, such as
// `bundle/config`.
func (f *found) input(name string) string {
	dir := top(name)
	for dir != name {
		below := f.below(dir).files
		next := top(below[0].path)
		if next == below[0].path || next == "_ytt_lib" || slices.ContainsFunc(below, func(x file) bool {
			return top(x.path) != next
		}) {
			break
		}
		dir = path.Join(dir, next)
	}
	return dir
}

// excluded returns the patterns that exclude files and directories from their inputs.
func excluded(names, inputs []string) (patterns []string) {
	for _, name := range names {
		for _, in := range inputs {
			rest, inside := strings.CutPrefix(name, in+"/")
			if in == "." {
				rest, inside = name, true
			}
			if inside && !isYAML(name) {
				rest += "/**/*"
			}
			if inside {
				patterns = addOnce(patterns, rest)
			}
		}
	}
	slices.Sort(patterns)
	return patterns
}

// rendered reports whether a file is an input. A plain file is an input if it is deployed to a
// cluster, if it is next to files with code, or if overlays would otherwise have nothing to change.
func (f *found) rendered(x file) bool {
	beside := func(y file) bool {
		return y.kind != plainFile && y.kind != helper && strings.Contains(y.path, "/") &&
			strings.Contains(x.path, "/") && top(y.path) == top(x.path)
	}
	switch {
	case x.kind == helper:
		return slices.ContainsFunc(f.files, func(y file) bool {
			return y.kind == template && path.Dir(y.path) == path.Dir(x.path)
		})
	case x.kind != plainFile || x.manifest:
		return true
	case slices.ContainsFunc(f.files, beside):
		return true
	}
	if f.has(template) {
		return false
	}
	// If there is nothing else to render, plain files are rendered.
	return f.has(overlay) || !slices.ContainsFunc(f.files, func(y file) bool { return y.manifest })
}

// hasCode reports whether there are files that only weft can render.
func (f *found) hasCode() bool {
	return f.has(template) || f.has(schema) || f.has(dataValues) || f.has(overlay)
}

func (f *found) has(k kind) bool {
	return slices.ContainsFunc(f.files, func(x file) bool { return x.kind == k })
}

func isOverlayDir(dir string) bool {
	return dir == "overlays" || dir == "overlay" || dir == "patches"
}

func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// fewEnvironments are listed one by one.
const fewEnvironments = 5

// environments adds the environments: one by one, or with one `each` if there are many of one kind.
func (p *plan) environments(names []string, values, overlays map[string]string) {
	if len(names) == 0 {
		return
	}
	p.common.dir = "out/{env}"
	if family := familyOf(names, values, overlays); family != "" && len(names) > fewEnvironments {
		p.envs = []environment{{name: "*", settings: settings{each: family}}}
		return
	}
	for _, name := range names {
		e := environment{name: name, settings: settings{valueFiles: []string{values[name]}}}
		if overlays[name] != "" {
			e.overlays = []string{overlays[name]}
		}
		p.envs = append(p.envs, e)
	}
}

// familyOf returns a pattern that matches the values of all environments and nothing else, or "".
func familyOf(names []string, values, overlays map[string]string) string {
	pattern := ""
	for _, name := range names {
		ext := path.Ext(values[name])
		candidate := strings.TrimSuffix(values[name], name+ext) + "*" + ext
		if overlays[name] != "" || pattern != "" && candidate != pattern {
			return ""
		}
		pattern = candidate
	}
	return pattern
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
