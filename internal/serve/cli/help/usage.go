package help

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroups is the order in which help, man pages and the reference show flags. A flag that is in
// none of them comes last.
var flagGroups = [...]struct {
	title string
	flags []string
}{
	{"Sides", []string{"a", "b", "rev"}},
	{"Environments", []string{
		"environment", "all", "env", "from-script", "selector", "shard", "project", "allow-outside",
		"allow-env",
	}},
	{
		"Input",
		[]string{
			"file",
			"file-mark",
			"force-exclude",
			"files-inspect",
			"bulk-in",
			"allow-symlink-destination",
			"dangerous-allow-all-symlink-destinations",
		},
	},
	{"Data values", []string{
		"data-values-file", "data-values-env", "data-values-env-yaml",
		"data-value", "data-value-yaml", "data-value-file",
		"announce", "data-values-inspect", "data-values-schema-inspect", "warn-unused",
		"dangerous-data-values-disable-validation",
	}},
	{
		"Overrides",
		[]string{
			"overrides",
			"overrides-file",
			"profile",
			"effective",
			"merge-key",
			"lists",
			"select",
			"verbose",
		},
	},
	{
		"Language",
		[]string{
			"edition",
			"strict",
			"yaml",
			"ignore-unknown-comments",
			"implicit-map-key-overrides",
			"max-depth",
			"max-nodes",
			"max-steps",
		},
	},
	{"Rules", []string{"static", "rule", "baseline", "fix", "list"}},
	{"Kubernetes", []string{"kubernetes", "kubernetes-schemas"}},
	{
		"Output",
		[]string{
			"output",
			"schema",
			"keep",
			"write",
			"output-files",
			"dangerous-emptied-output-directory",
			"split",
			"in-place",
			"write",
			"prune",
			"check",
			"diff",
			"explain",
			"sequences",
			"summary",
			"ignore",
			"order",
			"causes",
			"secret",
			"show-secrets",
			"fsync",
			"bulk-out",
			"dir",
			"run",
			"update",
			"coverage",
			"coverage-file",
			"min",
			"long",
			"prove",
			"set",
			"secret",
			"show-secrets",
		},
	},
	{"Execution", []string{
		"port", "no-open", "watch", "stdio", "jobs", "timeout", "max-memory", "quiet", "warnings",
		"timings", "debug", "log", "color", "diagnostics",
		"version", "help",
	}},
}

// GroupOf is the annotation of a flag that belongs to another group than others of its name.
const GroupOf = "group"

// OtherFlags is the title of what flagGroups does not name.
const OtherFlags = "Other"

// flagGroup is flags that belong together.
type flagGroup struct {
	Title string
	Flags []*pflag.Flag
}

// Groups are the flags of a command, those that it inherits too, in groups.
func Groups(cmd *cobra.Command) []flagGroup {
	cmd.InitDefaultHelpFlag()
	left := map[string]*pflag.Flag{}
	var order []string
	for _, set := range []*pflag.FlagSet{cmd.NonInheritedFlags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				left[f.Name] = f
				order = append(order, f.Name)
			}
		})
	}
	var groups []flagGroup
	add := func(title string, names []string) {
		g := flagGroup{Title: title}
		for _, name := range names {
			if f := left[name]; f != nil {
				g.Flags = append(g.Flags, f)
				delete(left, name)
			}
		}
		if g.Flags != nil {
			groups = append(groups, g)
		}
	}
	own := map[string][]string{} // flags that say themselves where they belong
	for _, name := range order {
		if title := left[name].Annotations[GroupOf]; title != nil {
			own[title[0]] = append(own[title[0]], name)
		}
	}
	for _, g := range flagGroups {
		var names []string
		for _, name := range g.flags {
			if f := left[name]; f == nil || f.Annotations[GroupOf] == nil {
				names = append(names, name)
			}
		}
		add(g.title, append(names, own[g.title]...))
	}
	add(OtherFlags, order)
	return groups
}

// Usage prints how a command is called, below what help says of it.
func Usage(cmd *cobra.Command) error {
	width := Columns(cmd.OutOrStdout())
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " [command]\n")
	}
	if len(cmd.Aliases) > 0 {
		b.WriteString("\nAliases:\n  " + cmd.NameAndAliases() + "\n")
	}
	if cmd.HasExample() {
		b.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		var list []definition
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				list = append(list, definition{c.Name(), c.Short})
			}
		}
		b.WriteString(table(list, width))
	}
	for _, g := range Groups(cmd) {
		var list []definition
		for _, f := range g.Flags {
			term := FlagTerm(f)
			if f.Shorthand == "" {
				term = "    " + term // below those that have one
			}
			list = append(list, definition{term, FlagText(f)})
		}
		b.WriteString("\n" + g.Title + ":\n" + table(list, width))
	}
	if cmd.HasAvailableSubCommands() {
		more := "Run " + cmd.CommandPath() + " [command] --help for more about a command"
		if !cmd.HasParent() {
			more += ", or weft help topics for short texts about templates, overlays and more"
		}
		b.WriteString("\n" + strings.Join(Fold(more+".", width), "\n") + "\n")
	}
	_, err := cmd.OutOrStdout().Write([]byte(b.String()))
	return err
}
