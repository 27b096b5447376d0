package compile

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/engine/trace"
	"weft/internal/lang/script"
	"weft/internal/lang/source"
)

// Traced is additional information about a unit that was compiled for a traced run.
type Traced struct {
	Sites []trace.PlacedSite
	Code  map[int]source.Span // the code that computes the values of nodes
}

// code records the code of node id. The receiver may be nil.
func (t *Traced) code(id int, f *source.File, start, end int) {
	if t != nil {
		t.Code[id] = f.Span(start, end)
	}
}

// language describes programs to the instrumentation.
func language() trace.Language {
	return trace.Language{
		Load: string(OpLoad), Tuple: string(OpTuple), Varargs: string(OpVarargs), Dropped: Dropped,
		Makes: makesScalar,
		Sinks: map[string]bool{
			string(OpMake): true, string(OpSet): true, string(OpSetKey): true, string(OpNote): true,
			string(OpText): true, string(OpPrint): true, string(OpKey): true,
		},
		Keeps: map[string]bool{string(OpBegin): true, string(OpEnter): true},
	}
}

// track makes the program of a file report where its values come from. Names that cannot be
// resolved are reported as in the original program.
func (c *compiler) track(file *syntax.File) error {
	names := script.Names{Predeclared: c.predeclared}
	if err := names.Resolve(file); err != nil {
		return err
	}
	var sites []trace.Site
	file.Stmts, sites = trace.Instrument(file.Stmts, language())
	file.Module = nil
	c.unit.Traced.Sites = make([]trace.PlacedSite, len(sites))
	for i, s := range sites {
		c.unit.Traced.Sites[i] = c.site(s)
	}
	return nil
}

// site returns a site of the program, with its position if it is a condition or a loop.
func (c *compiler) site(s trace.Site) trace.PlacedSite {
	site := trace.PlacedSite{Site: s}
	if s.End.IsValid() {
		site.At = script.Span(c.unit.File, s.At)
		if end := script.Span(c.unit.File, s.End); end.IsValid() && site.At.IsValid() {
			site.At = site.At.To(end.Offset())
		}
		site.True, site.False = c.leftOut(s.True), c.leftOut(s.False)
		site.Site.True, site.Site.False = nil, nil
	}
	return site
}

// leftOut returns what the statements would create if they ran.
func (c *compiler) leftOut(stmts []syntax.Stmt) trace.LeftOut {
	var l trace.LeftOut
	c.gather(stmts, &l)
	return l
}

// gather adds what the statements would create to l.
func (c *compiler) gather(stmts []syntax.Stmt, l *trace.LeftOut) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.IfStmt:
			c.gather(s.True, l)
			c.gather(s.False, l)
		case *syntax.ForStmt:
			c.gather(s.Body, l)
		case *syntax.WhileStmt:
			c.gather(s.Body, l)
		case *syntax.ExprStmt:
			c.gatherCall(s, l)
		}
	}
}

// gatherCall adds what a builtin would create to l.
func (c *compiler) gatherCall(s *syntax.ExprStmt, l *trace.LeftOut) {
	call, ok := s.X.(*syntax.CallExpr)
	if !ok {
		return
	}
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok {
		return
	}
	switch Op(fn.Name) {
	case OpSet, OpSetKey:
		n := &c.unit.Nodes[literal(call.Args[0])]
		if n.Before > 0 {
			c.gatherSteps(int(n.Before-1), l)
		}
		c.gatherNode(n, l)
	case OpMake:
		c.gatherSteps(literal(call.Args[0]), l)
	case OpText, OpPrint:
		at := script.Span(c.unit.File, call.Lparen)
		if at.IsValid() {
			l.Add(at.Offset(), at.Offset()+1, c.unit.File)
		}
	}
}

// literal returns a number that the compiler put into the program.
func literal(e syntax.Expr) int {
	n, _ := e.(*syntax.Literal).Value.(int64)
	return int(n)
}

func (c *compiler) gatherSteps(first int, l *trace.LeftOut) {
	for i := first; ; i++ {
		s := c.unit.Steps[i]
		if s.Stretch {
			c.gatherNode(&c.unit.Stretches[s.ID].Node, l)
			c.gatherItems(&c.unit.Stretches[s.ID], l)
		} else {
			c.gatherNode(&c.unit.Nodes[s.ID], l)
		}
		if s.Last {
			return
		}
	}
}

// gatherItems adds the items of a stretch after the first one.
func (c *compiler) gatherItems(r *Stretch, l *trace.LeftOut) {
	if r.Merge {
		return
	}
	for _, it := range r.Items {
		if t, n, ok := it.Value.Syntax(); ok && it.Pos.IsValid() {
			l.Add(it.Pos.Offset(), t.Span(n).End(), c.unit.File)
		}
	}
}

func (c *compiler) gatherNode(n *Node, l *trace.LeftOut) {
	start, end := n.Pos.Offset(), n.Pos.Offset()+1
	if last := n.End - 1; int(last) < c.unit.Tree.Len() && last >= n.Start {
		end = max(end, c.unit.Tree.Span(last).End())
	}
	if !l.What.IsValid() {
		l.Start, l.End, l.Nodes = n.Start, n.End, true
	}
	l.Add(start, end, c.unit.File)
}

// makesScalar reports whether a builtin computes a number or a boolean, as operators do.
func makesScalar(name string) bool {
	switch name {
	case "abs", "all", "any", "bool", "chr", "fail", "float", "hasattr", "hash", "int", "len", "max", "min",
		"ord", "print", "repr", "str", "type",
		string(OpPlus), string(OpTimes), string(OpPercent):
		return true
	}
	return strings.HasPrefix(name, string(OpOperator))
}
