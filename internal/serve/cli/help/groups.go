package help

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Group is where help, man pages and the reference show a flag. Groups are shown in this order;
// groups with the same title are merged.
type Group uint8

const (
	Sides Group = iota
	Environments
	Projects
	Input
	DataValues
	Inspect
	Validation
	Overrides
	Language
	Rules
	Kubernetes
	Output
	Files
	Limits
	Messages
	About
	other // for flags without a declared group, which a test rejects
)

var titles = [...]string{
	Sides: "Sides", Environments: "Environments", Projects: "Environments", Input: "Input",
	DataValues: "Data values", Inspect: "Data values", Validation: "Data values",
	Overrides: "Overrides", Language: "Language", Rules: "Rules", Kubernetes: "Kubernetes",
	Output: "Output", Files: "Output",
	Limits: "Execution", Messages: "Execution", About: "Execution", other: OtherFlags,
}

// OtherFlags is the title of flags without a group.
const OtherFlags = "Other"

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

// Of puts the flags that were defined since the last call into this group.
func (g Group) Of(flags *pflag.FlagSet) {
	group := map[string][]string{groupKey: {strconv.Itoa(int(g))}}
	flags.SortFlags = false // help lists flags in the order in which they are defined
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = group
		}
	})
}

func groupOf(f *pflag.Flag) Group {
	if g := f.Annotations[groupKey]; g != nil {
		n, _ := strconv.Atoi(g[0]) // written by Of
		return Group(n)
	}
	if f.Name == "help" { // defined by cobra
		return About
	}
	return other
}

// Titled is a group of flags with its title.
type Titled struct {
	Title string
	Flags []*pflag.Flag
}

// Groups returns the flags of a command in groups, including those that it inherits.
func Groups(cmd *cobra.Command) []Titled {
	cmd.InitDefaultHelpFlag()
	var byGroup [other + 1][]*pflag.Flag
	for _, set := range []*pflag.FlagSet{cmd.NonInheritedFlags(), cmd.InheritedFlags()} {
		set.SortFlags = false
		set.VisitAll(func(f *pflag.Flag) {
			if g := groupOf(f); !f.Hidden {
				byGroup[g] = append(byGroup[g], f)
			}
		})
	}
	var groups []Titled
	for g, flags := range byGroup {
		switch n := len(groups); {
		case flags == nil:
		case n > 0 && groups[n-1].Title == titles[g]:
			groups[n-1].Flags = append(groups[n-1].Flags, flags...)
		default:
			groups = append(groups, Titled{titles[g], flags})
		}
	}
	return groups
}
