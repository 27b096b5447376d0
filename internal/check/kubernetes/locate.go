package kubernetes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
)

// CodeSchemas is the code of errors about where schemas are.
const CodeSchemas diag.Code = "kubernetes/schemas"

// Files is the file system with the schemas.
type Files struct {
	FS        fs.FS                   // nil means the disk
	Reads     func(path string)       // called with each path on disk before it is read; may be nil
	CheckPath func(path string) error // returns why a path must not be read; nil allows all
}

func (f Files) reportRead(name string) {
	if f.Reads != nil && f.FS == nil {
		f.Reads(name)
	}
}

// checkPath returns an error if a path must not be read.
func (f Files) checkPath(name string) error {
	if f.CheckPath == nil {
		return nil
	}
	return f.CheckPath(path.Clean(name))
}

func (f Files) stat(name string) (fs.FileInfo, error) {
	if err := f.checkPath(name); err != nil {
		return nil, err
	}
	f.reportRead(name)
	if f.FS == nil {
		return os.Stat(name)
	}
	return fs.Stat(f.FS, path.Clean(name))
}

// errIrregular is the error for files that have no end or may block: devices, pipes, sockets.
var errIrregular = errors.New("it is not a regular file")

func (f Files) read(name string) ([]byte, error) {
	info, err := f.stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, errIrregular
	case f.FS == nil:
		return os.ReadFile(name)
	}
	return fs.ReadFile(f.FS, path.Clean(name))
}

func (f Files) list(name string) ([]fs.DirEntry, error) {
	if err := f.checkPath(name); err != nil {
		return nil, err
	}
	f.reportRead(name)
	if f.FS == nil {
		return os.ReadDir(name)
	}
	return fs.ReadDir(f.FS, path.Clean(name))
}

// location is a place with schemas in the layout of kubeconform: a directory with one directory for
// each version of Kubernetes and each group of custom resources, or a template of paths.
type location struct {
	patterns []string // paths of files, with placeholders in {{ }}
	versions string   // the directory with the schemas of the version, or ""
	files    Files
	dir      string // references must stay inside it
}

