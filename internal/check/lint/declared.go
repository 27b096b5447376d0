package lint

import (
	"maps"
	"strings"

	"weft/internal/lang/yaml"
)

// declared is the data values that the schemas of a project, or of one of its libraries, declare. If
// several schemas declare the same path, it is loose as soon as one of them makes it loose.
type declared struct {
	paths map[string]bool // such as image.tag
	loose map[string]bool // the paths whose values may be null or of any type
}

// schemas is what is declared, by the folders of libraries. A library reads only the values that it
// is given, and only its schemas say which.
type schemas map[string]*declared

// join returns the schemas of two sets of files.
func (s schemas) join(more schemas) schemas {
	all := maps.Clone(s)
	for library, d := range more {
		if was := all[library]; was != nil {
			d = &declared{both(was.paths, d.paths), both(was.loose, d.loose)}
		}
		all[library] = d
	}
	return all
}

// both returns the names in two sets.
func both(a, b map[string]bool) map[string]bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// libraryOf returns the folder of the library that a file belongs to, or "". A library that is named
// after a repository has a name of several parts.
func libraryOf(name string) string {
	const folder = "_ytt_lib/"
	i := strings.LastIndex("/"+name, "/"+folder)
	if i < 0 {
		return ""
	}
	root, rest := name[:i+len(folder)], name[i+len(folder):]
	parts := strings.Split(rest, "/")
	n := 1
	if strings.Contains(parts[0], ".") {
		n = 3
	}
	return root + strings.Join(parts[:min(n, len(parts)-1)], "/")
}

// add adds the schemas of a file.
func (s schemas) add(f *file) {
	loose := map[yaml.NodeID]bool{}
	var docs []yaml.NodeID
	for _, a := range f.annotations {
		if a.Owner == yaml.NoOwner {
			continue
		}
		switch v, _, _ := a.keyword("any"); {
		case a.Name == "data/values-schema":
			docs = append(docs, a.Owner)
		case a.Name == "schema/nullable", a.Name == "schema/map", a.Name == "schema/type" && isTrue(v):
			loose[a.Owner] = true
		}
	}
	library := libraryOf(f.File.Name())
	d := s[library]
	if len(docs) > 0 && d == nil {
		d = &declared{map[string]bool{}, map[string]bool{}}
		s[library] = d
	}
	for _, doc := range docs {
		if f.Tree.Kind(doc) == yaml.Document {
			d.loose[""] = d.loose[""] || loose[doc]
			d.mapping(f.Tree, f.Tree.Root(doc), "", loose)
		}
	}
}

// mapping adds the keys of a mapping at a path, which ends with a dot.
func (d *declared) mapping(t *yaml.Tree, n yaml.NodeID, path string, loose map[yaml.NodeID]bool) {
	if !t.More(n) || t.Kind(n) != yaml.Mapping {
		return
	}
	for key, value := range t.Pairs(n) {
		if t.Kind(key) != yaml.Scalar {
			continue
		}
		at := path + string(t.Text(key))
		d.paths[at] = true
		if loose[key] {
			d.loose[at] = true
		}
		d.mapping(t, value, at+".", loose)
	}
}

// certain reports whether a data value exists in every run: it is declared, and none of its parents is
// loose.
func (d *declared) certain(path []string) bool {
	if d.loose[""] || !d.paths[strings.Join(path, ".")] {
		return false
	}
	for i := 1; i < len(path); i++ {
		if d.loose[strings.Join(path[:i], ".")] {
			return false
		}
	}
	return true
}
