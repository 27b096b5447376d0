package help

import (
	"strings"

	"github.com/spf13/cobra"
)

// Verbs is a group of commands in help, in this order.
type Verbs struct {
	Title string
	Names []string
	Short string // one line for all of them; "" if each has its own
}

// overview returns the help of weft itself on one screen. The flags of rendering have their own page.
func overview(root *cobra.Command, groups []Verbs, width int) string {
	var b strings.Builder
	b.WriteString("weft renders, patches and checks YAML.\n\nUsage:\n" + table([]definition{
		{"weft VERB [ENV] [WHAT...]", "ENV: prod, as in weft.yml"},
		{"weft PATH...", "render files, as ytt -f does"},
	}, width) + "\n")
	for _, g := range groups {
		b.WriteString(g.lines(root, width))
	}
	for _, line := range []string{
		"-e ENV is the same as ENV, and --all is all environments.",
		"More: weft VERB --help, weft help flags, weft help topics",
	} {
		b.WriteString("\n" + strings.Join(Fold(line, width), "\n"))
	}
	return b.String() + "\n"
}

// lines returns the commands with their descriptions; the title of the group precedes the first.
func (g Verbs) lines(root *cobra.Command, width int) string {
	const title, name = 12, 11
	if g.Short != "" {
		lines := Fold(strings.Join(g.Names, ", ")+": "+g.Short, max(width-title, narrowest/2))
		return pad(g.Title, title) + strings.Join(lines, "\n"+pad("", title)) + "\n"
	}
	var b strings.Builder
	first := g.Title
	for _, verb := range g.Names {
		cmd, _, err := root.Find([]string{verb})
		if err != nil {
			continue
		}
		lines := Fold(cmd.Short, max(width-title-name, narrowest/2))
		b.WriteString(pad(first, title) + pad(verb, name) +
			strings.Join(lines, "\n"+pad("", title+name)) + "\n")
		first = ""
	}
	return b.String()
}

func pad(s string, width int) string { return s + strings.Repeat(" ", max(1, width-len(s))) }

// FlagPage is the name of the page about the flags of rendering.
const FlagPage = "flags"

// flagPage returns the flags of the main command.
func flagPage(root *cobra.Command, width int) string {
	intro := "The flags of weft without a verb, and of weft render. Most verbs that render take those " +
		"of environments, input, data values, overrides and language: weft VERB --help lists them."
	return strings.Join(Fold(intro, width), "\n") + "\n" + flagGroups(root, width)
}
