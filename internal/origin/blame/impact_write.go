package blame

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/tree"
)

// WriteImpacts writes what depends on data values as text:
//
//	replicas = 2  schema.yml:6
//	  Deployment/shop  spec.replicas  > overwritten by production.yml:10
func (r *Report) WriteImpacts(w io.Writer, list []Impact, color bool) error {
	return r.written(w, func(w io.Writer) error { return r.putImpacts(w, list, color) })
}

func (r *Report) putImpacts(w io.Writer, list []Impact, color bool) error {
	out := bufio.NewWriter(w)
	for i := range list {
		if i > 0 {
			out.WriteByte('\n')
		}
		r.writeImpact(out, &list[i], color)
	}
	return out.Flush()
}

func (r *Report) writeImpact(out *bufio.Writer, x *Impact, color bool) {
	head := paint(color, bold, diag.Visible(x.Value.Name))
	if n := len(x.Value.Layers); n > 0 {
		last := x.Value.Layers[n-1]
		value := r.show(last.Value)
		if x.Value.Secret {
			value = secret.Hidden
		}
		head += " = " + value + "  " + paint(color, dim, r.hideFlag(x.Value, last.At, r.Where(last.At)))
	}
	out.WriteString(head + "\n")
	switch {
	case !x.Read:
		out.WriteString("  set but never read\n")
	case len(x.Uses) == 0:
		out.WriteString("  read but changes nothing here\n")
	}
	var rows []fact
	for _, u := range x.Uses {
		rows = append(rows, fact{useObject(u), usePath(u), r.useNote(u)})
	}
	writeFacts(out, rows, color)
}

// useObject returns the document or the text file of a use.
func useObject(u Use) string {
	switch {
	case u.File != "":
		return u.File
	}
	return u.Object
}

func usePath(u Use) string {
	if u.Line > 0 && u.File != "" {
		return "line " + strconv.Itoa(u.Line)
	}
	return u.Path
}

// useNote describes what the data value does there.
func (r *Report) useNote(u Use) string {
	sym := symDecided
	switch u.How {
	case UseCopied:
		sym = symCopied
	case UseComputed:
		sym = symComputed
	}
	note := sym + " " + r.Where(u.At)
	if u.Overwritten.IsValid() {
		note = symWins + " overwritten by " + r.Where(u.Overwritten)
	}
	return join(note, proofNote(u.Proof))
}

// proofNote describes a verdict.
func proofNote(v Verdict) string {
	switch v {
	case Proved:
		return "proved: another value changes it"
	case Idle:
		return "no other value that was tried changes it"
	case Refused:
		return "possible, but not provable: other values are refused"
	}
	return ""
}

// writeFacts aligns lines of three columns.
func writeFacts(out *bufio.Writer, rows []fact, color bool) {
	const widest = 40
	values, places := 0, 0
	for _, f := range rows {
		values = max(values, min(width(f.value), widest))
		places = max(places, min(width(f.place), widest))
	}
	for _, f := range rows {
		line := "  "
		if values > 0 {
			line += pad(diag.Visible(f.value), values) + "  "
		}
		line += pad(diag.Visible(f.place), places) + "  " + paint(color, dim, diag.Visible(f.text))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// The JSON format of impacts. Field names are stable.
type (
	jsonImpact struct {
		Value  string      `json:"value"`
		Layers []jsonLayer `json:"layers"`
		Read   bool        `json:"read"`
		Uses   []jsonUse   `json:"uses"`
	}
	jsonUse struct {
		Object      string `json:"object,omitempty"`
		File        string `json:"file,omitempty"`
		Path        string `json:"path,omitempty"`
		Line        int    `json:"line,omitempty"`
		At          string `json:"at"`
		How         string `json:"how"`
		Overwritten string `json:"overwritten,omitempty"`
		Proof       string `json:"proof,omitempty"`
	}
)

// WriteImpactsJSON writes what depends on data values as JSON.
func (r *Report) WriteImpactsJSON(w io.Writer, list []Impact) error {
	return r.written(w, func(w io.Writer) error { return r.putImpactsJSON(w, list) })
}

func (r *Report) putImpactsJSON(w io.Writer, list []Impact) error {
	j := jsonWriter{Report: r, used: map[tree.Leaf]bool{}}
	out := make([]jsonImpact, len(list))
	for i := range list {
		out[i] = j.impact(&list[i])
	}
	return emit.Report(w, out)
}

func (j *jsonWriter) impact(x *Impact) jsonImpact {
	out := jsonImpact{Value: x.Value.Name, Read: x.Read, Layers: []jsonLayer{}, Uses: []jsonUse{}}
	for _, e := range x.Value.Layers {
		out.Layers = append(out.Layers, j.layer(x.Value, e))
	}
	for _, u := range x.Uses {
		use := jsonUse{
			Object: u.Object, File: u.File, Path: u.Path, Line: u.Line, At: j.at(u.At),
			How: u.How.String(), Overwritten: j.at(u.Overwritten),
		}
		if u.Proof != Unknown {
			use.Proof = u.Proof.String()
		}
		out.Uses = append(out.Uses, use)
	}
	return out
}
