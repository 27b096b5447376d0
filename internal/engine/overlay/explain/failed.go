package explain

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/overlay"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// This file explains errors of functions in overlays.

// ViaFailed implements overlay.Explainer. The function often gets an argument that its author did
// not expect: with or_add=True, left is None if nothing matches.
func (e *explainer) ViaFailed(d overlay.View, i int32, p *overlay.Plan, err error) error {
	failed := e.failedOn(d, i, p, err)
	x, ok := failed.(*diag.Diagnostic)
	switch {
	case !ok || x.Code != overlay.CodeFunction:
		return failed
	case arity(err):
		x.Hint = "via is called with two arguments: " + callWith(p.Via, "left", "left, right")
		return x
	case e.foundNothing(x):
		return x
	case i == overlay.None && strings.Contains(x.Message, "NoneType"):
		x.Hint = "nothing matches, so left is None where or_add=True adds: write `lambda left, " +
			"right: right if left == None else ...`"
		return x
	case i == overlay.None:
		return x
	}
	switch left := d.Cell(i); {
	case left.Kind() != tree.ScalarKind && strings.Contains(x.Message, "yamlfragment"):
		x.Hint = leftHint(p, left)
	case strings.Contains(x.Message, "frozen"):
		x.Hint = "overlays apply after the code of their file has run, and its values can no " +
			"longer change: return a new value instead"
	}
	return x
}

// foundNothing adds a hint if the function failed because overlay.documents found nothing.
func (e *explainer) foundNothing(x *diag.Diagnostic) bool {
	hint := e.ask.Missed()
	if hint == "" || !strings.Contains(x.Message, "out of range: empty list") {
		return false
	}
	x.Hint = hint
	return true
}

// leftHint returns a hint for a function that is written for a scalar but gets a collection.
func leftHint(p *overlay.Plan, left overlay.Cell) string {
	hint := fmt.Sprintf("the annotation is on this %s, so left is the whole %s", name(p),
		left.TypeName())
	if key := innerKey(p, left); key != "" {
		hint += fmt.Sprintf(": for the value of `%s` put the annotation above `%s:`, or read "+
			"left[%s]", key, key, starlark.String(key))
	} else if left.Kind() == tree.ArrayKind {
		hint += ", a list: put the annotation above one of its items, or loop over it with " +
			"`[... for x in left]`"
	} else if left.Kind() == tree.MapKind {
		hint += `: put the annotation above one of its keys, or read left["key"]`
	}
	return hint
}

// innerKey returns the key inside p that the function of p is probably meant for. It prefers keys that left
// has too, and skips the key that items are matched by.
func innerKey(p *overlay.Plan, left overlay.Cell) string {
	m, ok := p.Right.Map()
	if !ok {
		return ""
	}
	name := ""
	for _, it := range m.Entries() {
		k := overlay.KeyOf(it.Key)
		if !k.IsString || p.By != nil && p.By.Kind == overlay.MatchMapKey && p.By.Key.Text == k.Text {
			continue
		}
		if _, ok := left.Lookup(k); ok {
			return k.Text
		}
		if name == "" {
			name = k.Text
		}
	}
	return name
}

// arity reports whether a function was called with the wrong number of arguments, so its body has
// not run.
func arity(err error) bool {
	ev, ok := errors.AsType[*starlark.EvalError](err)
	if !ok {
		return false
	}
	msg := ev.Msg
	return strings.HasPrefix(msg, "function ") &&
		(strings.Contains(msg, " accepts ") && strings.Contains(msg, " given)") ||
			strings.Contains(msg, " missing "))
}

// callWith returns a hint for fn, which is called with args but takes only some of them.
func callWith(fn starlark.Callable, some, args string) string {
	if name := fn.Name(); name != "lambda" {
		return fmt.Sprintf("write `lambda %s: %s(%s)`, or let `def %s(%s)` take both", args, name,
			some, name, args)
	}
	return fmt.Sprintf("write `lambda %s: ...`", args)
}

// ByFailed implements overlay.Explainer.
func (e *explainer) ByFailed(d overlay.View, i int32, p *overlay.Plan, err error) error {
	failed := e.failedOn(d, i, p, err)
	x, ok := failed.(*diag.Diagnostic)
	if ok && x.Code == overlay.CodeMapKey && p.Kind == tree.MapItem && p.Inner == tree.ArrayKind {
		return x.WithHint("move `#@overlay/match by=%q` down, above the `- ` of the item: it is above the key "+
			"of the list, and matches keys there", p.By.Key.Text)
	}
	if note := p.Notes.Get(overlay.NoteMatch); ok && x.Fix != nil && note != nil {
		return x.WithFixOn(note.Pos, x.Fix.Edits[0].Was, x.Fix.Edits[0].Text)
	}
	if !ok || x.Code != overlay.CodeFunction || p.By.Kind != overlay.MatchFunc {
		return failed
	}
	if e.foundNothing(x) {
		return x
	}
	args := overlay.IndexWord(p.Kind) + ", left, right"
	key, isKey := strings.CutPrefix(x.Message, "key ")
	key, isLeft := strings.CutSuffix(key, " not in yamlfragment")
	switch name := p.By.Func.Name(); {
	case arity(err) && name == "lambda":
		x.Hint = fmt.Sprintf("by is called with three arguments: write `lambda %s: ...`", args)
	case arity(err):
		x.Hint = fmt.Sprintf("by is called with three arguments: define the function as `def "+
			"%s(%s)`", name, args)
	case isKey && isLeft:
		x.Hint = fmt.Sprintf("not every %s has the key: write `%s in left and ...`", p.Kind, key)
	}
	return x
}
