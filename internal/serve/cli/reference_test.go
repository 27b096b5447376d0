package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/docs"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
	"weft/internal/testing/cases"
)

// TestReference holds docs/reference/cli.md to the commands, and docs/reference/exit-codes.md to
// the table of exit codes.
func TestReference(t *testing.T) {
	checkDoc(t, "cli.md", func(string) string { return reference() })
	checkDoc(t, "exit-codes.md", func(page string) string {
		const begin, end = "<!-- the table is made of the program: go test ./internal/serve/cli -update -->\n", "<!-- end of the table -->\n"
		before, rest, ok := strings.Cut(page, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatal("exit-codes.md has no place for the table")
		}
		return before + begin + exitTable() + end + after
	})
}

// TestVariables holds the topic to the variables that there are.
func TestVariables(t *testing.T) {
	checkDoc(t, "../help/variables.md", func(page string) string {
		const begin, end = "go test ./internal/serve/cli -update -->\n\n", "<!-- end of the list -->\n"
		before, rest, ok := strings.Cut(page, begin)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatal("variables.md has no place for the list")
		}
		var b strings.Builder
		for _, v := range help.Variables {
			b.WriteString(strings.Join(help.Fold("- `"+v.Name+"`: "+v.Meaning, 98), "\n  ") + "\n")
		}
		return before + begin + b.String() + "\n" + end + after
	})
}

// A topic fits on a screen, and begins with its title.
func TestTopics(t *testing.T) {
	for _, name := range docs.Topics() {
		text, err := docs.Topic(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(help.Page(string(text), 80), "\n"); n > 50 {
			t.Errorf("%s: %d lines, want at most 50", name, n)
		}
		if !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s has no title", name)
		}
		if slices.Contains(commandNames(), name) {
			t.Errorf("%s is a command, too", name)
		}
	}
}

// checkDoc compares a page with what it has to be, given what it is.
func checkDoc(t *testing.T, name string, want func(page string) string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "docs", "reference", name)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	now := want(string(page))
	if *cases.Update {
		if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(page), now); diff != "" {
		t.Errorf(
			"%s is not what the commands say; go test ./internal/serve/cli -update rewrites it (-page +commands):\n%s",
			name,
			diff,
		)
	}
}

