package kubernetes

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Schemas are the schemas that the objects of one run are checked against. They are safe for concurrent use.
type Schemas struct {
	set     *set
	defined definitions // defined by documents of the run
}

// set are the schemas in files.
type set struct {
	version   string
	cache     *Cache
	locations []location
	defined   definitions
	others    []string // versions that exist, but were not requested

	mu    sync.Mutex // held while found is used
	found map[Type]*jsonschema.Schema
}

// Options selects the schemas.
type Options struct {
	Version     string   // the version of Kubernetes: 1.31, 1.31.4 or master
	Locations   []string // directories, templates of paths, and files with definitions
	FromProject int      // Files.CheckPath applies to the last FromProject locations
	Files       Files
	Cache       *Cache // nil for none
}

// Open finds the schemas of a version of Kubernetes. Each is read when an object needs it.
func Open(opt Options) (*Schemas, error) {
	if err := CheckVersion(opt.Version); err != nil {
		return nil, err
	}
	if opt.Cache == nil {
		opt.Cache = &Cache{}
	}
	s := &set{
		version: opt.Version, cache: opt.Cache, defined: definitions{}, found: map[Type]*jsonschema.Schema{},
	}
	has := false
	for i, name := range opt.Locations {
		files := opt.Files
		if i < len(opt.Locations)-opt.FromProject {
			files.CheckPath = nil
		}
		l, err := s.open(name, files)
		if err != nil {
			return nil, err
		}
		has = has || l.versions != "" || strings.Contains(name, "{{")
		s.locations = append(s.locations, l)
	}
	if !has {
		return nil, s.missingVersion(opt.Locations)
	}
	return &Schemas{set: s}, nil
}

// With returns the schemas together with those of the custom resources that documents of the output define.
// files are those that the documents come from, or nil.
func (s *Schemas) With(docs []tree.Doc, files *source.Set) *Schemas {
	all := s.copyDefined()
	for i := range docs {
		name := "the output"
		if f := files.File(docs[i].Pos); f != nil {
			name = filepath.ToSlash(f.Shown())
		}
		all.addAll(docs[i].Value, name)
	}
	return &Schemas{set: s.set, defined: all}
}

// WithFile returns the schemas together with those of the custom resources that a file defines. A file that
// cannot be read as YAML defines none.
func (s *Schemas) WithFile(name string, text []byte) *Schemas {
	if !bytes.Contains(text, []byte("CustomResourceDefinition")) {
		return s // most files
	}
	docs, err := parseAll(&source.Set{}, name, text)
	if err != nil {
		return s
	}
	all := s.copyDefined()
	for _, doc := range docs {
		all.addAll(doc, name)
	}
	return &Schemas{set: s.set, defined: all}
}

func (s *Schemas) copyDefined() definitions {
	all := maps.Clone(s.defined)
	if all == nil {
		all = definitions{}
	}
	return all
}

// Find returns the schema of a type, or nil if there is none. It returns an error if it cannot be
// read.
func (s *Schemas) Find(t Type) (*jsonschema.Schema, error) {
	if defined := s.defined[t]; defined != nil {
		return defined, nil
	}
	return s.set.find(t)
}

func (s *set) find(t Type) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.found[t]; ok {
		return found, nil
	}
	if group, version := groupVersion(t.APIVersion); !isName(t.Kind) || !isName(version) ||
		group != "" && !isName(group) {
		return nil, nil
	}
	found, err := s.search(t)
	if err == nil {
		s.found[t] = found
	}
	return found, err
}

// isName reports whether a text is a single safe component of a path.
func isName(s string) bool {
	return strings.Trim(s, ".") != "" && !strings.Contains(s, "..") &&
		!strings.ContainsAny(s, "/\\:*?\"<>|\x00")
}

// search reads the schema of a type from the first location that has it.
func (s *set) search(t Type) (*jsonschema.Schema, error) {
	for _, l := range s.locations {
		for _, pattern := range l.patterns {
			for _, name := range s.candidates(pattern, t) {
				found, err := s.cache.read(l, name)
				if found != nil || err != nil {
					return found, err
				}
			}
		}
	}
	return s.defined[t], nil
}

// candidates returns the files that a pattern may refer to: strict schemas come first.
func (s *set) candidates(pattern string, t Type) []string {
	version := s.version
	if r, _ := parseVersion(version); len(r) > 0 {
		version = "v" + strings.TrimPrefix(version, "v")
		if len(r) == 2 {
			version += ".0"
		}
	}
	first := fill(pattern, version, strict, t)
	if second := fill(pattern, version, "", t); second != first {
		return []string{first, second}
	}
	return []string{first}
}

