package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/serve/cli/process"
)

// kept are the values of --keep.
var kept = []struct {
	name string
	what weft.Keep
}{
	{"comments", weft.KeepComments},
	{"literals", weft.KeepLiterals},
	{"blank-lines", weft.KeepBlankLines},
	{"all", weft.KeepAll},
	{"none", weft.KeepNothing},
}

func keepNames() []cobra.Completion {
	names := make([]cobra.Completion, len(kept))
	for i := range kept {
		names[i] = kept[i].name
	}
	return names
}

// parseKeep returns the combined values of --keep. Each may be a list with commas.
func parseKeep(args []string) (all weft.Keep, err error) {
	var words []string
	for _, arg := range args {
		words = append(words, strings.Split(arg, ",")...)
	}
next:
	for _, arg := range words {
		for i := range kept {
			if kept[i].name == arg {
				all |= kept[i].what
				continue next
			}
		}
		d := process.Usagef("unknown '%s': --keep takes comments, literals, blank-lines, all or none", arg)
		return 0, d.WithNearest(strings.ToLower(arg), keepNames())
	}
	if all&weft.KeepNothing != 0 && all != weft.KeepNothing {
		return 0, process.Usagef("--keep none and --keep of something cannot be used together")
	}
	return all, nil
}
