package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
)

// warningsFlag is the value of --warnings.
type warningsFlag struct{ mode weft.Warnings }

// warningModes are its values.
var warningModes = []cobra.Completion{
	weft.WarningsOn.String(),
	weft.WarningsOff.String(),
	weft.WarningsError.String(),
}

func (f *warningsFlag) add(flags *pflag.FlagSet) {
	flags.Var(f, "warnings",
		"handle warnings: on prints them, off drops them, error makes them errors")
}

// String is the flag's value; with Set and Type it makes the flag.
func (f *warningsFlag) String() string { return f.mode.String() }

// Set takes the flag's value.
func (f *warningsFlag) Set(s string) error {
	for m := weft.WarningsOn; m <= weft.WarningsError; m++ {
		if m.String() == s {
			f.mode = m
			return nil
		}
	}
	return errors.New("expected on, off or error")
}

// Type is what help calls the flag's value.
func (f *warningsFlag) Type() string { return "MODE" }
