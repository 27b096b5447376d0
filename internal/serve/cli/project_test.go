package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"weft/internal/project"
	"weft/internal/serve/cli/process"
)

// TestFlagsOfProjects holds the flags that a project may set to those that there are: each of them
// is a flag, and each flag of a command that renders is one of them, has a key instead, or is for
// the command line alone.
func TestFlagsOfProjects(t *testing.T) {
	root := newRoot(&process.Messages{})
	addCommands(root)
	all := map[string]bool{}
	rendering := map[string]bool{}
	note := func(set *pflag.FlagSet, into map[string]bool) {
		set.VisitAll(func(f *pflag.Flag) { into[f.Name] = true })
	}
	note(root.PersistentFlags(), all)
	for _, cmd := range root.Commands() {
		note(cmd.Flags(), all)
		if slices.Contains([]string{"render", "fleet", "diff", "blame", "impact", "explain"}, cmd.Name()) {
			note(cmd.Flags(), rendering)
		}
	}
	for _, name := range project.FlagNames() {
		if !all[name] {
			t.Errorf("--%s is a flag of projects, but no command has it", name)
		}
	}
	for name := range rendering {
		known := slices.Contains(project.FlagNames(), name) || project.InsteadOf(name) != "" ||
			slices.Contains(project.CommandLineOnly, name) || strings.HasPrefix(name, "dangerous-")
		if !known {
			t.Errorf("--%s: may a project set it? See internal/project/flags.go", name)
		}
	}
}
