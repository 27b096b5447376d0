package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/docs"
	"weft/internal/check/lint"
	"weft/internal/engine/outdir"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// lintFlags are the flags of weft lint.
type lintFlags struct {
	render   renderFlags
	what     weft.LintOptions
	all      bool
	form     string
	baseline string
	list     bool
	explain  string
	fix      string
	writes   bool // has no effect: --fix writes files anyway
	portable bool
	shown    diffForm
	validate weft.Validation

	names  []string  // of the environments that are checked, if there are several
	count  int       // how many there are, with those that cannot be checked
	failed *failures // those
}

// lintForms are the formats of the findings.
var lintForms = []string{"text", "json", "jsonl", "sarif", "github"}

// newLint returns the command that finds likely mistakes.
func newLint() *cobra.Command {
	f := &lintFlags{}
	cmd := &cobra.Command{
		Use:   "lint [ENV...] [flags]",
		Short: "Find likely mistakes",
		Long: `lint looks for what weft accepts but is likely a mistake, or harder to read than need be: unused
names, overlays that match nothing, secrets in files. It also reports all errors and warnings of a
run, and errors in files that no run reads. In a project it looks at all environments, or at those
that are named.

A comment hides a finding on its line, or on the next one: #! weft: ignore[CODE] reason

The exit code is 0 if nothing is found, 1 if something is (suggestions do not count), and 2 if the
files could not be looked at.`,
		Example: `  weft lint
  weft lint prod
  weft lint prod --select Deployment/web           only what is about this document
  weft lint -f config
  weft lint -f config --data-values-file prod.yml
  weft lint -f config --static                     evaluate nothing
  weft lint -f config --info                       with suggestions
  weft lint -f config --rule values/unread=error --rule overlay/unchanged=off
  weft lint -f config --portable                   find what ytt does not know
  weft lint -f config --fix                        fix what is safe to fix
  weft lint -f config --baseline lint.txt          report only what is new
  weft lint -f config --kubernetes 1.31 --kubernetes-schemas schemas
  weft lint --explain overlay/never-matches`,
		RunE: f.run,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.BoolVar(&f.what.Static, "static", false, "look at the files alone, and evaluate nothing")
	addList(flags, &f.what.Rules, "rule", "",
		"set the level of a rule: `CODE=LEVEL` with error, warning, info or off (repeatable)")
	flags.BoolVar(&f.portable, "portable", false,
		"also report what ytt does not know, with what to write instead: --rule template/portable=warning")
	flags.StringVar(&f.baseline, "baseline", "",
		"report only what is not in `FILE`; if there is no such file, write all findings to it")
	flags.StringVar(&f.fix, "fix", "",
		"fix what can be fixed without a change of meaning, also suggestions; --fix=`unsafe` fixes what "+
			"may change it, too")
	flags.Lookup("fix").NoOptDefVal = "safe"
	flags.BoolVarP(&f.writes, "write", "w", false, "with --fix: write the files (the default)")
	f.shown.addCheck(flags, "with --fix: list the files that would be fixed, and write nothing; exit code 1 if "+
		"there are any")
	f.shown.addUnified(flags, "with --fix: show what would be fixed, and write nothing; exit code 1 if "+
		"something would")
	flags.BoolVar(&f.list, "list", false, "list the rules, and exit")
	flags.BoolVar(&f.what.All, "info", false, "also print suggestions, the findings of level info")
	help.Rules.Of(flags)
	flags.Lookup("environment").Usage = severalUsage
	flags.BoolVar(&f.all, "all", false, allUsage+", which is the default")
	help.Environments.Of(flags)
	flags.StringVar(&f.validate.Kubernetes, "kubernetes", "",
		"validate the output against the Kubernetes `VERSION` schemas: 1.31, 1.31.4 or master")
	addList(flags, &f.validate.Schemas, "kubernetes-schemas", "",
		"find schemas in `PATH`: a directory as kubeconform has it, a template of paths, or a file or "+
			"directory with CustomResourceDefinitions (repeatable)")
	help.Kubernetes.Of(flags)
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json (one list), jsonl (one finding per line), sarif, or github for "+
			"annotations in GitHub Actions")
	addSelect(flags, &f.what.Select, "report only what is in lines that produce")
	flags.StringVar(&f.explain, "explain", "", "print the page about the rule `CODE`, and exit")
	help.Output.Of(flags)
	return cmd
}

