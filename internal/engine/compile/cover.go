package compile

import (
	"bytes"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/engine/cover"
	"weft/internal/lang/script"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// A unit compiled for coverage has a list of its points, and a counter for each thing that its
// program does: each stretch, node and text that it creates, and each branch of a condition or
// loop. Creating nodes needs no extra call; conditions, loops and functions do.

// StretchCounter returns the counter of a stretch.
func (u *Unit) StretchCounter(id int) int { return id }

// NodeCounter returns the counter of a node.
func (u *Unit) NodeCounter(id int) int { return len(u.Stretches) + id }

// LiteralCounter returns the counter of a text.
func (u *Unit) LiteralCounter(id int) int { return len(u.Stretches) + len(u.Nodes) + id }

// coverNote lists the points of an annotation. Its arguments are in kwargs or in args.
func (c *yamlCompiler) coverNote(m *meta, kwargs []starlark.Tuple, args []syntax.Expr) {
	if c.unit.Cover == nil {
		return
	}
	add := func(kind cover.Kind, which int32, miss string) {
		c.unit.Cover.Points = append(c.unit.Cover.Points, cover.Point{
			Key: cover.Key{Kind: kind, Start: int32(m.at.Offset()), Case: which}, Miss: miss,
		})
	}
	switch m.name {
	case "overlay/match":
		add(cover.Overlays, cover.Matched, "never matched")
		if keywordOf("missing_ok", kwargs, args) == "True" {
			add(cover.Overlays, cover.Missing, "never missing")
		}
	case "schema/validation", "assert/validate":
		add(cover.Rules, cover.Passed, "never passed")
		add(cover.Rules, cover.Failed, "never failed")
		for i, text := range c.oneOf(kwargs, args) {
			add(cover.Rules, cover.One+int32(i), text+" never used")
		}
	}
}

// keywordOf returns the value of a keyword argument as text, if it is a constant.
func keywordOf(name string, kwargs []starlark.Tuple, args []syntax.Expr) string {
	for _, kw := range kwargs {
		if kw[0] == starlark.String(name) {
			return kw[1].String()
		}
	}
	if id, ok := argument(name, args).(*syntax.Ident); ok {
		return id.Name
	}
	return ""
}

// argument returns the keyword argument with that name, or nil.
func argument(name string, args []syntax.Expr) syntax.Expr {
	for _, a := range args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			if id, ok := b.X.(*syntax.Ident); ok && id.Name == name {
				return b.Y
			}
		}
	}
	return nil
}

// oneOf returns the values that a validation allows, as written, if they are literals.
func (c *yamlCompiler) oneOf(kwargs []starlark.Tuple, args []syntax.Expr) (texts []string) {
	for _, kw := range kwargs {
		if list, ok := kw[1].(starlark.Tuple); ok && kw[0] == starlark.String("one_of") {
			for _, v := range list {
				texts = append(texts, v.String())
			}
		}
	}
	var list []syntax.Expr
	switch x := unparen(argument("one_of", args)).(type) {
	case *syntax.ListExpr:
		list = x.List
	case *syntax.TupleExpr:
		list = x.List
	}
	for _, e := range list {
		from, to := e.Span()
		start, end := script.Span(c.unit.File, from), script.Span(c.unit.File, to)
		texts = append(texts, string(c.unit.File.Data()[start.Offset():end.Offset()]))
	}
	return texts
}

func unparen(e syntax.Expr) syntax.Expr {
	if p, ok := e.(*syntax.ParenExpr); ok {
		return unparen(p.X)
	}
	return e
}

// cover lists the points of the program, and adds calls that record which of them it reaches.
func (c *compiler) cover(stmts []syntax.Stmt) {
	u := c.unit
	u.Cover.Counters = make([]cover.Range, u.LiteralCounter(len(u.Literals)))
	switch {
	case u.Kind == YAML && u.Role == ForOutput:
		c.coverNodes()
		for t, doc := u.Tree, u.Tree.First(); t.More(doc); doc = t.Next(doc) {
			u.Cover.Secrets = secretParts(u.Cover.Secrets, t, t.Root(doc), false)
		}
	case u.Kind == Text:
		c.coverTexts()
	}
	for _, s := range stmts {
		syntax.Walk(s, c.coverCode)
	}
}

