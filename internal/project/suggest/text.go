package suggest

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"weft/internal/engine"
	"weft/internal/lang/diag"
)

// texts returns the text files of a result. Files with overlays only have none.
func texts(res *engine.Result) (list []string) {
	for _, out := range res.Outputs {
		if out.Text != "" {
			list = append(list, out.Text)
		}
	}
	return list
}

// WriteJSON writes everything that was found.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteText writes the best suggestion for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	switch p := r.Best(); {
	case r.Changes == 0:
		b.WriteString("nothing to change: " + r.subject() + " is what was edited\n")
	case p == nil:
		for i, x := range r.Problems {
			b.WriteString("no suggestion: " + x.Message + "\n")
			next := i + 1
			if x.Hint != "" && (next == len(r.Problems) || r.Problems[next].Hint != x.Hint) {
				b.WriteString("  hint: " + x.Hint + "\n")
			}
		}
	default:
		p.write(&b, r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// subject returns what was rendered.
func (r *Report) subject() string {
	if r.Environment == "" {
		return "the output"
	}
	return r.Environment
}

// Title returns what a plan does, on one line.
func (p *Plan) Title() string {
	var parts []string
	for i := range p.Steps {
		s := &p.Steps[i]
		parts = append(parts, s.place()+" "+s.text())
	}
	text := strings.Join(parts, "; ")
	if len(p.Others) > 0 {
		names := make([]string, len(p.Others))
		for i, o := range p.Others {
			names[i] = o.Name
		}
		text += "; also changes " + enumerated(names)
	}
	return text
}

func (p *Plan) write(b *strings.Builder, r *Report) {
	width := 0
	places := make([]string, len(p.Steps))
	for i := range p.Steps {
		places[i] = p.Steps[i].place()
		width = max(width, len(places[i]))
	}
	for i, s := range p.Steps {
		fmt.Fprintf(b, "%d  %-*s  %s\n", i+1, width, places[i], s.text())
		for _, d := range s.Details {
			b.WriteString("     " + d + "\n")
		}
	}
	for _, text := range p.Warnings {
		b.WriteString("warning: " + text + "\n")
	}
	b.WriteString("proved: " + r.subject() + " renders what was edited")
	if len(p.Same) > 0 {
		b.WriteString("; " + doNot(p.Same) + " change")
	}
	b.WriteString("\n")
	if len(p.Failing) > 0 {
		b.WriteString("not known: " + doNot(p.Failing) + " render, before and after\n")
	}
	for _, o := range p.Others {
		what := diag.Count(o.Changed, "document")
		if o.Layout {
			what = "only comments or layout"
		}
		b.WriteString("also: " + o.Name + " changes, " + what + "\n")
	}
	if len(p.Arguments) > 0 {
		b.WriteString("then render with " + diag.WordsInShell(p.Arguments) + "\n")
	}
}

// doNot returns the beginning of a sentence about what environments do not do.
func doNot(names []string) string {
	if len(names) == 1 {
		return names[0] + " does not"
	}
	return enumerated(names) + " do not"
}

// isNew reports whether a step adds something to the end of a file.
func (s *Step) isNew() bool { return (s.Kind == New || s.Kind == Patched) && !s.within }

// place returns the file of a step, and the line that changes.
func (s *Step) place() string {
	if s.Line > 1 || !s.isNew() {
		return fmt.Sprintf("%s:%d", diag.Visible(s.File), s.Line)
	}
	return diag.Visible(s.File)
}

// text returns what a step does.
func (s *Step) text() string {
	switch s.Kind {
	case New, Patched:
		text := fmt.Sprintf("%s, %s of %s", diag.Count(s.Lines, "line"), s.Change, diag.Count(s.Documents, "document"))
		if s.within {
			text = "in the " + string(s.Kind) + " there, " + text
		} else {
			text = "new " + string(s.Kind) + ", " + text
		}
		if s.Expects > 1 {
			text += fmt.Sprintf(", expects=%d", s.Expects)
		}
		return text
	case Listed:
		return s.Change
	}
	return s.Name + ": " + s.Change + "  (" + string(s.Kind) + ", " + diag.Count(s.Documents, "document") + ")"
}

// enumerated returns names as a list for people, and only some of many.
func enumerated(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
