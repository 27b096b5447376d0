package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// NoteAssert is the annotation that adds rules to a value in a document of data values, with or
// without a schema.
const NoteAssert = "assert/validate"

// Call calls a function that the user wrote. An error that is or wraps a diag.List ends the
// validation and becomes its only result. So if a run is interrupted or takes too many steps, that
// does not look like a value that breaks a rule.
type Call func(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error)

// Validate checks the final data values against the rules of the schema (@schema/validation) and
// those that came with the values (@assert/validate). doc must be a result of Assign. The list has
// all rules that are broken.
//
// saw is called for each annotation whose rules have checked a value. It may be nil.
func (t *Type) Validate(doc tree.Doc, call Call, saw func(Verdict)) diag.List {
	v := validator{call: call, saw: saw, root: doc.Value}
	v.walk(t, documentNode(doc), starlark.None)
	if v.ended != nil {
		return v.ended
	}
	return v.list
}

// Verdict is the result of checking a value against the rules of an annotation.
type Verdict struct {
	At     source.Pos // the position of the annotation
	Passed bool
	One    int // the index of the value in one_of, or -1
}

type validator struct {
	call  Call
	saw   func(Verdict)
	root  tree.Value
	path  path
	list  diag.List
	ended diag.List // the error that ended the validation
}

// walk validates a node and everything below it, in the order of the document: a collection before
// its items. t is nil where no type is known.
func (v *validator) walk(t *Type, n node, parent starlark.Value) {
	if t != nil {
		if t.rules != nil {
			v.run(t.rules, &n, parent)
		}
		if t.open != nil && t.open.rules != nil {
			v.run(t.open.rules, &n, parent)
		}
		if !t.ruled {
			t = nil
		}
		t = v.choose(t, &n, parent)
	}
	if a := n.notes.Get(NoteAssert); a != nil {
		r, list := compileRules(a, &n)
		for _, d := range list {
			d.Path = v.path.String()
		}
		v.list = append(v.list, list...)
		if r != nil {
			v.run(r, &n, parent)
		}
	}
	if _, _, ok := n.value.Syntax(); ok && t == nil {
		return // there are no rules and no annotations below
	}
	switch x := n.value.Starlark().(type) {
	case *tree.Map:
		entries := x.Entries()
		for i := range entries {
			v.below(t.ofKey(entries[i].Key, i), itemNode(&entries[i], tree.MapItem, n.pos),
				step{key: entries[i].Key, index: -1}, x)
		}
	case *tree.Array:
		entries := x.Entries()
		for i := range entries {
			v.below(t.ofItems(), itemNode(&entries[i], tree.ArrayItem, n.pos), step{index: i}, x)
		}
	}
}

func (v *validator) below(t *Type, n node, s step, parent starlark.Value) {
	if v.ended != nil {
		return
	}
	v.path = append(v.path, s)
	v.walk(t, n, parent)
	v.path = v.path[:len(v.path)-1]
}

// choose returns the alternative that a value is, and runs its rules; t itself if there are none.
func (v *validator) choose(t *Type, n *node, parent starlark.Value) *Type {
	alt := t.chosen(n.value)
	if alt != t && alt.rules != nil {
		v.run(alt.rules, n, parent)
	}
	return alt
}

// ofKey returns the type of the value of a key, or nil. t may be nil.
func (t *Type) ofKey(key tree.Value, guess int) *Type {
	if t == nil {
		return nil
	}
	if i, ok := t.lookup(key, guess); ok {
		return t.fields[i].typ
	}
	if t.union != nil {
		return t.union.ofKey(key, guess)
	}
	return t.rest()
}

// ofKey returns the type of a key in the first alternative that has it, or nil.
func (u *union) ofKey(key tree.Value, guess int) *Type {
	for _, alt := range u.alts {
		if typ := alt.ofKey(key, guess); typ != nil {
			return typ
		}
	}
	return nil
}

// ofItems returns the type of an array's items, or nil. t may be nil.
func (t *Type) ofItems() *Type {
	if t == nil {
		return nil
	}
	return t.item
}

