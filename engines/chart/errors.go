package chart

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"helm.sh/helm/v4/pkg/chart/common"
	v2 "helm.sh/helm/v4/pkg/chart/v2"

	"weft/internal/project/engines/wire"
)

// templateError returns an error of Helm with the place of a template, if the error names one.
func templateError(err error, f *functions, c *v2.Chart, s *source) *wire.Error {
	e := &wire.Error{Message: withoutSites(err.Error())}
	in, file, line := place(e.Message, c)
	if file != nil {
		e.File, e.Line = s.pathOf(file), line
		e.Message = innermost(e.Message)
	}
	if f.random != nil && strings.Contains(e.Message, f.random.Error()) {
		e.Message, e.Code = f.random.Error(), wire.CodeRandom
		if file != nil && in.Metadata.Type != "library" {
			if value := valueInstead(file, line, f.random.name); value != nil {
				e.Values = append(prefix(in), value...)
			}
		}
	}
	return e
}

// yamlError is how Helm's errors about text that is not YAML begin.
var yamlError = regexp.MustCompile(`^YAML parse error on ([^\s:]+): `)

// notYAML returns an answer with an error about rendered texts. If Helm says which one is not YAML, the
// answer has that text and where its lines come from: Helm names lines of the text, and not always the right
// ones.
func notYAML(r *wire.Chart, s *source, texts map[string]string, e *wire.Error) *wire.Answer {
	a := &wire.Answer{Error: e}
	m := yamlError.FindStringSubmatch(e.Message)
	if m == nil {
		return a
	}
	docs := []document{{Doc: wire.Doc{Source: m[1], Text: texts[m[1]]}}}
	a.Chains = origins(r, s, texts, docs).chains
	e.Rendered = &docs[0].Doc
	return a
}

// prefix returns the path of the values of a dependency.
func prefix(c *v2.Chart) []string {
	var out []string
	for ; !c.IsRoot(); c = c.Parent() {
		out = append(out, c.Name())
	}
	slices.Reverse(out)
	return out
}

// frame is where package template says which template it executes.
var frame = regexp.MustCompile(`template: [^\s:]+:\d+(?::\d+)?: (?:executing "[^"]*" )?`)

// innermost returns what an error says about its innermost template: those that include it may be a thousand.
func innermost(message string) string {
	if all := frame.FindAllStringIndex(message, -1); all != nil {
		return message[all[len(all)-1][1]:]
	}
	return message
}

// placeName is a place in an error of Helm or of package template: chart/templates/web.yaml:12:4.
var placeName = regexp.MustCompile(`([^\s()"<>:]+/[^\s()"<>:]+):(\d+)`)

// place returns the innermost place in a message that is a line of a template: the last one.
func place(message string, root *v2.Chart) (in *v2.Chart, file *common.File, line int) {
	var walk func(c *v2.Chart, name string) (*v2.Chart, *common.File)
	walk = func(c *v2.Chart, name string) (*v2.Chart, *common.File) {
		for _, f := range c.Templates {
			if path.Join(c.ChartFullPath(), f.Name) == name {
				return c, f
			}
		}
		for _, d := range c.Dependencies() {
			if c, f := walk(d, name); f != nil {
				return c, f
			}
		}
		return nil, nil
	}
	for _, m := range placeName.FindAllStringSubmatch(message, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		if c, f := walk(root, m[1]); f != nil {
			in, file, line = c, f, n
		}
	}
	return in, file, line
}

// valueInstead returns the path of the value without which a template calls a function: the one value in the
// same action, or else in the condition around it.
func valueInstead(f *common.File, line int, function string) []string {
	tree := parse.New(f.Name)
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	text := string(f.Data)
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return nil
	}
	for _, t := range trees {
		s := &search{text: text, line: line, function: function}
		if t.Root != nil && s.list(t.Root, nil) {
			return s.found
		}
	}
	return nil
}

// search searches a template for the call of a function in a line.
type search struct {
	text     string
	line     int
	function string
	found    []string
}

// list reports whether the call is in a list of nodes. Around is the condition that it depends on.
func (s *search) list(l *parse.ListNode, around *parse.PipeNode) bool {
	if l == nil {
		return false
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			if s.pipe(n.Pipe, around) {
				return true
			}
		case *parse.IfNode:
			if s.branch(&n.BranchNode) {
				return true
			}
		case *parse.WithNode:
			if s.branch(&n.BranchNode) {
				return true
			}
		case *parse.RangeNode:
			if s.pipe(n.Pipe, around) || s.list(n.List, around) || s.list(n.ElseList, around) {
				return true
			}
		}
	}
	return false
}

func (s *search) branch(n *parse.BranchNode) bool {
	return s.pipe(n.Pipe, n.Pipe) || s.list(n.List, n.Pipe) || s.list(n.ElseList, n.Pipe)
}

// pipe reports whether the call is in a pipeline, and finds the value.
func (s *search) pipe(p, around *parse.PipeNode) bool {
	if p == nil || 1+strings.Count(s.text[:p.Pos], "\n") != s.line || !calls(p, s.function) {
		return false
	}
	for _, p := range []*parse.PipeNode{p, around} {
		if p == nil {
			continue
		}
		values := map[string][]string{}
		fieldsOf(p, values)
		if len(values) == 1 {
			for _, path := range values {
				s.found = path
			}
			break
		}
	}
	return true
}

// calls reports whether a pipeline calls a function, which may have the name of a site.
func calls(p *parse.PipeNode, function string) (found bool) {
	eachCall(p, func(n *parse.IdentifierNode) { found = found || withoutSites(n.Ident) == function })
	return found
}

// fieldsOf adds the paths of values that a pipeline reads.
func fieldsOf(n parse.Node, into map[string][]string) {
	var names []string
	switch n := n.(type) {
	case *parse.FieldNode:
		names = n.Ident
	case *parse.VariableNode:
		names = n.Ident[1:]
		if n.Ident[0] != "$" {
			names = nil
		}
	case *parse.ChainNode:
		fieldsOf(n.Node, into)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			for _, a := range c.Args {
				fieldsOf(a, into)
			}
		}
	}
	if len(names) > 1 && names[0] == "Values" {
		into[fmt.Sprint(names)] = names[1:]
	}
}
