package upgrade

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"weft/internal/lang/diag"
	"weft/internal/origin/diff"
)

// WriteText writes a report for people. With details, it has the differences of each environment, as weft
// diff shows them.
func (r *Report) WriteText(w io.Writer, details, color bool) error {
	var b bytes.Buffer
	r.text(&b)
	if details {
		for _, e := range r.Environments {
			if e.Difference == nil || e.Difference.Empty() {
				continue
			}
			fmt.Fprintf(&b, "\n%s\n", e.title())
			if err := e.Difference.WriteText(&b, diff.TextOptions{Color: color}); err != nil {
				return err
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Report) text(b *bytes.Buffer) {
	for _, s := range r.Sources {
		fmt.Fprintf(b, "%s   %s %s\n", diag.Visible(s.title()), s.Kind, arrow(short(s.OldID), short(s.NewID)))
		fmt.Fprintf(b, "upstream     %s\n", counted(s.Summary))
	}
	fmt.Fprintf(b, "your output  %s\n", r.output())
	fmt.Fprintf(b, "overlays     %s\n", r.Overlays.counts())
	for _, o := range r.Overlays.Broken {
		r.overlay(b, "✗", &o)
	}
	for _, o := range r.Overlays.Dependent {
		r.overlay(b, "?", &o)
	}
	for _, o := range append(r.Overlays.Unneeded, r.Overlays.Partly...) {
		r.overlay(b, "–", &o)
	}
	fmt.Fprintf(b, "tests        %s\n", r.Tests.counts())
	for _, e := range r.Environments {
		for _, text := range e.Errors {
			fmt.Fprintf(b, "? %s does not render with the new files: %s\n", e.title(), diag.Visible(text))
		}
	}
	for _, p := range slices.Concat(r.Unknown, r.Failed) {
		fmt.Fprintf(b, "? %s\n", p.text())
	}
}

// text returns the problem on one line.
func (p *Problem) text() string {
	text := p.Message
	if name := label(p.Project, p.Environment); name != "" {
		text = name + " " + text
	}
	if len(p.Errors) > 0 {
		text += ": " + p.Errors[0]
	}
	return diag.Visible(text)
}

// overlay writes an overlay and what nearly matches.
func (r *Report) overlay(b *bytes.Buffer, mark string, o *Overlay) {
	fmt.Fprintf(b, "  %s %-22s %s", mark, diag.Visible(o.Place), diag.Visible(o.Message))
	if len(o.Environments) > 0 {
		fmt.Fprintf(b, " [%s]", diag.Visible(r.where(o)))
	}
	b.WriteByte('\n')
	for _, n := range o.Near {
		fmt.Fprintf(b, "      %s", diag.Visible(n.Message))
		if n.Place != "" {
			fmt.Fprintf(b, "   %s", diag.Visible(n.Place))
		}
		b.WriteByte('\n')
	}
	if o.Hint != "" {
		fmt.Fprintf(b, "      hint: %s\n", diag.Visible(o.Hint))
	}
	if len(o.Fits) > 0 && len(o.Environments) > 0 {
		fmt.Fprintf(b, "      fits in %s\n", diag.Visible(strings.Join(o.Fits, ", ")))
	}
}

// where returns the environments in which something is true of an overlay: their names, unless these are all
// of many.
func (r *Report) where(o *Overlay) string {
	const maxNamed = 5
	if n := len(o.Environments); n > maxNamed && n == len(r.Environments)+len(r.Unknown) {
		return fmt.Sprintf("all %d environments", n)
	}
	return strings.Join(o.Environments, ", ")
}

// title returns the name of a source, and its versions if it has any.
func (s *Source) title() string { return strings.TrimSuffix(s.Name+" "+arrow(s.Old, s.New), " ") }

// arrow returns two versions, or one if they are the same.
func arrow(old, now string) string {
	switch {
	case old == "" && now == "":
		return ""
	case old == "" || old == now:
		return now
	}
	return old + " → " + now
}

// short returns the first digits of a commit or a digest.
func short(id string) string {
	const digits = 12
	if len(id) > digits {
		return id[:digits]
	}
	return id
}

// counted returns the numbers of a summary in words.
func counted(s Counts) string {
	noun := "object"
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{{s.Changed, "changed"}, {s.Added, "added"}, {s.Removed, "removed"}} {
		if x.n > 0 {
			if noun != "" {
				parts = append(parts, diag.Count(x.n, noun)+" "+x.what)
				noun = ""
				continue
			}
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if parts == nil {
		return "nothing changed, " + diag.Count(s.Same, "object") + " the same"
	}
	return strings.Join(append(parts, fmt.Sprintf("%d the same", s.Same)), ", ")
}

// output returns how many objects change in each environment.
func (r *Report) output() string {
	var parts []string
	noun := true
	for _, e := range r.Environments {
		n := e.Summary.Changed + e.Summary.Added + e.Summary.Removed
		name := label(e.Project, e.Name)
		if name != "" {
			name += " "
		}
		switch {
		case e.Errors != nil:
			parts = append(parts, name+"does not render")
		case n > 0 && noun:
			parts = append(parts, name+diag.Count(n, "object"))
			noun = false
		case n > 0:
			parts = append(parts, fmt.Sprintf("%s%d", name, n))
		}
	}
	if parts == nil {
		return "nothing changes"
	}
	return strings.Join(parts, ", ")
}

// counts returns the numbers of overlays.
func (o *Overlays) counts() string {
	parts := []string{fmt.Sprintf("%d fit", o.Fit)}
	counted := map[string]bool{} // one with several fates counts once, for the worst
	for _, x := range []struct {
		list []Overlay
		what string
	}{
		{o.Broken, "broken"},
		{slices.Concat(o.Dependent, o.Untold), "not checked"},
		{o.Unneeded, "no longer needed"},
	} {
		n := len(counted)
		for i := range x.list {
			counted[x.list[i].Document] = true
		}
		if n = len(counted) - n; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, x.what))
		}
	}
	if o.Fit == 0 && len(parts) == 1 {
		return "none"
	}
	return strings.Join(parts, " · ")
}

// counts returns the numbers of tests, and the titles of those that fail.
func (t *Tests) counts() string {
	parts := []string{fmt.Sprintf("%d pass", t.Passed)}
	if t.Passed+len(t.Failed)+len(t.FailedBefore) == 0 {
		return "none"
	}
	if n := len(t.Failed); n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s: %s", n, fails(n), diag.Visible(strings.Join(t.Failed, ", "))))
	}
	if n := len(t.FailedBefore); n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s before the update, too", n, fails(n)))
	}
	return strings.Join(parts, ", ")
}

func fails(n int) string {
	if n == 1 {
		return "fails"
	}
	return "fail"
}

// title returns the name of the environment, for sentences.
func (e *Environment) title() string {
	return diag.Visible(cmp.Or(label(e.Project, e.Name), "the output"))
}
