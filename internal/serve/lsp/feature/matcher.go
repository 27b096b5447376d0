package feature

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/script"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/serve/lsp/index"
	"weft/internal/serve/lsp/workspace"
)

// matcherOf returns the arguments of the matcher of an overlay, or "".
func matcherOf(t *yaml.Tree, doc yaml.NodeID) string {
	args, _ := annotationOf(t, doc, "overlay/match")
	return args
}

// matcherText is what the code of a matcher says about the documents that it matches. It is not evaluated.
type matcherText struct {
	dicts    []*syntax.DictExpr     // that documents are compared with; if there are none, all may match
	assigned map[string]syntax.Expr // those that were not followed yet
}

// readMatcher reads the arguments of overlay/match. It returns false if they cannot be parsed.
func (d *described) readMatcher(args string) (*matcherText, bool) {
	call, err := script.Options().ParseExpr("", "match("+args+")", 0)
	if err != nil {
		return nil, false
	}
	m := &matcherText{assigned: assigned(d.doc)}
	m.read(call)
	return m, true
}

// read finds the dicts in the code of a matcher. It follows each name once.
func (m *matcherText) read(e syntax.Expr) {
	for left := []syntax.Expr{e}; len(left) > 0; left = left[1:] {
		syntax.Walk(left[0], func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DictExpr:
				m.dicts = append(m.dicts, n)
				return false
			case *syntax.Ident:
				if to := m.assigned[n.Name]; to != nil {
					delete(m.assigned, n.Name)
					left = append(left, to)
				}
			}
			return true
		})
	}
}

// isIn returns a function that reports whether a value contains a dict.
func (m *matcherText) isIn(v tree.Value) func(*syntax.DictExpr) bool {
	return func(d *syntax.DictExpr) bool { return holds(v, d) }
}

// holds reports whether a value contains the texts of a dict of the code. Other values of the dict may be
// anything: they are not evaluated, and neither is what is being typed.
func holds(v tree.Value, d *syntax.DictExpr) bool {
	for _, x := range d.List {
		entry, ok := x.(*syntax.DictEntry)
		if !ok {
			continue
		}
		key, _ := script.StringOf(entry.Key)
		if strings.Contains(key, index.Cursor) {
			continue
		}
		at, ok := valueAt(v, []string{key})
		if !ok {
			return false
		}
		if inner, ok := entry.Value.(*syntax.DictExpr); ok && !holds(at, inner) {
			return false
		}
		text, ok := script.StringOf(entry.Value)
		if ok && !at.IsString(text) && !strings.Contains(text, index.Cursor) {
			return false
		}
	}
	return true
}

// textAt returns the string that a dict has for a key, or "".
func textAt(d *syntax.DictExpr, key string) string {
	for _, x := range d.List {
		if entry, ok := x.(*syntax.DictEntry); ok {
			if name, _ := script.StringOf(entry.Key); name == key {
				text, _ := script.StringOf(entry.Value)
				return text
			}
		}
	}
	return ""
}

// assigned returns the expressions that are assigned to names in a document.
func assigned(doc *workspace.TextDocument) map[string]syntax.Expr {
	all := map[string]syntax.Expr{}
	a, _ := doc.LastGood()
	if a == nil {
		a = doc.Analysis()
	}
	if a.Code == nil {
		return all
	}
	syntax.Walk(a.Code, func(n syntax.Node) bool {
		if set, ok := n.(*syntax.AssignStmt); ok && set.Op == syntax.EQ {
			if id, ok := set.LHS.(*syntax.Ident); ok {
				all[id.Name] = set.RHS
			}
		}
		return true
	})
	return all
}