func (f *lintFlags) run(cmd *cobra.Command, args []string) error {
	process.TakeLines(cmd, &f.form)
	if f.portable { // before the others, which win
		f.what.Rules = slices.Insert(f.what.Rules, 0, "template/portable=warning")
	}
	switch {
	case !slices.Contains(lintForms, f.form):
		return process.Usagef("unknown output type '%s': lint prints %s", f.form, strings.Join(lintForms, ", "))
	case f.fix != "" && f.fix != "safe" && f.fix != "unsafe":
		return process.Usagef("--fix takes no value, safe or unsafe, but found '%s'", f.fix)
	case f.fix != "" && f.what.Static:
		return process.Usagef("--fix checks its fixes by rendering, and cannot be used with --static")
	case f.fix == "" && f.shown != noDiff:
		return process.Usagef("%s shows what --fix would change", f.shown.flag()).
			WithHint("add --fix; weft lint alone writes nothing, and exits with 1 if it finds something")
	case f.fix == "" && f.writes:
		return process.Usagef("--write writes what --fix changes").WithHint("write weft lint --fix")
	case f.writes && f.shown != noDiff:
		return process.Usagef("%s writes nothing, and cannot be used with --write", f.shown.flag())
	case f.validate.Kubernetes != "" && f.what.Static:
		return process.Usagef("--kubernetes looks at what is rendered, and cannot be used with --static")
	case len(f.what.Select) > 0 && f.what.Static:
		return process.Usagef("--select looks at what is rendered, and cannot be used with --static")
	case len(f.what.Select) > 0 && f.fix != "":
		return process.Usagef("--fix fixes files, not documents, and cannot be used with --select")
	case f.all && cmd.Flags().Changed("file") && !cmd.Flags().Changed("project"):
		return process.Usagef("--all is all environments of the project, but with -f there is none").
			WithHint("remove --all, or write --info to print suggestions")
	case f.list && (f.form == "sarif" || f.form == "github"):
		return process.Usagef("--list prints rules as text, json or jsonl, but found -o %s", f.form).
			WithHint("write -o json; without --list, -o %s prints findings", f.form)
	case f.list:
		return f.writeRules(cmd)
	case f.explain != "":
		return writeRule(cmd, f.explain)
	}
	envs, err := f.environments(cmd, args)
	if err != nil {
		return err
	}
	for i := range envs {
		if v := envs[i].Validate; v.Kubernetes == "" && len(v.Schemas) > 0 {
			return process.Usagef("there are schemas, but no version of Kubernetes").
				WithHint("add --kubernetes 1.31, or `kubernetes` to output.validate in weft.yml")
		}
	}
	return f.render.how.Run(cmd, envs[0], func(cmd *cobra.Command, how weft.Options) error {
		for i := range envs {
			runLike(&envs[i], how)
		}
		envs[0].Observe.Print = how.Observe.Print
		return f.lint(cmd, envs)
	})
}

