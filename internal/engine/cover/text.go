package cover

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
)

// Summary returns the figures on one line: nodes in percent, and all other kinds as numbers. Kinds
// without points are left out.
func (r *Report) Summary() string {
	var parts []string
	for k, f := range r.Figures() {
		switch {
		case f.Total == 0:
		case Kind(k) == Nodes:
			parts = append(parts, fmt.Sprintf("%s %d %%", Kind(k), f.Percent()))
		default:
			parts = append(parts, fmt.Sprintf("%s %d/%d", Kind(k), f.Covered, f.Total))
		}
	}
	if parts == nil {
		return "nothing to cover"
	}
	return strings.Join(parts, " ")
}

// width is the length of the lines of a list.
const width = 100

// NotCovered lists the misses for people, several on a line. It is "" if there are none.
func (r *Report) NotCovered() string {
	list := r.Misses()
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	line := "not covered:"
	for i, m := range list {
		text := m.String()
		if i < len(list)-1 {
			text += ","
		}
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(text) > width {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + text
	}
	b.WriteString(line + "\n")
	return b.String()
}

// String returns where the miss is, and why: app.yml:17 (else).
func (m *Miss) String() string {
	s := diag.Visible(m.Path) + ":" + strconv.Itoa(m.Line)
	if m.LastLine > m.Line {
		s += "-" + strconv.Itoa(m.LastLine)
	}
	return s + " (" + diag.Visible(m.Why) + ")"
}
