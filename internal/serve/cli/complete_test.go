package cli

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/serve/cli/process"
)

// accepted reports whether weft runs with these arguments.
func accepted(args ...string) bool {
	var out, errs bytes.Buffer
	code := Main(args, strings.NewReader(""), &out, &errs)
	return code == process.ExitOK || code == process.ExitDifferent && errs.Len() == 0
}

// offers are what the shell is told for the last of the arguments.
func offers(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{cobra.ShellCompNoDescRequestCmd}, args...)
	if code := Main(args, strings.NewReader(""), &out, &errs); code != process.ExitOK {
		t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1] // the last says how to go on
}

// TestCompletion holds what is offered for flags to what they take.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	const data = `{"name": "x", "version": "1", "from": "y"}` // YAML, and Starlark too
	const project = "{weft: ytt, inputs: [a.yml], environments: {dev: , prod: }, default: dev}"
	for path, text := range map[string]string{
		"a.yml": data, "env.yml": "{}", "weft.yml": project,
		"a.test.yml": "tests: [{name: a, expect: [{select: name=x}]}]",
		"b.test.yml": "tests: [{name: b, envs: all, expect: [{select: name=x}]}]",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commands := map[string][]string{ // with what they need to succeed
		"weft":     {"-f", "a.yml"},
		"template": {"template", "-f", "a.yml"},
		"render":   {"render"},
		"env":      {"env"},
		"config":   {"config"},
		"blame":    {"blame", "-f", "a.yml"},
		"diff":     {"diff", "-f", "a.yml", "--b", "-v x=1"},
		"impact":   {"impact", "-f", "a.yml", "-v", "x=1", "x"},
		"explain":  {"explain", "-f", "a.yml"},
		"lint":     {"lint", "-q", "-f", "a.yml"},
		"fleet":    {"fleet", "--env", "env.yml", "-f", "a.yml", "--output-files", "out/{env}"},
		"test":     {"test", "-f", "a.yml", "a.test.yml"},
		"suggest":  {"suggest", "-f", "a.yml", "--to", "a.yml"},
		"override": {"override", "a.yml", "--overrides", `{version: "2"}`},
	}
	root := newRoot(&process.Messages{})
	addCommands(root)
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("output") != nil && commands[cmd.Name()] == nil {
			t.Errorf("%s is not tested", cmd.Name())
		}
	}
	tested := 0
	for name, args := range commands {
		cmd, _, err := root.Find(args[:1])
		if err != nil {
			cmd = root
		}
		cmd.Flags().AddFlagSet(root.PersistentFlags())
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			flag := "--" + f.Name + "="
			word := flag
			if f.Name == "file-mark" {
				word += "a.yml:"
			} else if f.Name == "lists" {
				word += "l="
			}
			for i, offer := range offers(t, append(slices.Clone(args), word)...) {
				if f.Name == "rule" && i > 3 {
					break // all rules are alike, and each means a run
				}
				if strings.HasSuffix(offer, "=") {
					offer += map[string]string{"rule": "off"}[f.Name]
				}
				if strings.HasSuffix(offer, "path=") {
					offer += "b.yml"
				}
				with := needs(name, f.Name, offer, args)
				if !accepted(append(with, flag+strings.TrimPrefix(offer, flag))...) {
					t.Errorf("%s: %s%s is offered, but refused", name, flag, offer)
				}
				tested++
			}
			_, chosen := flagChoices()[f.Name]
			wrong := append(slices.Clone(args), flag+"nonsense")
			if (chosen || f.Name == "output") && accepted(wrong...) {
				t.Errorf("%s: %snonsense is accepted", name, flag)
			}
		})
	}
	if tested < 80 {
		t.Errorf("only %d values are offered", tested)
	}
}

// needs is the arguments with which a value of a flag makes sense.
func needs(command, flag, value string, args []string) []string {
	args = slices.Clone(args)
	switch {
	case command == "fleet" && flag == "output" && value == "none":
		return args[:len(args)-2] // without --output-files
	case flag == "environment" && command == "test":
		return []string{"test", "b.test.yml"}
	case flag == "environment" && args[0] != "render" && args[0] != "config":
		return append(args, "--project", "weft.yml")
	case flag == "diff" && (command == "weft" || command == "template" || command == "render"):
		return append(args, "--output-files", "out")
	case flag == "output" && (value == "openapi-v3" || value == "json-schema"):
		return append(args, "--data-values-schema-inspect")
	}
	return args
}
