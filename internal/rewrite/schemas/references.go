package schemas

import (
	"net/url"
	"path"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// document is a file with schemas.
type document struct {
	name string // the path, with slashes
	root tree.Value
	ids  map[string]tree.Value // by $id and $anchor; nil until a reference needs it
}

// target is what a reference leads to.
type target struct {
	in      *document
	pointer string
}

// follow returns the schema that a reference leads to. The reference is lost if it leads nowhere or outside
// of the project, or if the schema contains itself.
func (r *reader) follow(n *node, w *whole, ref part) (part, bool) {
	text, ok := starlark.AsString(ref.value.Starlark())
	at := ref.value.Span()
	if !ok {
		n.lose("$ref", "it is not a text", at)
		return part{}, false
	}
	doc, fragment, why := r.documentOf(ref.in, text, at)
	if doc == nil {
		n.lose("$ref "+text, why, at)
		return part{}, false
	}
	to := target{doc, fragment}
	if r.active[to] {
		n.lose("$ref "+text, "the schema contains itself here", at)
		return part{}, false
	}
	v, ok := doc.find(fragment)
	if !ok {
		n.lose("$ref "+text, "there is no such schema", at)
		return part{}, false
	}
	r.active[to] = true
	w.followed = append(w.followed, to)
	return part{v, doc}, true
}

// documentOf returns the file that a reference names, and the place in it. If the file cannot be read, it
// returns nil, and the reason as the last result.
func (r *reader) documentOf(in *document, ref string, at source.Span) (*document, string, string) {
	file, fragment, _ := strings.Cut(ref, "#")
	if file == "" {
		return in, fragment, ""
	}
	if _, ok := in.named(ref); ok {
		return in, ref, ""
	}
	if _, ok := in.named(file); ok {
		return in, file + "#" + fragment, ""
	}
	if u, err := url.Parse(file); err != nil || u.Scheme != "" || u.Host != "" || strings.Contains(file, "\\") {
		return nil, "", "weft reads files of the project only"
	}
	name := path.Join(path.Dir(in.name), file)
	if path.IsAbs(file) || r.open == nil {
		return nil, "", "weft reads files of the project only"
	}
	doc, err := r.open(name, at)
	if err != nil {
		return nil, "", err.Error()
	}
	return doc, fragment, ""
}

// find returns the schema at the fragment of a reference: a JSON pointer, an anchor, or a name in $id.
func (d *document) find(fragment string) (tree.Value, bool) {
	if id, pointer, ok := strings.Cut(fragment, "#"); ok {
		from, ok := d.named(id)
		if !ok {
			return tree.Value{}, false
		}
		return pointed(from, pointer)
	}
	if fragment == "" || fragment[0] == '/' {
		return pointed(d.root, fragment)
	}
	if v, ok := d.named("#" + fragment); ok {
		return v, true
	}
	return d.named(fragment)
}

// pointed returns the value at a JSON pointer, which is escaped like a URL.
func pointed(v tree.Value, pointer string) (tree.Value, bool) {
	if pointer == "" || pointer == "/" {
		return v, true
	}
	text, err := url.PathUnescape(pointer)
	if err != nil {
		text = pointer
	}
	for _, step := range strings.Split(strings.TrimPrefix(text, "/"), "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch v.Kind() {
		case tree.MapKind:
			next, ok := v.Lookup(step)
			if !ok {
				return v, false
			}
			v = next
		case tree.ArrayKind:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= v.Len() {
				return v, false
			}
			v = v.Entries()[i].Value
		default:
			return v, false
		}
	}
	return v, true
}

// named returns the schema with an $id or, if id begins with #, with an $anchor.
func (d *document) named(id string) (tree.Value, bool) {
	if d.ids == nil {
		d.ids = map[string]tree.Value{}
		d.collect(d.root, 0)
	}
	v, ok := d.ids[id]
	return v, ok
}

func (d *document) collect(v tree.Value, depth int) {
	if depth > 4*maxLevels || v.Kind() == tree.ScalarKind {
		return
	}
	if v.Kind() == tree.MapKind {
		for _, name := range []struct{ keyword, before string }{{"$id", ""}, {"id", ""}, {"$anchor", "#"}} {
			if id, ok := v.Lookup(name.keyword); ok {
				if text, ok := starlark.AsString(id.Starlark()); ok && text != "" {
					d.remember(strings.TrimSuffix(name.before+text, "#"), v)
				}
			}
		}
	}
	for _, it := range v.Entries() {
		d.collect(it.Value, depth+1)
	}
}

// remember notes the first schema with a name.
func (d *document) remember(id string, v tree.Value) {
	if _, taken := d.ids[id]; !taken && id != "" {
		d.ids[id] = v
	}
}
