// Package shortcut applies the short cuts of weft.yml for Kubernetes objects: images, replicas, the namespace,
// labels and annotations. Evaluated documents come in, and new ones go out; parts that nothing changes are
// shared. What it sets has the line of weft.yml as its origin.
//
// The files, in the order in which a document passes through them:
//
//	shortcut.go        documents, and what is used by none of them
//	scope.go           which kinds have a namespace
//	image.go           names of images: registry, tag, digest
//	pod.go             pod templates, wherever they are
//	change.go          one value set, with its origin
package shortcut

import (
	"slices"

	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this package's diagnostics.
const (
	CodeNoMatch  diag.Code = "kubernetes/no-match"      // a short cut that changes nothing
	CodeScope    diag.Code = "kubernetes/unknown-scope" // a kind that may be cluster-scoped
	CodeSelector diag.Code = "kubernetes/selector"      // a label that a selector needs
)

// Config is the short cuts of an environment.
type Config struct {
	Images      []Image
	Replicas    []Replicas
	Namespace   Text
	Labels      []Label
	Annotations []Label
}

// IsZero reports whether there are none.
func (c *Config) IsZero() bool {
	return c == nil || len(c.Images)+len(c.Replicas)+len(c.Labels)+len(c.Annotations) == 0 &&
		c.Namespace.Text == ""
}

// Text is a text of weft.yml.
type Text struct {
	Text string
	At   values.Place
}

// Image gives an image another name, tag or digest; what is "" stays.
type Image struct {
	Image             string // as it is in documents, without tag and digest
	Name, Tag, Digest string
	At                values.Place
	Shared            bool // other environments have the same line
}

// Replicas sets the number of replicas of an object.
type Replicas struct {
	Object string // its name
	N      int
	At     values.Place
	Shared bool // other environments have the same line
}

// Label is a label or an annotation.
type Label struct {
	Key, Text string
	At        values.Place
}

// Options says how short cuts are applied.
type Options struct {
	Place   func(values.Place) source.Span // where something is among the files of the run
	Origins *tree.Origins                  // records what set each value; may be nil
	Warn    func(*diag.Diagnostic)
}

// run is one application to all documents.
type run struct {
	*Config
	opt      Options
	scopes   map[groupKind]bool // of custom resources among the documents: whether they have a namespace
	accounts map[string]bool    // names of service accounts among the documents
	unknown  map[groupKind]bool // kinds that were warned about
	images   []bool             // which are used
	replicas []bool
	names    []string // images that there are, for near misses
	objects  []string // objects with replicas
	wrong    diag.List
}

// Apply applies short cuts to the documents of all files. The error is a diag.List.
func Apply(left [][]tree.Doc, c *Config, opt Options) ([][]tree.Doc, error) {
	r := &run{
		Config: c, opt: opt, scopes: map[groupKind]bool{}, accounts: map[string]bool{},
		unknown: map[groupKind]bool{},
		images:  make([]bool, len(c.Images)), replicas: make([]bool, len(c.Replicas)),
	}
	out := make([][]tree.Doc, len(left))
	for i, docs := range left {
		out[i] = slices.Clone(docs)
		for _, d := range docs {
			r.note(d.Value)
		}
	}
	for i := range out {
		for j := range out[i] {
			out[i][j].Value = r.document(out[i][j].Value)
		}
	}
	r.unused()
	if r.wrong != nil {
		return nil, r.wrong
	}
	return out, nil
}

// document returns a document, or the objects of a list of them.
func (r *run) document(v tree.Value) tree.Value {
	if !isObject(v) {
		return v
	}
	if items, ok := v.Lookup("items"); ok && items.Kind() == tree.ArrayKind {
		if v.TextAt("kind") == "List" {
			return r.in(v, "items", func(list tree.Value) tree.Value { return each(list, r.document) })
		}
	}
	return r.object(v)
}

// isObject reports whether a document is a Kubernetes object.
func isObject(v tree.Value) bool {
	return v.Kind() == tree.MapKind && v.TextAt("kind") != "" && v.TextAt("apiVersion") != ""
}

// object returns a Kubernetes object with all short cuts applied.
func (r *run) object(v tree.Value) tree.Value {
	v = r.setReplicas(v)
	if r.Namespace.Text != "" {
		v = r.setNamespace(v)
	}
	if len(r.Labels)+len(r.Annotations) > 0 {
		r.checkSelector(v)
		v = r.setLabels(v)
	}
	if len(r.Images)+len(r.Labels)+len(r.Annotations) > 0 && v.TextAt("kind") != "CustomResourceDefinition" {
		v = r.pods(v)
	}
	return v
}

// setReplicas sets the number of replicas of an object.
func (r *run) setReplicas(v tree.Value) tree.Value {
	switch v.TextAt("kind") {
	case "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet":
	default:
		return v
	}
	meta, _ := v.Lookup("metadata")
	name := meta.TextAt("name")
	r.objects = append(r.objects, name)
	for i, x := range r.Replicas {
		if x.Object == name {
			r.replicas[i] = true
			v = r.in(v, "spec", func(spec tree.Value) tree.Value {
				return r.set(spec, "replicas", number(x.N), x.At)
			})
		}
	}
	return v
}

// setLabels sets the labels and annotations of an object or a pod template.
func (r *run) setLabels(v tree.Value) tree.Value {
	return r.within(v, "metadata", func(meta tree.Value) tree.Value {
		for _, x := range r.Labels {
			meta = r.within(meta, "labels", func(m tree.Value) tree.Value {
				return r.set(m, x.Key, tree.String(x.Text), x.At)
			})
		}
		for _, x := range r.Annotations {
			meta = r.within(meta, "annotations", func(m tree.Value) tree.Value {
				return r.set(m, x.Key, tree.String(x.Text), x.At)
			})
		}
		return meta
	})
}

// checkSelector reports labels that would make pods differ from what selects them.
func (r *run) checkSelector(v tree.Value) {
	spec, ok := v.Lookup("spec")
	if !ok || spec.Kind() != tree.MapKind || v.TextAt("kind") == "Service" {
		return
	}
	selects, ok := spec.Lookup("selector")
	if !ok || selects.Kind() != tree.MapKind {
		return
	}
	if labels, ok := selects.Lookup("matchLabels"); ok {
		selects = labels
	}
	for _, x := range r.Labels {
		old, ok := lookup(selects, x.Key)
		if !ok || old.Kind() != tree.ScalarKind || old.Text() == x.Text {
			continue
		}
		r.wrong = append(r.wrong, diag.Errorf(r.opt.Place(x.At), CodeSelector,
			"the label `%s` would be `%s`, but %s selects pods with `%s`", x.Key, x.Text,
			selector.ObjectOf(v), old.Text()).
			WithRelated(start(old), "the selector, which short cuts do not change").
			WithHint("use another label, or set this one where it is written"))
	}
}

// unused reports the entries that match nothing.
func (r *run) unused() {
	miss := func(at values.Place, shared bool, what, name string, known []string) {
		d := diag.Errorf(r.opt.Place(at), CodeNoMatch, "no object %s '%s'", what, name)
		if near := diag.Nearest(name, known); near != "" {
			d.WithHint("did you mean %s?", near)
		} else if len(known) > 0 {
			slices.Sort(known)
			known = slices.Compact(known)
			d.WithHint("there is %s", known[0])
		}
		if shared { // another environment may have it
			d.Severity = diag.Warning
			r.opt.Warn(d)
			return
		}
		r.wrong = append(r.wrong, d)
	}
	for i, x := range r.Images {
		if !r.images[i] {
			miss(x.At, x.Shared, "has the image", x.Image, r.names)
		}
	}
	for i, x := range r.Replicas {
		if !r.replicas[i] {
			miss(x.At, x.Shared, "with replicas is called", x.Object, r.objects)
		}
	}
}

// lookup returns the value of a key of a mapping.
func lookup(v tree.Value, key string) (tree.Value, bool) {
	if v.Kind() != tree.MapKind {
		return tree.Value{}, false
	}
	return v.Lookup(key)
}

// start returns the span for messages about a value.
func start(v tree.Value) source.Span { return v.Start().To(v.Start().Offset() + 1) }
