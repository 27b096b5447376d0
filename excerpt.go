package weft

import (
	"cmp"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/blame"
)

// ExcerptOptions says what Result.Excerpts returns.
type ExcerptOptions struct {
	// Select selects documents as BlameOptions.Select does, or a file that is not YAML by its path; ""
	// means everything.
	Select string

	// Path is a place in the selected documents, such as spec.containers[0].image; "" means all of them.
	Path string

	// Leaves returns each scalar and each empty collection by itself.
	Leaves bool

	// Secrets says what is hidden.
	Secrets Secrets
}

// Excerpt is a part of a result that may be shown to others.
type Excerpt struct {
	Document string // the name of the document, such as Deployment/web, or the path of a text file
	Path     string // the place in the document, or ""
	Place    Place  // where it comes from
	Text     []byte // as YAML, or the content of a text file
}

// Excerpts returns parts of the result without the secrets in them, and without comments.
func (r *Result) Excerpts(opts ExcerptOptions) ([]Excerpt, error) {
	x := excerpts{of: r, leaves: opts.Leaves}
	var err error
	if x.rules, err = opts.Secrets.rules(); err != nil {
		return nil, err
	}
	of, err := selector.Parse("SELECT", opts.Select)
	if err != nil {
		return nil, ErrorOf(err)
	}
	if opts.Path != "" {
		if x.at, err = path.Parse("PATH", opts.Path); err != nil {
			return nil, ErrorOf(err)
		}
	}
	found := x.add(of)
	switch {
	case !found && opts.Select != "":
		return nil, ErrorOf(selector.Unknown("'"+opts.Select+"'", opts.Select, x.names))
	case len(x.list) == 0 && opts.Path != "":
		return nil, ErrorOf(diag.Failf(blame.CodeSelect, "nothing is at '%s'", opts.Path).
			WithHint("%s", cmp.Or(x.near.Hint(), "leave out the path to see the whole document")))
	}
	return x.list, nil
}

// excerpts collects parts of a result.
type excerpts struct {
	of     *Result
	rules  secret.Rules
	at     path.Pattern // nil for whole documents
	leaves bool
	names  []string  // of all documents
	near   path.Near // how far the path leads in a document that does not have it
	list   []Excerpt
}

// add adds what is selected, and reports whether it is a document or a file.
func (x *excerpts) add(of selector.Selector) (found bool) {
	texts := slices.Clone(x.of.res.Secrets)
	for _, d := range x.of.res.Docs {
		texts = append(secret.Texts(texts, d.Value), x.rules.NamedTexts(nil, d.Value)...)
	}
	x.rules.Hide(secret.Distinct(texts))
	docs := selector.Of(x.of.res.Docs, x.of.res.Result.Files)
	x.names = selector.Names(docs)
	for i, selected := range of.Select(docs) {
		if d := x.of.res.Docs[i]; selected && !d.Value.Empty() {
			found = true
			x.document(x.names[i], d)
		}
	}
	for _, f := range x.of.Texts() {
		if of.IsZero() || of.String() == f.Path {
			found = true
			if x.at == nil {
				x.list = append(x.list, Excerpt{Document: f.Path, Text: []byte(x.rules.MaskText(string(f.Data)))})
			}
		}
	}
	return found
}

func (x *excerpts) document(name string, d tree.Doc) {
	masked := x.rules.Mask(d.Value, nil, nil)
	parts := []path.Found{{Value: masked, At: d.Pos}}
	if x.at != nil {
		parts = x.at.Find(masked)
		if near := x.at.Near(masked); len(parts) == 0 && (x.near.Next == nil || near.Better(&x.near)) {
			x.near = near
		}
	}
	for _, p := range parts {
		if x.leaves {
			x.leavesOf(name, p)
		} else {
			x.part(name, p)
		}
	}
}

// leavesOf adds the scalars and the empty collections of a value.
func (x *excerpts) leavesOf(name string, p path.Found) {
	if p.Value.Kind() == tree.ScalarKind || p.Value.Len() == 0 {
		x.part(name, p)
		return
	}
	var r tree.Reader
	for i, it := range r.Items(nil, p.Value) {
		to, at := path.ToValue(i, it.Value), it.Pos
		if p.Value.Kind() == tree.MapKind {
			to = path.ToKey(it.Key)
		}
		if !at.IsValid() {
			at = p.At
		}
		x.leavesOf(name, path.Found{Path: append(slices.Clip(p.Path), to), Value: it.Value, At: at})
	}
}

func (x *excerpts) part(name string, p path.Found) {
	var out yaml.YAMLWriter
	var printer tree.Printer
	printer.Write(&out, p.Value) // unlike a document, an empty value is shown
	x.list = append(x.list, Excerpt{
		Document: name, Path: p.Path.String(), Text: out.Bytes(),
		Place: placeIn(x.of.res.Result.Files, source.Span{Pos: p.At}),
	})
}
