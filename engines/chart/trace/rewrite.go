package trace

import (
	"fmt"
	"strings"
	"text/template/parse"
)

// Rewrite returns a template that renders the same text with marks. File is the path that marks name. Without
// a path, the template gets no new marks, but keeps those it has.
//
// The text of a template gets marks at the ends of its lines. White space that `{{-` and `-}}` remove is gone
// already, because the template is written from its parse tree. What else is rewritten:
//
//	{{ PIPE }}              {{ __w N (PIPE) }}
//	{{ template "t" PIPE }} {{ __w N (include "t" (PIPE)) }}
//	f A B                   f (__a A) (__a B) | __r "f" 2
//	A | f B                 A | __a | f (__a B) | __r "f" 2
//	include NAME DATA       include (__s NAME) DATA
//	tpl TEXT DATA           tpl (__t TEXT) DATA | __e
//	.Values.a               (__v . "Values.a" .Values.a)
//	.Files.Get NAME         .Files.Get (__s NAME) | __f
func (t *Tracer) Rewrite(file, name, text string) (string, error) {
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return "", err
	}
	w := &writer{t: t, file: file, lines: newLines(text)}
	for define, tree := range trees {
		if tree.Root == nil || define == name {
			continue
		}
		fmt.Fprintf(w, "{{define %q}}", define)
		w.list(tree.Root)
		w.WriteString("{{end}}")
	}
	if main := trees[name]; main != nil {
		w.list(main.Root)
	}
	return w.String(), nil
}

// writer writes a rewritten template.
type writer struct {
	strings.Builder
	t     *Tracer
	file  string
	lines *lines
}

// at returns the number of the place with the line at a position.
func (w *writer) at(pos parse.Pos) int { return w.t.line(w.file, w.lines.at(int(pos))) }

func (w *writer) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		w.node(n)
	}
}

func (w *writer) node(n parse.Node) {
	switch n := n.(type) {
	case *parse.TextNode:
		if w.file == "" {
			w.Write(n.Text)
			return
		}
		first := w.lines.at(int(n.Pos))
		w.WriteString(markLines(string(n.Text), func(i int) int {
			return w.t.chain(0, w.t.line(w.file, first+i))
		}))
	case *parse.ActionNode:
		if len(n.Pipe.Decl) > 0 || w.file == "" {
			fmt.Fprintf(w, "{{%s}}", w.pipe(n.Pipe))
			return
		}
		fmt.Fprintf(w, "{{%s}}", w.output(n))
	case *parse.TemplateNode:
		data := "nil"
		if n.Pipe != nil {
			data = "(" + w.pipe(n.Pipe) + ")"
		}
		if w.file == "" {
			fmt.Fprintf(w, "{{template %q %s}}", n.Name, strings.TrimPrefix(data, "nil"))
			return
		}
		fmt.Fprintf(w, "{{__w %d (include %q %s)}}", w.at(n.Pos), n.Name, data)
	case *parse.IfNode:
		w.branch("if", &n.BranchNode)
	case *parse.RangeNode:
		w.branch("range", &n.BranchNode)
	case *parse.WithNode:
		w.branch("with", &n.BranchNode)
	case *parse.BreakNode:
		w.WriteString("{{break}}")
	case *parse.ContinueNode:
		w.WriteString("{{continue}}")
	}
}

func (w *writer) branch(keyword string, n *parse.BranchNode) {
	fmt.Fprintf(w, "{{%s %s}}", keyword, w.pipe(n.Pipe))
	w.list(n.List)
	if n.ElseList != nil {
		w.WriteString("{{else}}")
		w.list(n.ElseList)
	}
	w.WriteString("{{end}}")
}

// output returns the code for an action that puts something out. Values that are not text cannot carry marks,
// so if an action has nothing else, its function gets the mark as an argument.
func (w *writer) output(n *parse.ActionNode) string {
	if len(n.Pipe.Cmds) == 1 && len(n.Pipe.Cmds[0].Args) == 1 {
		if of, path, ok := fields(n.Pipe.Cmds[0].Args[0]); ok {
			return fmt.Sprintf("__w %d (%s) %s %q", w.at(n.Pos), n.Pipe.Cmds[0].Args[0], of, path)
		}
	}
	return fmt.Sprintf("__w %d (%s)", w.at(n.Pos), w.pipe(n.Pipe))
}

