package eval

import (
	"bytes"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval/modules"
	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// drop warns about a value that a statement discards, unless it is None. Each statement is reported
// once, however often it runs.
func (p *proc) drop(t *starlark.Thread, u *compile.Unit, d *compile.Drop, v starlark.Value) {
	if p.reported[d] || d.Call && d.Changes == "" && p.build.top().last == replacedNode {
		return // it replaced a node, as intended
	}
	msg, hint := "the value of this code is dropped: code alone on a line inserts nothing", ""
	switch {
	case d.Inserts != nil:
		if c := p.build.top(); c.pending != nil || c.replacement != nil || !isMap(v) {
			return
		}
		msg = "this map is the value of a key `_`: only template.replace inserts the items in place of the key"
		hint = fmt.Sprintf("write %s", replaceBy("_:", u, d))
	case d.Changes != "":
		msg, hint = changes(u, d)
	default:
		if hint = dropHint(u, d, v); hint == "" {
			return
		}
	}
	if p.reported == nil {
		p.reported = map[*compile.Drop]bool{}
	}
	p.reported[d] = true
	Note(t, diag.List{diag.Warningf(d.At, CodeDropped, "%s", msg).WithHint("%s", hint)})
}

// dropHint returns a hint on how to use a discarded value, or "" if there is nothing to use.
func dropHint(u *compile.Unit, d *compile.Drop, v starlark.Value) string {
	code := u.Code(d)
	switch x := v.(type) {
	case starlark.NoneType, tree.Nothing, modules.Replacement:
		return ""
	case starlark.Bool:
		if d.Call {
			return "" // an assertion: if it did not fail, its result is not needed
		}
	case starlark.Sequence:
		if holdsNothing(x) {
			return ""
		}
	case starlark.String:
		if x == "" {
			return ""
		}
	}
	if d.Function {
		return fmt.Sprintf("write `return %s` to return it from the function", code)
	}
	if u.InText(d) {
		return fmt.Sprintf("to insert it write `(@= %s @)`", code)
	}
	if u.AmongItems(d) {
		return itemHint(u, d, v)
	}
	switch v.(type) {
	case *tree.Map, *tree.Struct, *starlark.Dict:
		return fmt.Sprintf("to insert it write `key: #@ %s`; to insert its items among others "+
			"write %s", code, replaceBy("_:", u, d))
	case *tree.Array, *starlark.List, starlark.Tuple:
		return fmt.Sprintf("to insert it write `key: #@ %s`; to insert its items among others "+
			"write %s", code, replaceBy("-", u, d))
	case *tree.DocumentSet:
		return "to insert it write " + replaceBy("---", u, d)
	case *starlark.Function:
		return fmt.Sprintf("it is a function: call it where its value belongs, as in `key: #@ %s()`", code)
	}
	return fmt.Sprintf("to insert it write `key: #@ %s`", code)
}

// itemHint is dropHint for code between the items of a list.
func itemHint(u *compile.Unit, d *compile.Drop, v starlark.Value) string {
	code := u.Code(d)
	switch v.(type) {
	case *tree.Array, *starlark.List, starlark.Tuple:
		return fmt.Sprintf("to insert its items among the others write %s; to insert it as one "+
			"item, `- #@ %s`", replaceBy("-", u, d), code)
	case *starlark.Function:
		return fmt.Sprintf("it is a function: call it, as in `- #@ %s()`", code)
	}
	return fmt.Sprintf("to insert it as an item write `- #@ %s`", code)
}

// replaceBy returns the code that inserts the items of d, after the code of the node that they
// replace.
func replaceBy(before string, u *compile.Unit, d *compile.Drop) string {
	load := ""
	if !bytes.Contains(u.File.Data(), []byte("@ytt:template")) {
		load = ", after `#@ load(\"@ytt:template\", \"template\")`"
	}
	return fmt.Sprintf("`%s #@ template.replace(%s)`%s", before, u.Code(d), load)
}

// isMap reports whether a value is a nonempty map.
func isMap(v starlark.Value) bool {
	switch v := v.(type) {
	case *tree.Map:
		return v.Len() > 0
	case *tree.Struct:
		return v.Len() > 0
	case *starlark.Dict:
		return v.Len() > 0
	}
	return false
}

// holdsNothing reports whether a collection is empty, or contains only results of calls made for
// their effects.
func holdsNothing(x starlark.Sequence) bool {
	l, ok := x.(*starlark.List)
	if !ok {
		return x.Len() == 0
	}
	for i := range l.Len() {
		switch l.Index(i).(type) {
		case starlark.NoneType, tree.Nothing, modules.Replacement:
		default:
			return false
		}
	}
	return true
}

// changes returns the message about a method that returns None where a value is expected, and a
// hint with the code to write instead.
func changes(u *compile.Unit, d *compile.Drop) (msg, hint string) {
	code := u.Code(d)
	x, args := "x", "..."
	if i := strings.LastIndex(code, "."+d.Changes+"("); i > 0 && strings.HasSuffix(code, ")") {
		x, args = code[:i], code[i+len(d.Changes)+2:len(code)-1]
	}
	msg = "the value is None: a method that changes a list or a dict returns nothing"
	switch d.Changes {
	case "append":
		return msg, fmt.Sprintf("write `%s + [%s]`", x, args)
	case "extend":
		return msg, fmt.Sprintf("write `%s + %s`", x, args)
	}
	return msg, fmt.Sprintf("call it on its own line, above, as in `#@ %s`, and then use the "+
		"changed value", code)
}