// coverNodes lists the nodes of a template.
func (c *compiler) coverNodes() {
	u, t := c.unit, c.unit.Tree
	before := make([]int32, t.Len()+1) // the number of points before each node
	base := int32(len(u.Cover.Points))
	next := yaml.NodeID(0)
	add := func(n yaml.NodeID) {
		for ; next <= n; next++ {
			before[next] = int32(len(u.Cover.Points))
		}
		u.Cover.Points = append(u.Cover.Points, cover.Point{
			Key: cover.Key{
				Kind: cover.Nodes, Start: int32(t.Start(n).Offset()),
				Case: int32(len(u.Cover.Points)) - base, // two nodes may begin at the same position
			},
			Miss: "never rendered",
		})
	}
	for doc := range t.Documents() {
		if bytes.HasPrefix(u.File.Data()[t.Start(doc).Offset():], []byte("---")) { // `---` is written
			add(doc)
		}
		eachItem(t, t.Root(doc), add)
	}
	for ; int(next) <= t.Len(); next++ {
		before[next] = int32(len(u.Cover.Points))
	}
	points := func(start, end yaml.NodeID) cover.Range {
		start, end = min(start, yaml.NodeID(t.Len())), min(end, yaml.NodeID(t.Len()))
		return cover.Range{First: before[start], N: before[end] - before[start]}
	}
	for i := range u.Stretches {
		u.Cover.Counters[u.StretchCounter(i)] = points(u.Stretches[i].Start, u.Stretches[i].end(t))
	}
	for i := range u.Nodes {
		u.Cover.Counters[u.NodeCounter(i)] = points(u.Nodes[i].Start, u.Nodes[i].Start+1)
	}
}

// eachItem calls each for the items of a collection and everything below them, in source order.
func eachItem(t *yaml.Tree, value yaml.NodeID, each func(yaml.NodeID)) {
	switch t.Kind(value) {
	case yaml.Sequence:
		for n := range t.Items(value) {
			each(n)
			eachItem(t, n, each)
		}
	case yaml.Mapping:
		for n, val := range t.Pairs(value) {
			each(n)
			eachItem(t, val, each)
		}
	}
}

// secretParts adds the literals in the data of Kubernetes Secrets. data means that value is part of
// such data.
func secretParts(list []cover.Part, t *yaml.Tree, value yaml.NodeID, data bool) []cover.Part {
	switch t.Kind(value) {
	case yaml.Scalar:
		if at := t.Span(value); data && at.End() > at.Offset() {
			list = append(list, cover.Part{Start: int32(at.Offset()), End: int32(at.End())})
		}
	case yaml.Sequence:
		for n := range t.Items(value) {
			list = secretParts(list, t, n, data)
		}
	case yaml.Mapping:
		secret := isSecret(t, value)
		for n, val := range t.Pairs(value) {
			key := string(t.Text(n))
			isData := secret && (key == "data" || key == "stringData")
			list = secretParts(list, t, val, data || isData)
		}
	}
	return list
}

// isSecret reports whether a mapping is a Kubernetes Secret.
func isSecret(t *yaml.Tree, mapping yaml.NodeID) bool {
	for key, value := range t.Pairs(mapping) {
		if t.Kind(value) == yaml.Scalar && string(t.Text(key)) == "kind" &&
			string(t.Text(value)) == "Secret" {
			return true
		}
	}
	return false
}

// end returns the node after the last one of a stretch.
func (s *Stretch) end(t *yaml.Tree) yaml.NodeID {
	n := s.Start
	if int(n) >= t.Len() || s.Merge {
		return s.End
	}
	for range s.Items {
		if n = t.Next(n); s.Kind == tree.MapItem {
			n = t.Next(n)
		}
	}
	return n
}

// coverTexts lists the texts of a text template, except white space.
func (c *compiler) coverTexts() {
	u := c.unit
	for i, text := range u.Literals {
		trimmed := strings.TrimSpace(text)
		if trimmed == "" {
			continue
		}
		start := c.textAt[i] + strings.Index(text, trimmed)
		u.Cover.Counters[u.LiteralCounter(i)] = c.point(cover.Point{
			Key: cover.Key{Kind: cover.Nodes, Start: int32(start)}, End: int32(start + len(trimmed)),
			Miss: "never rendered",
		})
	}
}

// point adds a point, and returns it as the range of a counter.
func (c *compiler) point(p cover.Point) cover.Range {
	c.unit.Cover.Points = append(c.unit.Cover.Points, p)
	return cover.Range{First: int32(len(c.unit.Cover.Points) - 1), N: 1}
}

func (c *compiler) counter(r cover.Range) int {
	c.unit.Cover.Counters = append(c.unit.Cover.Counters, r)
	return len(c.unit.Cover.Counters) - 1
}