// pipe returns a pipeline.
func (w *writer) pipe(p *parse.PipeNode) string {
	var b strings.Builder
	for i, v := range p.Decl {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
	if len(p.Decl) > 0 && p.IsAssign {
		b.WriteString(" = ")
	} else if len(p.Decl) > 0 {
		b.WriteString(" := ")
	}
	for i, c := range p.Cmds {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(w.command(c, i > 0))
	}
	return b.String()
}

// command returns a command of a pipeline. It is piped if it gets the result of another one.
func (w *writer) command(c *parse.CommandNode, piped bool) string {
	first, rest := c.Args[0], c.Args[1:]
	if f, ok := first.(*parse.IdentifierNode); ok {
		return w.call(f.Ident, rest, piped)
	}
	if len(rest) == 0 && !piped {
		return w.operand(first)
	}
	// A method of Helm's objects, or a function in a field.
	var b strings.Builder
	if piped {
		b.WriteString("__s | ")
	}
	b.WriteString(w.callee(first))
	for _, a := range rest {
		fmt.Fprintf(&b, " %s", w.through("__s", a))
	}
	if strings.HasSuffix(first.String(), ".Files.Get") {
		b.WriteString(" | __f")
	}
	return b.String()
}

// call returns the call of a function.
func (w *writer) call(name string, args []parse.Node, piped bool) string {
	var b strings.Builder
	switch name {
	case "and", "or": // their results are arguments, which they do not always evaluate
		b.WriteString(name)
		for _, a := range args {
			fmt.Fprintf(&b, " %s", w.operand(a))
		}
	case "include", "tpl":
		clean, after := "__s", ""
		if name == "tpl" {
			clean, after = "__t", " | __e"
		}
		b.WriteString(name)
		for i, a := range args {
			if i == 0 {
				fmt.Fprintf(&b, " %s", w.through(clean, a))
			} else {
				fmt.Fprintf(&b, " %s", w.operand(a))
			}
		}
		b.WriteString(after)
	default:
		n := 0
		if piped {
			b.WriteString("__a | ")
			n++
		}
		b.WriteString(name)
		for _, a := range args {
			switch {
			case choosers[name] && a.Type() == parse.NodeString:
				fmt.Fprintf(&b, " (__a %s)", a)
				n++
			case isLiteral(a):
				fmt.Fprintf(&b, " %s", a)
			default:
				fmt.Fprintf(&b, " %s", w.through("__a", a))
				n++
			}
		}
		fmt.Fprintf(&b, " | __r %q %d", name, n)
	}
	return b.String()
}

// isLiteral reports whether a node is a literal: it has no marks, and its type depends on where it is.
func isLiteral(n parse.Node) bool {
	switch n.Type() {
	case parse.NodeNumber, parse.NodeString, parse.NodeBool, parse.NodeNil:
		return true
	}
	return false
}

// through returns an argument that goes through a function, unless it is a literal.
func (w *writer) through(function string, n parse.Node) string {
	if isLiteral(n) {
		return n.String()
	}
	return "(" + function + " " + w.operand(n) + ")"
}

// operand returns an argument.
func (w *writer) operand(n parse.Node) string {
	switch n := n.(type) {
	case *parse.PipeNode:
		return "(" + w.pipe(n) + ")"
	case *parse.IdentifierNode:
		return "(" + w.call(n.Ident, nil, false) + ")"
	}
	if of, path, ok := fields(n); ok {
		return fmt.Sprintf("(__v %s %s %q)", n, of, path)
	}
	return w.callee(n)
}

// callee returns a field, variable or parenthesized pipeline with fields.
func (w *writer) callee(n parse.Node) string {
	if c, ok := n.(*parse.ChainNode); ok {
		return w.operand(c.Node) + "." + strings.Join(c.Field, ".")
	}
	return n.String()
}

// fields returns, for fields of the context or of a variable, what they are fields of, and their names.
func fields(n parse.Node) (of, path string, ok bool) {
	switch n := n.(type) {
	case *parse.FieldNode:
		return ".", strings.Join(n.Ident, "."), true
	case *parse.VariableNode:
		return n.Ident[0], strings.Join(n.Ident[1:], "."), len(n.Ident) > 1
	}
	return "", "", false
}

// lines finds the lines of positions.
type lines struct {
	breaks []int
}

func newLines(text string) *lines {
	l := &lines{}
	for i := range len(text) {
		if text[i] == '\n' {
			l.breaks = append(l.breaks, i)
		}
	}
	return l
}

// at returns the line of a position, from 1.
func (l *lines) at(pos int) int {
	low, high := 0, len(l.breaks)
	for low < high {
		if mid := (low + high) / 2; l.breaks[mid] < pos {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low + 1
}
