package blame

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The symbols of the margin.
const (
	symCopied   = "="
	symComputed = "~"
	symAdded    = "+"
	symWins     = ">"
	symRemoved  = "-"
	symDecided  = "?"
)

// note returns what is to the right of a line about a history.
func (r *Report) note(history []Event, hidden bool) string {
	last := history[len(history)-1]
	if last.By == tree.ByTemplate {
		return r.eventNote(last)
	}
	if last.New || len(history) == 1 {
		return join(symAdded+" "+r.whose(last), r.eventNote(last))
	}
	before := history[len(history)-2]
	value := secret.Hidden
	if !hidden {
		value = r.show(before.Value)
	}
	return join(r.eventNote(last), symWins+" "+r.Where(before.At), value+" "+r.eventNote(before))
}

// proved returns a mark for a line whose data values were shown to change it, all of them and no
// others.
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

// whose returns the overlay or override that an event belongs to.
func (r *Report) whose(e Event) string {
	at := e.Of.Pos
	if !at.IsValid() {
		at = e.At
	}
	return e.By.String() + " " + r.Where(at)
}

// eventNote returns how a template made a value of data values, or "" if it did not.
func (r *Report) eventNote(e Event) string {
	if len(e.Reads) == 0 {
		return ""
	}
	sym := symComputed
	if e.How == Copied {
		sym = symCopied
	}
	return sym + " " + r.reads(e.Reads)
}

// maxNamedValues is how many data values are named in one line.
const maxNamedValues = 3

// reads returns data values, each with who set it.
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

// setBy returns a data value with the place where it was set.
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
	if kind := layerWords[last.By]; kind != "" {
		where += " " + kind
	}
	if len(last.Reads) == 0 {
		return join(name, where)
	}
	return join(name, where+" "+r.eventNote(last)) // a library's, which someone gave it
}

// layerWords say in a margin what gives a data value, unless its place does: $NAME is a variable,
// --data-value k=v is a flag, and most files hold documents of data values.
var layerWords = map[tree.Setter]string{
	tree.ByDefault: "default", tree.ByFile: "(values file)", tree.ByLibrary: "with_data_values",
}

func join(words ...string) string {
	var full []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			full = append(full, w)
		}
	}
	return strings.Join(full, "  ")
}

// absentNote returns why something is not there.
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

// old returns what was removed.
func (r *Report) old(a *Absent) string {
	return r.show(a.Old)
}

func times(n int) string {
	if n <= 1 {
		return ""
	}
	return strconv.Itoa(n) + " times"
}

// absentText returns the line of something that is not there.
func absentText(a *Absent) string {
	return strings.Repeat(" ", a.indent) + "(no " + diag.Visible(a.Name) + ")"
}

// show returns a value on one line, cut if it is long.
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

// cut returns the beginning of a text that is too long for a margin.
func cut(s string) string {
	if short := []rune(s); len(short) > maxTextRunes {
		return string(short[:maxTextRunes]) + "…"
	}
	return s
}

// maxTextRunes is how many characters of a text a margin shows.
const maxTextRunes = 40

// insteadNote returns what a line is there instead of, and what decided that.
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
		return "" // nothing that anybody could set decides it
	}
	return symDecided + " " + r.reads(reads) + "  not " + strings.Join(places, ", ")
}

// place returns what is to the left of a line: who wrote it, and from where that was called.
func (r *Report) place(at source.Pos, calls []source.Span) string {
	where := r.Where(at)
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
