package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft"
	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project/fleet"
	"weft/internal/project/split"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// outputFlags say where the result goes: to standard output, unless one of them is set.
type outputFlags struct {
	files  string
	single string // the only file of the directory, which gets everything; not a flag

	elsewhere bool // a project decides where files are written; not a flag
	none      bool // nothing is printed or written; not a flag

	emptied string
	prune   bool
	fsync   bool
	diff    diffForm
	bulkIn  string
	bulkOut bool
	split   string
}

func (f *outputFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.bulkIn, "bulk-in", "",
		"read files from `JSON` instead of -f: {\"files\":[{\"name\":...,\"data\":...}]}")
	help.Input.Of(flags)
	flags.StringVar(&f.files, "output-files", "",
		"write each result to a file with the same relative path below `DIR`; keep other files "+
			"there")
	flags.StringVar(&f.emptied, "dangerous-emptied-output-directory", "",
		"like --output-files, but delete everything else in `DIR`")
	flags.StringVar(&f.split, "split", "",
		"with --output-files: write one file per document, named by `PATTERN`, such as "+
			"{kind|lower}-{name}.yml")
	flags.BoolVar(&f.prune, "prune", false,
		"with --output-files: delete files written to DIR by earlier runs and not by this one")
	f.diff.addCheck(flags, "with --output-files: list the files that would change, and write nothing; "+
		"exit code 1 if there are any")
	f.diff.add(flags, "with --output-files: print a diff and write nothing; exit code 0 if "+
		"nothing would change, 1 if something would")
	flags.BoolVar(&f.fsync, "fsync", false, "wait until written files are safe on disk")
	flags.BoolVar(&f.bulkOut, "bulk-out", false, "print files, or errors, as one JSON value")
	help.Files.Of(flags)
}

// render runs the main command and writes the result.
func (f *outputFlags) render(cmd *cobra.Command, opts weft.Options, inspect *inspectFlags) error {
	ctx, stdout := cmd.Context(), cmd.OutOrStdout()
	dir, err := f.dir(cmd.Flags())
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("bulk-in") {
		files, err := emit.ParseBulk([]byte(f.bulkIn))
		if err != nil {
			return err
		}
		opts.Inputs, opts.Files = nil, nil
		for _, file := range files {
			opts.Files = append(opts.Files, weft.File{Path: file.Path, Data: file.Data})
		}
	}
	if dir.Emptied && f.diff == noDiff {
		if err := fleet.Dir(dir).Target().Repair(ctx); err != nil {
			return err
		}
	}
	if !inspect.any() && (dir.Path != "" || f.bulkOut) && f.split == "" &&
		dir.Single == "" {
		if err := filesAreYAML(cmd, &opts); err != nil {
			return err
		}
	}
	if w := process.WatchingOf(cmd); w != nil {
		if err := w.Outputs(opts, dir, !inspect.any() && f.diff == noDiff); err != nil {
			return err
		}
	}
	res, err := inspect.evaluate(ctx, opts)
	if err == nil {
		process.MessagesOf(cmd).Warn(res)
	}
	switch {
	case err != nil && f.bulkOut && ctx.Err() == nil:
		return process.OutputError(writeBulk(stdout, nil, err))
	case err != nil:
		return err
	case inspect.any():
		return write(stdout, res) // the result of an inspection is not a file
	case f.none:
		return nil
	case f.bulkOut:
		return f.bulk(stdout, res)
	case f.diff != noDiff:
		return f.diff.write(cmd, comparison(ctx, res, dir))
	case dir.Path != "" || dir.Emptied:
		return writeFiles(cmd, res, dir)
	}
	if len(res.Texts()) > 0 {
		if err := warnOrFail(cmd, textNotPrinted(res.Texts()), opts.Warnings); err != nil {
			return err
		}
	}
	if err := f.headerFirst(cmd, res, opts.Warnings); err != nil {
		return err
	}
	return write(stdout, res)
}

