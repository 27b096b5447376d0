package cli

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft/internal/project/vendor"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
	"weft/internal/serve/upgrade"
)

// vendorUpdateFlags are the flags of weft vendor update.
type vendorUpdateFlags struct {
	vendorFlags
	env                           []string
	dryRun, write, details, force bool
	output                        string
}

// newVendorUpdate returns the command that updates sources.
func newVendorUpdate() *cobra.Command {
	f := &vendorUpdateFlags{}
	cmd := &cobra.Command{
		Use:   "update [NAME[@VERSION]...] [flags]",
		Short: "Fetch newer versions, and say what they change and break",
		Long: `update fetches the newest versions that weft.yml allows, of the named sources or of all, and says
what they do to the project: which objects change upstream and in each environment, which overlays still
fit, which are broken or no longer needed, and which tests fail. Projects of the repository that extend this
one are tried, too. If nothing is broken, it writes the new files and weft.lock. A broken update is written
only with --write; the old state comes back with git checkout and weft vendor --force.

NAME@VERSION updates to a version or a range that weft.yml does not allow yet, and changes weft.yml.

The exit code is 0 if the update fits, 1 if it breaks something, and 2 if that could not be found out, because
an environment does not render today, or not with the new files, or because a source cannot be fetched. The
other sources are updated nevertheless.`,
		Example: `  weft vendor update --dry-run
  weft vendor update lantern --details
  weft vendor update lantern@3.0.0
  weft vendor update -o markdown > pull-request.md`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	f.addTo(flags)
	addList(flags, &f.env, "allow-env", "",
		"allow the project to read environment variables that begin with `PREFIX`_ (repeatable)")
	help.Projects.Of(flags)
	flags.BoolVar(&f.dryRun, "dry-run", false, "write nothing, even if the update fits")
	flags.BoolVarP(&f.write, "write", "w", false, "write the update even if it breaks something")
	flags.BoolVar(&f.force, "force", false, "overwrite files that are not those of weft.lock")
	flags.BoolVar(&f.details, "details", false, "show what changes in the output, as weft diff does")
	flags.StringVarP(&f.output, "output", "o", "text",
		"print as `FORMAT`: text, markdown (for a pull request) or json")
	help.Output.Of(flags)
	return cmd
}

func (f *vendorUpdateFlags) run(cmd *cobra.Command, args []string) error {
	if err := oneOf("-o", f.output, []string{"text", "markdown", "json"}); err != nil {
		return err
	}
	if f.dryRun && f.write {
		return process.Usagef("--dry-run writes nothing, and cannot be used with --write")
	}
	allowed, err := allowedEnv(f.env)
	if err != nil {
		return err
	}
	v, err := f.open(cmd)
	if err != nil {
		return err
	}
	wants := wantsOf(args)
	if v, err = v.For(cmd.Context(), wants); err != nil {
		return err
	}
	opts, stop := f.options(cmd)
	list, failed := v.Candidates(cmd.Context(), wants, f.force, opts)
	changes := slices.ContainsFunc(list, func(c vendor.Candidate) bool { return c.Changes() })
	if changes {
		var absent []vendor.Candidate
		absent, err = v.Absent(cmd.Context(), wants, opts)
		list = append(list, absent...)
	}
	stop()
	switch {
	case err != nil:
		return err
	case failed != nil && len(list) == 0:
		return failed
	case failed != nil:
		process.MessagesOf(cmd).Report(failed)
	}
	if !changes {
		return f.unchanged(cmd, v, list, failed)
	}
	report, err := upgrade.Try(cmd.Context(), v, list, upgrade.Options{
		Env: os.Environ(), AllowEnv: allowed, AllowOutside: f.outside,
	})
	if err != nil {
		return err
	}
	report.Fail(failed)
	return f.finish(cmd, v, list, report)
}

// unchanged ends a run that found no newer versions. failed is about the sources that could not be fetched.
func (f *vendorUpdateFlags) unchanged(
	cmd *cobra.Command, v *vendor.Vendor, list []vendor.Candidate, failed error,
) error {
	what := "all"
	if failed != nil {
		what = "the other"
	}
	process.MessagesOf(cmd).Info("vendor: " + what + " sources are up to date\n")
	if !f.dryRun {
		if err := v.Write(cmd.Context(), list); err != nil { // entries that weft.yml no longer has leave the lock
			return err
		}
	}
	if failed != nil {
		return process.ErrUntold
	}
	return nil
}

// finish writes the update if it fits or if that is wanted, and prints the report.
func (f *vendorUpdateFlags) finish(
	cmd *cobra.Command, v *vendor.Vendor, list []vendor.Candidate, report *upgrade.Report,
) error {
	report.Decide()
	if !f.dryRun && (f.write || report.Fits()) {
		if err := v.Write(cmd.Context(), list); err != nil {
			return err
		}
		report.Written = true
	}
	if err := f.print(cmd, report); err != nil {
		return err
	}
	msg := process.MessagesOf(cmd)
	switch {
	case report.Written:
		msg.Note("vendor: the update is written\n")
	case f.dryRun:
		msg.Note("vendor: nothing is written\n")
	default:
		msg.Note("vendor: nothing is written; repair the overlays after weft vendor update --write, or keep the " +
			"old version\n")
	}
	switch report.Verdict {
	case "broken":
		return process.ErrDifferent
	case "unknown":
		return process.ErrUntold
	}
	return nil
}

func (f *vendorUpdateFlags) print(cmd *cobra.Command, report *upgrade.Report) error {
	switch f.output {
	case "json":
		return process.PrintText(cmd, func(w io.Writer) error { return process.WriteIndented(w, report) })
	case "markdown":
		return process.PrintText(cmd, report.WriteMarkdown)
	}
	return process.PrintFolded(cmd, func(w io.Writer) error {
		return report.WriteText(w, f.details, process.Colored(cmd))
	})
}

// wantsOf reads the arguments NAME and NAME@VERSION.
func wantsOf(args []string) (wants []vendor.Want) {
	for _, arg := range args {
		name, version, _ := strings.Cut(arg, "@")
		wants = append(wants, vendor.Want{Name: name, Version: version})
	}
	return wants
}