// encloses reports whether the path of a reference is inside the location.
func (l location) encloses(name string) bool {
	rel, err := filepath.Rel(l.dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// hole matches a placeholder in a template of paths.
var hole = lazy.Regexp{Text: `\{\{-?\s*\.?([^{}]*?)\s*-?\}\}`}

// holes are the names of placeholders.
var holes = []string{
	"NormalizedKubernetesVersion", "StrictSuffix", "ResourceKind", "ResourceAPIVersion", "Group",
	"KindSuffix",
}

// fill returns a path for a type of a version of Kubernetes.
func fill(pattern, version, strict string, t Type) string {
	group, apiVersion := groupVersion(t.APIVersion)
	suffix := "-" + strings.ToLower(apiVersion)
	if group != "" {
		first, _, _ := strings.Cut(group, ".")
		suffix = "-" + strings.ToLower(first) + suffix
	} else {
		group = apiVersion // as in kubeconform
	}
	values := map[string]string{
		"NormalizedKubernetesVersion": version, "StrictSuffix": strict,
		"ResourceKind": strings.ToLower(t.Kind), "ResourceAPIVersion": apiVersion,
		"Group": group, "KindSuffix": suffix,
	}
	return hole.Get().ReplaceAllStringFunc(pattern, func(s string) string {
		return values[hole.Get().FindStringSubmatch(s)[1]]
	})
}

// checkTemplate returns an error for an unknown placeholder in a template.
func checkTemplate(pattern string) error {
	for _, m := range hole.Get().FindAllStringSubmatch(pattern, -1) {
		if slices.Contains(holes, m[1]) {
			continue
		}
		d := diag.Failf(CodeSchemas, "unknown placeholder '%s' in a schema path", m[1])
		return d.WithHint("use %s", jsonschema.Joined(holes, "and")).WithNearestAs("{{ .%s }}", m[1], holes)
	}
	return nil
}

// CheckVersion returns an error for a text that is not a version of Kubernetes.
func CheckVersion(version string) error {
	if _, ok := parseVersion(version); ok {
		return nil
	}
	return diag.Failf(CodeSchemas, "expected a version of Kubernetes, but found '%s'", version).
		WithHint("write it as 1.31, 1.31.4 or master")
}

// release is a version of Kubernetes: two or three numbers, or none for master.
type release []int

// parseVersion reads a version: 1.31, v1.31.4 or master.
func parseVersion(s string) (release, bool) {
	if s == "master" {
		return release{}, true
	}
	var r release
	for part := range strings.SplitSeq(strings.TrimPrefix(s, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || len(part) > 9 {
			return nil, false
		}
		r = append(r, n)
	}
	return r, len(r) == 2 || len(r) == 3
}

// is reports whether r is the requested version, or a patch release of it.
func (r release) is(asked release) bool {
	if len(asked) == 0 {
		return len(r) == 0
	}
	return len(r) >= len(asked) && slices.Equal(r[:len(asked)], asked)
}

// The layout of directories: v1.31.4-standalone-strict/deployment-apps-v1.json for Kubernetes, and
// example.com/widget_v1.json for custom resources.
const (
	standalone  = "-standalone"
	strict      = "-strict"
	kindPattern = "{{.ResourceKind}}{{.KindSuffix}}.json"
	crdPattern  = "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
)

// versionDir returns the directory of a version in dir, preferring the newest patch and strict
// schemas; others are the versions that exist instead.
func (f Files) versionDir(dir, version string) (found string, others []string, err error) {
	asked, _ := parseVersion(version)
	entries, err := f.list(dir)
	if err != nil {
		return "", nil, err
	}
	var best release
	isStrict := false
	for _, e := range entries {
		name, rest, ok := strings.Cut(e.Name(), standalone)
		if !ok || rest != "" && rest != strict {
			continue
		}
		r, ok := parseVersion(name)
		if !ok {
			continue
		}
		if !r.is(asked) {
			if !slices.Contains(others, name) {
				others = append(others, name)
			}
			continue
		}
		order := slices.Compare(r, best)
		if found == "" || order > 0 || order == 0 && rest == strict && !isStrict {
			found, best, isStrict = e.Name(), r, rest == strict
		}
	}
	return found, others, nil
}

// open opens a place with schemas. Definitions of custom resources are added to defined.
func (s *set) open(name string, files Files) (location, error) {
	if before, _, ok := strings.Cut(name, "{{"); ok {
		l := location{patterns: []string{name}, files: files, dir: path.Dir(before + "_")}
		return l, checkTemplate(name)
	}
	info, err := files.stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return location{}, unreadable(name, err).WithHint("%s", fetchCommands(s.version, name))
	}
	if err != nil {
		return location{}, unreadable(name, err)
	}
	if !info.IsDir() {
		return location{}, s.define(name, files)
	}
	dir, others, err := files.versionDir(name, s.version)
	if err != nil {
		return location{}, unreadable(name, err)
	}
	s.others = append(s.others, others...)
	l := location{patterns: []string{path.Join(name, crdPattern)}, files: files, dir: path.Clean(name)}
	if dir != "" {
		l.versions = path.Join(name, dir)
		l.patterns = append([]string{path.Join(l.versions, kindPattern)}, l.patterns...)
	}
	return l, s.defineAll(name, files)
}

func unreadable(name string, err error) *diag.Diagnostic {
	if d, ok := errors.AsType[*diag.Diagnostic](err); ok { // the message is complete
		return d
	}
	why := err.Error()
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		why = e.Err.Error()
	}
	return diag.Failf(CodeSchemas, "cannot read the schemas in '%s': %s", name, why)
}

// define adds the custom resources that a file defines.
func (s *set) define(name string, from Files) error {
	text, err := from.read(name)
	if err != nil {
		return unreadable(name, err)
	}
	files := &source.Set{}
	docs, err := parseAll(files, name, text)
	if err != nil {
		return wrongFile(files, name, err)
	}
	for _, doc := range docs {
		s.defined.addAll(doc, name)
	}
	return nil
}

// defineAll adds the custom resources that YAML files in a directory define.
func (s *set) defineAll(dir string, from Files) error {
	entries, err := from.list(dir)
	if err != nil {
		return unreadable(dir, err)
	}
	for _, e := range entries {
		switch path.Ext(e.Name()) {
		case ".yml", ".yaml":
			if err := s.define(path.Join(dir, e.Name()), from); err != nil {
				return err
			}
		}
	}
	return nil
}

// missingVersion returns the error that there are no schemas of a version, where weft looked, and
// how to get them.
func (s *set) missingVersion(names []string) error {
	if len(names) == 0 {
		return diag.Failf(CodeSchemas, "--kubernetes %s needs the schemas of that version", s.version).
			WithHint("%s", fetchCommands(s.version, "schemas"))
	}
	d := diag.Failf(CodeSchemas, "found no schemas of Kubernetes %s in %s", s.version,
		jsonschema.Joined(names, "or"))
	dir := s.firstDir(names)
	if len(s.others) > 0 {
		return d.WithHint("there are those of %s; to get others in a clone of kubernetes-json-schema:\n"+
			"git -C %s sparse-checkout add %s", newest(s.others), diag.PathInShell(dir), dirOf(s.version))
	}
	if dir == "" {
		return d.WithHint("a file counts as definitions of custom resources; "+
			"name a directory with the schemas of Kubernetes, too; %s", fetchCommands(s.version, "schemas"))
	}
	return d.WithHint("weft looks for directories such as %s; %s",
		path.Join(dir, dirOf(s.version)), fetchCommands(s.version, "schemas"))
}

// firstDir returns the first place that is a directory, or "". All places are open.
func (s *set) firstDir(names []string) string {
	for i, name := range names {
		if len(s.locations[i].patterns) > 0 {
			return name
		}
	}
	return ""
}

// newest lists versions, newest first, but not too many.
func newest(versions []string) string {
	slices.SortFunc(versions, func(a, b string) int {
		x, _ := parseVersion(a)
		y, _ := parseVersion(b)
		return slices.Compare(y, x)
	})
	versions = slices.Compact(versions)
	if more := len(versions) - jsonschema.MaxAlternatives; more > 0 {
		return strings.Join(versions[:jsonschema.MaxAlternatives], ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return jsonschema.Joined(versions, "and")
}

// dirOf returns the directory that the schemas of a version are in.
func dirOf(version string) string {
	r, _ := parseVersion(version)
	switch len(r) {
	case 0:
		return "master" + standalone + strict
	case 2:
		return fmt.Sprintf("v%d.%d.0%s%s", r[0], r[1], standalone, strict)
	}
	return fmt.Sprintf("v%d.%d.%d%s%s", r[0], r[1], r[2], standalone, strict)
}

// fetchCommands returns the commands that fetch the schemas of a version to a directory.
func fetchCommands(version, dir string) string {
	dir = diag.PathInShell(dir)
	return fmt.Sprintf("to get them:\n"+
		"git clone --depth 1 --filter=blob:none --sparse "+
		"https://github.com/yannh/kubernetes-json-schema %s\n"+
		"git -C %s sparse-checkout set %s\n"+
		"and pass --kubernetes-schemas %s, or set output.validate.schemas in weft.yml",
		dir, dir, dirOf(version), dir)
}
