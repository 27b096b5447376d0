package schemas

import (
	"cmp"
	"slices"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// Use is a place where code reads a data value.
type Use struct {
	Path  []string // its keys; "" is an item of a list, or a key that is not known
	Where string   // the place, as it is shown
}

// Infer returns a schema for values, and for data values that code reads. The first file has the
// defaults; keys that only later files have are null by default. If a file is wrong, the error is a
// *diag.Failure.
func Infer(values []File, uses []Use) (*Result, error) {
	i := &importer{files: &source.Set{}}
	root := &node{kind: mapKind}
	for _, f := range values {
		docs, err := i.parse(f)
		if err != nil {
			return nil, &diag.Failure{Files: i.files, List: diag.Of(err)}
		}
		for _, d := range docs {
			if d.root.Kind() != tree.MapKind {
				d := diag.Errorf(d.root.Span(), CodeImport, "expected values, which are a map, but found %s",
					diag.Article(d.root.TypeName()))
				return nil, &diag.Failure{Files: i.files, List: diag.List{d}}
			}
			root.join(valuesNode(d), len(root.fields) == 0)
		}
	}
	slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Compare(len(a.Path), len(b.Path)) })
	for _, u := range uses {
		root.use(u)
	}
	root.restrict()
	root.settle()
	return &Result{
		Text: root.text([]string{"made by weft schema infer"}, i.files), Format: Values,
		Losses: root.losses(), Files: i.files,
	}, nil
}

// join adds the values of another file, or of the first one. Keys that the first file lacks are null by
// default.
func (n *node) join(more *node, first bool) {
	for _, f := range more.fields {
		has := n.field(f.key)
		switch {
		case has == nil:
			if !first {
				f.typ.leaveOut()
			}
			n.fields = append(n.fields, f)
		case has.kind == mapKind && f.typ.kind == mapKind:
			if has.rest != nil && len(f.typ.fields) > 0 {
				has.rest = nil // arbitrary keys were only assumed, because the map was empty
			}
			has.join(f.typ, false)
		default:
			def := has.def
			joined := unified(has, f.typ)
			joined.def = def
			joined.desc = cmp.Or(has.desc, f.typ.desc)
			n.replace(f.key, joined)
		}
	}
}

// leaveOut removes the defaults of a value that the first file does not set.
func (n *node) leaveOut() {
	if n.kind == mapKind {
		for _, f := range n.fields {
			f.typ.leaveOut()
		}
	}
	n.def = nil
}

func (n *node) replace(key string, typ *node) {
	if i := n.find(key); i >= 0 {
		n.fields[i].typ = typ
	}
}

// use adds a value that code reads, unless values say what it is.
func (n *node) use(u Use) {
	at := n
	for i, key := range u.Path {
		switch {
		case at.kind == mapKind && key != "":
			next := at.field(key)
			if next == nil && at.rest != nil && at != n {
				if at.rest.kind != anyKind || len(at.fields) > 0 {
					return // one of its arbitrary keys
				}
				at.rest = nil // nothing says that its keys are arbitrary
			}
			if next == nil {
				next = &node{at: pointer(at.at, key), read: u.Where}
				at.fields = append(at.fields, field{key, next})
			}
			at = next
		case at.read != "" && at.kind == anyKind && key != "":
			at.kind = mapKind
			next := &node{at: pointer(at.at, u.Path[i]), read: u.Where}
			at.fields, at = append(at.fields, field{key, next}), next
		case at.kind == arrayKind && key == "":
			at = at.item
		default:
			return // the value has an unknown type, or the key is a method of a string
		}
	}
}
