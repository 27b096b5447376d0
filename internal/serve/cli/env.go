package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"weft"
	"weft/internal/lang/diag"
	"weft/internal/serve/cli/help"
	"weft/internal/serve/cli/process"
)

// envFlags are the flags of the env command.
type envFlags struct {
	project projectFlags
	labels  []string
	form    string
	schema  bool
	changed changedFlags
	inputs  bool
}

// newEnv returns the command that lists the environments of a project, or shows one.
func newEnv() *cobra.Command {
	f := &envFlags{}
	cmd := &cobra.Command{
		Use:   "env [ENV] [flags]",
		Short: "List the environments, or show one",
		Long: `env lists the environments of the project with their labels and where they are written.

With ENV it prints all settings of that environment: its own, those of environments and files that it
extends, and those of the project. A comment on each line says where the setting comes from.`,
		Example: `  weft env
  weft env prod                      the settings of an environment
  weft env -l region=eu
  weft env -o json | jq -r '.[].name'
  weft env --schema > weft.schema.json     the JSON Schema of weft.yml, for editors
  weft env --changed main            those whose output differs from that at a revision
  weft env prod --inputs             what decides the output of an environment`,
		RunE: f.run,
	}
	flags := cmd.Flags()
	addSelector(flags, &f.labels)
	f.project.add(flags)
	flags.Lookup("environment").Usage = "show the settings of environment `NAME`, as ENV does"
	f.changed.add(flags)
	flags.BoolVar(&f.inputs, "inputs", false,
		"list what decides the output of ENV: files, directories, environment variables")
	flags.StringVarP(&f.form, "output", "o", "text",
		"print as `FORMAT`: text, json (one list), jsonl (one item per line), or name (only the names); yaml is "+
			"the text of one environment")
	flags.BoolVar(&f.schema, "schema", false, "print the JSON Schema of weft.yml")
	help.Output.Of(flags)
	return cmd
}

func (f *envFlags) run(cmd *cobra.Command, args []string) error {
	process.TakeLines(cmd, &f.form)
	if f.inputs {
		if f.schema || len(f.labels) > 0 || cmd.Flags().Changed("changed") {
			return process.Usagef("--inputs is about one environment, and cannot be used with -l, --changed " +
				"or --schema")
		}
		return f.showInputs(cmd, args)
	}
	if cmd.Flags().Changed("changed") && (f.schema || len(args) > 0 || len(f.project.named) > 0) {
		return process.Usagef("--changed compares all environments, and cannot be used with one, or --schema").
			WithHint("weft diff --rev REV ENV shows what has changed in one")
	}
	if f.schema || len(args) > 0 || len(f.project.named) > 0 {
		if len(f.labels) > 0 {
			return process.Usagef("-l lists environments, and cannot be used with one that is named, or --schema")
		}
		return f.showOne(cmd, args)
	}
	write := map[string]func(io.Writer, *weft.Project, []weft.Environment) error{
		"text": writeEnvText, "json": writeEnvJSON, "name": writeEnvNames,
	}[f.form]
	if write == nil {
		return process.Usagef("unknown output type '%s': env prints text, name, json or jsonl", f.form)
	}
	p, err := f.project.need(cmd)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("changed") {
		return f.changed.run(cmd, p, &f.project, f.labels, f.form)
	}
	envs, err := environmentsOf(p, p.Names(), f.labels)
	if err != nil {
		return err
	}
	return process.PrintText(cmd, func(w io.Writer) error { return write(w, p, envs) })
}

// environmentsOf returns environments by name, without those that the labels do not select.
func environmentsOf(
	p *weft.Project, names, labels []string,
) ([]weft.Environment, error) {
	want, err := parseSelector(labels)
	if err != nil {
		return nil, err
	}
	envs, err := p.Environments(names...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(envs, func(e weft.Environment) bool {
		return !want.matches(e.Labels)
	}), nil
}

// writeEnvNames lists only the names.
func writeEnvNames(w io.Writer, _ *weft.Project, envs []weft.Environment) error {
	for _, e := range envs {
		fmt.Fprintln(w, e.Name)
	}
	return nil
}

// writeEnvText lists environments for people.
func writeEnvText(w io.Writer, p *weft.Project, envs []weft.Environment) error {
	if len(envs) == 0 {
		_, err := io.WriteString(w, "there are no environments\n")
		return err
	}
	standard, _ := p.Default() // there may be no default
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tLABELS\tOUTPUT\tDEFINED")
	for _, e := range envs {
		name := e.Name
		if name == standard {
			name += " (default)"
		}
		at := fmt.Sprintf("%s:%d", diag.Visible(e.Place.File), e.Place.Line)
		if e.Values != "" {
			at += " " + diag.Visible(e.Values)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", name, orDash(labelText(e.Labels)),
			orDash(diag.Visible(e.Output.Dir+e.Output.File)), at)
	}
	return t.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func labelText(labels map[string]string) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, diag.Visible(k+"="+labels[k]))
	}
	return strings.Join(all, ",")
}

// The JSON form of an environment in a list. Programs depend on its names, which are stable.
type (
	jsonEnvironment struct {
		Name    string            `json:"name"`
		Default bool              `json:"default,omitempty"` // used if no environment is named
		Labels  map[string]string `json:"labels"`
		Output  *jsonOutput       `json:"output,omitempty"`
		Values  string            `json:"values,omitempty"` // the file that the key `each` found
		File    string            `json:"file"`             // where it is defined
		Line    int               `json:"line"`
	}
	jsonOutput struct {
		Dir    string `json:"dir,omitempty"`
		File   string `json:"file,omitempty"`
		Prune  bool   `json:"prune,omitempty"`
		Split  string `json:"split,omitempty"`
		Format string `json:"format,omitempty"`
	}
)

// writeEnvJSON lists environments for programs.
func writeEnvJSON(w io.Writer, p *weft.Project, envs []weft.Environment) error {
	standard, _ := p.Default()
	list := []jsonEnvironment{}
	for _, e := range envs {
		one := jsonEnvironment{
			Name: e.Name, Default: e.Name == standard, Labels: e.Labels, Values: e.Values,
			File: e.Place.File, Line: e.Place.Line,
		}
		if out := e.Output; out.Dir != "" || out.File != "" {
			one.Output = &jsonOutput{out.Dir, out.File, out.Prune, out.Split, out.Format.String()}
		}
		list = append(list, one)
	}
	return process.WriteIndented(w, list)
}
