package blame

import (
	"bufio"
	"encoding/json"
	"io"

	"weft/internal/lang/lazy"
	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The JSON format of a report. Field names are stable.
type (
	jsonNode struct {
		Doc     int             `json:"doc"`
		Object  string          `json:"object,omitempty"`
		Path    []any           `json:"path"`
		Line    int             `json:"line"`
		Value   json.RawMessage `json:"value,omitempty"` // omitted for collections: their items follow
		History []jsonEvent     `json:"history"`
		When    []jsonWhen      `json:"when"`
		Instead []jsonAbsent    `json:"instead,omitempty"` // what would be there otherwise
		Proof   *jsonProof      `json:"proof,omitempty"`
	}
	jsonProof struct {
		Values map[string]string `json:"values"`
		Others *bool             `json:"others,omitempty"` // whether any other data value changes it
	}
	jsonEvent struct {
		Op      string          `json:"op"`
		At      string          `json:"at,omitempty"`
		By      string          `json:"by,omitempty"`
		Value   json.RawMessage `json:"value,omitempty"`
		Values  []string        `json:"values,omitempty"`
		How     string          `json:"how,omitempty"`
		Calls   []string        `json:"calls,omitempty"`
		Matched []string        `json:"matched,omitempty"`
	}
	jsonWhen struct {
		Kind   string   `json:"kind"`
		At     string   `json:"at"`
		Values []string `json:"values,omitempty"`
	}
	jsonText struct {
		File  string     `json:"file"`
		Line  int        `json:"line"`
		Text  string     `json:"text"`
		Event *jsonEvent `json:"made,omitempty"`
		When  []jsonWhen `json:"when,omitempty"`

		Instead []jsonAbsent `json:"instead,omitempty"`
	}
	jsonAbsent struct {
		Op     string          `json:"op"`
		File   string          `json:"file,omitempty"` // the name of a text file
		Doc    int             `json:"doc"`            // -1 if it is a document itself
		Name   string          `json:"name"`
		Path   []any           `json:"path,omitempty"`
		At     string          `json:"at"`
		When   string          `json:"when,omitempty"`
		Values []string        `json:"values,omitempty"`
		Value  json.RawMessage `json:"value,omitempty"`
		Was    string          `json:"was,omitempty"`
		Count  int             `json:"count,omitempty"`
	}
	jsonLayer struct {
		Layer  string          `json:"layer"`
		At     string          `json:"at,omitempty"`
		Value  json.RawMessage `json:"value"`
		Values []string        `json:"values,omitempty"`
	}
)

// WriteJSON writes the report as one JSON object, with a line for each node.
func (r *Report) WriteJSON(w io.Writer, chosen *Selection) error {
	return r.written(w, func(w io.Writer) error { return r.putJSON(w, chosen) })
}

func (r *Report) putJSON(w io.Writer, chosen *Selection) error {
	j := jsonWriter{Report: r, out: bufio.NewWriter(w), used: map[tree.Leaf]bool{}}
	j.list("{\"nodes\": [", j.nodes(chosen))
	j.list("],\n\"texts\": [", j.texts(chosen))
	j.list("],\n\"absent\": [", j.absences(chosen))
	j.out.WriteString("],\n\"values\": ")
	values, err := json.Marshal(j.values())
	j.out.Write(values)
	j.out.WriteString("}\n")
	if j.err == nil {
		j.err = err
	}
	if err := j.out.Flush(); j.err == nil {
		j.err = err
	}
	return j.err
}

type jsonWriter struct {
	*Report
	out  *bufio.Writer
	used map[tree.Leaf]bool // the data values that were referred to
	err  error
}

// list writes objects, one per line.
func (j *jsonWriter) list(open string, objects func(yield func(any) bool)) {
	j.out.WriteString(open)
	sep := "\n"
	for x := range objects {
		b, err := json.Marshal(x)
		if err != nil {
			j.err = err
			return
		}
		j.out.WriteString(sep)
		j.out.Write(b)
		sep = ",\n"
	}
	j.out.WriteByte('\n')
}

func (j *jsonWriter) nodes(chosen *Selection) func(func(any) bool) {
	return func(yield func(any) bool) {
		for i := range j.Nodes {
			n := &j.Nodes[i]
			if chosen != nil && (!chosen.docs[n.Doc] || chosen.nodes != nil && !chosen.nodes[i]) {
				continue
			}
			if !yield(j.node(i)) {
				return
			}
		}
	}
}

func (j *jsonWriter) node(id int) jsonNode {
	n := &j.Nodes[id]
	out := jsonNode{
		Doc: int(n.Doc), Object: j.Docs[n.Doc].Object, Path: jsonPath(j.Path(n)),
		Line:  int(n.Line),
		Value: j.value(n.Value, n.Hidden), History: []jsonEvent{}, When: []jsonWhen{},
	}
	for _, e := range j.History(n) {
		out.History = append(out.History, j.event(e, n.Hidden))
		out.When = append(out.When, j.when(e.When)...)
	}
	out.Instead = j.insteadOf(outcome{node: int32(id)})
	out.Proof = j.proof(id)
	return out
}

func (j *jsonWriter) proof(id int) *jsonProof {
	p := j.proofs[id]
	if p == nil {
		return nil
	}
	out := &jsonProof{Values: map[string]string{}}
	for l, v := range p.By {
		out.Values[j.DataValue(l).Name] = v.String()
	}
	if p.Checked {
		out.Others = &p.Others
	}
	return out
}

// op returns the name of what an event did.
func op(e Event) string {
	switch {
	case e.By == tree.ByTemplate:
		return "set"
	case e.By == tree.ByShortcut:
		return "shortcut"
	case e.By == tree.ByOverride:
		return "override"
	case e.New:
		return "add"
	}
	return "merge"
}

func (j *jsonWriter) event(e Event, hidden bool) jsonEvent {
	out := jsonEvent{
		Op: op(e), At: j.at(e.At), By: j.at(e.Of.Pos), Value: j.value(e.Value, hidden),
		Values: j.names(e.Reads), Matched: j.names(e.Matched),
	}
	if e.How != Written {
		out.How = e.How.String()
	}
	for _, c := range e.Calls {
		out.Calls = append(out.Calls, j.at(c.Pos))
	}
	for _, o := range j.includedBy(e.At) {
		out.Calls = append(out.Calls, o.String())
	}
	return out
}

func (j *jsonWriter) when(list []tree.Condition) []jsonWhen {
	var out []jsonWhen
	for _, c := range list {
		out = append(out, jsonWhen{
			Kind: c.Kind.String(), At: j.at(c.At.Pos), Values: j.names(j.in.Origins.Leaves(c.Reads)),
		})
	}
	return out
}

func (j *jsonWriter) texts(chosen *Selection) func(func(any) bool) {
	return func(yield func(any) bool) {
		for i := range j.Parts {
			p := &j.Parts[i]
			if p.File == "" {
				continue
			}
			for k := range p.Lines {
				line := &p.Lines[k]
				if line.Absent == nil && chosen.has(j.Report, p, line) && !yield(j.text(p, line)) {
					return
				}
			}
		}
	}
}

func (j *jsonWriter) text(p *Part, line *Line) jsonText {
	out := jsonText{File: p.File, Line: int(line.Number), Text: line.Text}
	if s, ok := j.in.Origins.Of(line.Origin); ok {
		e := j.Report.event(s, tree.Value{}, s.At.Pos, false)
		event := j.event(e, false)
		event.Value = nil
		out.Event, out.When = &event, j.when(e.When)
		out.Instead = j.insteadOf(outcome{-1, line.Origin})
	}
	return out
}

func (j *jsonWriter) absences(chosen *Selection) func(func(any) bool) {
	return func(yield func(any) bool) {
		for i := range j.Parts {
			p := &j.Parts[i]
			for k := range p.Lines {
				a := p.Lines[k].Absent
				if a == nil || !chosen.has(j.Report, p, &p.Lines[k]) {
					continue
				}
				out := j.absent(a)
				if out.File = p.File; !yield(out) {
					return
				}
			}
		}
	}
}

// insteadOf returns what would be in the output instead of a node or a line of text.
func (j *jsonWriter) insteadOf(by outcome) []jsonAbsent {
	var out []jsonAbsent
	for _, a := range j.instead[by] {
		out = append(out, j.absent(a))
	}
	return out
}

func (j *jsonWriter) absent(a *Absent) jsonAbsent {
	out := jsonAbsent{
		Op: a.Kind.String(), Doc: a.Doc, Name: a.Name, At: j.at(a.At),
		When: j.at(a.Condition), Values: j.names(a.Reads), Was: j.at(a.Was), Count: a.Count,
	}
	if a.Kind == tree.Removed {
		out.Path, out.Value = jsonPath(a.Path), j.whole(a.Old, false)
	}
	return out
}

// values returns the data values that were referred to, with the layers that set them.
func (j *jsonWriter) values() map[string][]jsonLayer {
	all := map[string][]jsonLayer{}
	for todo := j.used; len(todo) > 0; {
		j.used = map[tree.Leaf]bool{}
		for l := range todo {
			d := j.DataValue(l)
			if _, ok := all[d.Name]; ok {
				continue
			}
			all[d.Name] = []jsonLayer{}
			for _, e := range d.Layers {
				all[d.Name] = append(all[d.Name], j.layer(d, e))
			}
		}
		todo = j.used // those passed to libraries have other names
	}
	return all
}

// layer returns one setting of a data value.
func (j *jsonWriter) layer(d *DataValue, e Event) jsonLayer {
	return jsonLayer{
		layerNames.Get()[e.By], j.hideFlag(d, e.At, j.at(e.At)), j.whole(e.Value, d.Secret), j.names(e.Reads),
	}
}

// layerNames are the names of the sources of data values in the JSON format.
var layerNames = lazy.Value[map[tree.Setter]string]{New: func() map[tree.Setter]string {
	return map[tree.Setter]string{
		tree.ByDefault: "schema", tree.ByDocument: "document", tree.ByProject: "project",
		tree.ByFile:     "file",
		tree.ByVariable: "env", tree.ByFlag: "flag", tree.ByLibrary: "library",
		tree.ByTemplate: "template",
	}
}}

// names returns the names of data values and marks them as referred to.
func (j *jsonWriter) names(leaves []tree.Leaf) []string {
	var names []string
	for _, l := range leaves {
		j.used[l] = true
		names = append(names, j.DataValue(l).Name)
	}
	return names
}

// at returns a position as in app.yml:8:3, or "" if it is unknown.
func (j *jsonWriter) at(p source.Pos) string {
	f := j.in.Files.File(p)
	if f == nil {
		return ""
	}
	return f.Where(p.Offset())
}

// jsonPath returns a path as a list of keys and indexes.
func jsonPath(p path.Path) []any {
	out := make([]any, len(p))
	for i, s := range p {
		if s.Kind == path.Item {
			out[i] = s.Index
		} else {
			out[i] = tree.KeyText(s.Key)
		}
	}
	return out
}

// value returns a scalar as JSON. It returns nil for a collection, whose items are nodes themselves.
func (j *jsonWriter) value(v tree.Value, hidden bool) json.RawMessage {
	if !hidden && v.Kind() != tree.ScalarKind && v.Len() > 0 {
		return nil
	}
	return j.whole(v, hidden)
}

// whole returns a value as JSON, without secrets.
func (j *jsonWriter) whole(v tree.Value, hidden bool) json.RawMessage {
	if hidden {
		return yaml.AppendJSONString(nil, []byte(secret.Hidden))
	}
	var w yaml.JSONWriter
	var p tree.Printer
	p.Write(&w, j.in.Secrets.Mask(v, nil, nil))
	return w.Bytes()
}