// run checks a value against the rules of one annotation. For null it only checks not_null: null
// breaks that rule, and no other rule applies.
func (v *validator) run(r *rules, n *node, parent starlark.Value) {
	null := n.value.IsNull()
	if null && !r.notNull || v.ended != nil {
		return
	}
	if r.when != nil && !v.applies(r, n, parent) {
		return
	}
	if v.saw != nil {
		before := len(v.list)
		defer func() { v.verdict(r, n, len(v.list) == before) }()
	}
	if null {
		v.broken(r, n, "not null", "value is null").WithHint("set it in the data values")
		return
	}
	for _, rule := range r.list {
		if rule.check != nil {
			if err := rule.check(n.value); err != nil {
				v.broken(r, n, rule.must, err.Error())
			}
			continue
		}
		got, err := v.call(rule.function, n.value.Starlark())
		switch {
		case v.ends(err):
			return
		case err != nil:
			v.broken(r, n, rule.must, reason(err))
		case got != starlark.True:
			v.broken(r, n, rule.must, "")
		}
	}
}

// verdict reports the result of rules for a value, unless the validation has ended.
func (v *validator) verdict(r *rules, n *node, passed bool) {
	if v.ended != nil {
		return
	}
	one := slices.IndexFunc(r.oneOf, func(x tree.Value) bool { return tree.SameScalar(x, n.value) })
	v.saw(Verdict{At: r.at.Pos, Passed: passed, One: one})
}

// applies calls the condition of rules, when=.
func (v *validator) applies(r *rules, n *node, parent starlark.Value) bool {
	args := []starlark.Value{n.value.Starlark()}
	if f, ok := r.when.(*starlark.Function); ok {
		params := f.NumParams()
		open := f.HasVarargs() || f.HasKwargs()
		switch {
		case params == 2 && !open || f.HasVarargs():
			args = append(
				args,
				tree.NewStruct(
					[]string{"parent", "root"},
					starlark.StringDict{"parent": parent, "root": v.root.Starlark()},
				),
			)
		case params != 1:
			v.cannot(
				r,
				n,
				"failed to evaluate when=: function must accept 1 or 2 arguments (%d given)",
				params,
			)
			return false
		}
	}
	got, err := v.call(r.when, args...)
	if v.ends(err) {
		return false
	}
	if err != nil {
		v.cannot(r, n, "failure evaluating when=: %s", reason(err))
		return false
	}
	yes, ok := got.(starlark.Bool)
	if !ok {
		v.cannot(r, n, "want when= to be bool, got %s", got.Type())
	}
	return bool(yes)
}

// ends reports whether err ends the whole validation, and stores it if so.
func (v *validator) ends(err error) bool {
	list, ends := endsRun(err)
	if ends {
		v.ended = list
	}
	return ends
}

// endsRun reports whether the error of a Call ends the run, and why.
func endsRun(err error) (diag.List, bool) {
	if err == nil {
		return nil, false
	}
	return errors.AsType[diag.List](err)
}

// broken reports a value that breaks a rule.
func (v *validator) broken(r *rules, n *node, must, found string) *diag.Diagnostic {
	d := diag.Errorf(n.valueSpan(), CodeValidation, "must be: %s", must)
	if found != "" {
		d.Message += "; found: " + found
	}
	if r.schema && n.value.Kind() == tree.ScalarKind && d.At.SameFile(r.at.Pos) {
		d.WithHint("this is the default of the schema: set another value in the data values")
	}
	v.report(d, r.at)
	return d
}

// cannot reports a condition that returns no valid answer.
func (v *validator) cannot(r *rules, n *node, format string, args ...any) {
	v.report(
		diag.Errorf(
			n.valueSpan(),
			CodeRule,
			"validating %s: %s",
			v.path,
			fmt.Sprintf(format, args...),
		),
		r.at,
	)
}

func (v *validator) report(d *diag.Diagnostic, rule source.Span) {
	d.Path = v.path.String()
	v.list = append(v.list, relate(d, rule, "the rule is here"))
}

// reason returns the message that the user's function passed to fail(), or why the function could not
// be run, and where.
func reason(err error) string {
	text := err.Error()
	e, ok := errors.AsType[*starlark.EvalError](err)
	if ok {
		text = e.Msg
	}
	short := text
	for _, prefix := range []string{"assert.fail: ", "fail: ", "check: "} {
		short = strings.TrimPrefix(short, prefix)
	}
	if short != text || !ok {
		return short
	}
	for i := len(e.CallStack) - 1; i >= 0; i-- {
		if at := e.CallStack[i].Pos; at.Line > 0 {
			return fmt.Sprintf("%s (at %s:%d:%d)", text, at.Filename(), at.Line, at.Col)
		}
	}
	return text
}
