package suggest

import (
	"encoding/base64"
	"math/big"
	"slices"
	"strings"

	"weft/internal/check/jsonschema"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/secret"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// This file reads objects as a cluster has them. What the cluster adds is left out, so that only what people
// have changed remains; live_defaults.go knows it.

// Live says whether the edited documents are objects of a cluster, such as kubectl get -o yaml prints.
type Live uint8

// The ways to read objects of a cluster.
const (
	NotLive     Live = iota // the edited documents are those that weft renders
	LiveObjects             // Secrets are ignored
	LiveSecrets             // Secrets count, too
)

// live replaces documents of today by what the cluster has of them. Objects that are not rendered are
// ignored, and so are documents that the cluster's list does not have: it need not be complete.
func (s *search) live(objects []tree.Doc) error {
	s.edited = slices.Clone(s.docs)
	numbers := byObject(s.docs)
	schemas := s.schemasOf(slices.Concat(s.docs, objects))
	found, secrets, all := 0, 0, itemsOf(objects)
	for _, o := range all {
		i := rendered(numbers, o.Value)
		switch {
		case i < 0:
		case secret.IsObject(o.Value) && s.in.Live != LiveSecrets:
			secrets++
		default:
			found++
			s.edited[i] = tree.Doc{Value: cleaned(s.docs[i].Value, o.Value, schemas(o.Value)), Pos: o.Pos}
		}
	}
	switch {
	case found > 0:
		return nil
	case secrets > 0:
		return diag.Failf(CodeSet, "the live objects are Secrets, which --live ignores").
			WithHint("compare them, too: --live=secrets")
	}
	return diag.Failf(CodeSet, "none of %s is in the output", diag.Count(len(all), "live object")).
		WithHint("pass what kubectl get -o yaml prints for documents that weft renders")
}

// itemsOf returns objects, and those of lists of objects.
func itemsOf(docs []tree.Doc) (list []tree.Doc) {
	for _, d := range docs {
		kind, _ := d.Value.Lookup("kind")
		items, ok := d.Value.Lookup("items")
		_, named := tree.At(d.Value, keys("metadata", "name"))
		if !ok || named || !strings.HasSuffix(kind.Text(), "List") || items.Kind() != tree.ArrayKind {
			list = append(list, d)
			continue
		}
		for _, it := range items.Entries() {
			list = append(list, tree.Doc{Value: it.Value, Pos: it.Pos})
		}
	}
	return list
}

// byObject returns the numbers of documents by the objects that they are. Those of the same object are in the
// order of the documents.
func byObject(docs []tree.Doc) map[selector.Object][]int {
	numbers := map[selector.Object][]int{}
	for i, d := range docs {
		if o := selector.ObjectOf(d.Value); !o.IsZero() {
			numbers[o] = append(numbers[o], i)
		}
	}
	return numbers
}

// rendered returns the number of the document that a live object comes from, or -1. Rendered documents may
// leave the namespace to the command that applies them.
func rendered(numbers map[selector.Object][]int, v tree.Value) int {
	o := selector.ObjectOf(v)
	if same := numbers[o]; len(same) > 0 {
		return same[0]
	}
	o.Namespace = ""
	if same := numbers[o]; len(same) == 1 {
		return same[0]
	}
	return -1 // there is none, or it may be one or the other
}

// cleaned returns a live object without what the cluster adds to a rendered one.
func cleaned(was, now tree.Value, schema jsonschema.Outline) tree.Value {
	if secret.IsObject(now) {
		now = withText(was, now)
	}
	return fieldOf(now, schema).natural(was, now)
}

// natural returns a live value as a person would write it who knows the rendered one.
func (f field) natural(was, now tree.Value) tree.Value {
	switch now.Kind() {
	case tree.MapKind:
		return f.naturalMap(was, now)
	case tree.ArrayKind:
		items := slices.Clone(now.Entries())
		for i, old := range paired(was, now) {
			items[i].Value = f.item(i).natural(old, items[i].Value)
		}
		return tree.Of(tree.NewArray(items, now.Start()))
	}
	if f.isQuantity() && was.Kind() == tree.ScalarKind && sameQuantity(was.Text(), now.Text()) {
		return was
	}
	return now
}

func (f field) naturalMap(was, now tree.Value) tree.Value {
	var items []tree.Item
	if v, ok := now.Lookup("hostNetwork"); ok {
		f.onHost = edit.Equal(v, yes())
	}
	rendered, live := finder(was), finder(now)
	for _, it := range now.Entries() {
		key := tree.KeyText(it.Key)
		below := f.key(key)
		old, ok := rendered(it.Key)
		switch {
		case below.isIn(owned) && ok:
			it.Value = old
		case below.isIn(owned), !ok && (below.isIn(assigned) || below.isComputed(now, key, it.Value)):
			continue
		default:
			live := it.Value
			it.Value = below.natural(old, live)
			if !ok && (below.isDefault(live, it.Value) || live.Len() > 0 && isEmpty(it.Value)) {
				continue // what is left of it is only what the cluster adds
			}
		}
		items = append(items, it)
	}
	for _, it := range entriesOf(was) {
		below := f.key(tree.KeyText(it.Key))
		if _, ok := live(it.Key); !ok && (below.isIn(owned) || below.isOmitted(it.Value)) {
			items = append(items, it)
		}
	}
	return tree.Of(tree.NewMap(items, now.Start()))
}

// paired returns the rendered item for each live one of a list; items that are new have none.
func paired(was, now tree.Value) []tree.Value {
	list := make([]tree.Value, now.Len())
	if was.Kind() != tree.ArrayKind {
		return list
	}
	a, b := elements(was), elements(now)
	l := listing{before: a, after: b}
	if !l.identify() || l.key == "" {
		copy(list, a)
		return list
	}
	for j, v := range b {
		for _, old := range a {
			if edit.Equal(l.id(old), l.id(v)) {
				list[j] = old
			}
		}
	}
	return list
}

// isEmpty reports whether a value is a map or a list with nothing in it.
func isEmpty(v tree.Value) bool { return v.Kind() != tree.ScalarKind && v.Len() == 0 }

// withText returns a live Secret with the data that is rendered as text as text.
func withText(was, now tree.Value) tree.Value {
	text, _ := was.Lookup("stringData")
	data, _ := was.Lookup("data")
	for _, it := range entriesOf(text) {
		key := tree.KeyText(it.Key)
		live, ok := tree.At(now, keys("data", key))
		plain, err := base64.StdEncoding.DecodeString(live.Text())
		if !ok || err != nil {
			continue
		}
		now = with(now, keys("data", key), nil)
		if hidden, ok := data.Lookup(key); ok { // the text wins, and nothing is known about the data
			now = with(now, keys("data", key), &hidden)
		}
		v := tree.String(string(plain))
		now = with(now, keys("stringData", key), &v)
	}
	if rest, ok := now.Lookup("data"); ok && rest.Len() == 0 {
		now = with(now, keys("data"), nil)
	}
	return now
}

// sameQuantity reports whether two quantities of Kubernetes are the same, such as 1000m and 1.
func sameQuantity(a, b string) bool {
	x, y := quantity(a), quantity(b)
	return x != nil && y != nil && x.Cmp(y) == 0
}

// units are the suffixes of quantities, as powers of 1000 or, for those with an i, of 1024.
var units = [...]unit{
	{"", 0},
	{"n", -3},
	{"u", -2},
	{"m", -1},
	{"k", 1},
	{"M", 2},
	{"G", 3},
	{"T", 4},
	{"P", 5},
	{"E", 6},
	{"Ki", 1},
	{"Mi", 2},
	{"Gi", 3},
	{"Ti", 4},
	{"Pi", 5},
	{"Ei", 6},
}

type unit struct {
	suffix string
	power  int64
}

// quantity returns a quantity of Kubernetes as a number, or nil.
func quantity(text string) *big.Rat {
	digits := strings.TrimRight(text, "numkKMGTPEi")
	suffix := text[len(digits):]
	i := slices.IndexFunc(units[:], func(u unit) bool { return u.suffix == suffix })
	if i < 0 || len(digits) > 30 || strings.ContainsAny(digits, "eE/_xX") {
		return nil
	}
	power := units[i].power
	v, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil
	}
	base := int64(1000)
	if strings.HasSuffix(suffix, "i") {
		base = 1024
	}
	factor := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(max(power, -power)), nil))
	if power < 0 {
		factor.Inv(factor)
	}
	return v.Mul(v, factor)
}
