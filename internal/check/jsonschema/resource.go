package jsonschema

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"weft/internal/lang/tree"
)

// draft is a version of JSON Schema.
type draft int

const (
	kubernetes draft = 0 // the rules of Kubernetes
	draft4     draft = 4
	draft6     draft = 6
	draft7     draft = 7
	draft2019  draft = 2019
	draft2020  draft = 2020
)

// drafts are the values of $schema, without scheme and fragment.
var drafts = [...]struct {
	name  string
	draft draft
}{
	{"json-schema.org/draft-04/schema", draft4},
	{"json-schema.org/draft-06/schema", draft6},
	{"json-schema.org/draft-07/schema", draft7},
	{"json-schema.org/draft/2019-09/schema", draft2019},
	{"json-schema.org/draft/2020-12/schema", draft2020},
	{"json-schema.org/schema", draft2020},
}

// hasKeyword reports whether a draft has a keyword, if any draft has it. Kubernetes has those of draft 7 and
// of OpenAPI.
func hasKeyword(d draft, name string) bool {
	if name == "nullable" {
		return d == kubernetes
	}
	if d == kubernetes {
		d = draft7
	}
	switch name {
	case "const", "contains", "propertyNames":
		return d >= draft6
	case "if", "then", "else":
		return d >= draft7
	case "minContains", "maxContains", "dependentRequired", "dependentSchemas", "unevaluatedItems",
		"unevaluatedProperties":
		return d >= draft2019
	case "$recursiveRef":
		return d == draft2019
	case "prefixItems", "$dynamicRef":
		return d >= draft2020
	case "additionalItems":
		return d < draft2020
	}
	return true
}

// draft returns the rules that a schema is read by.
func (s *Schema) draft() draft {
	if s.in == nil {
		return kubernetes
	}
	return s.in.draft
}

// draftOf returns the draft that a schema names, or the one around it.
func draftOf(v tree.Value, around draft) (draft, error) {
	name, ok := v.Lookup("$schema")
	if !ok {
		return around, nil
	}
	_, id, _ := strings.Cut(text(name), "://")
	for _, d := range drafts {
		if strings.TrimSuffix(id, "#") == d.name {
			return d.draft, nil
		}
	}
	return around, fmt.Errorf("'%s' is not a draft that weft knows: they are 4, 6, 7, 2019-09 and 2020-12",
		text(name))
}

// resource is a schema with an identifier: a file, or a part of one with $id. References inside it are
// relative to the identifier.
type resource struct {
	loader *Loader
	file   *file
	raw    tree.Value
	base   string // a URL, or the path of the file
	draft  draft

	anchors map[string]anchor
	inner   map[string]*resource // resources in it, by JSON pointers
	dynamic bool                 // it has $recursiveAnchor
}

// anchor is a part of a resource with a name.
type anchor struct {
	raw     tree.Value
	dynamic bool
}

// of returns the resource of a part: r, unless the part has an identifier.
func (r *resource) of(part tree.Value) *resource {
	if r == nil || part.Kind() != tree.MapKind {
		return r
	}
	id := idOf(part, r.draft)
	if id == "" {
		return r
	}
	base, _, err := resolve(r.base, id)
	if err != nil {
		return r // reported when the file was loaded
	}
	if own := r.loader.resources[base]; own != nil {
		return own
	}
	return r
}

// idOf returns the identifier of a schema, or "". An identifier that is only a fragment is an anchor.
func idOf(v tree.Value, d draft) string {
	name := "$id"
	if d == draft4 {
		name = "id"
	}
	id, ok := v.Lookup(name)
	if !ok || typeOf(id) != stringType || strings.HasPrefix(text(id), "#") {
		return ""
	}
	if _, refers := v.Lookup("$ref"); refers && d < draft2019 {
		return "" // keywords beside a reference have no meaning
	}
	return text(id)
}

