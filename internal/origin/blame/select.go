package blame

import (
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/path"
	"weft/internal/lang/selector"
	"weft/internal/lang/tree"
)

// CodeSelect reports a selection that matches nothing.
const CodeSelect diag.Code = "blame/select"

// CodeAmbiguous reports a name that is an environment and a document.
const CodeAmbiguous diag.Code = "blame/ambiguous"

// Selection is the part of an output that a report covers. A nil Selection covers all of it.
type Selection struct {
	docs   []bool // by document
	nodes  []bool // by node; nil if whole documents are selected
	files  map[string]bool
	absent map[*Absent]bool // selected absences
	lines  map[*Line]bool   // if not nil, only these lines are selected
}

// Select selects documents by kind and name (Deployment/web, web, Deployment), by their number in the
// output (#2) or by their source file, or text files by name. Within documents it selects the nodes at a
// path, including their descendants. An empty path selects the whole document.
func (r *Report) Select(object, pathText string) (*Selection, error) {
	var at path.Pattern
	if pathText != "" {
		var err error
		if at, err = path.Parse("PATH", pathText); err != nil {
			return nil, err
		}
	}
	of, err := selector.Parse("SELECT", object)
	if err != nil {
		return nil, err
	}
	s, err := r.selectBy(of, at)
	if err != nil || at == nil {
		return s, err
	}
	found := len(s.absent) > 0
	s.nodes = make([]bool, len(r.Nodes))
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if s.docs[n.Doc] && (n.parent >= 0 && s.nodes[n.parent] || at.Match(r.keyedPath(n))) {
			s.nodes[i], found = true, true
		}
	}
	if !found {
		return nil, s.unknownPath(r, object, pathText)
	}
	return s, nil
}

// selectBy selects documents, text files, and what is absent from documents at a path.
func (r *Report) selectBy(of selector.Selector, at path.Pattern) (*Selection, error) {
	s := &Selection{files: map[string]bool{}, absent: map[*Absent]bool{}}
	s.docs = of.Select(r.selectable())
	found := slices.Contains(s.docs, true)
	for i := range r.Parts {
		if f := r.Parts[i].File; f != "" && at == nil && f == of.String() {
			s.files[f], found = true, true
		}
	}
	for i := range r.Parts[0].Lines {
		if a := r.Parts[0].Lines[i].Absent; a != nil && s.hasAbsent(a, of, at) {
			s.absent[a], found = true, true
		}
	}
	if !found {
		return nil, r.unknownObject(of.String())
	}
	return s, nil
}

// keyedPath returns the path of a node, including the names of list items.
func (r *Report) keyedPath(n *Node) path.Path {
	p := r.Path(n)
	for i := len(p) - 1; i >= 0; i-- {
		if name, ok := n.Value.Lookup("name"); ok && p[i].Kind == path.Item &&
			name.Kind() == tree.ScalarKind {
			p[i].By, p[i].ID = "name", name
		}
		n = &r.Nodes[n.parent]
	}
	return p
}

// selectable returns the documents of the output, with the files that they come from.
func (r *Report) selectable() []selector.Selectable {
	docs := make([]selector.Selectable, len(r.Docs))
	for i := range r.Docs {
		docs[i].Value = r.Docs[i].value
		if f := r.in.Files.File(r.Docs[i].At); f != nil {
			docs[i].File, docs[i].Also = f.Shown(), f.Name()
		}
	}
	selector.Number(docs)
	return docs
}

// has reports whether a line is selected.
func (s *Selection) has(r *Report, p *Part, line *Line) bool {
	switch {
	case s == nil:
		return true
	case s.lines != nil:
		return s.lines[line]
	case p.File != "":
		return s.files[p.File]
	case line.Absent != nil:
		return s.absent[line.Absent]
	case line.Node < 0:
		return false
	case s.nodes != nil:
		return s.nodes[line.Node]
	}
	return s.docs[r.Nodes[line.Node].Doc]
}

// hasAbsent reports whether an absence is selected, as a document or by its path.
func (s *Selection) hasAbsent(a *Absent, of selector.Selector, at path.Pattern) bool {
	if a.Doc < 0 {
		return at == nil && of.Matches(selector.Selectable{Value: a.Old})
	}
	return s.docs[a.Doc] && (at == nil || at.Match(a.Path))
}

func (r *Report) unknownObject(object string) error {
	var known []string
	for _, d := range r.Docs {
		known = append(known, d.Object)
	}
	x := diag.Failf(CodeSelect, "no document is called '%s'", object)
	if strings.HasPrefix(object, "#") {
		return x.WithHint("there are %d documents: write #1 for the first", len(r.Docs))
	}
	if near := diag.Nearest(object, known); near != "" {
		return x.WithHint("did you mean %s?", diag.InShell(near))
	}
	if doc := r.documentWith(object); doc != "" {
		return x.WithHint("it is a path: name the document before it, %s %s", diag.InShell(doc),
			diag.InShell(object))
	}
	if len(known) > 0 {
		return x.WithHint("a document is called KIND/NAME or FILE#N, such as %s", diag.InShell(known[0]))
	}
	return x.WithHint("the output has no documents")
}

// documentWith returns the name of the first document that has a path, or "".
func (r *Report) documentWith(text string) string {
	at, err := path.Parse("", text)
	if err != nil {
		return ""
	}
	for i := range r.Nodes {
		if n := &r.Nodes[i]; at.Match(r.keyedPath(n)) {
			return r.Docs[n.Doc].Object
		}
	}
	return ""
}

// unknownPath returns the error for a path that matches nothing, with a suggestion.
func (s *Selection) unknownPath(r *Report, object, pathText string) error {
	x := diag.Failf(CodeSelect, "nothing in %s is at '%s'", object, pathText)
	var known []string
	for i := range r.Nodes {
		if n := &r.Nodes[i]; s.docs[n.Doc] {
			known = append(known, r.keyedPath(n).String())
		}
	}
	if near := diag.NearestPath(pathText, known); near != "" {
		return x.WithHint("did you mean %s?", diag.InShell(near))
	}
	both := object + "/" + pathText // as people say it
	if slices.ContainsFunc(r.Docs, func(d OutputDocument) bool { return d.Object == both }) {
		return x.WithHint("write %s", diag.InShell(both))
	}
	return x.WithHint("run weft blame with %s alone to see all of it", diag.InShell(object))
}
