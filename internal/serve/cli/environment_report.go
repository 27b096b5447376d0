package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/lang/diag"
	"weft/internal/serve/cli/process"
)

// environmentReport is a report on environments, grouped by what is reported about them.
type environmentReport struct {
	form   string // text, markdown or json
	count  int    // the number of environments, including those without anything to report
	groups []*reportGroup
	byText map[string]*reportGroup
}

type reportGroup struct {
	names  []string
	text   string
	failed bool // one of them failed
}

// add adds the report on an environment.
func (r *environmentReport) add(name, text string) *reportGroup {
	if r.byText == nil {
		r.byText = map[string]*reportGroup{}
	}
	g := r.byText[text]
	if g == nil {
		g = &reportGroup{text: text}
		r.byText[text] = g
		r.groups = append(r.groups, g)
	}
	g.names = append(g.names, name)
	return g
}

func (r *environmentReport) write(cmd *cobra.Command) error {
	switch r.form {
	case "json":
		return process.PrintText(cmd, r.writeJSON)
	case "markdown":
		return process.PrintText(cmd, r.writeMarkdown)
	}
	return process.PrintFolded(cmd, func(w io.Writer) error {
		for i, g := range r.groups {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s:\n%s", g.title(), g.text)
		}
		return nil
	})
}

func (g *reportGroup) title() string {
	if len(g.names) > maxEnumerated {
		return diag.Count(len(g.names), "environment") + ", all the same: " + enumerate(g.names)
	}
	return diag.Plural(len(g.names), "environment") + " " + enumerate(g.names)
}

// maxComment is the maximum length of a comment on a pull request, less the length of the last line.
const maxComment = 65_000

// writeMarkdown writes a comment. It is never empty, because an empty comment is an error on GitHub.
func (r *environmentReport) writeMarkdown(w io.Writer) error {
	if len(r.groups) == 0 {
		_, err := fmt.Fprintf(w, "**No changes** in %s.\n", diag.Count(r.count, "environment"))
		return err
	}
	left := maxComment
	for i, g := range r.groups {
		text := fmt.Sprintf("### %s\n\n%s\n", g.title(), g.text)
		if left -= len([]rune(text)); left < 0 {
			more := 0
			for _, g := range r.groups[i:] {
				more += len(g.names)
			}
			_, err := fmt.Fprintf(w, "%s more.\n", diag.Count(more, "environment"))
			return err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

// jsonGroup is the JSON form of a group. Its names are stable.
type jsonGroup struct {
	Environments []string        `json:"environments"`
	Cause        string          `json:"cause,omitempty"`       // of diff --rev: the input that causes the changes
	NotSearched  []string        `json:"notSearched,omitempty"` // of diff --rev: those without a search for causes
	Report       json.RawMessage `json:"report"`                // what the command prints about one environment
}

// writeJSON writes an array with one object per group: its environments and their report.
func (r *environmentReport) writeJSON(w io.Writer) error {
	all := []jsonGroup{}
	for _, g := range r.groups {
		all = append(all, jsonGroup{Environments: g.names, Report: json.RawMessage(strings.TrimSpace(g.text))})
	}
	return process.WriteIndented(w, all)
}

// summary returns how many environments have something to report.
func (r *environmentReport) summary(many, one string) string {
	n := 0
	for _, g := range r.groups {
		n += len(g.names)
	}
	verb := many
	if n == 1 {
		verb = one
	}
	return fmt.Sprintf("%d of %s %s\n", n, diag.Count(r.count, "environment"), verb)
}
