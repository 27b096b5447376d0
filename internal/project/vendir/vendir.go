// Package vendir translates vendir.yml, with the versions of vendir.lock.yml, to the key `vendor` of
// weft.yml.
//
//	vendir.go    the files: directories, their contents, notes about what is left out
//	sources.go   one kind of content each: git, http, images, charts, releases of GitHub
//	write.go     the sources as YAML
package vendir

import (
	"path"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/project"
	"weft/internal/project/git"
	"weft/internal/project/vendor"
)

// CodeVendir is the code of errors and notes about vendir.yml.
const CodeVendir diag.Code = "migrate/vendir"

// Source is a source of weft.yml. Fields that are empty are left out.
type Source struct {
	Name    string
	Kind    string // git, oci, chart, http or dir
	From    string // a URL, a reference or a path
	Chart   string // the name of a chart in a repository of charts
	Version string
	Range   string // what vendir.yml allowed, if Version is what vendir.lock.yml has
	SHA256  string
	Paths   []string
	Exclude []string
	Was     string // the folder of vendir that becomes that of the source
}

// Result is what vendir.yml says.
type Result struct {
	Sources []Source
	Notes   diag.List // what weft.yml cannot say, or what has to be done by hand
}

// Translate reads vendir.yml. lock is vendir.lock.yml, or nil. dir is the directory of vendir.yml, relative
// to that of weft.yml, with slashes.
func Translate(config, lock *source.File, dir string) (*Result, error) {
	root, err := read(config)
	if err != nil {
		return nil, err
	}
	t := &translator{dir: dir, taken: map[string]bool{}}
	if lock != nil {
		if t.locked, err = read(lock); err != nil {
			return nil, err
		}
	}
	if root.TextAt("kind") != "Config" || !strings.HasPrefix(root.TextAt("apiVersion"), "vendir.") {
		return nil, diag.List{diag.Errorf(root.Span(), CodeVendir, "expected a configuration of vendir").
			WithHint("name a file that begins with apiVersion: vendir.k14s.io/v1alpha1 and kind: Config")}
	}
	directories, _ := root.Lookup("directories")
	for d := range directories.Elements() {
		t.directory(d)
	}
	return &t.Result, nil
}

// read returns the first document of a file.
func read(f *source.File) (tree.Value, error) {
	y, err := yaml.Parse(f, yaml.Options{})
	if err != nil {
		return tree.Value{}, err
	}
	if list := y.Check(false); list.Failed() {
		return tree.Value{}, list
	}
	for doc := range y.Documents() {
		if v := tree.FromSyntax(y, y.Root(doc)); v.Kind() == tree.MapKind {
			return v, nil
		}
	}
	return tree.Value{}, diag.List{diag.Failf(CodeVendir, "%s has no document with keys", f.Shown())}
}

// translator translates one file.
type translator struct {
	Result
	dir    string
	locked tree.Value // vendir.lock.yml
	taken  map[string]bool
}

// directory translates a directory of vendir, which has one or more contents.
func (t *translator) directory(d tree.Value) {
	below := d.TextAt("path")
	contents, _ := d.Lookup("contents")
	for c := range contents.Elements() {
		at := c.TextAt("path")
		t.content(content{
			Value: c, dir: path.Join(t.dir, below, at), name: nameOf(below, at),
			lock: lockOf(t.locked, below, at), at: c.Span(),
		})
	}
}

// content is one content of a directory.
type content struct {
	tree.Value
	dir  string     // where vendir writes it
	name string     // what it may be called
	lock tree.Value // its entry in vendir.lock.yml, or an empty value
	at   source.Span
}

// lockOf returns the entry of vendir.lock.yml for a content of a directory.
func lockOf(lock tree.Value, dir, at string) tree.Value {
	directories, _ := lock.Lookup("directories")
	for d := range directories.Elements() {
		if d.TextAt("path") != dir {
			continue
		}
		contents, _ := d.Lookup("contents")
		for c := range contents.Elements() {
			if c.TextAt("path") == at {
				return c
			}
		}
	}
	return tree.Value{}
}

// nameOf returns a name for a content: the last part of its path, or of its directory's.
func nameOf(dir, at string) string {
	name := path.Base(path.Join(dir, at))
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, name)
	if clean = strings.TrimLeft(clean, ".-"); !project.IsName(clean) {
		return "source"
	}
	return clean
}

// content translates a content, or notes why it cannot.
func (t *translator) content(c content) {
	for kind, read := range kinds() {
		v, ok := c.Lookup(kind)
		if !ok {
			continue
		}
		list := read(t, c, v)
		for i := range list {
			t.add(c, list[i])
		}
		return
	}
	for kind, note := range unknownKinds() {
		if _, ok := c.Lookup(kind); ok {
			t.note(c.at, "'%s' is left out: %s", c.dir, note)
			return
		}
	}
	t.note(c.at, "'%s' is left out: it does not say where it comes from", c.dir)
}

// unknownKinds returns the kinds of contents that weft has no source for, and what to do about them.
func unknownKinds() map[string]string {
	return map[string]string{
		"manual": "nothing fetches it, so it needs no entry in weft.yml",
		"inline": "its text is in vendir.yml; write it to a file of the project",
		"hg":     "weft does not fetch from Mercurial",
	}
}

// add adds a source with what all kinds have.
func (t *translator) add(c content, s Source) {
	s.Name = t.free(s.Name)
	if clean := git.Shown(s.From); clean != s.From {
		t.note(c.at, "'%s': the user or the query of its URL is left out: weft.yml has no credentials", s.Name)
		s.From = clean
	}
	s.Paths = texts(c.Value, "includePaths")
	s.Exclude = texts(c.Value, "excludePaths")
	s.Was = c.dir
	switch root := c.TextAt("newRootPath"); {
	case root != "" && s.Paths == nil:
		s.Paths = []string{path.Join(root, "**/*")} // weft leaves out the folders before the star
	case root != "":
		t.note(c.at, "newRootPath: check where the files of '%s' are: weft leaves out the folders that "+
			"all `paths` have in common", s.Name)
	case s.Paths != nil:
		s.Was = path.Join(c.dir, vendor.CommonDir(s.Paths))
	}
	t.Sources = append(t.Sources, s)
	if len(texts(c.Value, "ignorePaths")) > 0 {
		t.note(c.at, "ignorePaths: '%s' has no files that weft did not write; keep them elsewhere", s.Name)
	}
}

// free returns a name that no other source has.
func (t *translator) free(name string) string {
	free := name
	for i := 2; t.taken[strings.ToLower(free)]; i++ {
		free = name + "-" + strconv.Itoa(i)
	}
	t.taken[strings.ToLower(free)] = true
	return free
}

func (t *translator) note(at source.Span, format string, args ...any) {
	t.Notes = append(t.Notes, diag.Warningf(at, CodeVendir, format, args...))
}

// texts returns the texts of a list.
func texts(v tree.Value, key string) (list []string) {
	items, _ := v.Lookup(key)
	for item := range items.Elements() {
		list = append(list, item.Text())
	}
	return list
}
