package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// environmentSet selects environments of a project by their labels, and a share of these.
type environmentSet struct {
	labels []string
	shard  string
}

func (s *environmentSet) add(flags *pflag.FlagSet) {
	addSelector(flags, &s.labels)
	flags.StringVar(&s.shard, "shard", "",
		"render only part `I/N` of the environments, with I counted from 0; all N parts together are "+
			"all of them")
	help.Environments.Of(flags)
}

// given reports whether one of the flags was given.
func (s *environmentSet) given(flags *pflag.FlagSet) bool {
	return flags.Changed("selector") || flags.Changed("shard")
}

// of returns the environments that are named or that labels select, or all of them; with --shard,
// only a share.
func (s *environmentSet) of(
	cmd *cobra.Command, p *weft.Project, names []string,
) ([]weft.Environment, error) {
	if len(names) == 0 {
		names = p.Names()
	}
	if len(names) == 0 {
		return nil, process.Usagef("%s has no environments", p.Path()).
			WithHint("add some, or use weft render")
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	envs, err := environmentsOf(p, names, s.labels)
	if err != nil {
		return nil, err
	}
	if len(envs) == 0 {
		return nil, process.Usagef("no environment has the labels %s", strings.Join(s.labels, ",")).
			WithHint("`weft env` shows the labels of all environments")
	}
	if cmd.Flags().Changed("shard") {
		part, err := parseShard(s.shard)
		if err != nil {
			return nil, err
		}
		return partOf(part, envs), nil
	}
	return envs, nil
}
