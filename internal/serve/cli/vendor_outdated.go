package cli

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/vendor"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// vendorOutdatedFlags are the flags of weft vendor outdated.
type vendorOutdatedFlags struct {
	vendorFlags
	output string
	check  bool
}

// newVendorOutdated returns the command that lists newer versions.
func newVendorOutdated() *cobra.Command {
	f := &vendorOutdatedFlags{}
	cmd := &cobra.Command{
		Use:   "outdated [NAME...] [flags]",
		Short: "List sources with newer versions",
		Long: `outdated compares the versions in weft.lock with those that are released. ALLOWED is the newest
version that weft.yml allows, which weft vendor update fetches; NEWEST is the newest of all. A file at a
URL has no versions. Nothing is written.`,
		Example: `  weft vendor outdated
  weft vendor outdated -o json
  weft vendor outdated --check         exit code 1 if there is something to update`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	f.addTo(flags)
	flags.StringVarP(&f.output, "output", "o", "text",
		"print as `FORMAT`: text, json (one list) or jsonl (one source per line)")
	flags.BoolVar(&f.check, "check", false, "exit with 1 if a source is outdated")
	help.Output.Of(flags)
	return cmd
}

func (f *vendorOutdatedFlags) run(cmd *cobra.Command, names []string) error {
	process.TakeLines(cmd, &f.output)
	if err := oneOf("-o", f.output, []string{"text", "json"}); err != nil {
		return err
	}
	v, err := f.open(cmd)
	if err != nil {
		return err
	}
	opts, stop := f.options(cmd)
	list, err := v.Outdated(cmd.Context(), names, opts)
	stop()
	if err != nil {
		return err
	}
	outdated := false
	var failed diag.List
	for _, s := range list {
		outdated = outdated || s.Err == nil && s.IsOutdated()
		failed = append(failed, diag.Of(s.Err)...)
	}
	write := func(w io.Writer) error { return writeOutdated(w, list) }
	if f.output == "json" {
		write = func(w io.Writer) error { return process.WriteIndented(w, outdatedJSON(list)) }
	}
	if err := process.PrintText(cmd, write); err != nil {
		return err
	}
	switch {
	case failed != nil:
		return &diag.Failure{Files: v.Project.Files, List: failed}
	case outdated && f.check:
		return process.ErrDifferent
	}
	return nil
}

// writeOutdated lists the sources that have other versions than the locked ones.
func writeOutdated(w io.Writer, list []vendor.Status) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	n := 0
	for _, s := range list {
		if s.Err != nil || !s.IsOutdated() {
			continue
		}
		if n++; n == 1 {
			fmt.Fprintln(t, "NAME\tLOCKED\tALLOWED\tNEWEST")
		}
		wanted := s.Wanted
		if s.Moved {
			wanted = orDash(wanted) + " (moved)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Source.Name, orDash(diag.Visible(s.Current)),
			orDash(diag.Visible(wanted)), orDash(diag.Visible(s.Latest)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if n == 0 {
		b.WriteString("all sources are up to date\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// jsonOutdated is a source in the JSON form of outdated. Programs depend on its names, which are stable.
type jsonOutdated struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`              // git, oci, chart, http or dir
	Locked   string `json:"locked,omitempty"`  // the version in weft.lock
	Allowed  string `json:"allowed,omitempty"` // the newest version that weft.yml allows
	Newest   string `json:"newest,omitempty"`  // the newest version of all
	Moved    bool   `json:"moved,omitempty"`   // the locked version names other files today
	Outdated bool   `json:"outdated"`
	Error    string `json:"error,omitempty"`
}

func outdatedJSON(list []vendor.Status) []jsonOutdated {
	out := []jsonOutdated{}
	for _, s := range list {
		one := jsonOutdated{
			Name: s.Source.Name, Kind: s.Source.Kind, Locked: s.Current, Allowed: s.Wanted, Newest: s.Latest,
			Moved: s.Moved, Outdated: s.Err == nil && s.IsOutdated(),
		}
		if s.Err != nil {
			one.Error = weft.ErrorOf(s.Err).Error()
		}
		out = append(out, one)
	}
	return out
}