// writeBulk writes files, or an error as text for people, as one JSON value.
func writeBulk(w io.Writer, files []weft.File, failure error) error {
	var text strings.Builder
	if failure != nil {
		_ = weft.ErrorOf(failure).Render(&text, false) // writing to a builder cannot fail
	}
	var list []emit.File
	for _, f := range files {
		list = append(list, emit.File{Path: f.Path, Data: f.Data})
	}
	_, err := emit.Bulk(w, list, strings.TrimPrefix(text.String(), "weft: error: "))
	return err
}

// bulk prints the files of the result as one JSON value.
func (f *outputFlags) bulk(stdout io.Writer, res *weft.Result) error {
	if f.split == "" {
		return process.OutputError(writeBulk(stdout, res.Files(), nil))
	}
	files, err := res.Split(f.split)
	return process.OutputError(writeBulk(stdout, files, err))
}

// codeHeader is the code of a warning about a header that is not on the first line.
const codeHeader diag.Code = "cli/header"

// headerFirst warns about a header that is not on the first line.
func (f *outputFlags) headerFirst(
	cmd *cobra.Command, res *weft.Result, warnings weft.Warnings,
) error {
	at, misplaced := res.LateHeader()
	if !misplaced {
		return nil
	}
	d := diag.Warningf(source.Span{}, codeHeader, "the #cloud-config line of %s:%d is not the "+
		"first line of the output, and cloud-init ignores it", at.File, at.Line).
		WithHint("print this file alone, or write files with --output-files DIR")
	return warnOrFail(cmd, d, warnings)
}

// warnOrFail prints a warning, or returns it as an error if warnings are errors.
func warnOrFail(cmd *cobra.Command, d *diag.Diagnostic, warnings weft.Warnings) error {
	switch warnings {
	case weft.WarningsError:
		d.Severity = diag.Error
		return d
	case weft.WarningsOn:
		process.MessagesOf(cmd).Report(d)
	}
	return nil
}

// codeFormat is the code of a warning about a format that does not apply to files.
const codeFormat diag.Code = "cli/format"

// filesAreYAML sets the format of files, and warns if the user chose another one.
func filesAreYAML(cmd *cobra.Command, opts *weft.Options) error {
	if opts.Format == weft.YAML {
		return nil
	}
	d := diag.Warningf(source.Span{}, codeFormat,
		"-o %s has no effect on files: YAML files stay YAML", opts.Format).
		WithHint("remove -o %s, or print to standard output instead", opts.Format)
	opts.Format = weft.YAML
	return warnOrFail(cmd, d, opts.Warnings)
}

// textNotPrinted returns a warning that text files are not printed, since they are not documents.
func textNotPrinted(texts []weft.File) *diag.Diagnostic {
	name := texts[0].Path
	what := name + " is text, which is not printed on standard output"
	switch n := len(texts) - 1; {
	case n == 1:
		what = name + " and another file are text, which is not printed on standard output"
	case n > 1:
		what = fmt.Sprintf("%s and %d other files are text, which is not printed on standard output", name, n)
	}
	return diag.Warningf(source.Span{}, process.CodeRemark, "%s", what).
		WithHint("write files with --output-files DIR, or leave it out: --file-mark %s",
			diag.InShell(name+":exclude=true"))
}

// dir returns the output directory of the flags, if any, and how to write to it.
func (f *outputFlags) dir(flags *pflag.FlagSet) (weft.Dir, error) {
	d := weft.Dir{Path: f.files, Prune: f.prune, Sync: f.fsync, Split: f.split, Single: f.single}
	if flags.Changed("split") {
		if _, err := split.Parse(f.split); err != nil {
			return d, err
		}
	}
	files, emptied := flags.Changed("output-files"), flags.Changed("dangerous-emptied-output-directory")
	switch {
	case (files || emptied) && f.none:
		return d, process.Usagef("-o none writes nothing, and cannot be used with an output directory")
	case f.diff != noDiff && f.none:
		return d, process.Usagef("--diff and -o none cannot be used together")
	case files && emptied:
		return d, process.Usagef("--output-files and --dangerous-emptied-output-directory cannot be " +
			"used together")
	case (files || emptied) && f.bulkOut:
		return d, process.Usagef("--bulk-out prints the files, and cannot be used with an output directory")
	case f.diff != noDiff && f.bulkOut:
		return d, process.Usagef("--bulk-out and %s cannot be used together", f.diff.flag())
	case files && f.files == "":
		return d, process.Usagef("--output-files takes a directory, but found an empty name")
	case emptied && f.prune:
		return d, process.Usagef("--prune works only with --output-files: " +
			"--dangerous-emptied-output-directory removes all other files anyway")
	case emptied:
		d.Path, d.Emptied = f.emptied, true
	case !files && !f.elsewhere:
		for _, name := range []string{"check", "diff", "prune", "fsync", "split"} {
			if flags.Changed(name) && (name != "split" || !f.bulkOut) {
				return d, noDirectory(flags, name)
			}
		}
	}
	return d, nil
}

