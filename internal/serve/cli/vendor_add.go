package cli

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"weft/internal/lang/diag"
	"weft/internal/project"
	"weft/internal/project/vendor"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// vendorAddFlags are the flags of weft vendor add.
type vendorAddFlags struct {
	vendorFlags
	what vendor.Addition
}

// newVendorAdd returns the command that adds a source.
func newVendorAdd() *cobra.Command {
	f := &vendorAddFlags{}
	cmd := &cobra.Command{
		Use:   "add NAME SOURCE [flags]",
		Short: "Add a source to weft.yml, fetch and lock it",
		Long: `add writes a source to weft.yml, fetches its newest version, and locks it. SOURCE is

  https://HOST/PATH.git, ssh://HOST/PATH, git+URL   a git repository
  https://HOST/FILE                                 a file or an archive
  oci://HOST/PATH                                   an OCI artifact
  chart+oci://HOST/PATH, chart+https://HOST         a Helm chart; with --chart NAME in a repository
  ./PATH                                            a directory of the repository: locked, not copied

Without --version, weft.yml allows versions that are compatible with the newest one. If there is a go.mod
beside weft.yml, the folder is called upstream: Go treats vendor as its own.`,
		Example: `  weft vendor add lantern https://git.example.com/lantern/lantern.git --path 'deploy/*.yml'
  weft vendor add base oci://registry.example.com/platform/base --version ^1
  weft vendor add crds https://example.com/crds-3.1.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return process.Usagef("weft vendor add takes a name and a source, but found %s",
					diag.Count(len(args), "argument")).
					WithHint("weft vendor add lantern https://git.example.com/lantern/lantern.git")
			}
			return nil
		},
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.what.Version, "version", "",
		"use `VERSION`: 2.4.1, a range such as ^2.4 or 2.x, a tag or a branch")
	flags.StringVar(&f.what.Chart, "chart", "", "the `NAME` of a chart in a repository of charts")
	addList(flags, &f.what.Paths, "path", "",
		"take only files that match `PATTERN`, such as 'deploy/*.yml' (repeatable)")
	help.Input.Of(flags)
	f.addTo(flags)
	return cmd
}

func (f *vendorAddFlags) run(cmd *cobra.Command, args []string) error {
	f.what.Name, f.what.Source = args[0], args[1]
	v, err := f.open(cmd)
	if err != nil {
		return err
	}
	opts, stop := f.options(cmd)
	c, err := v.Add(cmd.Context(), f.what, opts)
	stop()
	if err != nil {
		return err
	}
	done := []vendor.Restored{{Name: c.Source.Name, Version: c.New.Version, Dir: c.Source.Dir, Written: true}}
	if err := writeRestored(cmd, done); err != nil {
		return err
	}
	if renders(v, c.Source.Dir) {
		return nil
	}
	process.MessagesOf(cmd).Note("vendor: to render its files, add " +
		diag.Visible(filepath.ToSlash(c.Source.Dir)) + " to `inputs` in " + v.Project.Path() + "\n")
	return nil
}

// renders reports whether a folder is among the inputs that all environments have.
func renders(v *vendor.Vendor, dir string) bool {
	return slices.ContainsFunc(v.Project.Common().Inputs, func(in project.Item) bool {
		rel, err := filepath.Rel(in.Text, dir)
		return err == nil && filepath.IsLocal(rel)
	})
}
