package schemas

import (
	"strings"

	"weft/internal/lang/yaml"
)

// comments is what the comments of a file of values say, by the node that they belong to.
type comments struct {
	tree *yaml.Tree
	of   map[yaml.NodeID][]string
	args map[string]string // descriptions by the path of a value, as Bitnami's charts have them
}

// commentsOf reads the comments above items.
func commentsOf(t *yaml.Tree) *comments {
	c := &comments{tree: t, of: map[yaml.NodeID][]string{}, args: map[string]string{}}
	lines := map[yaml.NodeID]int{}
	for _, x := range t.Comments() {
		text := strings.TrimRight(string(t.CommentText(x)), " \t\r")
		if path, desc, ok := parameter(text); ok {
			c.args[path] = desc
			continue
		}
		if x.Trailing() || x.Owner() == yaml.NoOwner {
			continue
		}
		line := t.File().Line(t.CommentSpan(x).Offset())
		if last, ok := lines[x.Owner()]; ok && line > last+1 {
			c.of[x.Owner()] = nil // a blank line: what is above is about something else
		}
		lines[x.Owner()] = line
		c.of[x.Owner()] = append(c.of[x.Owner()], text)
	}
	for owner, line := range lines {
		if t.Line(owner) > line+1 {
			delete(c.of, owner)
		}
	}
	return c
}

// parameter reads `## @param path [type] description`.
func parameter(text string) (path, desc string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, "# "), "@param ")
	if !ok {
		return "", "", false
	}
	path, desc, _ = strings.Cut(strings.TrimSpace(rest), " ")
	desc = strings.TrimSpace(desc)
	if strings.HasPrefix(desc, "[") {
		if _, after, found := strings.Cut(desc, "]"); found {
			desc = strings.TrimSpace(after)
		}
	}
	return path, desc, path != ""
}

// describe gives the keys of maps the comments above them.
func (r *valueReader) describe(n *node, doc parsed, id yaml.NodeID) {
	t := doc.tree
	if id = t.Target(id); t.Kind(id) != yaml.Mapping {
		return
	}
	for key, value := range t.Pairs(id) {
		text := t.Text(key)
		typ := n.field(string(text))
		if typ == nil {
			continue
		}
		if typ.desc == "" {
			typ.desc = described(r.comments.of[key])
		}
		if typ.kind == mapKind {
			r.describe(typ, doc, value)
		}
	}
}

// described returns lines of comments as one text. As for helm-docs, the description begins after `--`, if
// there is one. Lines that begin with @ are for other programs, and lines of dashes or stars are decoration:
// both are left out.
func described(lines []string) string {
	var words []string
	for _, line := range lines {
		line = strings.TrimSpace(strings.TrimLeft(line, "#"))
		if after, ok := strings.CutPrefix(line, "-- "); ok {
			words = []string{strings.TrimSpace(after)}
			continue
		}
		if line == "" || strings.HasPrefix(line, "@") || strings.Trim(line, "-=*~+ ") == "" {
			continue
		}
		words = append(words, line)
	}
	return strings.Join(words, " ")
}

// parameters gives values the descriptions that name their paths.
func (r *valueReader) parameters(n *node) {
	for path, desc := range r.comments.args {
		at := n
		for _, key := range strings.Split(path, ".") {
			if at = at.field(key); at == nil {
				break
			}
		}
		if at != nil && desc != "" {
			at.desc = desc
		}
	}
}
