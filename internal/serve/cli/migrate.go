package cli

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/check/lint"
	"weft/internal/lang/diag"
	"weft/internal/rewrite/migrate"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// migrateFlags are the flags of weft migrate.
type migrateFlags struct {
	render renderFlags
	from   string
	to     string
	write  bool
	shown  diffForm
}

// newMigrate returns the command that migrates files to edition 2026.
func newMigrate() *cobra.Command {
	f := &migrateFlags{}
	cmd := &cobra.Command{
		Use:   "migrate [flags]",
		Short: "Upgrade to edition 2026 and verify it",
		Long: `migrate rewrites files so that they mean in edition 2026 what they mean in edition ytt. It renders
before and after, and compares the documents: those of all environments of the project, whose edition
it changes as well, or those of the inputs that -f names. Without --write it prints what would change.

With --to ytt it says what cannot go the other way: each use of what ytt does not know, with what to write
instead. Nothing is rewritten.

With --from vendir it reads vendir.yml and vendir.lock.yml instead, and prints the key vendor of weft.yml,
which says the same: for weft vendor. --write adds it to weft.yml.

The exit code is 0 if the values are proven to be equal, 1 if they are not, which is explained, and 2
if it could not be found out, for example because the inputs cannot be rendered today.`,
		Example: `  weft migrate
  weft migrate --write
  weft migrate -f config
  weft migrate -f config --data-values-file prod.yml --write
  weft migrate --to ytt                   what ytt does not know
  weft migrate --from vendir              the sources of vendir.yml, for weft.yml`,
		Args: noArgs,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.Lookup("edition").Hidden = true     // it is ytt before, and 2026 after
	flags.Lookup("environment").Hidden = true // all environments are migrated
	flags.BoolVarP(&f.write, "write", "w", false, "write the files: all of them, or none if the values "+
		"may change")
	flags.StringVar(&f.from, "from", "ytt",
		"migrate from `PROGRAM`: ytt, whose files get edition 2026, or vendir")
	flags.StringVar(&f.to, "to", "2026", "migrate to `EDITION`: 2026, or ytt to list what it does not know")
	f.shown.addCheck(flags, "list the files that would change; exit code 1 if there are any")
	f.shown.addUnified(flags, "show what would change, as without --write, and exit with 1 if something would")
	help.Output.Of(flags)
	return cmd
}

func (f *migrateFlags) run(cmd *cobra.Command, _ []string) error {
	switch {
	case f.to != "2026" && f.to != "ytt":
		return process.Usagef("unknown edition '%s': migrate --to takes 2026 or ytt", f.to).
			WithHint("weft migrate --to ytt")
	case f.to == "ytt" && f.from != "ytt":
		return process.Usagef("--to ytt is about the files of weft, and cannot be used with --from")
	case f.to == "ytt":
		return f.portable(cmd)
	case f.from == "ytt":
	case f.from == "vendir":
		return f.vendir(cmd)
	default:
		return process.Usagef("unknown program '%s': migrate --from takes ytt or vendir", f.from).
			WithHint("weft migrate --from vendir")
	}
	if cmd.Flags().Changed("edition") {
		return process.Usagef("migrate goes from edition ytt to edition 2026, and takes no --edition").
			WithHint("remove --edition")
	}
	if f.write && f.shown != noDiff {
		return process.Usagef("%s writes nothing, and cannot be used with --write", f.shown.flag())
	}
	p, err := f.render.project.open(cmd)
	switch {
	case err != nil:
		return err
	case cmd.Flags().Changed("environment"):
		return process.Usagef("migrate moves all environments of a project, and takes no --environment").
			WithHint("remove -e %s", diag.WordsInShell(f.render.project.named))
	case p == nil && !cmd.Flags().Changed("file") && !cmd.Flags().Changed("data-values-file"):
		return noProject(cmd)
	case p != nil && p.Edition() == weft.Edition2026:
		process.MessagesOf(cmd).Info("migrate: " + p.Path() + " is in edition 2026 already\n")
		return nil
	case p != nil:
		if err := applyFlags(cmd, p, ""); err != nil {
			return err
		}
	}
	opts, err := f.render.resolve(cmd.InOrStdin())
	if err != nil {
		return err
	}
	if p == nil {
		opts.Exclude = append(opts.Exclude, hiddenDirectories...)
	}
	return f.render.how.Run(cmd, opts, func(cmd *cobra.Command, opts weft.Options) error {
		opts.Observe.Print = nil
		m, err := weft.Migrate(cmd.Context(), p, opts)
		if err != nil {
			return err
		}
		refused := refusedEnv(m.RefusedEnv)
		refused.tell(cmd)
		return f.finish(cmd, m)
	})
}

// portable lists what ytt does not know, as weft lint --portable does, but nothing else.
func (f *migrateFlags) portable(cmd *cobra.Command) error {
	if f.write || f.shown != noDiff {
		return process.Usagef("weft does not rewrite files for ytt, so there is nothing to write or to compare").
			WithHint("weft migrate --to ytt lists what has to change")
	}
	l := &lintFlags{render: f.render, form: "text", portable: true}
	for _, r := range lint.Rules() {
		if r.Code != "template/portable" {
			l.what.Rules = append(l.what.Rules, string(r.Code)+"=off")
		}
	}
	return l.run(cmd, nil)
}

// hiddenDirectories returns the hidden directories below the inputs of -f, such as .github: files
// there are for other tools, with their own rules.
var hiddenDirectories = []string{".*/**/*", "**/.*/**/*"}

// finish shows or writes the changes of a migration, if it is proven.
func (f *migrateFlags) finish(cmd *cobra.Command, m *weft.Migration) error {
	msg := process.MessagesOf(cmd)
	msg.Warn(m)
	if len(m.Unproven) > 0 {
		return unproven(cmd, m)
	}
	if f.write {
		return writeMigration(cmd, m)
	}
	if err := f.shown.writeChanges(cmd, m); err != nil {
		return err
	}
	msg.Note(summaryOf(m, "would change") + "\n")
	return f.shown.verdict(len(m.Files()) > 0)
}

// writeMigration writes the files and names them.
func writeMigration(cmd *cobra.Command, m *weft.Migration) error {
	msg := process.MessagesOf(cmd)
	if !msg.Stdout.Begin() {
		return context.Canceled
	}
	defer msg.Stdout.End()
	names, err := m.WriteFiles(cmd.Context())
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "updating: %s\n", diag.Visible(name)); err != nil {
			return process.OutputError(err)
		}
	}
	msg.Note(summaryOf(m, "changed") + "\n")
	return nil
}

// summaryOf describes a proven migration on one line.
func summaryOf(m *weft.Migration, verb string) string {
	n := len(m.Files())
	files := fmt.Sprintf("%d %s %s", n, diag.Plural(n, "file"), verb)
	if n == 0 {
		files = "no file has to change"
	}
	return "migrate: " + files + "; the values are equal in editions ytt and 2026"
}

// unproven reports why values may change.
func unproven(cmd *cobra.Command, m *weft.Migration) error {
	msg := process.MessagesOf(cmd)
	for _, u := range m.Unproven {
		of := ""
		if u.Run != "" {
			of = " of environment " + diag.Visible(u.Run)
		}
		if u.Err != nil {
			msg.Report(u.Err)
			continue
		}
		msg.Report(diag.Failf(migrate.CodeUnproven, "the documents%s would change in edition 2026, "+
			"from before (-) to after (+)", of))
		var text bytes.Buffer
		how := weft.ReportOptions{Color: msg.Color.Enabled(msg.Out)}
		if err := u.Difference.Write(&text, how); err != nil {
			return err
		}
		msg.Info(text.String())
	}
	msg.Note("migrate: the values are not proven to be equal, so nothing is written\n")
	return process.ErrUnproven
}
