package lint

import (
	"slices"

	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/diag"
	"weft/internal/lang/edit"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// valuesOf returns the findings about the data values of a run with origins.
func valuesOf(o *tree.Origins) diag.List {
	var found diag.List
	for _, v := range o.DataValues() {
		if v.Library == "" && v.Document == "" {
			found = append(found, valuesIn(o, v.Value)...)
		}
	}
	return found
}

func valuesIn(o *tree.Origins, v tree.Value) diag.List {
	var r run
	r.eachValue(o, v)
	return r.found
}

// eachValue finds data values that are set to their previous value, and those without effect.

func (r *run) eachValue(o *tree.Origins, v tree.Value) {
	for _, it := range v.Entries() {
		switch it.Value.Kind() {
		case tree.ScalarKind:
			r.value(o, it.Value)
		default:
			r.eachValue(o, it.Value)
		}
	}
}

// value checks the layers that set a scalar.
func (r *run) value(o *tree.Origins, v tree.Value) {
	history := slices.Collect(o.History(v.Origin()))
	for i, s := range history {
		now := v // what the layer has set
		if i > 0 {
			now = history[i-1].Old
		}
		if s.By != tree.ByDocument && s.By != tree.ByFile || !s.At.IsValid() {
			continue
		}
		if s.Was.IsValid() && s.Old.Kind() == tree.ScalarKind && edit.Equal(s.Old, now) {
			r.report(s.At, codeValuesNoOp, "this sets a data value to what it was").
				WithRelated(s.Was, "it is set to the same value here").
				WithHint("remove it, or set another value")
		}
		if i > 0 && !edit.Equal(history[i-1].Old, valueAfter(history, i-1, v)) {
			r.report(s.At, codeValuesShadowed, "this data value never counts: another one wins").
				WithRelated(history[i-1].At, "the one that wins is here").
				WithHint("remove it, or set it where it counts")
		}
	}
}

// valueAfter returns the value that a layer has set.
func valueAfter(history []tree.Setting, i int, v tree.Value) tree.Value {
	if i == 0 {
		return v
	}
	return history[i-1].Old
}

// branches finds conditions on data values that always have the same result.
func (r *run) branches(o *tree.Origins) {
	type result struct{ holds, failed, reads bool }
	seen := map[source.Span]*result{}
	var order []source.Span
	note := func(c tree.Condition, holds bool) {
		if c.Kind == tree.For || !c.At.IsValid() {
			return
		}
		s := seen[c.At]
		if s == nil {
			s = &result{}
			seen[c.At] = s
			order = append(order, c.At)
		}
		s.holds = s.holds || holds
		s.failed = s.failed || !holds
		s.reads = s.reads || len(o.Leaves(c.Reads)) > 0
	}
	for _, c := range o.Conditions() {
		note(c, c.Kind == tree.If)
	}
	for _, a := range o.Absences() {
		if a.Kind == tree.NotTaken {
			note(a.Condition, false)
		}
	}
	for _, at := range order {
		switch s := seen[at]; {
		case !s.reads || s.holds == s.failed:
		case s.holds:
			r.constant(at, "true")
		default:
			r.constant(at, "false")
		}
	}
}

func (r *run) constant(at source.Span, result string) {
	r.report(at, codeTemplateConstantBranch, "this condition is %s in every environment", result).
		WithHint("remove the branch that never runs, or add an environment that needs it")
}

// addedBy returns the places of items in overlays that were added inside documents, by their positions.
func addedBy(steps []explain.Step) map[source.Pos]source.Span {
	added := map[source.Pos]source.Span{}
	for i := range steps {
		for _, c := range steps[i].Effects {
			if c.Kind == explain.Added && c.Path != "" {
				added[c.At.Pos] = c.At
			}
		}
	}
	return added
}

// appended finds items that were appended to a list with an item of the same name.
func (r *run) appended(docs []tree.Doc, steps []explain.Step) {
	added := addedBy(steps)
	if len(added) == 0 {
		return
	}
	for _, d := range docs {
		r.sameNames(d.Value, added)
	}
}

func (r *run) sameNames(v tree.Value, added map[source.Pos]source.Span) {
	if a, ok := v.Array(); ok {
		first := map[string]source.Pos{}
		for _, it := range a.Entries() {
			name, ok := it.Value.Lookup("name")
			if !ok || name.Kind() != tree.ScalarKind {
				continue
			}
			if at, there := added[it.Pos]; there && first[name.Text()].IsValid() {
				r.report(at, codeOverlaySilentAppend, "an item is appended to a list that has one with the "+
					"name '%s'", name.Text()).
					WithRelated(first[name.Text()].To(first[name.Text()].Offset()+1), "it is here").
					WithHint("to change it, write `#@overlay/match by=\"name\"` above the item")
			}
			first[name.Text()] = it.Pos
		}
	}
	for _, it := range v.Entries() {
		if k := it.Value.Kind(); k == tree.MapKind || k == tree.ArrayKind {
			r.sameNames(it.Value, added)
		}
	}
}
