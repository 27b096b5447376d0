package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/vendor"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// vendorFlags are the flags that all commands of weft vendor have.
type vendorFlags struct {
	file    string
	outside []string
}

func (f *vendorFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "project", "",
		"use the project in `FILE` (default: weft.yml, here or above in the repository)")
	addList(flags, &f.outside, "allow-outside", "",
		"allow `URL` and all below it, although it is http or on this machine, or a path outside (repeatable)")
	help.Projects.Of(flags)
}

// vendorRestoreFlags are the flags of weft vendor itself.
type vendorRestoreFlags struct {
	vendorFlags
	check, force bool
}

// newVendor returns the command that keeps copies of what others release.
func newVendor() *cobra.Command {
	f := &vendorRestoreFlags{}
	cmd := &cobra.Command{
		Use:   "vendor [NAME...] [flags]",
		Short: "Keep and update YAML of others",
		Long: `vendor makes the folder of vendored sources what weft.lock says. The sources are those of the key
` + "`vendor`" + ` in weft.yml: git repositories, files and archives at URLs, OCI artifacts, Helm charts and
directories of the repository. Each is in vendor/NAME, beside weft.yml. Commit the folder and weft.lock:
then rendering, reviews and weft diff --rev need no network.

weft vendor fetches only what is missing. If everything is there, it makes no request. Files that were edited
are not overwritten without --force. --check compares the folder with weft.lock, without the network.

add adds a source, outdated lists newer versions, and update fetches them and says what they change and
which overlays they break.`,
		Example: `  weft vendor                          fetch what is missing
  weft vendor --check                  in CI: are the files as they were locked?
  weft vendor add lantern https://git.example.com/lantern/lantern.git --path 'deploy/*.yml'
  weft vendor outdated
  weft vendor update lantern --dry-run`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	f.addTo(flags)
	flags.BoolVar(&f.check, "check", false,
		"compare the files with weft.lock, offline; exit code 1 if they differ")
	flags.BoolVar(&f.force, "force", false, "overwrite files that are not those of weft.lock")
	help.Output.Of(flags)
	cmd.AddCommand(newVendorAdd(), newVendorOutdated(), newVendorUpdate())
	return cmd
}

// open opens the sources of the project.
func (f *vendorFlags) open(cmd *cobra.Command) (*vendor.Vendor, error) {
	p, err := project.Open(project.Options{Path: projectFile(f.file), AllowOutside: f.outside})
	if errors.Is(err, project.ErrNone) {
		return nil, process.Usagef("found no weft.yml, neither here nor above: it lists the sources").
			WithHint("`weft init --write` creates one from the files in this directory")
	}
	if err != nil {
		return nil, err
	}
	return vendor.Open(p)
}

// projectFile returns the project file that --project names: a file, or the directory that has it.
func projectFile(named string) string {
	if info, err := os.Stat(named); err == nil && info.IsDir() {
		return filepath.Join(named, project.FileName)
	}
	return named
}

// options returns what the fetching of sources may do and tells. The caller must call stop after it.
func (f *vendorFlags) options(cmd *cobra.Command) (opts vendor.Options, stop func()) {
	msg := process.MessagesOf(cmd)
	opts = vendor.Options{
		AllowOutside: f.outside,
		Announce: func(hosts []string) {
			if len(hosts) > 0 {
				msg.Note("vendor: asking " + diag.Visible(strings.Join(hosts, ", ")) + "\n")
			}
		},
		Note: func(text string) { msg.Info("note: " + diag.Visible(text) + "\n") },
	}
	shown, stop := process.ShowFetching(cmd)
	if shown != nil {
		opts.Bytes, opts.Sources = shown.Bytes, shown.Sources
	}
	return opts, stop
}

// restoring are the words for weft vendor in programs that fetch what is locked.
var restoring = []string{"sync", "install", "restore", "fetch", "pull", "download", "build"}

func (f *vendorRestoreFlags) run(cmd *cobra.Command, names []string) error {
	if f.check && f.force {
		return process.Usagef("--check writes nothing, and cannot be used with --force")
	}
	v, err := f.open(cmd)
	if err != nil {
		return err
	}
	if len(v.Sources) == 0 && len(names) == 0 {
		process.MessagesOf(cmd).Info("vendor: " + v.Project.Path() + " has no sources\n")
		return nil
	}
	if len(names) == 1 && slices.Contains(restoring, names[0]) && !slices.Contains(v.Names(), names[0]) {
		return process.Usagef("'%s' is not a source of %s", names[0], v.Project.Path()).
			WithHint("weft vendor fetches what is missing")
	}
	if f.check {
		return checkVendored(cmd, v, names)
	}
	opts, stop := f.options(cmd)
	done, err := v.Restore(cmd.Context(), names, f.force, opts)
	stop()
	if tell := writeRestored(cmd, done); err == nil {
		err = tell
	}
	return err
}

// writeRestored prints the sources that were fetched, and counts the others.
func writeRestored(cmd *cobra.Command, done []vendor.Restored) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fetched := 0
	for _, r := range done {
		if r.Written {
			fetched++
			fmt.Fprintf(t, "%s\t%s\t%s\n", r.Name, orDash(diag.Visible(r.Version)), diag.Visible(r.Dir))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(done) > 0 {
		process.MessagesOf(cmd).Note(fmt.Sprintf("vendor: %s fetched, %d up to date\n",
			diag.Count(fetched, "source"), len(done)-fetched))
	}
	return process.WriteOut(cmd, b.Bytes())
}

// checkVendored prints how the folder of sources differs from the lock.
func checkVendored(cmd *cobra.Command, v *vendor.Vendor, names []string) error {
	found, err := v.Check(cmd.Context(), names)
	if err != nil {
		return err
	}
	msg := process.MessagesOf(cmd)
	for _, d := range found {
		msg.Report(&diag.Failure{Files: v.Project.Files, List: diag.List{d.Problem}})
		if err := process.WriteReport(cmd, d.Patch); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		return process.ErrDifferent
	}
	n := len(v.Sources)
	if len(names) > 0 {
		n = len(names)
	}
	msg.Note(fmt.Sprintf("vendor: %s as locked\n", diag.Count(n, "source")))
	return nil
}
