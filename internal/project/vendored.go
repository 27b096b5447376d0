package project

import (
	"slices"
	"strings"

	"weft/internal/engine/load"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/secret"
	"weft/internal/lang/shape"
	"weft/internal/lang/source"
)

// Vendored is a source of files that others release, as the key `vendor` describes it.
type Vendored struct {
	Name    string
	At      source.Span // where it is named
	Kind    string      // git, oci, chart, http or dir
	URL     Item        // what Kind names; for dir, a path relative to the current directory
	Version Item        // a version, a range of versions, or ""
	Chart   Item        // the name of a chart in a repository of charts, or ""
	SHA256  Item        // the expected digest of what Kind http names, or ""
	Paths   []Item      // patterns of the files to take; none means all
	Exclude []Item      // patterns of files to leave out
	Dir     string      // where its files are, relative to the current directory
}

// vendorKinds are the keys that say where a source comes from. A source has one of them.
var vendorKinds = []string{"git", "oci", "chart", "http", "dir"}

// defaultVendorDir is the folder of sources unless the key `vendorDir` names another.
const defaultVendorDir = "vendor"

// Vendored returns the sources of the project file itself, sorted by name. Those of files that it extends
// belong to their projects.
func (p *Description) Vendored() []Vendored {
	list := p.vendoredIn(p.own)
	slices.SortFunc(list, func(a, b Vendored) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Libraries returns the sources of the project file and of those that it extends, as libraries. The first
// of several with the same name counts, beginning with the project file itself.
func (p *Description) Libraries() []load.Library {
	p.resolve.Do(func() {
		seen := map[string]bool{}
		for _, f := range slices.Backward(p.layers) {
			for _, v := range p.vendoredIn(f) {
				if !seen[v.Name] {
					seen[v.Name] = true
					p.libraries = append(p.libraries, p.library(v))
				}
			}
		}
	})
	return p.libraries
}

// library returns a source as a library. Its folder is not read, but the project must be allowed to.
func (p *Description) library(v Vendored) load.Library {
	l := load.Library{Name: v.Name, Dir: v.Dir}
	d := p.places.check(v.Dir, v.At)
	if d != nil && d.Code == CodePath {
		p.explainVendored(d, v.Dir)
	}
	if d != nil {
		l.Problem, l.Hint = d.Message, d.Hint
	}
	return l
}

// vendoredIn returns the sources that a project file lists.
func (p *Description) vendoredIn(f *File) (list []Vendored) {
	for _, e := range entriesOf(f.root.Get(keyVendor)) {
		v := Vendored{Name: e.Key, At: e.KeyAt}
		for _, kind := range vendorKinds {
			if n := e.Value.Get(kind); n != nil {
				v.Kind, v.URL = kind, Item{n.Text, n.At}
			}
		}
		for key, to := range map[string]*Item{"version": &v.Version, "name": &v.Chart, "sha256": &v.SHA256} {
			if n := e.Value.Get(key); n != nil {
				*to = Item{n.Text, n.At}
			}
		}
		for _, n := range e.Value.Get("paths").texts() {
			v.Paths = append(v.Paths, Item{n.Text, n.At})
		}
		for _, n := range e.Value.Get("exclude").texts() {
			v.Exclude = append(v.Exclude, Item{n.Text, n.At})
		}
		v.Dir = p.places.from(f, p.vendorDirOf(f).Text+"/"+v.Name)
		if v.Kind == "dir" {
			v.URL.Text = p.places.from(f, v.URL.Text)
			v.Dir = v.URL.Text
		}
		list = append(list, v)
	}
	return list
}

// vendoredNamed returns the source of a project file with a name, or nil. A path with that name comes first.
func (p *Description) vendoredNamed(f *File, name string) *Vendored {
	if f.root.Get(keyVendor).Get(name) == nil || p.places.problem(p.places.from(f, name)) == nil {
		return nil
	}
	list := p.vendoredIn(f)
	return &list[slices.IndexFunc(list, func(v Vendored) bool { return v.Name == name })]
}

// explainVendored says about a path that does not exist that it belongs to a vendored source, if it does and
// nothing of the source is there.
func (p *Description) explainVendored(d *diag.Diagnostic, name string) {
	for _, f := range p.layers {
		for _, v := range p.vendoredIn(f) {
			_, inside := below(v.Dir, name)
			if v.Kind == "dir" || !inside && v.Dir != name || p.places.problem(v.Dir) == nil {
				continue
			}
			d.Message = "'" + v.Dir + "' is missing: it is a vendored source"
			d.WithHint("fetch it: weft vendor")
		}
	}
}

// VendorDir returns the folder of vendored sources, relative to the current directory.
func (p *Description) VendorDir() string { return p.places.from(p.own, p.vendorDirOf(p.own).Text) }

// vendorDirOf returns the folder as a project file names it.
func (p *Description) vendorDirOf(f *File) Item {
	if n := f.root.Get(keyVendorDir); n != nil {
		return Item{n.Text, n.At}
	}
	return Item{Text: defaultVendorDir}
}

// checkVendored returns what is wrong with the sources of the project files.
func (p *Description) checkVendored() error {
	var list diag.List
	for _, f := range p.layers {
		if f.root.Get(keyVendor) == nil && f.root.Get(keyVendorDir) == nil {
			continue
		}
		if d := p.checkVendorDir(f); d != nil {
			list = append(list, d)
		}
		wrong := len(list)
		for _, e := range entriesOf(f.root.Get(keyVendor)) {
			if d := checkSource(e); d != nil {
				list = append(list, d)
			}
		}
		if len(list) > wrong {
			continue
		}
		taken := map[string]string{}
		for _, v := range p.vendoredIn(f) {
			key := outdir.Key(v.Name)
			if other := taken[key]; other != "" {
				list = append(list, diag.Errorf(v.At, CodeKey, "'%s' and '%s' would be one folder on some systems",
					other, v.Name).WithHint("rename one of them"))
			}
			taken[key] = v.Name
			if v.Kind == "dir" {
				if d := p.places.checkInside(v.URL.Text, v.URL.At); d != nil {
					list = append(list, d)
				}
			}
		}
	}
	if list != nil {
		return list
	}
	return nil
}

// checkVendorDir returns an error for a folder that is not below its project file.
func (p *Description) checkVendorDir(f *File) *diag.Diagnostic {
	dir := p.vendorDirOf(f)
	joined := p.places.from(f, dir.Text)
	if _, ok := below(p.places.from(f, "."), joined); !ok {
		return diag.Errorf(dir.At, CodeOutside, "`vendorDir` is '%s', which is not below the directory of %s",
			dir.Text, f.Path).WithHint("name a folder beside it, such as upstream")
	}
	return p.places.checkInside(joined, dir.At)
}

// checkSource returns what is wrong with one entry of the key `vendor`.
func checkSource(e Entry) *diag.Diagnostic {
	var kinds []string
	for _, kind := range vendorKinds {
		if e.Value.Get(kind) != nil {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case !IsName(e.Key):
		return diag.Errorf(e.KeyAt, CodeKey, "'%s' cannot be the name of a source", diag.Shortened(e.Key)).
			WithHint("names have letters, digits, '.', '_' and '-', and begin with a letter, a digit or '_'")
	case len(kinds) == 0:
		return diag.Errorf(e.KeyAt, CodeKey, "source '%s' does not say where it comes from", e.Key).
			WithHint("add one of %s", shape.Words(vendorKinds))
	case len(kinds) > 1:
		return diag.Errorf(e.KeyAt, CodeKey, "source '%s' has both `%s` and `%s`", e.Key, kinds[0], kinds[1]).
			WithHint("keep one of them")
	}
	return nil
}

// What may be a secret: what is before the @ of a URL, also of a registry without a scheme, and a query,
// which may have a signature.
var (
	users = lazy.Regexp{
		Text: `((?:https?|oci|ssh|file|git)://)([^\s'"]*)@|((?:oci|chart): *['"]?)[^\s/@'"]+:[^\s/@'"][^\s@'"]*@`,
	}
	queries = lazy.Regexp{Text: `(https?://[^\s?'"]*\?)[^\s'"]+`}
)

// withoutCredentials hides the credentials of URLs in lines of a project file, and in messages about them:
// such a URL is refused, but it is there.
func withoutCredentials(text string, _ bool) string {
	if strings.Contains(text, "?") {
		text = queries.Get().ReplaceAllString(text, "${1}"+secret.Hidden)
	}
	if !strings.Contains(text, "@") {
		return text
	}
	return users.Get().ReplaceAllStringFunc(text, func(found string) string {
		m := users.Get().FindStringSubmatch(found)
		scheme, before, key := m[1], m[2], m[3]
		if key != "" {
			return key + secret.Hidden + "@"
		}
		return scheme + withoutUser(before+"@", scheme == "ssh://")
	})
}

// withoutUser hides the user and the password that a URL begins with, up to the last @ before its path. A
// password may have a slash. The user of ssh is a name.
func withoutUser(rest string, ssh bool) string {
	host, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	_, port, colon := strings.Cut(host, ":")
	switch {
	case at < 0 && (!colon || strings.Trim(port, "0123456789") == ""):
		return rest // the @ is in the path
	case at < 0:
		return secret.Hidden + "@"
	case ssh && !strings.Contains(host[:at], ":"):
		return rest
	}
	return secret.Hidden + rest[at:]
}

func vendorKeys() []shape.Key {
	return []shape.Key{
		{Name: "git", Shape: text(), Doc: "The URL of a git repository: `https://…` or `ssh://…`."},
		{Name: "oci", Shape: text(), Doc: "An artifact in a registry: `registry.example.com/platform/base`."},
		{
			Name: "chart", Shape: text(),
			Doc: "A Helm chart: `oci://registry.example.com/charts/NAME`, or the URL of a repository of charts, " +
				"with `name`.",
		},
		{Name: "http", Shape: text(), Doc: "The URL of a file, or of an archive (tar, tar.gz or zip)."},
		{Name: "dir", Shape: filePath(), Doc: "A directory of the repository. It is locked, but not copied."},
		{Name: "name", Shape: text(), Doc: "The name of a chart in a repository of charts."},
		{
			Name: "version", Shape: &shape.Shape{
				Kind: shape.Scalar, Expected: "a version, or a range such as ^2.4", Noun: "version",
				JSON: shape.Object{"type": []string{"string", "number"}},
			},
			Doc: "The version: `2.4.1` exactly that, `^2.4` at least 2.4 and below 3, `~2.4` at least 2.4 and below " +
				"2.5, `2.x` any 2; or a tag, a branch or a commit of git, or a digest.",
		},
		{
			Name: "sha256", Shape: described("digest", `^[0-9a-f]{64}$`, "a SHA-256 digest of 64 hexadecimal digits"),
			Doc: "The expected digest of what `http` names. `weft.lock` has it, too.",
		},
		{
			Name: "paths", Shape: shape.ListOf(filePath()),
			Doc: "Patterns of the files to take, such as `deploy/*.yml`. Without it, all files.",
		},
		{
			Name: "exclude", Shape: shape.ListOf(filePath()),
			Doc: "Patterns of files to leave out of `paths`. Of a `dir`, the other files are not locked.",
		},
	}
}