// environments returns the options of the environments to check: the named ones, or all of the
// project; without a project, those of the flags.
func (f *lintFlags) environments(cmd *cobra.Command, args []string) ([]weft.Options, error) {
	f.failed = failuresOf(cmd)
	p, err := f.render.project.checked(cmd, args, f.all)
	if err != nil {
		return nil, err
	}
	if p == nil {
		opts, err := f.render.resolve(cmd.InOrStdin())
		opts.Validate = f.validate
		return []weft.Options{opts}, err
	}
	f.what = p.LintSettings(f.what)
	if err := applyFlags(cmd, p, ""); err != nil {
		return nil, err
	}
	base, err := f.render.resolve(cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	base.Validate = f.validate
	names := f.render.project.named
	if len(names) == 0 {
		names = p.Names()
		tellAll(cmd, "checking", names)
		f.tellInfo(cmd)
	}
	if len(names) == 0 {
		names = []string{""}
	}
	f.count, f.names = len(names), nil
	var envs []weft.Options
	var refused refusedEnv
	for _, name := range names {
		if err := refusePath(cmd, p, name); err != nil {
			return nil, err
		}
		opts, err := p.Options(name, base)
		if err != nil && len(names) == 1 {
			return nil, err
		}
		if err != nil {
			f.failed.add(name, err)
			continue
		}
		refused.leaveOut(&opts)
		envs, f.names = append(envs, opts), append(f.names, name)
	}
	refused.tell(cmd)
	if len(envs) == 0 || f.fix != "" && len(f.failed.names) > 0 { // a fix may break what cannot be rendered
		return nil, f.failed.write(len(names))
	}
	return envs, nil
}

// tellInfo tells users of the old flag --all which flag shows suggestions.
func (f *lintFlags) tellInfo(cmd *cobra.Command) {
	if f.all && !f.what.All && !f.render.how.Quiet {
		process.MessagesOf(cmd).Info("lint: --all is all environments; --info prints suggestions\n")
	}
}

func (f *lintFlags) lint(cmd *cobra.Command, envs []weft.Options) error {
	if f.shown != noDiff {
		return f.showFixes(cmd, envs)
	}
	report, failed := f.find(cmd, envs)
	failed = f.unchecked(failed)
	if report == nil {
		return f.ended(failed)
	}
	if f.baseline != "" {
		known, err := os.ReadFile(f.baseline)
		if errors.Is(err, fs.ErrNotExist) {
			return errors.Join(f.writeBaseline(cmd, report), failed)
		}
		if err != nil {
			return err
		}
		if report, err = report.Without(f.baseline, known); err != nil {
			return err
		}
	}
	if err := process.PrintText(cmd, func(w io.Writer) error { return f.write(cmd, w, report) }); err != nil {
		return err
	}
	if f.form == "text" {
		process.MessagesOf(cmd).Note("lint: " + summaryOfFindings(report.Findings()) + "\n")
	}
	if failed == nil && report.Failed() {
		failed = process.ErrDifferent
	}
	return f.ended(failed)
}

// unchecked notes the environments that could not be checked, and returns other errors.
func (f *lintFlags) unchecked(err error) error {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, e := range list {
		x, ok := errors.AsType[*lint.Unchecked](e)
		if !ok {
			return err
		}
		f.failed.add(f.names[x.Index], x.Err)
	}
	return nil
}

// ended reports the environments that could not be checked, and returns the error of the command.
func (f *lintFlags) ended(err error) error {
	if failed := f.failed.write(f.count); failed != nil && (err == nil || errors.Is(err, process.ErrDifferent)) {
		return failed
	}
	return err
}

// summaryOfFindings counts findings: "2 errors, 1 warning".
func summaryOfFindings(list []weft.Finding) string {
	count := map[weft.Severity]int{}
	for _, f := range list {
		count[f.Severity]++
	}
	var parts []string
	for _, kind := range []struct {
		of   weft.Severity
		name string
	}{{weft.SeverityError, "error"}, {weft.SeverityWarning, "warning"}, {weft.SeverityInfo, "suggestion"}} {
		if n := count[kind.of]; n > 0 {
			parts = append(parts, diag.Count(n, kind.name))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// find returns the findings, after applying fixes if requested. The error says what could not be
// checked.
func (f *lintFlags) find(cmd *cobra.Command, envs []weft.Options) (*weft.LintReport, error) {
	if f.fix == "" {
		return weft.Lint(cmd.Context(), envs, f.what)
	}
	fixed, failed := weft.LintFix(cmd.Context(), envs, f.what, f.fix == "unsafe")
	if fixed == nil {
		return nil, failed
	}
	if err := fixed.WriteFiles(cmd.Context()); err != nil {
		return nil, err
	}
	msg := process.MessagesOf(cmd)
	changed, err := fixed.Diff(io.Discard)
	if err != nil {
		return nil, err
	}
	for _, name := range changed {
		msg.Info("lint: fixed " + diag.Visible(name) + "\n")
	}
	for _, code := range fixed.Undone {
		msg.Info("lint: " + code + " was not fixed everywhere: the output would have changed\n")
	}
	for _, code := range fixed.Endless {
		msg.Info("lint: " + code + " was not fixed everywhere: other fixes make its findings again\n")
	}
	return fixed.Left, failed
}

// showFixes shows the changes that --fix would make.
func (f *lintFlags) showFixes(cmd *cobra.Command, envs []weft.Options) error {
	fixed, failed := weft.LintFix(cmd.Context(), envs, f.what, f.fix == "unsafe")
	failed = f.unchecked(failed)
	if fixed == nil {
		return f.ended(failed)
	}
	err := f.shown.write(cmd, difference{unified: fixed.Diff})
	if failed != nil {
		return f.ended(failed)
	}
	return f.ended(err)
}

// write prints the findings.
func (f *lintFlags) write(cmd *cobra.Command, w io.Writer, report *weft.LintReport) error {
	switch f.form {
	case "json":
		return process.WriteIndented(w, append([]weft.Finding{}, report.Findings()...))
	case "sarif":
		return writeSARIF(w, report.Findings())
	case "github":
		return writeGitHub(w, report.Findings())
	}
	return report.Write(w, weft.ReportOptions{Color: process.Colored(cmd)})
}

// findingText returns the message of a finding, with its hint.
func findingText(f weft.Finding) string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + "\nhint: " + f.Hint
}

// writeGitHub writes the findings as commands of GitHub Actions, which shows them beside the code.
func writeGitHub(w io.Writer, list []weft.Finding) error {
	var out bytes.Buffer
	for _, f := range list {
		kind := string(f.Severity)
		if f.Severity == weft.SeverityInfo {
			kind = "notice"
		}
		fmt.Fprintf(&out, "::%s title=%s", kind, githubProperty(f.Code))
		if f.File != "" {
			fmt.Fprintf(&out, ",file=%s,line=%d,col=%d", githubProperty(f.File), f.Line, f.Column)
		}
		fmt.Fprintf(&out, "::%s\n", githubText(findingText(f)))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// githubText escapes text for commands of GitHub Actions.
func githubText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}

// writeRules lists the rules.
func (f *lintFlags) writeRules(cmd *cobra.Command) error {
	rules := lint.Rules()
	return process.PrintText(cmd, func(w io.Writer) error {
		if f.form == "json" {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(jsonRules(rules))
		}
		width := 0
		for _, r := range rules {
			width = max(width, len(r.Code))
		}
		var out bytes.Buffer
		for _, r := range rules {
			fmt.Fprintf(&out, "%-*s  %-7s  fix: %-6s  needs: %s\n", width, r.Code, r.Level(), r.Fix, r.Needs)
		}
		_, err := w.Write(out.Bytes())
		return err
	})
}

// jsonRule is a rule for programs.
type jsonRule struct {
	Code  string   `json:"code"`
	Level string   `json:"level"` // the default level
	Needs string   `json:"needs"` // what it needs: files, a run, or all environments
	Fix   string   `json:"fix"`   // whether it can be fixed: no, yes, or unsafe
	Also  []string `json:"also,omitempty"`
}

func jsonRules(rules []lint.Rule) (list []jsonRule) {
	for _, r := range rules {
		list = append(list, jsonRule{
			string(r.Code), r.Level().String(), r.Needs.String(), r.Fix.String(), r.Also,
		})
	}
	return list
}

// writeRule prints the page about a rule.
func writeRule(cmd *cobra.Command, name string) error {
	code, err := lint.Named(name)
	if err != nil {
		return err
	}
	text, err := docs.Rule(string(code))
	if err != nil {
		return err
	}
	width := help.Columns(cmd.OutOrStdout())
	return process.PrintText(cmd, func(w io.Writer) error {
		_, err := io.WriteString(w, help.Page(string(text), width))
		return err
	})
}

// writeBaseline writes the findings to a file, so that later runs report only new ones.
func (f *lintFlags) writeBaseline(cmd *cobra.Command, report *weft.LintReport) error {
	var out bytes.Buffer
	n, err := report.WriteBaseline(&out)
	if err == nil {
		err = outdir.CreateFile(cmd.Context(), f.baseline, out.Bytes())
	}
	if err != nil {
		return err
	}
	process.MessagesOf(cmd).Info(fmt.Sprintf("lint: wrote %s to %s; later runs report only what is new\n",
		diag.Count(n, "finding"), diag.Visible(f.baseline)))
	return nil
}
