package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError explains an error of the flag parser, and what the user may have meant.
func flagError(cmd *cobra.Command, err error) error {
	d := usagef("%s", err)
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if _, ok := errors.AsType[*strconv.NumError](invalid); ok {
			// pflag shows the name of the Go function that failed
			return usagef("--%s takes a whole number, but found '%s'", invalid.GetFlag().Name, invalid.GetValue())
		}
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return d
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	name := unknown.GetSpecifiedName()
	if group := unknown.GetSpecifiedShortnames(); len(group) > 1 {
		name = group // -file, with one dash
	}
	if near := nearest(name, names); near != "" {
		return d.WithHint("did you mean --%s?", near)
	}
	return d.WithHint("%s --help lists the flags", cmd.CommandPath())
}

// nearest is the name that s is most likely a misspelling of, or "" if none comes near.
func nearest(s string, names []string) string {
	best, least := "", max(1, len(s)/3)+1
	for _, name := range names {
		if d := distance(s, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters that have to be added, dropped, changed or swapped with their neighbour to
// turn a into b.
func distance(a, b string) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