// coverCode lists the points of code, and adds calls that record which of them it reaches.
func (c *compiler) coverCode(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.IfStmt:
		n.Cond = c.coverIf(n)
	case *syntax.CondExpr:
		n.Cond = c.coverWays(OpCond, n.If, n.Cond, "if", c.offset(n.If), "else")
	case *syntax.ForStmt:
		n.X = c.coverWays(OpLoop, n.For, n.X, "for: always empty", c.offset(n.For),
			"for: never empty")
	case *syntax.WhileStmt: // its end and a loop without iterations look the same
		n.Body = c.coverBody(n.Body, cover.Point{
			Key: cover.Key{Kind: cover.Branches, Start: c.offset(n.While)}, Site: c.nextSite(),
			Miss: "while: never entered",
		})
	case *syntax.DefStmt:
		n.Body = c.coverBody(n.Body, cover.Point{
			Key: cover.Key{Kind: cover.Functions, Start: c.offset(n.Def)}, Name: n.Name.Name,
			Miss: fmt.Sprintf("%s: never called", n.Name.Name),
		})
	case *syntax.CallExpr:
		if c.unit.Kind == Text && isOp(n.Fn, OpPrint) {
			n.Args[0] = c.coverCall(OpHit, n.Lparen, c.counter(c.point(cover.Point{
				Key:  cover.Key{Kind: cover.Nodes, Start: c.offset(n.Lparen), Case: 1},
				Miss: "never rendered",
			})), n.Args[0])
		}
	}
	return true
}

// coverIf lists the branches of a condition. If an elif follows, the other branch belongs to the
// elif.
func (c *compiler) coverIf(n *syntax.IfStmt) syntax.Expr {
	at := c.offset(n.If)
	taken := "if"
	if bytes.HasPrefix(c.unit.File.Data()[at:], []byte("elif")) {
		taken = "elif"
	}
	if len(n.False) == 1 {
		if next, ok := n.False[0].(*syntax.IfStmt); ok && next.If == n.ElsePos {
			cond := c.coverWays(OpCond, n.If, n.Cond, taken, 0, "")
			if c.elifs == nil {
				c.elifs = map[syntax.Position]int32{}
			}
			c.elifs[next.If] = c.sites
			return cond
		}
	}
	if n.False != nil {
		return c.coverWays(OpCond, n.If, n.Cond, taken, c.offset(n.ElsePos), "else")
	}
	return c.coverWays(OpCond, n.If, n.Cond, taken, at, "else")
}

// coverWays makes an expression record which of two branches it selects. The second one is at offset
// other; it is not recorded if it has no message.
func (c *compiler) coverWays(
	op Op, at syntax.Position, x syntax.Expr, taken string, other int32, notTaken string,
) syntax.Expr {
	site := c.nextSite()
	id := c.counter(c.point(cover.Point{
		Key:  cover.Key{Kind: cover.Branches, Start: c.offset(at), Case: cover.Taken},
		Site: site, Elif: c.elifs[at], Miss: taken,
	}))
	var second cover.Range
	if notTaken != "" {
		second = c.point(cover.Point{
			Key:  cover.Key{Kind: cover.Branches, Start: other, Case: cover.NotTaken},
			Site: site, Elif: c.elifs[at], Miss: notTaken,
		})
	}
	c.counter(second)
	return c.coverCall(op, at, id, x)
}

// nextSite returns the number of the next condition or loop.
func (c *compiler) nextSite() int32 {
	c.sites++
	return c.sites
}

// coverBody makes a block record that it is reached. Errors before its first statement, such as a
// call with wrong arguments, are still shown there.
func (c *compiler) coverBody(body []syntax.Stmt, p cover.Point) []syntax.Stmt {
	var first syntax.Node = body[0]
	if r, ok := first.(*syntax.ReturnStmt); ok && r.Result != nil {
		first = r.Result
	}
	at, _ := first.Span()
	hit := c.coverCall(OpHit, at, c.counter(c.point(p)))
	return append([]syntax.Stmt{&syntax.ExprStmt{X: hit}}, body...)
}

func (c *compiler) coverCall(
	op Op, at syntax.Position, counter int, args ...syntax.Expr,
) *syntax.CallExpr {
	id := &syntax.Literal{Token: syntax.INT, TokenPos: at, Value: int64(counter)}
	return &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: at, Name: string(op)},
		Lparen: at, Args: append([]syntax.Expr{id}, args...), Rparen: at,
	}
}

func (c *compiler) offset(at syntax.Position) int32 {
	return int32(script.Span(c.unit.File, at).Offset())
}
