package suggest

import (
	"math"

	"go.starlark.net/starlark"

	"weft/internal/engine"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/origin/diff"
)

// This file is about what other readers of YAML see in the output: weft prints the float 2000.0
// as 2000, which is an integer for them, unless it keeps literals.

// printed returns the documents of a result that are printed, as readers of the output see them. Package blame
// numbers documents in the same way.
func (t *trial) printed(d draft, env string, res *engine.Result) (docs []tree.Doc) {
	unsure := false
	for _, x := range res.Docs {
		if !x.Value.Empty() {
			docs = append(docs, x)
			unsure = unsure || isUnsure(x.Value)
		}
	}
	if !unsure {
		return docs
	}
	text, err := t.exactly(d, env)
	if err != nil {
		return docs
	}
	_, seen, err := parse(textOf(text), "", t.syntax())
	if err != nil {
		return docs
	}
	at := 0
	for i := range docs {
		for at < len(seen) && seen[at].Empty() {
			at++
		}
		if at == len(seen) {
			break
		}
		docs[i].Value = asSeen(docs[i].Value, seen[at])
		at++
	}
	return docs
}

// isUnsure reports whether a value has a number that may be printed as one of another type.
func isUnsure(v tree.Value) bool {
	if v.Kind() == tree.ScalarKind {
		val, _ := v.Scalar()
		if val.Kind != yaml.Float {
			return false
		}
		f := val.Float()
		_, long := edit.LongNumber(v)
		return long || f == math.Trunc(f)
	}
	var r tree.Reader
	for _, it := range r.Items(nil, v) {
		if v.Kind() == tree.MapKind && isUnsure(it.Key) || isUnsure(it.Value) {
			return true
		}
	}
	return false
}

// asSeen returns a value with the numbers that readers of the output see. Everything else stays
// as it is, with its positions.
func asSeen(v, seen tree.Value) tree.Value {
	switch {
	case v.Kind() != seen.Kind() || sameAsSeen(v, seen):
		return v
	case v.Kind() == tree.ScalarKind:
		if sameNumber(v, seen) {
			return seen.Materialized()
		}
		return v
	}
	items, others := v.Entries(), seen.Entries()
	if len(items) != len(others) {
		return v
	}
	now := make([]tree.Item, len(items))
	for i, it := range items {
		now[i] = it
		if v.Kind() == tree.MapKind {
			now[i].Key = asSeen(it.Key, others[i].Key)
		}
		now[i].Value = asSeen(it.Value, others[i].Value)
	}
	if v.Kind() == tree.MapKind {
		return tree.Of(tree.NewMap(now, v.Start()))
	}
	return tree.Of(tree.NewArray(now, v.Start()))
}

// sameNumber reports whether two scalars are numbers, of whatever type, and equal as floats.
func sameNumber(a, b tree.Value) bool {
	x, ok := starlark.AsFloat(a.Starlark())
	y, also := starlark.AsFloat(b.Starlark())
	return ok && also && x == y
}

// sameAsSeen reports whether two values are equal for readers of the output, for whom an integer of more than
// 64 bits is not the float that weft takes it for.
func sameAsSeen(a, b tree.Value) bool { return edit.Equal(a, b) && bothLong(a, b) }

// bothLong reports whether two values, which are equal otherwise, have integers of more than 64 bits in the same
// places.
func bothLong(a, b tree.Value) bool {
	if a.Kind() == tree.ScalarKind {
		_, x := edit.LongNumber(a)
		_, y := edit.LongNumber(b)
		return x == y
	}
	var r, q tree.Reader
	others, find := q.Items(nil, b), finder(b)
	for i, it := range r.Items(nil, a) {
		other := others[i].Value
		if a.Kind() == tree.MapKind && !edit.Equal(it.Key, others[i].Key) { // in another order
			other, _ = find(it.Key)
		}
		if !bothLong(it.Value, other) {
			return false
		}
	}
	return true
}

// otherType returns an error if documents differ from the edited ones because weft prints a number as one of
// another type.
func (s *search) otherType(docs []tree.Doc) error {
	for _, c := range s.difference(docs).Changes {
		if c.Op != diff.Changed || c.Before.Kind() != tree.ScalarKind || !sameNumber(c.Before, c.After) {
			continue
		}
		as := string(edit.AppendScalar(nil, c.Before))
		text := c.Object.Name.String() + " " + c.Path.String() + " is printed as " + as + ", not " +
			c.After.Written()
		hint := "numbers stay as they are written with --keep literals"
		if s.now != nil {
			hint = "numbers stay as they are written if weft.yml has `flags: {keep: literals}`"
		}
		return diag.Failf(CodeNone, "%s: for other readers, that is another type", s.rules.MaskText(text)).
			WithHint("%s", hint)
	}
	return nil
}
