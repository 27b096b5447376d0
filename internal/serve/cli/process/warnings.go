package process

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
)

// WarningsFlag is the value of --warnings.
type WarningsFlag struct{ Mode weft.Warnings }

// WarningModes are the values of --warnings.
var WarningModes = []cobra.Completion{
	weft.WarningsOn.String(),
	weft.WarningsOff.String(),
	weft.WarningsError.String(),
}

func (f *WarningsFlag) Add(flags *pflag.FlagSet) {
	flags.Var(f, "warnings",
		"handle warnings: on prints them, off drops them, error makes them errors")
}

// String implements pflag.Value.
func (f *WarningsFlag) String() string { return f.Mode.String() }

// Set implements pflag.Value.
func (f *WarningsFlag) Set(s string) error {
	for m := weft.WarningsOn; m <= weft.WarningsError; m++ {
		if m.String() == s {
			f.Mode = m
			return nil
		}
	}
	return errors.New("expected on, off or error")
}

// Type implements pflag.Value.
func (f *WarningsFlag) Type() string { return "MODE" }
