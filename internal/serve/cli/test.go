package cli

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/project/test"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// testFlags are the flags of the test command.
type testFlags struct {
	render renderFlags
	form   string
	run    string
	all    bool

	allowNone bool
	update    bool
	schema    bool

	coverage     string // the format of the coverage report, or "" if coverage is not measured
	coverageFile string
	min          int

	what weft.TestOptions
}

// testForms are the formats of the report.
var testForms = []string{"text", "json", "junit", "tap"}

// newTest returns the command that tests a configuration.
func newTest() *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test [FILE...] [flags]",
		Short: "Test what a configuration renders",
		Long: `test renders the configuration as each test says, and compares the result with what the test
expects. FILE is a test file or a directory with files that end in .test.yml. Without one, the tests
are those of the project: tests/**/*.test.yml next to weft.yml, or the files of its key test.

All tests run. The exit code is 0 if all pass, 1 if one fails, and 2 if nothing could be tested.`,
		Example: `  weft test
  weft test --run 'production|staging'
  weft test -e prod                  only in this environment
  weft test --update                 write golden files that are missing or differ
  weft test --coverage               show what no test covers
  weft test --coverage=html          and write it to coverage.html
  weft test --min 80                 fail if tests cover less
  weft test -o junit > report.xml    in CI
  weft test --schema > tests.schema.json    for editors
  weft test -f config config.test.yml`,
		RunE: f.runTests,
	}
	flags := f.render.addTo(cmd, renderedBy())
	flags.Lookup("environment").Usage = "run tests only in environment `NAME` of the project (repeatable)"
	flags.BoolVar(&f.all, "all", false, allUsage+", which is the default")
	help.Environments.Of(flags)
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json, junit (XML for CI systems) or tap (Test Anything Protocol)")
	flags.StringVar(&f.run, "run", "",
		"run only tests whose title, such as 'name [environment]', matches the regular expression `RE`")
	flags.BoolVar(&f.update, "update", false,
		"write golden files that are missing or differ (refused if the variable CI is set)")
	flags.BoolVarP(&f.update, "write", "w", false, "same as --update")
	flags.BoolVar(&f.schema, "schema", false, "print the JSON Schema of test files")
	flags.BoolVar(&f.allowNone, "allow-none", false, "exit with 0 if there are no tests, instead of 2")
	f.addCoverage(flags)
	help.Output.Of(flags)
	return cmd
}

// runTests runs the tests and prints the report.
func (f *testFlags) runTests(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.schema {
		return process.PrintText(cmd, func(w io.Writer) error {
			_, err := w.Write(test.Schema())
			return err
		})
	}
	p, err := f.render.project.checked(cmd, nil, f.all)
	if err != nil {
		return err
	}
	f.what.Environments = f.render.project.named
	for _, name := range args {
		if p != nil && slices.Contains(p.Names(), name) && !exists(name) {
			return process.Usagef("test takes files, but '%s' is an environment", name).
				WithHint("write weft test -e %s", diag.InShell(name))
		}
	}
	switch {
	case p != nil:
		if err := applyFlags(cmd, p, ""); err != nil {
			return err
		}
	case !cmd.Flags().Changed("file"):
		return noProject(cmd)
	case len(args) == 0:
		inputs := ""
		for _, name := range f.render.options.Inputs {
			inputs += " -f " + diag.InShell(name)
		}
		return process.Usagef("with -f there is no project that names the tests").
			WithHint("name them: weft test%s FILE", inputs)
	}
	opts, err := f.render.resolve(cmd.InOrStdin())
	if err != nil {
		return err
	}
	f.what.Project, f.what.Files, f.what.Update = p, args, f.update
	f.what.AllowOutside = f.render.project.outside
	f.minOf(cmd, p)
	if p != nil && len(f.what.Environments) == 0 {
		tellAll(cmd, "testing", p.Names())
	}
	f.what.Coverage = f.coverage != "" || f.min > 0
	return f.render.how.Run(cmd, opts, f.test)
}

// check turns flags into options.
func (f *testFlags) check() error {
	if !slices.Contains(testForms, f.form) {
		return process.Usagef("unknown output type '%s': test prints text, json, junit or tap", f.form)
	}
	if err := f.checkCoverage(); err != nil {
		return err
	}
	if f.run != "" {
		re, err := regexp.Compile(f.run)
		if err != nil {
			return process.Usagef("--run takes a regular expression, but found '%s': %s", f.run,
				strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		f.what.Run = re
	}
	if ci := os.Getenv("CI"); f.update && ci != "" && ci != "false" {
		return process.Usagef("--update does not work in CI, where the variable CI is set: the change would " +
			"not be seen").
			WithHint("run it on your machine and commit the golden files")
	}
	return nil
}

// nothingToTest reports whether an error means that there are no tests.
func nothingToTest(err error) bool {
	return !slices.ContainsFunc(weft.ErrorOf(err).Diagnostics(), func(d weft.Diagnostic) bool {
		return d.Code != string(test.CodeNone)
	})
}

func (f *testFlags) test(cmd *cobra.Command, opts weft.Options) error {
	f.what.Options = opts
	t, err := weft.Test(cmd.Context(), f.what)
	if err != nil && f.allowNone && nothingToTest(err) {
		process.MessagesOf(cmd).Info("test: " + weft.ErrorOf(err).Diagnostics()[0].Message + "\n")
		return nil
	}
	if err != nil {
		return err
	}
	how := weft.ReportOptions{
		Format: map[string]weft.Format{"json": weft.JSON, "junit": weft.JUnit, "tap": weft.TAP}[f.form],
		Color:  process.Colored(cmd), Summary: f.render.how.Quiet, Long: f.render.how.Timings,
	}
	if err := process.PrintReport(cmd, t, how); err != nil {
		return err
	}
	covered, err := f.reportCoverage(cmd, t.Coverage())
	if err != nil {
		return err
	}
	if t.Failed() > 0 || !covered {
		return process.ErrDifferent
	}
	return nil
}
