package blame

import (
	_ "embed"
	"encoding/json"
	"io"

	"weft/internal/lang/page"
	"weft/internal/lang/tree"
)

//go:embed page.html
var pageText string

// The JSON data embedded in the page.
type (
	pageData struct {
		Lines   []pageLine             `json:"lines"`
		Nodes   []pageNode             `json:"nodes"`
		Values  map[string][]jsonLayer `json:"values"`
		Sources map[string]string      `json:"sources,omitempty"`
	}
	pageLine struct {
		Line   int         `json:"line,omitempty"` // its number in the output, from 1; 0 if it is missing there
		File   string      `json:"file,omitempty"` // the name of a text file
		Text   string      `json:"text"`
		Place  string      `json:"place,omitempty"`
		Note   string      `json:"note,omitempty"`
		Node   *int        `json:"node,omitempty"`
		Absent *jsonAbsent `json:"absent,omitempty"`
		Made   *jsonEvent  `json:"made,omitempty"`
	}
	pageNode struct {
		jsonNode
		Name string `json:"name"`
	}
)

// WriteHTML writes the report as one self-contained page: the output, the sources, and the history of each
// line.
func (r *Report) WriteHTML(w io.Writer, chosen *Selection) error {
	return r.written(w, func(w io.Writer) error { return page.Write(w, pageText, r.pageData(chosen)) })
}

// WriteLines writes the data of that page as JSON, for pages that show the sources themselves: each line
// with its number, and the nodes and data values that lines refer to.
func (r *Report) WriteLines(w io.Writer) error {
	return r.written(w, func(w io.Writer) error {
		d := r.pageData(nil)
		d.Sources = nil
		return json.NewEncoder(w).Encode(d)
	})
}

func (r *Report) pageData(chosen *Selection) pageData {
	j := jsonWriter{Report: r, used: map[tree.Leaf]bool{}}
	d := pageData{Lines: []pageLine{}, Nodes: []pageNode{}, Sources: map[string]string{}}
	for i := range r.Parts {
		p := &r.Parts[i]
		for k := range p.Lines {
			if line := &p.Lines[k]; chosen.has(r, p, line) {
				d.add(&j, p, line)
			}
		}
	}
	d.Values = j.values()
	for _, f := range r.in.Files.All() {
		if !f.Argument() {
			d.Sources[f.Shown()] = r.sourceText(f)
		}
	}
	return d
}

func (d *pageData) add(j *jsonWriter, p *Part, line *Line) {
	row := j.row(line)
	out := pageLine{Line: int(line.Number), File: p.File, Text: row.text, Place: row.place, Note: row.note}
	switch {
	case line.Absent != nil:
		a := j.absent(line.Absent)
		out.Absent = &a
	case line.Node >= 0 && line.First:
		n := &j.Nodes[line.Node]
		id := len(d.Nodes)
		out.Node = &id
		d.Nodes = append(d.Nodes, pageNode{j.node(int(line.Node)), j.Path(n).String()})
	case line.Node >= 0 && len(d.Nodes) > 0:
		id := len(d.Nodes) - 1 // the line continues the previous node
		out.Node = &id
	case line.Origin != 0:
		out.Made = j.text(p, line).Event
	}
	d.Lines = append(d.Lines, out)
}