// Defined returns the defined versions of a custom resource, as apiVersions.
func (s *Schemas) Defined(t Type) (list []string) {
	group, _ := groupVersion(t.APIVersion)
	for _, d := range []definitions{s.defined, s.set.defined} {
		for other := range d {
			if g, _ := groupVersion(other.APIVersion); other.Kind == t.Kind && g == group {
				list = append(list, other.APIVersion)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// BuiltinVersions returns the apiVersions in which Kubernetes itself has a kind.
func (s *Schemas) BuiltinVersions(kind string) (list []string) {
	for _, f := range s.set.kindFiles(func(file string) bool {
		return strings.HasPrefix(file, strings.ToLower(kind)+"-")
	}) {
		schema, err := s.set.cache.read(f.location, f.name)
		if err != nil || schema == nil {
			continue
		}
		for _, t := range typesOf(schema) {
			if t.Kind == kind {
				list = append(list, t.APIVersion)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Nearest returns the kind of an apiVersion that was likely meant, or "".
func (s *Schemas) Nearest(t Type) string {
	suffix := fill("{{.KindSuffix}}.json", "", "", t)
	files := map[string]kindFile{}
	var kinds []string
	for _, f := range s.set.kindFiles(func(file string) bool { return strings.HasSuffix(file, suffix) }) {
		kind := strings.TrimSuffix(path.Base(f.name), suffix)
		files[kind] = f
		kinds = append(kinds, kind)
	}
	near := jsonschema.Nearest(t.Kind, kinds)
	if near == "" {
		near = diag.Nearest(strings.ToLower(t.Kind), kinds)
	}
	if near == "" {
		return ""
	}
	schema, err := s.set.cache.read(files[near].location, files[near].name)
	if err != nil || schema == nil {
		return ""
	}
	for _, t := range typesOf(schema) {
		if strings.EqualFold(t.Kind, near) {
			return t.Kind
		}
	}
	return ""
}

// typesOf returns the types that a Kubernetes schema is for.
func typesOf(s *jsonschema.Schema) (list []Type) {
	types, _ := s.Value().Lookup("x-kubernetes-group-version-kind")
	for x := range types.Elements() {
		apiVersion := strings.TrimPrefix(x.TextAt("group")+"/"+x.TextAt("version"), "/")
		list = append(list, Type{apiVersion, x.TextAt("kind")})
	}
	return list
}

// kindFile is a file with a schema of Kubernetes.
type kindFile struct {
	location location
	name     string
}

// kindFiles returns the Kubernetes schema files whose names is accepts.
func (s *set) kindFiles(is func(file string) bool) (found []kindFile) {
	for _, l := range s.locations {
		if l.versions == "" {
			continue
		}
		entries, _ := l.files.list(l.versions)
		for _, e := range entries {
			if is(e.Name()) {
				found = append(found, kindFile{l, path.Join(l.versions, e.Name())})
			}
		}
	}
	return found
}

// ShouldBeBuiltin reports whether a type should be one of Kubernetes itself: its group has no dot, or
// Kubernetes has the same kind in another version of the group.
func (s *Schemas) ShouldBeBuiltin(t Type, builtin []string) bool {
	group, _ := groupVersion(t.APIVersion)
	if !strings.Contains(group, ".") {
		return s.hasVersion()
	}
	return slices.ContainsFunc(builtin, func(other string) bool {
		g, _ := groupVersion(other)
		return g == group
	})
}

// hasVersion reports whether all schemas of the version exist. A template of paths may have only some
// of them.
func (s *Schemas) hasVersion() bool {
	return slices.ContainsFunc(s.set.locations, func(l location) bool { return l.versions != "" })
}

// Version returns the version of Kubernetes.
func (s *Schemas) Version() string { return s.set.version }

// Cache keeps schemas for as long as their files stay the same. It is safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	files map[cacheKey]cached
}

// cacheKey is a file, and the scope of its references.
type cacheKey struct {
	name, dir string
	held      bool
}

type cached struct {
	changed time.Time
	size    int64
	schema  *jsonschema.Schema
}

// read returns the schema in a file, or nil if there is no such file.
func (c *Cache) read(l location, name string) (*jsonschema.Schema, error) {
	info, err := l.files.stat(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	key := cacheKey{name, l.dir, l.files.CheckPath != nil}
	c.mu.Lock()
	known, ok := c.files[key]
	c.mu.Unlock()
	if ok && known.changed.Equal(info.ModTime()) && known.size == info.Size() {
		return known.schema, nil
	}
	text, err := l.files.read(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	schema, err := c.parse(l, name, text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[cacheKey]cached{}
	}
	c.files[key] = cached{info.ModTime(), info.Size(), schema}
	return schema, nil
}

// parse returns the schema in a text.
func (c *Cache) parse(l location, name string, text []byte) (*jsonschema.Schema, error) {
	set := &source.Set{}
	raw, err := parse(set, name, text)
	if err != nil {
		return nil, wrongFile(set, name, err)
	}
	other := func(other string) (*jsonschema.Schema, error) {
		to := path.Join(path.Dir(name), other)
		if !l.encloses(to) {
			return nil, fmt.Errorf("refers to '%s', outside of the schemas in '%s'", to, l.dir)
		}
		found, err := c.read(l, to)
		if found == nil && err == nil {
			err = fmt.Errorf("refers to '%s', which is not there", to)
		}
		return found, err
	}
	return jsonschema.New(raw, jsonschema.Options{Name: name, Other: other}), nil
}

// wrongFile returns an error about a file, with its place.
func wrongFile(set *source.Set, name string, err error) error {
	d := diag.Of(err)[0]
	if f := set.File(d.At.Pos); f != nil {
		name = f.Where(d.At.Offset())
	}
	return diag.Failf(CodeSchemas, "%s: %s", name, d.Message)
}
