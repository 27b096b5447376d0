package blame

import (
	"bytes"
	"io"
	"strings"

	"weft/internal/lang/path"
	"weft/internal/lang/secret"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// hides reports whether the current node's value is secret, because of its path or because it contains a
// secret data value.
func (w *walker) hides(n *Node) bool {
	s := &w.in.Secrets
	if s.Show || w.secret < 0 && !w.asked {
		return false
	}
	var within path.Path
	if w.secret >= 0 {
		within = w.at[w.secret:]
	}
	if s.Hides(w.at, within) {
		return true
	}
	if n.Value.Kind() != tree.ScalarKind {
		return false
	}
	return s.HidesText(n.Value) || len(s.Texts) > 0 &&
		w.readsSecret(w.history(n.origin, n.from, n.Value, n.At, w.at[len(w.at)-int(n.up):]))
}

func (r *Report) readsSecret(history []Event) bool {
	for _, e := range history {
		for _, l := range e.Reads {
			if r.DataValue(l).marked {
				return true
			}
		}
	}
	return false
}

// hiding is a node that is shown without its value.
type hiding struct {
	line, last int32  // its first and last line
	shown      string // its first line as shown; "" if the key spans several lines
}

// hide prints a secret, so that the lines after it get their numbers, and records what is shown in its
// place: its key, or the dash of an item.
func (w *walker) hide(n *Node) {
	start := len(w.out.Bytes()) // after the key, or at the item
	w.printer.Write(&w.out, n.Value)
	text := w.out.Bytes()
	if n.parent >= 0 && n.index >= 0 {
		start += bytes.Index(text[start:], []byte("- ")) + len("- ")
	}
	shown := string(text[bytes.LastIndexByte(text[:start], '\n')+1 : start])
	switch {
	case n.parent < 0 || n.index >= 0:
		shown += secret.Hidden
	case shown != "":
		shown += ": " + secret.Hidden
	}
	w.hidden = append(w.hidden, hiding{n.Line, w.here() - 1, shown})
}

// in replaces the first line of the node and drops the other lines of its value.
func (h hiding) in(lines []Line) {
	if h.shown == "" {
		h.shown = lines[h.line-1].Text + " " + secret.Hidden
	}
	lines[h.line-1].Text = h.shown
	for i := h.line; i < h.last; i++ {
		lines[i].dropped = true
	}
}

// hideLine hides a line of text that was computed from a secret.
func (r *Report) hideLine(line *Line) {
	s, ok := r.in.Origins.Of(line.Origin)
	if !ok || !r.readsSecret([]Event{r.event(s, tree.Value{}, s.At.Pos, false)}) {
		return
	}
	if masked := r.in.Secrets.MaskText(line.Text); masked != line.Text {
		line.Text = masked
	} else {
		line.Text = secret.Hidden
	}
}

// hideFlag returns a place without the value if it is a flag that sets a secret data value.
func (r *Report) hideFlag(d *DataValue, at source.Pos, where string) string {
	if f := r.in.Files.File(at); d.Secret && f != nil && f.Argument() {
		if flag, _, ok := strings.Cut(where, "="); ok {
			return flag + "=" + secret.Hidden
		}
	}
	return where
}

// keepSecret hides the data values that hidden nodes were computed from, wherever they appear.
func (r *Report) keepSecret() {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if !n.Hidden {
			continue
		}
		for _, l := range r.sliceOf(n) {
			r.DataValue(l).Secret = true
		}
	}
}

// written writes a report with secrets masked where they are part of other text: a key, a comment, or the
// name of a document.
func (r *Report) written(w io.Writer, write func(io.Writer) error) error {
	if len(r.in.Secrets.Texts) == 0 || r.in.Secrets.Show {
		return write(w)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, r.in.Secrets.MaskWritten(b.String()))
	return err
}

// sourceText returns the text of a file without the secrets in it: the values of hidden nodes and secret
// data values.
func (r *Report) sourceText(f *source.File) string {
	if r.hidden == nil {
		r.hidden = r.secretLines()
	}
	text := maskLines(string(f.Data()), r.hidden[f])
	for _, s := range r.removed {
		if len(s) >= shortest {
			text = strings.ReplaceAll(text, s, secret.Hidden)
		}
	}
	return text
}

// shortest is the minimum length of a removed secret that is searched for in sources.
const shortest = 4

// HiddenTexts returns the texts of the scalars that the report hides.
func (r *Report) HiddenTexts() (list []string) {
	for i := range r.Nodes {
		if n := &r.Nodes[i]; n.Hidden && n.Value.Kind() == tree.ScalarKind {
			list = append(list, n.Value.Text())
		}
	}
	return list
}

// secretLines returns the source lines on which hidden nodes and secret data values are written.
func (r *Report) secretLines() map[*source.File]map[int]bool {
	lines := map[*source.File]map[int]bool{}
	add := func(at source.Pos) {
		f := r.in.Files.File(at)
		if f == nil {
			return
		}
		if lines[f] == nil {
			lines[f] = map[int]bool{}
		}
		lines[f][f.Line(at.Offset())] = true
	}
	for i := range r.Nodes {
		if n := &r.Nodes[i]; n.Hidden {
			for _, e := range r.History(n) {
				add(e.At)
			}
		}
	}
	for _, d := range r.leaves {
		if d.Secret {
			for _, e := range d.Layers {
				add(e.At)
			}
		}
	}
	return lines
}

// maskLines hides what follows the key on the given lines, and the more indented lines below.
func maskLines(text string, hidden map[int]bool) string {
	if len(hidden) == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	under := -1 // indentation of the line whose value is hidden
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		blank := strings.TrimSpace(line) == ""
		switch {
		case hidden[i+1]:
			under = indent
			key, _, ok := strings.Cut(line, ":")
			if !ok {
				key = line[:indent]
			} else {
				key += ": "
			}
			lines[i] = key + secret.Hidden
		case under >= 0 && (blank || indent > under):
			lines[i] = ""
		default:
			under = -1
		}
	}
	return strings.Join(lines, "\n")
}