// reference is the page of all commands.
func reference() string {
	root := wholeRoot()
	var b strings.Builder
	b.WriteString(`# The command line

<!-- Generated from the commands by go test ./internal/serve/cli -update -->

Look up a command or a flag. weft prints the result on standard output and messages on standard
error. A run that fails prints nothing on standard output.

ENV is an environment of the project: a first argument with exactly its name. ` + "`-e ENV`" + ` does the same,
and ` + "`--all`" + ` is all environments. Without either, commands that print one result take the default
environment; lint, test and diff --rev take all of them, and say so.

See also [what changed in the command line](command-line-changes.md), [exit
codes](exit-codes.md), [JSON for programs](json.md), [how weft finds and writes files](files.md), and
[messages](messages.md).

`)
	commands := append([]*cobra.Command{root}, help.Documented(root)...)
	shared := sharedFlags(commands)
	for _, c := range commands {
		b.WriteString(
			"## " + c.CommandPath() + "\n\n" + c.Short + ".\n\n```text\n" + c.UseLine() + "\n```\n\n",
		)
		if len(c.Aliases) > 0 {
			b.WriteString("Other names: `" + strings.Join(c.Aliases, "`, `") + "`.\n\n")
		}
		if long := strings.TrimSpace(c.Long); c.Name() == "completion" {
			long, _, _ = strings.Cut(long, "\n\n")
			b.WriteString(long + "\n\nShells: " + strings.Join(subcommands(c), ", ") + ".\n\n")
		} else if long != "" {
			b.WriteString(fenced(long) + "\n\n")
		}
		if c.HasExample() {
			b.WriteString("```sh\n")
			for line := range strings.SplitSeq(c.Example, "\n") {
				b.WriteString(strings.TrimPrefix(line, "  ") + "\n")
			}
			b.WriteString("```\n\n")
		}
		var also []string
		for _, g := range help.Groups(c) {
			var own strings.Builder
			for _, f := range g.Flags {
				if row := flagRow(f); shared[row] {
					also = append(also, "`--"+f.Name+"`")
				} else {
					own.WriteString(row)
				}
			}
			if own.Len() > 0 {
				b.WriteString("| " + strings.ToLower(g.Title) + " | |\n|---|---|\n" + own.String() + "\n")
			}
		}
		if also != nil {
			text := "Of the [shared flags](#shared-flags): " + strings.Join(also, ", ") + "."
			b.WriteString(strings.Join(help.Fold(text, 100), "\n") + "\n\n")
		}
	}
	b.WriteString("## Shared flags\n\nThese mean the same in all commands that have them.\n\n")
	for _, g := range sharedGroups(commands, shared) {
		b.WriteString("| " + strings.ToLower(g[0]) + " | |\n|---|---|\n" + strings.Join(g[1:], "") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// flagRow is a flag in a table.
func flagRow(f *pflag.Flag) string {
	return fmt.Sprintf("| `%s` | %s |\n", cell(help.FlagTerm(f)), cell(help.FlagText(f)))
}

// sharedFlags are the rows of flags that several commands have, with the same text.
func sharedFlags(commands []*cobra.Command) map[string]bool {
	count, shared := map[string]int{}, map[string]bool{}
	for _, c := range commands {
		for _, g := range help.Groups(c) {
			for _, f := range g.Flags {
				row := flagRow(f)
				count[row]++
				shared[row] = count[row] > 1
			}
		}
	}
	return shared
}

// sharedGroups are the titles of groups, each with the rows of its shared flags.
func sharedGroups(commands []*cobra.Command, shared map[string]bool) (groups [][]string) {
	seen := map[string]bool{}
	at := map[string]int{}
	for _, c := range commands {
		for _, g := range help.Groups(c) {
			for _, f := range g.Flags {
				row := flagRow(f)
				if !shared[row] || seen[row] {
					continue
				}
				seen[row] = true
				if _, ok := at[g.Title]; !ok {
					at[g.Title] = len(groups)
					groups = append(groups, []string{g.Title})
				}
				groups[at[g.Title]] = append(groups[at[g.Title]], row)
			}
		}
	}
	return groups
}

// cell is text in a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func exitTable() string {
	var b strings.Builder
	b.WriteString("| code | meaning |\n|---|---|\n")
	for _, e := range process.ExitCodes {
		b.WriteString("| " + e.Code + " | " + e.Meaning + " |\n")
	}
	return b.String()
}

// wholeRoot is the main command with all others.
func wholeRoot() *cobra.Command {
	msg := &process.Messages{Out: os.Stderr}
	root := newRoot(msg)
	addCommands(root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}

func subcommands(c *cobra.Command) []string {
	var names []string
	for _, s := range c.Commands() {
		names = append(names, s.Name())
	}
	return names
}

// Each flag has a place in help, and each command a name that a misspelled one is compared with.
func TestNothingIsLeftOut(t *testing.T) {
	root := wholeRoot()
	var names []string
	for _, c := range append(help.Documented(root), root) {
		for _, g := range help.Groups(c) {
			if g.Title == help.OtherFlags {
				t.Errorf("%s: no group for --%s", c.CommandPath(), g.Flags[0].Name)
			}
		}
	}
	for _, c := range root.Commands() {
		names = append(append(names, c.Name()), c.Aliases...)
	}
	slices.Sort(names)
	known := slices.Sorted(slices.Values(commandNames()))
	if diff := cmp.Diff(known, names); diff != "" {
		t.Errorf("commandNames (-known +real):\n%s", diff)
	}
	for _, name := range known {
		if strings.ContainsAny(name, notInNames) {
			t.Errorf("mayName leaves out %q: it has one of %q", name, notInNames)
		}
	}
}

// The documentation of codes names flags that there are.
func TestCodesNameFlags(t *testing.T) {
	root := wholeRoot()
	for _, info := range diag.Codes() {
		for _, name := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(info.Title+" "+info.Doc, -1) {
			known := root.PersistentFlags().Lookup(name[2:]) != nil
			for _, c := range append(help.Documented(root), root) {
				known = known || c.Flags().Lookup(name[2:]) != nil
			}
			if !known {
				t.Errorf("%s: there is no flag %s", info.Code, name)
			}
		}
	}
}

// Commands are not built for runs that cannot name one; those that can must be seen.
func TestMayName(t *testing.T) {
	for args, want := range map[string]bool{
		"":                     false,
		"-f a.yml":             false,
		"--strict -f a.yml":    false,
		"version":              true,
		"verson":               false,
		"--color never t":      true,
		"--help":               false,
		"-sh":                  false,
		"--strict version":     true,
		"--color never help":   true,
		"__complete -o":        true,
		"-f a.yml --file=x":    false,
		"--diagnostics json a": false,
	} {
		if got := mayName(strings.Fields(args)); got != want {
			t.Errorf("%q: got %t, want %t", args, got, want)
		}
	}
}

// fenced returns a help text as Markdown: its indented lines, which are tables and examples, stay as they are.
func fenced(text string) string {
	var b strings.Builder
	table := false
	for line := range strings.SplitSeq(text+"\n", "\n") {
		switch indented := strings.HasPrefix(line, "  "); {
		case indented && !table:
			b.WriteString("\n```text\n")
		case !indented && table:
			b.WriteString("```\n")
		}
		table = strings.HasPrefix(line, "  ")
		b.WriteString(strings.TrimPrefix(line, "  ") + "\n")
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\n\n\n", "\n\n")
}
