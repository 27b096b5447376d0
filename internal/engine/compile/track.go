package compile

import (
	"strings"

	"go.starlark.net/syntax"

	"weft/internal/lang/script"
	"weft/internal/lang/source"
	"weft/internal/lang/yaml"
)

// Traced is what is known of a unit besides, if it was compiled for a traced run.
type Traced struct {
	Sites []Site
	Code  map[int]source.Span // the code that computes the values of nodes
}

// code notes the code of node id. The receiver may be nil.
func (t *Traced) code(id int, f *source.File, start, end int) {
	if t != nil {
		t.Code[id] = f.Span(start, end)
	}
}

// Site is a place in a program that tells where values come from: see script.Site.
type Site struct {
	script.Site
	At source.Span // the condition, or what the loop goes over

	// what is left out if a condition does not hold, or a loop has no items; and what is if it does
	// hold
	True, False LeftOut
}

// LeftOut is nodes or text that a condition may leave out.
type LeftOut struct {
	What  source.Span // nowhere if there is nothing
	Start yaml.NodeID // the first node
	End   yaml.NodeID
	Nodes bool // it is nodes, not text
}

// tracking returns the name of one of script.Trackers.
func tracking(name string) string { return string(OpTrack) + name }

// trackers is what code calls in a traced run.
var trackers = script.Trackers{
	Use: tracking("use"), Shut: tracking("shut"), More: tracking("more"), Done: tracking("done"),
	If: tracking("if"), Pop: tracking("pop"), For: tracking("for"), Each: tracking("each"),
	Enter: tracking("enter"), Into: tracking("into"), Leave: tracking("leave"),
	Def: tracking("def"), Mark: tracking("mark"), Arg: tracking("arg"), Name: tracking("name"),
	Hold: tracking("hold"), Base: tracking("base"), Key: tracking("key"),
	Count: tracking("count"), Has: tracking("has"), Asked: tracking("asked"), Aside: tracking("aside"),
	Makes:  makesScalar,
	Loaded: tracking("loaded"),
	Part:   tracking("part"), Named: tracking("named"), Made: tracking("made"),
	Term: tracking("term"), Sum: tracking("sum"), Zip: tracking("zip"), Soft: tracking("soft"),
	At: tracking("at"), Apart: tracking("apart"), Shares: tracking("shares"),
	Lend: tracking("lend"), Like: tracking("like"),
	Load: string(OpLoad), Tuple: string(OpTuple), Held: string(OpHeld), Dropped: Dropped,
	Sinks: map[string]bool{
		string(OpMake): true, string(OpSet): true, string(OpSetKey): true, string(OpNote): true,
		string(OpText): true, string(OpPrint): true, string(OpKey): true,
	},
	Keeps: map[string]bool{
		string(OpBegin): true, string(OpEnter): true,
	},
}

// track makes the program of a file tell where its values come from. What cannot be resolved is
// told as if it had not been changed.
func (c *compiler) track(file *syntax.File) error {
	names := script.Names{Predeclared: c.predeclared}
	if err := names.Resolve(file); err != nil {
		return err
	}
	var sites []script.Site
	file.Stmts, sites = script.Track(file.Stmts, trackers)
	file.Module = nil
	c.unit.Traced.Sites = make([]Site, len(sites))
	for i, s := range sites {
		c.unit.Traced.Sites[i] = c.site(s)
	}
	return nil
}

// site returns a site of the program, with its place if it is a condition or a loop.
func (c *compiler) site(s script.Site) Site {
	site := Site{Site: s}
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

// leftOut returns what statements would make.
func (c *compiler) leftOut(stmts []syntax.Stmt) LeftOut {
	var l LeftOut
	c.gather(stmts, &l)
	return l
}

// gather adds what statements would make to l.
func (c *compiler) gather(stmts []syntax.Stmt, l *LeftOut) {
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

// gatherCall adds what a builtin would make.
func (c *compiler) gatherCall(s *syntax.ExprStmt, l *LeftOut) {
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
			l.add(at.Offset(), at.Offset()+1, c.unit.File)
		}
	}
}

// literal returns a number that the compiler wrote into the program.
func literal(e syntax.Expr) int {
	n, _ := e.(*syntax.Literal).Value.(int64)
	return int(n)
}

func (c *compiler) gatherSteps(first int, l *LeftOut) {
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

// gatherItems adds the items of a stretch after the first.
func (c *compiler) gatherItems(r *Stretch, l *LeftOut) {
	if r.Merge {
		return
	}
	for _, it := range r.Items {
		if t, n, ok := it.Value.Syntax(); ok && it.Pos.IsValid() {
			l.add(it.Pos.Offset(), t.Span(n).End(), c.unit.File)
		}
	}
}

func (c *compiler) gatherNode(n *Node, l *LeftOut) {
	start, end := n.Pos.Offset(), n.Pos.Offset()+1
	if last := n.End - 1; int(last) < c.unit.Tree.Len() && last >= n.Start {
		end = max(end, c.unit.Tree.Span(last).End())
	}
	if !l.What.IsValid() {
		l.Start, l.End, l.Nodes = n.Start, n.End, true
	}
	l.add(start, end, c.unit.File)
}

// add adds a part of the file.
func (l *LeftOut) add(start, end int, f *source.File) {
	if l.What.IsValid() {
		start, end = min(start, l.What.Offset()), max(end, l.What.End())
	}
	l.What = f.Span(start, end)
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
