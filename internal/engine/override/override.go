// Package override applies overrides: documents without annotations that change others by the shape
// of their data.
//
// It takes evaluated documents and overrides, each of which is a mapping, and returns new documents;
// its inputs never change, and parts that no override touches are shared. Text then writes changed
// documents into the text that they were read from, so that all other lines stay as they were.
//
// The files, in the order in which an override passes through them:
//
//	override.go                    overrides meet documents, in parallel
//	read.go, path.go               arguments (files, directories, URLs, inline text) become overrides
//	directive.go, mistake.go       what is wrong with an override, before it meets a document
//	identity.go                    overrides with the kind and name of one document
//	address.go                     entries of lists by index or contents, scalars to remove
//	rule.go, pattern.go, select.go what decides how lists are merged, and which documents are
//	route.go                       which overrides may be for a document
//	merge.go, list.go, items.go    an override meets a document
//	anchor.go                      aliases follow the anchors that an override changes
//	fresh.go, fingerprint.go       what it adds, and which items are equal
//	strict.go                      what it does not meet
//	change.go, origin.go, span.go  what was changed, by which override, and where
//	patch.go                       overrides, read once for thousands of documents
//	keys.go                        the keys with a meaning for the merge, for editors
//	repeated.go                    duplicate keys
//	print.go                       the result as text, which package edit writes
//	dialect.go, drive.go           how a kind of documents changes all of this: rules as values,
//	                               and the merge in steps
package override

