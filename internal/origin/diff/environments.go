package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// Environments collects the differences of several environments, by cause: a change of the inputs that
// touches many environments is one section. It keeps what is printed, and no documents.
type Environments struct {
	list   []*causeSection
	byHead map[string]*causeSection

	searched    int             // the number of environments in which causes were searched
	notSearched map[string]bool // the others
}

// causeSection is what one cause changes.
type causeSection struct {
	head, title string // of the cause; "" if it is unknown
	parts       []*causePart
}

// causePart is changes that are the same in some environments.
type causePart struct {
	names     []string
	documents int
	text      [2]string // without and with colors
	lines     []string  // of a diff
	changes   json.RawMessage
}

// Add adds the difference of environments that have the same. mask hides secrets in what is printed.
func (e *Environments) Add(names []string, d *Difference, mask func(string) string) {
	if e.byHead == nil {
		e.byHead = map[string]*causeSection{}
	}
	for _, s := range d.sections() {
		head, title := "", ""
		if s.cause != nil {
			head, title = mask(s.cause.heading()), mask(s.cause.Title)
		}
		to := e.byHead[head]
		if to == nil {
			to = &causeSection{head: head, title: title}
			e.byHead[head] = to
			e.list = append(e.list, to)
		}
		to.add(names, d.part(&s, mask))
	}
}

// Search records that causes were searched in the first n of some environments.
func (e *Environments) Search(names []string, n int) {
	if e.notSearched == nil {
		e.notSearched = map[string]bool{}
	}
	e.searched += n
	for _, name := range names[n:] {
		e.notSearched[name] = true
	}
}

// limited says in how many environments causes were searched, if not in all.
func (e *Environments) limited() string {
	if len(e.notSearched) == 0 {
		return ""
	}
	return fmt.Sprintf("Causes were searched in %d of %s, because each search renders an environment many times. "+
		"The others are listed with the cause of environments that change in the same way, or without a cause.\n",
		e.searched, diag.Count(e.searched+len(e.notSearched), "environment"))
}

// part returns the changes of a section, printed.
func (d *Difference) part(s *section, mask func(string) string) *causePart {
	part := &causePart{documents: s.objects}
	for i := range part.text {
		p := textPrinter{opt: TextOptions{Color: i == 1}}
		for _, x := range s.entries {
			p.entry(x, s.cause, "")
		}
		part.text[i] = mask(p.out.String())
	}
	_, lines := (&markdownPrinter{}).section(s)
	for _, line := range lines {
		part.lines = append(part.lines, mask(line))
	}
	var changes []jsonChange
	for i := range d.Changes {
		if c := &d.Changes[i]; s.cause == nil && c.Cause < 0 || c.Cause >= 0 && &d.Causes[c.Cause] == s.cause {
			changes = append(changes, d.json(c))
		}
	}
	var b bytes.Buffer
	_ = emit.Report(&b, changes) // a buffer takes everything
	part.changes = json.RawMessage(mask(b.String()))
	return part
}

func (s *causeSection) add(names []string, part *causePart) {
	for _, p := range s.parts {
		if p.text == part.text {
			p.names = append(p.names, names...)
			return
		}
	}
	part.names = slices.Clone(names)
	s.parts = append(s.parts, part)
}

// Empty reports whether there is no difference.
func (e *Environments) Empty() bool { return len(e.list) == 0 }

// sections returns the sections with a cause, then the one without.
func (e *Environments) sections() []*causeSection {
	list := slices.Clone(e.list)
	slices.SortStableFunc(list, func(a, b *causeSection) int {
		return boolOrder(a.head == "") - boolOrder(b.head == "")
	})
	return list
}

func boolOrder(last bool) int {
	if last {
		return 1
	}
	return 0
}

// maxListed is the maximum number of environments that a title lists.
const maxListed = 10

