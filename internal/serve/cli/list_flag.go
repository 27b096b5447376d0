package cli

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// addList adds a flag that can be given more than once. Each value is one entry of the list.
func addList(flags *pflag.FlagSet, list *[]string, name, shorthand, usage string) {
	flags.VarP(&listFlag{list: list}, name, shorthand, usage)
}

// addCommaList adds a flag whose values are entries separated by commas, as in a line of CSV.
func addCommaList(flags *pflag.FlagSet, list *[]string, name, shorthand, usage string) {
	flags.VarP(&listFlag{list: list, commas: true}, name, shorthand, usage)
}

// listFlag is a pflag.SliceValue. Those of pflag allocate four kilobytes to say that they are empty,
// which was a third of the memory of a short run.
type listFlag struct {
	list   *[]string
	commas bool
	given  bool // on the command line, whose first value replaces what was there before
}

// Set implements pflag.Value.
func (f *listFlag) Set(s string) error {
	entries := []string{s}
	switch {
	case f.commas && s == "":
		entries = nil
	case f.commas:
		var err error
		if entries, err = csv.NewReader(strings.NewReader(s)).Read(); err != nil {
			return err
		}
	}
	if !f.given {
		*f.list, f.given = nil, true
	}
	*f.list = append(*f.list, entries...)
	return nil
}

// Append implements pflag.SliceValue.
func (f *listFlag) Append(s string) error {
	*f.list = append(*f.list, s)
	return nil
}

// Replace implements pflag.SliceValue.
func (f *listFlag) Replace(list []string) error {
	*f.list = slices.Clone(list)
	return nil
}

// GetSlice implements pflag.SliceValue.
func (f *listFlag) GetSlice() []string { return slices.Clone(*f.list) }

// Type implements pflag.Value. pflag.GetStringArray looks for this name, and reads what String returns.
func (f *listFlag) Type() string {
	if f.commas {
		return "stringSlice"
	}
	return "stringArray"
}

// String implements pflag.Value.
func (f *listFlag) String() string {
	if len(*f.list) == 0 {
		return "[]"
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write(*f.list) // to memory
	w.Flush()
	return "[" + strings.TrimSuffix(text.String(), "\n") + "]"
}