// resolve returns what a reference refers to: a URL or path, and a fragment.
func resolve(base, ref string) (doc, fragment string, err error) {
	u, err := url.Parse(ref)
	if err != nil {
		return "", "", fmt.Errorf("'%s' is not a valid reference", ref)
	}
	fragment = u.Fragment
	u.Fragment, u.RawFragment = "", ""
	switch {
	case *u == url.URL{}:
		return base, fragment, nil
	case u.IsAbs():
		return u.String(), fragment, nil
	case isURL(base):
		from, err := url.Parse(base)
		if err != nil {
			return "", "", fmt.Errorf("'%s' is not a valid identifier", base)
		}
		return from.ResolveReference(u).String(), fragment, nil
	case u.Host != "":
		return "", "", fmt.Errorf("refers to '%s', and weft fetches no schemas", ref)
	case path.IsAbs(u.Path):
		return path.Clean(u.Path), fragment, nil
	}
	return path.Join(path.Dir(base), u.Path), fragment, nil
}

// isURL reports whether the base of references is a URL, not a path.
func isURL(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.IsAbs() && len(u.Scheme) > 1 // a single letter is a drive
}

// find returns the schema that a reference refers to.
func (r *resource) find(ref string) (*Schema, error) {
	r.loader.mu.Lock()
	defer r.loader.mu.Unlock()
	doc, fragment, err := resolve(r.base, ref)
	if err != nil {
		return nil, err
	}
	to := r
	if doc != r.base {
		if to, err = r.loader.resource(doc, ref); err != nil {
			return nil, err
		}
	}
	return to.part(fragment, ref)
}

// part returns the part of a resource that a fragment names: by its path, or by its anchor.
func (r *resource) part(fragment, ref string) (*Schema, error) {
	key := partKey{r, fragment}
	if s := r.loader.parts[key]; s != nil {
		return s, nil
	}
	var raw tree.Value
	in, ok := r, false
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		var a anchor
		a, ok = r.anchors[fragment]
		raw = a.raw
	} else if raw, ok = valueAt(r.raw, fragment); ok {
		in = r.around(fragment)
	}
	if !ok {
		return nil, fmt.Errorf("refers to '%s', which does not exist", ref)
	}
	s := &Schema{raw: raw, mode: standard, file: in.file, in: in.of(raw)}
	r.loader.parts[key] = s
	r.loader.scan(raw, in, fragment) // it may be where no keyword expects a schema
	return s, nil
}

// around returns the innermost resource at a path.
func (r *resource) around(pointer string) *resource {
	for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if inner := r.inner[at]; inner != nil {
			return inner
		}
	}
	return r
}

// root returns the whole resource as a schema; same is a part of a resource.
func (r *resource) root(same *Schema) *Schema {
	if same.in == r {
		return same
	}
	s, err := r.find("")
	if err != nil {
		return same
	}
	return s
}

// dynamicRef is a reference that parts of other schemas may redirect.
type dynamicRef struct {
	to   *Schema // unless something redirects it
	name string  // of the anchor; "" for $recursiveRef
}

// readDynamicRef reads $dynamicRef. Without a dynamic anchor it is an ordinary reference.
func (s *Schema) readDynamicRef(v tree.Value) {
	to, err := s.in.find(text(v))
	if err != nil {
		s.failAt(v.Span(), "%s", err)
		return
	}
	_, name, _ := resolve(s.in.base, text(v))
	if to.in.anchors[name].dynamic {
		s.dynamic = &dynamicRef{to, name}
	} else {
		s.refs = append(s.refs, to)
	}
}

// readRecursiveRef reads $recursiveRef, which always refers to the whole resource.
func (s *Schema) readRecursiveRef(v tree.Value) {
	to, err := s.in.find(text(v))
	if err != nil {
		s.failAt(v.Span(), "%s", err)
		return
	}
	if to.in.dynamic {
		s.dynamic = &dynamicRef{to: to}
	} else {
		s.refs = append(s.refs, to)
	}
}
