package jsonschema

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// CodeSchema is the code of errors in JSON Schemas for data values.
const CodeSchema diag.Code = "values/json-schema"

// Loader reads a standard schema, and the files that it refers to. All files are read before the first
// check. The schema is safe for concurrent use.
type Loader struct {
	// Read returns a file by its path, or an error for one that does not exist or may not be read.
	Read func(path string) (*source.File, error)

	mu        sync.Mutex
	resources map[string]*resource // by their URLs and paths
	parts     map[partKey]*Schema  // that references refer to
	scanned   map[source.Pos]bool  // the parts that scan has seen
	roots     []root
	all       []*Schema // all parts of all files, to check them
	list      diag.List
	secrets   bool // some part has writeOnly
}

type partKey struct {
	in       *resource
	fragment string
}

// root is a file whose identifier is a URL. References relative to it are files next to it.
type root struct{ url, dir string }

// maxFiles is the maximum number of files that schemas may consist of.
const maxFiles = 1000

// Load reads the schema in a file. It returns all errors in it, and in the files that it refers to.
func (l *Loader) Load(f *source.File, name string) (*Schema, diag.List) {
	l.resources, l.parts = map[string]*resource{}, map[partKey]*Schema{}
	l.scanned = map[source.Pos]bool{}
	r, err := l.add(f, name)
	if err != nil {
		return nil, diag.Of(err)
	}
	for i := 0; i < len(l.all); i++ { // reading references adds more
		s := l.all[i]
		if s.read(); s.broken != "" {
			at := s.brokenAt
			if !at.IsValid() {
				at = s.raw.Span()
			}
			l.list = append(l.list, diag.Errorf(at, CodeSchema, "%s", s.broken))
		}
	}
	if l.list != nil {
		l.list.Sort()
		return nil, l.list
	}
	s, err := r.part("", name)
	if err != nil {
		return nil, diag.Of(err)
	}
	return s, nil
}

// syntax is how schemas are parsed: JSON is YAML too.
var syntax = yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core, Workers: 1, UniqueKeys: true}

// Parse returns the documents of a file.
func Parse(f *source.File) ([]tree.Value, error) {
	opt := syntax
	opt.UniqueKeys = false
	return parse(f, opt)
}

func parse(f *source.File, opt yaml.Options) ([]tree.Value, error) {
	t, err := yaml.Parse(f, opt)
	if err != nil {
		return nil, err
	}
	if wrong := t.Check(false); wrong != nil {
		return nil, wrong
	}
	var docs []tree.Value
	for doc := range t.Documents() {
		docs = append(docs, tree.FromSyntax(t, t.Root(doc)))
	}
	return docs, nil
}

// add adds the schema in a file.
func (l *Loader) add(f *source.File, name string) (*resource, error) {
	docs, err := parse(f, syntax)
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, diag.Errorf(f.Span(0, 0), CodeSchema, "expected a schema, but the file is empty")
	}
	if len(l.resources) >= maxFiles {
		return nil, diag.Errorf(f.Span(0, 0), CodeSchema, "the schema has too many files and identifiers")
	}
	v := docs[0]
	d, err := draftOf(v, draft2020)
	if err != nil {
		at, _ := v.Lookup("$schema")
		return nil, diag.Errorf(at.Span(), CodeSchema, "%s", err)
	}
	own := &file{name: name}
	r := &resource{loader: l, file: own, raw: v, base: name, draft: d}
	l.resources[name] = r
	if id := idOf(v, d); id != "" {
		if base, _, err := resolve(name, id); err == nil {
			r.base = base
			l.resources[base] = r
			if isURL(base) {
				l.roots = append(l.roots, root{base[:strings.LastIndexByte(base, '/')+1], path.Dir(name)})
			}
		}
	}
	l.scan(v, r, "")
	own.root = &Schema{raw: v, mode: standard, file: own, in: r}
	return r, nil
}

// resource returns the schema at a URL or path.
func (l *Loader) resource(doc, ref string) (*resource, error) {
	if r := l.resources[doc]; r != nil {
		return r, nil
	}
	name := doc
	if isURL(doc) {
		name = ""
		for _, r := range l.roots {
			if rest, ok := strings.CutPrefix(doc, r.url); ok && r.url != "" && rest != "" {
				name = path.Join(r.dir, rest)
			}
		}
		if name == "" {
			return nil, fmt.Errorf("refers to '%s', and weft fetches no schemas: keep a copy in the project, "+
				"and refer to its path", ref)
		}
	}
	if r := l.resources[name]; r != nil {
		return r, nil
	}
	f, err := l.Read(name)
	if err != nil {
		return nil, fmt.Errorf("refers to '%s': %w", ref, err)
	}
	r, err := l.add(f, name)
	if err != nil {
		l.list = append(l.list, diag.Of(err)...)
		return nil, fmt.Errorf("refers to '%s', which cannot be used", ref)
	}
	return r, nil
}

