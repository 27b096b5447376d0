package blame

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The symbols used in notes.
const (
	symCopied   = "="
	symComputed = "~"
	symAdded    = "+"
	symWins     = ">"
	symRemoved  = "-"
	symDecided  = "?"
)

// note returns the text to the right of a line, which sums up a history.
func (r *Report) note(history []Event, hidden bool) string {
	last := history[len(history)-1]
	if last.By == tree.ByTemplate {
		return r.eventNote(last)
	}
	if last.New || len(history) == 1 {
		return join(symAdded+" "+r.describeSetter(last), r.eventNote(last))
	}
	before := history[len(history)-2]
	value := secret.Hidden
	if !hidden {
		value = r.show(before.Value)
	}
	return join(r.eventNote(last), symWins+" "+r.Where(before.At), value+" "+r.eventNote(before))
}

// proved returns the mark of a line if its data values, all of them and no others, were shown to change
// it.
func (r *Report) proved(node int) string {
	p := r.proofs[node]
	if p == nil || len(p.By) == 0 {
		return ""
	}
	for _, v := range p.By {
		if v != Proved {
			return ""
		}
	}
	switch {
	case p.Others:
		return "and others"
	case p.Checked:
		return "✓"
	}
	return ""
}

// describeSetter describes the overlay or override that an event belongs to.
func (r *Report) describeSetter(e Event) string {
	at := e.Of.Pos
	if !at.IsValid() {
		at = e.At
	}
	return e.By.String() + " " + r.Where(at)
}

// eventNote describes how a template computed a value from data values, or returns "" if it did not.
func (r *Report) eventNote(e Event) string {
	if len(e.Reads) == 0 {
		return ""
	}
	sym := symComputed
	if e.How == Copied {
		if sym = symCopied; r.DataValue(e.Reads[0]).isCopied {
			sym += " copied from"
		}
	}
	return sym + " " + r.reads(e.Reads)
}

// maxNamedValues is the maximum number of data values named in one note.
const maxNamedValues = 3

// reads returns the names of data values, each with the place that set it.
func (r *Report) reads(leaves []tree.Leaf) string {
	var words []string
	for i, l := range leaves {
		if i == maxNamedValues {
			words = append(words, "and "+strconv.Itoa(len(leaves)-maxNamedValues)+" more")
			break
		}
		words = append(words, r.setBy(r.DataValue(l)))
	}
	return strings.Join(words, ", ")
}

// setBy returns the name of a data value and the place that set it.
func (r *Report) setBy(d *DataValue) string {
	name := d.Name
	switch d.Kind {
	case tree.Shape:
		name += " (its items)"
	case tree.Missing:
		return name + " (not set)"
	}
	if len(d.Layers) == 0 {
		return name
	}
	last := d.Layers[len(d.Layers)-1]
	where := r.hideFlag(d, last.At, r.Where(last.At))
	kind := layerWords.Get()[last.By]
	if last.By == tree.ByDefault && len(last.Reads) > 0 {
		kind = "computed"
	}
	if kind != "" {
		where += " " + kind
	}
	if len(last.Reads) == 0 {
		return join(name, where)
	}
	return join(name, where+" "+r.eventNote(last)) // a library's data value, passed to it
}

// layerWords name the source of a data value in a note. They are omitted where the place makes it clear:
// $NAME is a variable, --data-value k=v is a flag, and most files hold data values documents.
var layerWords = lazy.Value[map[tree.Setter]string]{New: func() map[tree.Setter]string {
	return map[tree.Setter]string{
		tree.ByDefault: "default", tree.ByFile: "(values file)", tree.ByLibrary: "with_data_values",
	}
}}

func join(words ...string) string {
	var full []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			full = append(full, w)
		}
	}
	return strings.Join(full, "  ")
}

// absentNote returns the reason for an absence.
func (r *Report) absentNote(a *Absent) string {
	if a.Kind == tree.Removed {
		decided := ""
		if len(a.Reads) > 0 {
			decided = symDecided + " " + r.reads(a.Reads)
		}
		return join(symRemoved+" "+a.By.String()+" "+r.Where(a.At), "was "+r.old(a), r.Where(a.Was), decided)
	}
	return join(symDecided+" "+r.reads(a.Reads), r.Where(a.Condition), times(a.Count))
}

// old describes the removed value.
func (r *Report) old(a *Absent) string {
	return r.show(a.Old)
}

func times(n int) string {
	if n <= 1 {
		return ""
	}
	return strconv.Itoa(n) + " times"
}

// absentText returns the text of an absence's line.
func absentText(a *Absent) string {
	return strings.Repeat(" ", a.indent) + "(no " + diag.Visible(a.Name) + ")"
}

// show returns a value on one line, truncated if it is long.
func (r *Report) show(v tree.Value) string {
	switch v.Kind() {
	case tree.MapKind:
		return "{" + diag.Count(v.Len(), "key") + "}"
	case tree.ArrayKind:
		return "[" + diag.Count(v.Len(), "item") + "]"
	}
	if r.in.Secrets.HidesText(v) {
		return secret.Hidden
	}
	val, text := v.Scalar()
	s := string(yaml.AppendValue(nil, val, text, 2))
	if val.Kind == yaml.String && strings.Contains(s, "\n") {
		s = strconv.Quote(string(text))
	}
	return cut(s)
}

// cut truncates a text to maxTextRunes.
func cut(s string) string {
	if short := []rune(s); len(short) > maxTextRunes {
		return string(short[:maxTextRunes]) + "…"
	}
	return s
}

// maxTextRunes is the maximum number of characters of a text shown in a note.
const maxTextRunes = 40

// insteadNote describes what would be in the output instead of a line, and what decided that.
func (r *Report) insteadNote(by outcome) string {
	list := r.instead[by]
	if len(list) == 0 {
		return ""
	}
	var reads []tree.Leaf
	var places []string
	for _, a := range list {
		reads = append(reads, a.Reads...)
		if where := r.Where(a.At); !slices.Contains(places, where) {
			places = append(places, where)
		}
	}
	slices.Sort(reads)
	if reads = slices.Compact(reads); len(reads) == 0 {
		return "" // no data value decides it
	}
	return symDecided + " " + r.reads(reads) + "  not " + strings.Join(places, ", ")
}

// place returns the text to the left of a line: where it is written, and where that was called from or
// included.
func (r *Report) place(at source.Pos, calls []source.Span) string {
	where := r.Where(at)
	if by := r.includedBy(at); len(calls) == 0 && by != nil {
		if dir := path.Dir(where) + "/"; path.Dir(by[0].Path)+"/" == dir {
			return where + "  ‹" + strings.TrimPrefix(by[0].String(), dir)
		}
		return where + "  ‹" + by[0].String()
	}
	if len(calls) == 0 {
		return where
	}
	f := r.in.Files.File(calls[0].Pos)
	if f == nil {
		return where
	}
	if f == r.in.Files.File(at) {
		return where + "  ‹" + strconv.Itoa(f.Line(calls[0].Offset()))
	}
	return where + "  ‹" + r.Where(calls[0].Pos)
}

// includedBy returns the lines of templates that include the one that a line of a chart comes from, the
// innermost first; or the lines that a line of a kustomization changes.
func (r *Report) includedBy(at source.Pos) []source.Origin {
	f := r.in.Files.File(at)
	if f == nil || !f.IsRendered() {
		return nil
	}
	if all := f.Origins(at.Offset()); len(all) > 1 {
		return all[1:]
	}
	return nil
}