import (
	"context"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/parallel"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The codes of this package's diagnostics.
const (
	// an override, or a document to change, that is not a mapping
	CodeRoot      diag.Code = "override/not-a-mapping"
	CodeArgument  diag.Code = "override/argument"  // an argument that cannot be read
	CodeDocuments diag.Code = "override/documents" // several documents in one inline override
	CodeDirective diag.Code = "override/directive" // a wrong $remove or $replace
	CodeNoMatch   diag.Code = "override/no-match"  // a change to something that does not exist
	// a list of mappings that cannot be merged by key
	CodeNoKey    diag.Code = "override/no-merge-key"
	CodeRepeated diag.Code = "override/repeated-key" // a duplicate key in a document
	CodeInternal diag.Code = "override/internal"     // a document that cannot be written
	// a mapping that replaces a list of named entries
	CodeMapping  diag.Code = "override/mapping"
	CodePathKey  diag.Code = "override/path-as-key" // a key that reads like a path
	CodeAlias    diag.Code = "overlay/alias"        // a change that aliases do not follow
	CodeTemplate diag.Code = "override/template"    // a file with code
	// the kind and name of one document, set in all of them
	CodeIdentity diag.Code = "override/identity"
)

// Options says how overrides are applied. The zero value is for any YAML.
type Options struct {
	// Workers is how many documents are worked on at a time.
	Workers parallel.Workers
	// Dialect describes the kind of documents; nil means any YAML.
	Dialect *Dialect
	// Rules are exceptions to how lists are merged; nil means none. Dialects ignore them: they have
	// their own table.
	Rules *Rules
	// Select selects the documents; the zero value selects all.
	Select Selector
	// Only limits each override to some documents, beside what it selects itself; nil limits none.
	Only []Selector
	// ByName has an override with kind and metadata.name change only the document that they name.
	ByName bool
	// Files are the names of the files whose documents are overridden, for selections such as FILE#2.
	Files []string
	// SplitAliases writes out the aliases of anchors that an override changes, so that they keep their
	// values. Otherwise they follow.
	SplitAliases bool
	// Strict rejects overrides that match nothing, such as a key or an entry that no document has,
	// and lists of mappings that are replaced because an entry has no key to merge by.
	Strict bool
	// Written says that the documents are files rather than the output of templates: a duplicate
	// key may be a mistake, or the file may be a template.
	Written bool
	// Used is called with each value that an override replaces, from several goroutines at once. It
	// may be nil.
	Used func(old tree.Value)
	// Origins records what set each value. It may be nil.
	Origins *tree.Origins
	// KeepPlaces says that overridden values keep their positions, where their comments are.
	KeepPlaces bool
	// Draft is called with each document before its aliases follow, for Text. It may be nil.
	Draft func(file, doc int, v tree.Value)
	// Warn is called with warnings. It may be nil.
	Warn func(*diag.Diagnostic)
}

// Apply applies overrides, in order, to the documents of all files: left[i] are those of file i.
// The result has the same shape. Null documents stay unchanged. The error is a diag.List, or the
// cause of ctx's end.
func Apply(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt Options,
) ([][]tree.Doc, error) {
	return apply(ctx, left, overrides, &opt, nil)
}

// Explain applies overrides like Apply, and returns what each of them did, in order.
func Explain(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt Options,
) ([]ValueChange, [][]tree.Doc, error) {
	log := &log{}
	docs, err := apply(ctx, left, overrides, &opt, log)
	return log.changes, docs, err
}

func apply(
	ctx context.Context, left [][]tree.Doc, overrides []tree.Doc, opt *Options, log *log,
) ([][]tree.Doc, error) {
	out := make([][]tree.Doc, len(left))
	var all []docPlace
	for i, docs := range left {
		out[i] = slices.Clone(docs)
		for j := range docs {
			all = append(all, docPlace{i, j})
		}
	}
	share := max(len(all), 1) // the number of documents per goroutine
	if log == nil && len(all) > 2*maxShare {
		share = maxShare
	}
	parts := (len(all) + share - 1) / share
	err := eachPart(
		ctx,
		parts,
		left,
		overrides,
		opt,
		log,
		func(p int, m *merger, patches []*patch) {
			for _, at := range all[p*share : min((p+1)*share, len(all))] {
				if ctx.Err() != nil {
					return
				}
				d := &out[at.file][at.doc]
				d.Value = m.one(at, d, patches)
				if opt.Draft != nil {
					opt.Draft(at.file, at.doc, m.draft(d.Value))
				}
			}
		},
	)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Rewrite applies overrides to files and returns their text, in pieces. It combines Apply and Text
// document by document, so that the merged form of one can be freed before the next. It does not
// support dialects.
func Rewrite(
	ctx context.Context, inputs []Input, overrides []tree.Doc, opt Options, read yaml.Options,
) ([][][]byte, error) {
	type piece struct {
		file, part int
		edit.Part
	}
	texts := make([][][]byte, len(inputs))
	left := make([][]tree.Doc, len(inputs))
	var pieces []piece
	for i, in := range inputs {
		texts[i] = make([][]byte, len(in.Trees))
		left[i] = in.Docs
		for j, p := range edit.PartsOf(in.Trees) {
			pieces = append(pieces, piece{i, j, p})
		}
	}
	err := eachPart(
		ctx,
		len(pieces),
		left,
		overrides,
		&opt,
		nil,
		func(k int, m *merger, patches []*patch) {
			p := &pieces[k]
			docs := left[p.file][p.First : p.First+len(p.Docs)]
			e := p.Edit(read)
			for j, doc := range p.Docs {
				if ctx.Err() != nil {
					return
				}
				v := m.one(docPlace{p.file, p.First + j}, &docs[j], patches)
				if m.refused == nil {
					m.refused = diag.Of(unwritable(e.SetFrom(doc, m.draft(v), v)))
				}
				m.slab = m.slab[:0] // the items are no longer used
			}
			texts[p.file][p.part] = e.Text()
		},
	)
	return texts, err
}

// eachPart calls do for all parts of the work in parallel, each with its own merger, and combines
// their diagnostics.
func eachPart(
	ctx context.Context,
	n int,
	left [][]tree.Doc,
	overrides []tree.Doc,
	opt *Options,
	log *log,
	do func(int, *merger, []*patch),
) error {
	words := &directives{rules: opt.Rules, generic: true}
	for i := range overrides {
		if err := words.check(overrides[i].Value); err != nil {
			return diag.Of(err)
		}
	}
	chosen := opt.Select.over(left, opt.Files)
	patches := opt.patchesOf(overrides)
	numbered := numberedOver(patches, left, opt.Files)
	routes := routesOf(patches, numbered)
	mergers := make([]*merger, n)
	opt.Workers.Each(n, func(p int) {
		mergers[p] = newMerger(opt, log)
		mergers[p].picked = make([]bool, len(overrides))
		mergers[p].taken, mergers[p].numbered, mergers[p].routes = chosen, numbered, routes
		do(p, mergers[p], opt.patchesOf(overrides))
	})
	if err := context.Cause(ctx); err != nil {
		return err
	}
	total := newMerger(opt, log)
	total.picked = make([]bool, len(overrides))
	for _, m := range mergers {
		total.take(m)
	}
	total.warnAll()
	switch {
	case len(overrides) == 0:
		return nil
	case total.refused != nil:
		total.refused.Sort()
		return total.refused
	case total.selected == 0 && opt.Select.IsZero():
		return emptyInput(left)
	case len(total.strays) > 0 && (total.selected > 1 || total.renames):
		return total.strayed()
	}
	total.unselected()
	if total.selected > 0 {
		total.problems = append(total.problems, total.unpicked(opt.patchesOf(overrides), left)...)
	}
	if total.selected > 0 {
		total.words(words)
	}
	if list := total.finish(); len(list) > 0 {
		return list
	}
	return nil
}

// maxShare is the maximum number of documents overridden in one go.
const maxShare = 256

// docPlace is the file and index of a document.
type docPlace struct{ file, doc int }

// one returns a document after all overrides, if it is selected.
func (m *merger) one(at docPlace, d *tree.Doc, overrides []*patch) tree.Value {
	if len(overrides) == 0 || d.Value.IsNull() {
		return d.Value
	}
	if !m.selects(at) {
		return d.Value
	}
	doc := selectable(Place{File: at.file, Doc: at.doc}, d.Value, m.opt.Files)
	m.where = d.Pos
	m.begin(at)
	if m.follows = nil; !m.opt.SplitAliases {
		m.follows = follow(d.Value)
	}
	keys := m.routes.keysOf(doc)
	list := m.routes.of(at, keys)
	for i := 0; i < len(list); i++ {
		k := list[i]
		if !m.picks(k, overrides[k], at, doc) {
			continue
		}
		if doc.Value.Kind() != tree.MapKind {
			m.refused = append(m.refused, notMapping(d))
			break
		}
		doc.Value = m.applied(k, doc.Value, overrides[k])
		if now := m.routes.keysOf(doc); !slices.Equal(now, keys) { // it has another name, or another kind
			keys, list = now, m.routes.of(at, now)
			i, _ = slices.BinarySearch(list, k+1)
			i--
		}
	}
	return doc.Value
}

// patchesOf reads overrides for one goroutine.
func (opt *Options) patchesOf(overrides []tree.Doc) []*patch {
	list := make([]*patch, len(overrides))
	for i, o := range overrides {
		p := patchOf(o.Value, o.Value.Start(), nil)
		if sel, ok := o.Value.Lookup(keySelect); ok {
			p.sel, _ = SelectorOf(keySelect, sel) // checked before
		}
		if opt.Only != nil {
			p.only = opt.Only[i]
		}
		if id, ok := identityOf(o.Value); ok && p.sel.IsZero() && p.only.IsZero() && opt.Select.IsZero() {
			p.identity, p.byName = &id, opt.ByName
		}
		list[i] = p
	}
	return list
}

// notMapping returns the error for a document that cannot be overridden.
func notMapping(d *tree.Doc) *diag.Diagnostic {
	at := d.Value.Start()
	if !at.IsValid() {
		at = d.Pos
	}
	return diag.Errorf(at.To(at.Offset()+1), CodeRoot,
		"overrides change mappings, but this document is %s", described(d.Value)).
		WithHint("choose the documents to change with --select")
}

// emptyInput returns an error if there is no document to change.
func emptyInput(left [][]tree.Doc) error {
	for _, docs := range left {
		if len(docs) > 0 {
			return diag.List{
				diag.Errorf(
					docs[0].Pos.To(docs[0].Pos.Offset()+1),
					CodeRoot,
					"there is no document to override: the input is empty",
				),
			}
		}
	}
	return diag.List{
		diag.Errorf(
			source.Span{},
			CodeRoot,
			"there is no document to override: the input is empty",
		),
	}
}

// described returns the kind of a value, for messages.
func described(v tree.Value) string {
	switch v.Kind() {
	case tree.MapKind:
		return "a mapping"
	case tree.ArrayKind:
		return "a list"
	}
	return "the scalar " + Brief(v, 40)
}