// holder is how a keyword holds other schemas.
type holder uint8

const (
	holdsOne holder = 1 << iota
	holdsList
	holdsMap
)

// holders are the keywords that hold schemas.
var holders = lazy.Value[map[string]holder]{New: func() map[string]holder {
	all := map[string]holder{}
	for how, names := range map[holder]string{
		holdsOne: "not if then else items additionalItems unevaluatedItems contains additionalProperties " +
			"unevaluatedProperties propertyNames",
		holdsList: "allOf anyOf oneOf prefixItems items",
		holdsMap:  "properties patternProperties dependencies dependentSchemas definitions $defs",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] |= how
		}
	}
	return all
}}

// scan finds identifiers and anchors in a schema, and collects its parts. pointer is where it is in r.
func (l *Loader) scan(v tree.Value, r *resource, pointer string) {
	if l.scanned[v.Start()] {
		return
	}
	l.scanned[v.Start()] = true
	s := &Schema{raw: v, mode: standard, file: r.file, in: r}
	l.all = append(l.all, s)
	if v.Kind() != tree.MapKind {
		return
	}
	if pointer != "" {
		if inner := l.inner(v, r); inner != r {
			r.hold(pointer, inner)
			r, pointer = inner, ""
			s.in = r
		}
	}
	l.anchors(v, r)
	for _, it := range v.Entries() {
		name := tree.KeyText(it.Key)
		if strings.HasPrefix(name, "unevaluated") {
			r.file.tracks = true
		}
		l.secrets = l.secrets || name == "writeOnly" && isTrue(it.Value)
		at := pointer + "/" + escaped(name)
		how := holders.Get()[name]
		if !hasKeyword(r.draft, name) {
			continue
		}
		switch kind := it.Value.Kind(); {
		case how == 0:
		case how&holdsList != 0 && kind == tree.ArrayKind:
			n := 0
			for x := range it.Value.Elements() {
				l.scan(x, r, fmt.Sprintf("%s/%d", at, n))
				n++
			}
		case how == holdsMap && kind == tree.MapKind:
			for _, x := range it.Value.Entries() {
				if name != "dependencies" || x.Value.Kind() != tree.ArrayKind {
					l.scan(x.Value, r, at+"/"+escaped(tree.KeyText(x.Key)))
				}
			}
		case how&holdsOne != 0 && kind != tree.ArrayKind:
			l.scan(it.Value, r, at)
		}
	}
}

// escaped encodes a step of a JSON pointer.
func escaped(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1")
}

// inner returns the resource of a part of a file: a new one if the part has an identifier.
func (l *Loader) inner(v tree.Value, r *resource) *resource {
	d, err := draftOf(v, r.draft)
	if err != nil {
		at, _ := v.Lookup("$schema")
		l.list = append(l.list, diag.Errorf(at.Span(), CodeSchema, "%s", err))
		return r
	}
	id := idOf(v, d)
	if id == "" {
		return r
	}
	base, _, err := resolve(r.base, id)
	if err != nil {
		l.list = append(l.list, diag.Errorf(v.Span(), CodeSchema, "%s", err))
		return r
	}
	inner := &resource{loader: l, file: r.file, raw: v, base: base, draft: d}
	if l.resources[base] == nil {
		l.resources[base] = inner
	}
	return inner
}

// hold records a resource inside r.
func (r *resource) hold(pointer string, inner *resource) {
	if r.inner == nil {
		r.inner = map[string]*resource{}
	}
	r.inner[pointer] = inner
}

// anchors records the names of a schema.
func (l *Loader) anchors(v tree.Value, r *resource) {
	name := func(keyword string) string {
		x, ok := v.Lookup(keyword)
		if !ok || typeOf(x) != stringType {
			return ""
		}
		return text(x)
	}
	add := func(name string, dynamic bool) {
		if name == "" {
			return
		}
		if r.anchors == nil {
			r.anchors = map[string]anchor{}
		}
		r.anchors[name] = anchor{v, dynamic}
	}
	switch {
	case r.draft == draft4:
		if id, ok := strings.CutPrefix(name("id"), "#"); ok {
			add(id, false)
		}
	case r.draft < draft2019:
		if id, ok := strings.CutPrefix(name("$id"), "#"); ok {
			add(id, false)
		}
	default:
		add(name("$anchor"), false)
		if r.draft >= draft2020 {
			add(name("$dynamicAnchor"), true)
		} else if x, ok := v.Lookup("$recursiveAnchor"); ok && isTrue(x) {
			r.dynamic = true
		}
	}
}