// title names the environments of a part.
func (p *causePart) title() string {
	names := make([]string, 0, maxListed)
	for _, n := range p.names[:min(len(p.names), maxListed)] {
		names = append(names, diag.Visible(n))
	}
	text := strings.Join(names, ", ")
	if more := len(p.names) - len(names); more > 0 {
		return fmt.Sprintf("%s, %s and %d more", diag.Count(len(p.names), "environment"), text, more)
	}
	return diag.Plural(len(p.names), "environment") + " " + text
}

// WriteText writes the differences as text: a section for each cause, with the environments it touches.
//
//	replicas 2 → 5  (config/schema.yml:3)            environments dev, prod
//	  ~ Deployment/web  spec.replicas
//	config/app.yml (changed)
//	  environment dev:
//	    + Deployment/web  metadata.labels.stage: dev
//	  environment prod:
//	    + Deployment/web  metadata.labels.stage: prod
//
// Changes without a known cause come last, by environment.
func (e *Environments) WriteText(w io.Writer, opt TextOptions) error {
	p := textPrinter{opt: opt}
	for i, s := range e.sections() {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		p.causeSection(s)
	}
	if text := e.limited(); text != "" {
		p.out.WriteString("\n" + text)
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

func (p *textPrinter) causeSection(s *causeSection) {
	indent := ""
	switch {
	case s.head == "":
	case len(s.parts) == 1:
		gap := max(2, countAt-utf8.RuneCountInString(s.head))
		p.line(styleHeading, s.head+strings.Repeat(" ", gap)+s.parts[0].title())
		p.indented(s.parts[0], "  ")
		return
	default:
		p.line(styleHeading, s.head)
		indent = "  "
	}
	for _, part := range s.parts {
		p.line(styleNone, indent+part.title()+":")
		p.indented(part, indent+"  ")
	}
}

func (p *textPrinter) indented(part *causePart, indent string) {
	for line := range strings.Lines(part.text[boolOrder(p.opt.Color)]) {
		p.out.WriteString(indent + line)
	}
}

// WriteMarkdown writes the differences for a comment on a pull request: a collapsed section for each cause.
// What does not fit is counted.
func (e *Environments) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	left := MaxMarkdown - room
	list := e.sections()
	for i, s := range list {
		text := s.markdown()
		if left -= utf8.RuneCountInString(text); left < 0 {
			fmt.Fprintf(&b, "%s not shown: the comment would be too long.\n", diag.Count(len(list)-i, "more cause"))
			break
		}
		b.WriteString(text)
	}
	b.WriteString(e.limited())
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *causeSection) markdown() string {
	var b strings.Builder
	head := s.head
	if head == "" {
		head = "changes"
	}
	fmt.Fprintf(&b, "### %s\n", html.EscapeString(head))
	for _, p := range s.parts {
		fence := "```"
		for _, line := range p.lines {
			fence = strings.Repeat("`", max(len(fence), longestRun(line)+1))
		}
		fmt.Fprintf(&b, "\n<details><summary>%s: %s</summary>\n\n%sdiff\n", html.EscapeString(p.title()),
			diag.Count(p.documents, "document"), fence)
		for _, line := range p.lines {
			b.WriteString(line + "\n")
		}
		b.WriteString(fence + "\n\n</details>\n")
	}
	return b.String() + "\n"
}

// jsonEnvironments is changes that are the same in some environments. Field names are stable.
type jsonEnvironments struct {
	Environments []string        `json:"environments"`
	Cause        string          `json:"cause,omitempty"`       // the input that causes the changes
	NotSearched  []string        `json:"notSearched,omitempty"` // those of them in which causes were not searched
	Report       json.RawMessage `json:"report"`                // the changes, as for one environment
}

// WriteJSON writes the differences as JSON: an array with an object for each cause and the environments in
// which it makes the same changes.
func (e *Environments) WriteJSON(w io.Writer) error {
	list := []jsonEnvironments{}
	for _, s := range e.sections() {
		for _, p := range s.parts {
			x := jsonEnvironments{Environments: p.names, Cause: s.title, Report: p.changes}
			for _, name := range p.names {
				if e.notSearched[name] {
					x.NotSearched = append(x.NotSearched, name)
				}
			}
			list = append(list, x)
		}
	}
	return emit.Report(w, list)
}
