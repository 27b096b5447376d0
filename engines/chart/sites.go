package chart

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	v2 "helm.sh/helm/v4/pkg/chart/v2"
)

// site is where a template calls a function that has to know that: one that asks a cluster, or one with
// another result in each run.
type site struct {
	function string
	file     string // its path; "" for templates that are values, which tpl renders
	line     int
}

// name returns the name of the function for the site with an index: package template does not tell functions
// where they are called, so each site calls one with another name.
func (s site) name(index int) string { return fmt.Sprintf("%s__%d", s.function, index) }

// siteName is a function with the name of a site, in messages.
var siteName = regexp.MustCompile(`\b([a-zA-Z0-9]+)__[0-9]+\b`)

// withoutSites returns a message that names functions as templates do.
func withoutSites(message string) string {
	return siteName.ReplaceAllStringFunc(message, func(name string) string {
		if base, _, _ := strings.Cut(name, "__"); isSited(base) {
			return base
		}
		return name
	})
}

func isSited(function string) bool {
	return function == "lookup" || slices.Contains(randomFuncs, function)
}

// nameSites gives the functions in the templates of a chart and of its dependencies the names of their sites.
// Lines stay the same. A template is rewritten once for all charts that are loaded from a source.
func (s *source) nameSites(c *v2.Chart) {
	for _, f := range c.Templates {
		if !mayHaveSites(string(f.Data)) {
			continue
		}
		path := s.pathOf(f)
		if path == s.path {
			continue // it is not known
		}
		text, ok := s.sited[path]
		if !ok {
			text = []byte(s.rewritten(path, string(f.Data)))
			if s.sited == nil {
				s.sited = map[string][]byte{}
			}
			s.sited[path], s.paths[&text[0]] = text, path
		}
		f.Data = text
	}
	for _, d := range c.Dependencies() {
		s.nameSites(d)
	}
}

func mayHaveSites(text string) bool {
	return strings.Contains(text, "lookup") ||
		slices.ContainsFunc(randomFuncs, func(name string) bool { return strings.Contains(text, name) })
}

// rewritten returns a template with the names of sites. One that cannot be parsed stays as it is: Helm says
// what is wrong.
func (s *source) rewritten(path, text string) string {
	tree := parse.New(path)
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return text
	}
	var calls []*parse.IdentifierNode
	for _, t := range trees {
		eachCall(t.Root, func(n *parse.IdentifierNode) {
			if isSited(n.Ident) && strings.HasPrefix(text[n.Pos:], n.Ident) {
				calls = append(calls, n)
			}
		})
	}
	slices.SortFunc(calls, func(a, b *parse.IdentifierNode) int { return cmp.Compare(a.Pos, b.Pos) })
	var b strings.Builder
	from := 0
	for _, n := range calls {
		at := site{n.Ident, path, 1 + strings.Count(text[:n.Pos], "\n")}
		b.WriteString(text[from:n.Pos] + at.name(len(s.sites)))
		s.sites = append(s.sites, at)
		from = int(n.Pos) + len(n.Ident)
	}
	return b.String() + text[from:]
}

// eachCall calls f with the name of each function that a template calls.
func eachCall(n parse.Node, f func(*parse.IdentifierNode)) {
	switch n := n.(type) {
	case *parse.IdentifierNode:
		f(n)
	case *parse.ListNode:
		if n != nil {
			for _, below := range n.Nodes {
				eachCall(below, f)
			}
		}
	case *parse.ActionNode:
		eachCall(n.Pipe, f)
	case *parse.TemplateNode:
		eachCall(n.Pipe, f)
	case *parse.IfNode:
		eachBranch(&n.BranchNode, f)
	case *parse.WithNode:
		eachBranch(&n.BranchNode, f)
	case *parse.RangeNode:
		eachBranch(&n.BranchNode, f)
	case *parse.ChainNode:
		eachCall(n.Node, f)
	case *parse.PipeNode:
		if n != nil {
			for _, c := range n.Cmds {
				for _, a := range c.Args {
					eachCall(a, f)
				}
			}
		}
	}
}

func eachBranch(n *parse.BranchNode, f func(*parse.IdentifierNode)) {
	eachCall(n.Pipe, f)
	eachCall(n.List, f)
	eachCall(n.ElseList, f)
}
