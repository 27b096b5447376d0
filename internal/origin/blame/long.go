package blame

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// WriteLong writes the whole history of each selected node:
//
//	Deployment/shop  spec.replicas
//	  5   production.yml:10  overlay production.yml:4
//	  2   app.yml:14         replicas: #@ data.values.replicas
//	      replicas = 2       schema.yml:6  default
//
// The last event comes first.
func (r *Report) WriteLong(w io.Writer, chosen *Selection, color bool) error {
	return r.written(w, func(w io.Writer) error { return r.putLong(w, chosen, color) })
}

func (r *Report) putLong(w io.Writer, chosen *Selection, color bool) error {
	out := bufio.NewWriter(w)
	first := true
	for i := range r.Parts {
		p := &r.Parts[i]
		for j := range p.Lines {
			line := &p.Lines[j]
			if !chosen.has(r, p, line) || line.Node >= 0 && !line.First ||
				line.Node < 0 && line.Absent == nil && line.Origin == 0 {
				continue
			}
			if !first {
				out.WriteByte('\n')
			}
			first = false
			r.writeLong(out, p, line, color)
		}
	}
	return out.Flush()
}

// fact is one row of a long report.
type fact struct{ value, place, text string }

func (r *Report) writeLong(out *bufio.Writer, p *Part, line *Line, color bool) {
	head, facts := r.long(p, line)
	out.WriteString(paint(color, bold, diag.Visible(head)) + "\n")
	writeFacts(out, facts, color)
}

func width(s string) int { return len([]rune(s)) }

// long returns everything known about a line.
func (r *Report) long(p *Part, line *Line) (head string, facts []fact) {
	switch {
	case line.Absent != nil:
		head, facts = r.longAbsent(line.Absent)
		return join(p.File, head), facts
	case line.Node < 0:
		s, _ := r.in.Origins.Of(line.Origin)
		e := r.event(s, tree.Value{}, s.At.Pos, false)
		return p.File + "  line " + strconv.Itoa(int(line.Number)),
			slices.Concat([]fact{{"", r.Where(s.At.Pos), r.excerpt(s.At.Pos)}}, r.reasonsFor(e),
				r.longInstead(outcome{-1, line.Origin}))
	}
	n := &r.Nodes[line.Node]
	history := r.History(n)
	for i := len(history) - 1; i >= 0; i-- {
		e := history[i]
		value := secret.Hidden
		if !n.Hidden {
			value = r.show(e.Value)
		}
		facts = append(facts, fact{value, r.Where(e.At), r.what(e, n.Hidden)})
		facts = append(facts, r.reasonsFor(e)...)
	}
	facts = append(facts, r.longInstead(outcome{node: line.Node})...)
	facts = append(facts, r.proof(int(line.Node))...)
	return join(r.Docs[n.Doc].Object, r.Path(n).String()), facts
}

// proof describes what altered renders showed about a node.
func (r *Report) proof(node int) []fact {
	p := r.proofs[node]
	if p == nil {
		return nil
	}
	var facts []fact
	for _, l := range slices.Sorted(maps.Keys(p.By)) {
		facts = append(facts, fact{"", r.DataValue(l).Name, proofNote(p.By[l])})
	}
	switch {
	case p.Others:
		facts = append(facts, fact{"", "all other values", "change it as well: this is not all"})
	case p.Refused:
		facts = append(facts, fact{"", "all other values", "not provable: they are refused together"})
	case p.Checked:
		facts = append(facts, fact{"", "all other values", "proved: they do not change it"})
	}
	return facts
}

// what describes an event.
func (r *Report) what(e Event, hidden bool) string {
	if hidden && e.By == tree.ByTemplate {
		return "" // the line may contain the secret
	}
	if e.By == tree.ByTemplate {
		return r.excerpt(e.At)
	}
	verb := "changed by "
	if e.New {
		verb = "added by "
	}
	return verb + r.describeSetter(e)
}