// noDirectory returns the error for a flag that needs an output directory. A project may name one.
func noDirectory(flags *pflag.FlagSet, flag string) error {
	d := process.Usagef("--%s needs a directory", flag)
	if flags.Lookup("write") != nil {
		return d.WithHint("add --write for the output of weft.yml, or --output-files DIR")
	}
	return d.WithHint("add --output-files DIR")
}

// writeFiles writes the files and lists them. Standard output is like ytt's, which says "creating" for all
// of them. Standard error says what was really done.
func writeFiles(cmd *cobra.Command, res *weft.Result, dir weft.Dir) error {
	out := process.MessagesOf(cmd).Stdout
	if !out.Begin() {
		return context.Canceled
	}
	defer out.End() // after they are listed
	done, err := res.WriteFiles(cmd.Context(), dir)
	if err != nil {
		return err
	}
	reportKept(process.MessagesOf(cmd), done.Kept)
	if w := process.WatchingOf(cmd); w != nil && w.Again {
		_, err = io.WriteString(process.ReportTo(cmd), changedText(done))
		return process.OutputError(err)
	}
	process.MessagesOf(cmd).Note(changesText(done))
	text := named("creating", done.Created) + named("removing", done.Removed)
	_, err = io.WriteString(process.ReportTo(cmd), text)
	return process.OutputError(err)
}

// codeKept is the code of a warning about files that --prune does not delete.
const codeKept diag.Code = "emit/kept"

// reportKept warns about files of earlier runs that are not deleted.
func reportKept(m *process.Messages, files []weft.KeptFile) {
	for _, f := range files {
		m.Report(diag.Warningf(source.Span{}, codeKept, "--prune leaves '%s': %s", f.Path, f.Why))
	}
}

// changedText lists the files that were written and those that were deleted.
func changedText(done weft.Changes) string {
	return writtenText(done) + named("removing", done.Removed)
}

// writtenText lists the files that are new and those that have changed.
func writtenText(done weft.Changes) string {
	old := map[string]bool{}
	for _, p := range slices.Concat(done.Updated, done.Unchanged) {
		old[p] = true
	}
	created := slices.DeleteFunc(slices.Clone(done.Created), func(p string) bool { return old[p] })
	return named("creating", created) + named("updating", done.Updated)
}

// named returns a line for each file, with what was done with it.
func named(what string, paths []string) string {
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(what + ": " + diag.Visible(p) + "\n")
	}
	return b.String()
}

// maxUnchanged is the maximum number of unchanged files that are listed: with thousands of files,
// users want to see those that changed.
const maxUnchanged = 20

// changesText counts files by what was done with them. If all of them are new, it returns "":
// standard output lists them already.
func changesText(done weft.Changes) string {
	if len(done.Updated)+len(done.Unchanged) == 0 {
		return ""
	}
	shown := done.Unchanged
	if len(shown) > maxUnchanged {
		shown = shown[:maxUnchanged-1]
	}
	text := writtenText(done) + named("unchanged", shown)
	if more := len(done.Unchanged) - len(shown); more > 0 {
		text += fmt.Sprintf("unchanged: %d more files\n", more)
	}
	return text
}
