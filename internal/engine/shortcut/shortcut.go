// Package shortcut applies the short cuts of weft.yml for Kubernetes objects: images, replicas, the namespace,
// labels and annotations. Evaluated documents come in, and new ones go out; parts that nothing changes are
// shared. What it sets has the line of weft.yml as its origin.
//
// The files, in the order in which a document passes through them:
//
//	config.go          the entries of weft.yml
//	shortcut.go        documents, objects, lists of objects
//	scope.go           which kinds have a namespace
//	image.go           names of images: registry, tag, digest
//	pod.go             pod templates, wherever they are
//	change.go          one value set, with its origin
//	differ.go          the entries of two sides compared
//	unused.go          entries that no document uses, and what was probably meant
//	tally.go           entries that no environment of a command uses
package shortcut

import (
	"slices"
	"strings"

	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/path"
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

// Options says how short cuts are applied.
type Options struct {
	Place   func(values.Place) source.Span // where something is among the files of the run
	Origins *tree.Origins                  // records what set each value; may be nil
	Warn    func(*diag.Diagnostic)
	Matched func(Match) // is called for each value that an entry sets; may be nil
}

// Match is a value that an entry sets. It may have been the same before.
type Match struct {
	Entry     *Entry
	File, Doc int // the indexes of the document
	Path      string
	Had       bool // there was a value
	Old, New  tree.Value
}

// Missed is an entry that matches nothing, and the message about it.
type Missed struct {
	*Entry
	Message *diag.Diagnostic
}

// Result is what short cuts did.
type Result struct {
	Docs   [][]tree.Doc
	Used   map[*Entry]bool
	Missed []Missed
}

// run is one application to all documents.
type run struct {
	opt         Options
	images      map[string]*Image // by name
	replicas    map[string]*Replicas
	namespace   *Text
	labels      []setting
	annotations []setting

	scopes   map[[2]string]bool  // whether custom resources have a namespace, by group and kind
	accounts map[[2]string]bool  // service accounts of the documents, by namespace and name
	unknown  map[objectKind]bool // kinds that were warned about
	used     map[*Entry]bool
	names    map[string]bool   // images that there are, for near misses
	objects  map[string]string // the kinds of objects, by name; "" if one has replicas
	lost     map[lostLabel]*Entry
	services []tree.Value
	wrong    diag.List

	file, doc int        // the document that is being changed
	way       path.Path  // the value in it that is being changed
	object    objectKind // the object that is being changed
	inPod     bool       // and whether its labels are those of pods
}

// Apply applies short cuts to the documents of all files. The error is a diag.List; the result has what was
// used until then.
func Apply(left [][]tree.Doc, c *Config, opt Options) (*Result, error) {
	r := newRun(c, opt)
	out := make([][]tree.Doc, len(left))
	for i, docs := range left {
		out[i] = slices.Clone(docs)
		for _, d := range docs {
			r.note(d.Value, objectKind{})
		}
	}
	for i := range out {
		for j := range out[i] {
			r.file, r.doc = i, j
			out[i][j].Value = r.document(out[i][j].Value, objectKind{})
		}
	}
	r.checkServices()
	res := &Result{Docs: out, Used: r.used, Missed: r.unused(c)}
	if r.wrong != nil {
		return res, r.wrong
	}
	return res, nil
}

func newRun(c *Config, opt Options) *run {
	r := &run{
		opt: opt, images: map[string]*Image{}, replicas: map[string]*Replicas{},
		scopes: map[[2]string]bool{}, accounts: map[[2]string]bool{}, unknown: map[objectKind]bool{},
		used: map[*Entry]bool{}, names: map[string]bool{}, objects: map[string]string{},
		lost: map[lostLabel]*Entry{},
	}
	for i := range c.Images {
		r.images[c.Images[i].Name] = &c.Images[i]
	}
	for i := range c.Replicas {
		r.replicas[c.Replicas[i].Name] = &c.Replicas[i]
	}
	if c.Namespace.Text != "" {
		r.namespace = &c.Namespace
	}
	r.labels, r.annotations = settings(c.Labels), settings(c.Annotations)
	return r
}

func settings(list []Text) (all []setting) {
	for i := range list {
		x := &list[i]
		all = append(all, setting{&x.Entry, x.Name, tree.String(x.Text)})
	}
	return all
}

// objectKind is the apiVersion and the kind of objects.
type objectKind struct{ version, kind string }

func (k objectKind) group() string {
	group, _, ok := strings.Cut(k.version, "/")
	if !ok {
		return ""
	}
	return group
}

// kindOf returns the kind of an object. Items of a list such as a PodList need not have one.
func kindOf(v tree.Value, in objectKind) objectKind {
	if v.Kind() != tree.MapKind {
		return objectKind{}
	}
	k := objectKind{v.TextAt("apiVersion"), v.TextAt("kind")}
	if k.version == "" && k.kind == "" {
		return in
	}
	return k
}

// itemsOf returns the items of a list of objects, and the kind of those that have none.
func itemsOf(v tree.Value, k objectKind) (items tree.Value, of objectKind, ok bool) {
	kind, isList := strings.CutSuffix(k.kind, "List")
	if !isList {
		return items, of, false
	}
	if kind != "" {
		of = objectKind{k.version, kind}
	}
	items, ok = lookup(v, "items")
	return items, of, ok && items.Kind() == tree.ArrayKind
}

// document returns a document, or the objects of a list of them.
func (r *run) document(v tree.Value, in objectKind) tree.Value {
	k := kindOf(v, in)
	if k.kind == "" || k.version == "" {
		return v
	}
	if _, of, ok := itemsOf(v, k); ok {
		return r.in(v, "items", func(list tree.Value) tree.Value {
			return r.each(list, func(item tree.Value) tree.Value { return r.document(item, of) })
		})
	}
	if k.kind == "List" {
		return v // its items are wrong
	}
	r.object, r.inPod = k, k.kind == "Pod"
	return r.change(v)
}

// change returns a Kubernetes object with all short cuts applied.
func (r *run) change(v tree.Value) tree.Value {
	v = r.setReplicas(v)
	if r.namespace != nil {
		v = r.setNamespace(v)
	}
	if len(r.labels)+len(r.annotations) > 0 {
		r.checkSelector(v)
		v = r.setLabels(v)
	}
	if len(r.images)+len(r.labels)+len(r.annotations) > 0 && r.object.kind != "CustomResourceDefinition" {
		v = r.pods(v)
	}
	return v
}

// setReplicas sets the number of replicas of an object.
func (r *run) setReplicas(v tree.Value) tree.Value {
	if len(r.replicas) == 0 {
		return v
	}
	meta, _ := lookup(v, "metadata")
	name := textAt(meta, "name")
	switch r.object.kind {
	case "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet":
		r.objects[name] = ""
	default:
		if _, ok := r.objects[name]; !ok {
			r.objects[name] = r.object.kind
		}
		return v
	}
	x := r.replicas[name]
	if x == nil || name == "" {
		return v
	}
	return r.within(v, "spec", func(spec tree.Value) tree.Value {
		return r.set(spec, setting{&x.Entry, "replicas", number(x.N)})
	})
}

// setLabels sets the labels and annotations of an object or a pod template.
func (r *run) setLabels(v tree.Value) tree.Value {
	return r.within(v, "metadata", func(meta tree.Value) tree.Value {
		if len(r.labels) > 0 {
			meta = r.within(meta, "labels", func(m tree.Value) tree.Value {
				r.noteLost(m)
				return r.set(m, r.labels...)
			})
		}
		if len(r.annotations) > 0 {
			meta = r.within(meta, "annotations", func(m tree.Value) tree.Value {
				return r.set(m, r.annotations...)
			})
		}
		return meta
	})
}

// checkSelector reports labels that would make pods differ from what selects them.
func (r *run) checkSelector(v tree.Value) {
	spec, _ := lookup(v, "spec")
	selects, ok := lookup(spec, "selector")
	if !ok || selects.Kind() != tree.MapKind {
		return
	}
	if r.object.kind == "Service" {
		r.services = append(r.services, v)
		return
	}
	if labels, ok := selects.Lookup("matchLabels"); ok {
		selects = labels
	}
	for _, x := range r.labels {
		old, ok := lookup(selects, x.key)
		if ok && old.Kind() == tree.ScalarKind && old.Text() != x.value.Text() {
			r.deselects(x.Entry, x.value.Text(), v, old)
		}
	}
}

// lostLabel is a label of a pod that a short cut replaces.
type lostLabel struct{ key, text string }

// noteLost records the labels of pods that are replaced.
func (r *run) noteLost(labels tree.Value) {
	if !r.inPod {
		return
	}
	for _, x := range r.labels {
		if old, ok := lookup(labels, x.key); ok && old.Kind() == tree.ScalarKind && old.Text() != x.value.Text() {
			r.lost[lostLabel{x.key, old.Text()}] = x.Entry
		}
	}
}

// checkServices reports labels that services need and pods lose. A service may also select pods that are not
// among the documents, so its selector alone says nothing.
func (r *run) checkServices() {
	if len(r.lost) == 0 {
		return
	}
	for _, v := range r.services {
		spec, _ := lookup(v, "spec")
		selects, _ := lookup(spec, "selector")
		for _, x := range r.labels {
			old, ok := lookup(selects, x.key)
			if ok && old.Kind() == tree.ScalarKind && r.lost[lostLabel{x.key, old.Text()}] != nil {
				r.deselects(x.Entry, x.value.Text(), v, old)
			}
		}
	}
}

// deselects reports a label that makes an object select other pods.
func (r *run) deselects(x *Entry, text string, v, old tree.Value) {
	r.wrong = append(r.wrong, diag.Errorf(r.opt.Place(x.At), CodeSelector,
		"the label `%s` would be `%s`, but %s selects pods with `%s`", x.Name, text, selector.ObjectOf(v),
		old.Text()).
		WithRelated(start(old), "the selector, which short cuts do not change").
		WithHint("use another label, or set this one where it is written"))
}

// lookup returns the value of a key of a mapping.
func lookup(v tree.Value, key string) (tree.Value, bool) {
	if v.Kind() != tree.MapKind {
		return tree.Value{}, false
	}
	return v.Lookup(key)
}

// textAt returns the text of a key of a mapping, or "".
func textAt(v tree.Value, key string) string {
	if v.Kind() != tree.MapKind {
		return ""
	}
	return v.TextAt(key)
}

// start returns the span for messages about a value.
func start(v tree.Value) source.Span { return v.Start().To(v.Start().Offset() + 1) }