// excerpt returns the source line at a position, without surrounding white space. For a line of a chart, it
// is the line of the template, if that is known.
func (r *Report) excerpt(at source.Pos) string {
	f := r.in.Files.File(at)
	if f == nil {
		return ""
	}
	if all := f.Origins(at.Offset()); all != nil {
		if text := f.OriginText(all[0]); text != nil {
			return diag.Visible(string(bytes.TrimSpace(text)))
		}
	}
	return diag.Visible(strings.TrimSpace(string(f.Text(f.Line(at.Offset())))))
}

// reasonsFor returns the reasons for an event: calls, templates that include others, conditions and data
// values.
func (r *Report) reasonsFor(e Event) []fact {
	var facts []fact
	for _, o := range r.includedBy(e.At) {
		f, verb := r.in.Files.File(e.At), "included: "
		if strings.HasPrefix(f.Name(), "kustomizations/") {
			verb = "changed: "
		}
		facts = append(facts, fact{"", o.String(), verb + diag.Visible(string(bytes.TrimSpace(f.OriginText(o))))})
	}
	for _, c := range e.Calls {
		facts = append(facts, fact{"", r.Where(c.Pos), "called: " + r.excerpt(c.Pos)})
	}
	for _, l := range e.Reads {
		facts = append(facts, r.layers(r.DataValue(l), "")...)
	}
	for _, l := range e.Matched {
		facts = append(facts, r.layers(r.DataValue(l), "matched because ")...)
	}
	for _, c := range e.When {
		facts = append(facts, fact{"", r.Where(c.At.Pos), c.Kind.String() + ": " + r.excerpt(c.At.Pos)})
		for _, l := range r.in.Origins.Leaves(c.Reads) {
			facts = append(facts, r.layers(r.DataValue(l), "decided by ")...)
		}
	}
	return facts
}

// layers lists the settings of a data value, the effective one first.
func (r *Report) layers(d *DataValue, why string) []fact {
	if len(d.Layers) == 0 {
		return []fact{{"", why + d.Name, "not set"}}
	}
	var facts []fact
	for i := len(d.Layers) - 1; i >= 0; i-- {
		e := d.Layers[i]
		value := r.show(e.Value)
		if d.Secret {
			value = secret.Hidden
		}
		text := join(r.hideFlag(d, e.At, r.Where(e.At)), e.By.String())
		if i < len(d.Layers)-1 {
			facts = append(facts, fact{"", "", "over " + value + "  " + text})
			continue
		}
		facts = append(facts, fact{"", why + d.Name + " = " + value, text})
	}
	return append(facts, r.reasonsFor(d.Layers[len(d.Layers)-1])...) // for a library: what was passed to it
}

// longInstead describes what would be in the output instead of a line. The data values that decided it are
// shown above.
func (r *Report) longInstead(by outcome) []fact {
	var facts []fact
	for _, a := range r.instead[by] {
		facts = append(facts, fact{"", r.Where(a.At), a.Kind.String() + ": " + a.Name})
		if a.Kind != tree.Unmatched {
			continue
		}
		for _, l := range a.Reads {
			facts = append(facts, r.layers(r.DataValue(l), "decided by ")...)
		}
	}
	return facts
}

func (r *Report) longAbsent(a *Absent) (head string, facts []fact) {
	object := ""
	if a.Doc >= 0 {
		object = r.Docs[a.Doc].Object
	}
	head = join(object, "(no "+a.Name+")")
	if a.Kind == tree.Removed {
		was := fact{r.old(a), r.Where(a.Was), ""}
		if !a.hidden {
			was.text = r.excerpt(a.Was)
		}
		facts = append(facts, fact{"", r.Where(a.At), "removed by " + a.By.String()}, was)
	} else {
		facts = append(facts, fact{"", r.Where(a.Condition), r.excerpt(a.Condition)})
	}
	for _, l := range a.Reads {
		facts = append(facts, r.layers(r.DataValue(l), "decided by ")...)
	}
	return head, facts
}
