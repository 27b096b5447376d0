package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/diag"
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
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok && invalid.GetFlag().Value.Type() == "duration" {
		return usagef("--%s takes a duration such as 30s or 2m, but found '%s'", invalid.GetFlag().Name, invalid.GetValue())
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
	if near := diag.Nearest(name, names); near != "" {
		return d.WithHint("did you mean --%s?", near)
	}
	return d.WithHint("%s --help lists the flags", cmd.CommandPath())
}
