package help

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/serve/cli/process"
)

// FlagError explains an error of the flag parser, and what the user may have meant.
func FlagError(cmd *cobra.Command, err error) error {
	d := process.Usagef("%s", err)
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		_, number := errors.AsType[*strconv.NumError](invalid)
		switch name, found := invalid.GetFlag().Name, invalid.GetValue(); {
		case number: // pflag shows the name of the Go function that failed
			return process.Usagef("--%s takes a whole number, but found '%s'", name, found)
		case invalid.GetFlag().Value.Type() == "duration":
			return process.Usagef("--%s takes a duration such as 30s or 2m, but found '%s'", name, found)
		}
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return d
	}
	if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
		if hint := Elsewhere(words[0]); hint != "" { // the flag is one of that command
			return NoVerb(words[0]).WithHint("%s", hint)
		}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	name := unknown.GetSpecifiedName()
	if group := unknown.GetSpecifiedShortnames(); len(group) > 1 {
		name = group // -file, with one dash
	}
	if hint := habit(name); hint != "" {
		return d.WithHint("%s", hint)
	}
	if hint := flagElsewhere(cmd, name); hint != "" {
		return d.WithHint("%s", hint)
	}
	if near := diag.Nearest(name, names); near != "" && near != name {
		return d.WithHint("did you mean --%s?", near)
	}
	if !cmd.HasParent() {
		return d.WithHint("weft help flags lists the flags")
	}
	return d.WithHint("%s --help lists the flags", cmd.CommandPath())
}

// NoVerb returns the error that a word is neither a command nor a path.
func NoVerb(word string) *diag.Diagnostic {
	return process.Usagef("'%s' is neither a verb of weft, nor a file or directory", word)
}

// Elsewhere returns a hint for the name of a command that other programs have: what to use in weft.
// It returns "" if there is none.
func Elsewhere(command string) string {
	switch command {
	case "build", "eval", "evaluate", "generate", "gen", "run", "print", "cat":
		return "in a project write weft render, and for the files in this directory weft ."
	case "install", "upgrade", "uninstall", "rollback", "apply", "deploy", "sync", "create", "delete", "get",
		"status", "history", "rollout", "replace", "logs", "up", "plan", "describe", "exec", "scale", "expose",
		"port-forward", "top", "cluster-info":
		return "weft prints YAML, and does not talk to clusters: weft render ENV | kubectl apply -f -"
	case "dependency", "repo", "pull", "fetch", "add":
		return "did you mean weft vendor, which keeps what others release?"
	case "push", "package", "publish", "search", "remove":
		return "weft renders files, and has no packages: keep them in a directory, and render it: weft DIR"
	case "format", "pretty", "indent":
		return "did you mean weft fmt?"
	case "compare", "delta", "changes":
		return "did you mean weft diff?"
	case "origin", "trace", "why":
		return "did you mean weft blame?"
	case "check", "validate", "verify", "vet":
		return "did you mean weft lint?"
	case "values", "inspect", "vars", "show":
		return "write `weft DIR --data-values-inspect` to see the data values"
	case "schema":
		return "write `weft DIR --data-values-schema-inspect -o openapi-v3`, or -o json-schema, " +
			"to see the schema"
	case "overlay", "overlays", "kustomize":
		return "pass overlays like other files: weft base.yml overlay.yml"
	case "patch", "set", "edit", "merge":
		return "did you mean weft override?"
	case "envs", "environment", "environments":
		return "did you mean weft env?"
	case "ls", "list", "files", "tree":
		return "write `weft DIR --files-inspect` to list the files"
	case "new", "setup":
		return "did you mean weft init?"
	case "watch":
		return "add --watch to a verb, as in render --watch"
	case "dry-run", "preview":
		return "did you mean weft render --diff?"
	case "topics", "topic":
		return "did you mean weft help topics?"
	case "docs", "manual":
		return "did you mean weft man?"
	}
	return ""
}

// habit returns what to use in weft instead of a flag of kubectl, kustomize or helm, or "".
func habit(flag string) string {
	switch flag {
	case "n", "namespace":
		return "write kubernetes: {namespace: NAMESPACE} in weft.yml, or pipe the output to kubectl apply " +
			"-n NAMESPACE -f -"
	case "k", "kustomize":
		return "weft renders the output of kustomize together with other files: kubectl kustomize DIR | weft -"
	case "i", "inplace", "in-place":
		return "weft override -i FILE --overrides '{spec: {replicas: 3}}' changes a file in place"
	case "w":
		return "weft render --write writes the output of a project; without one, use --output-files DIR"
	case "R", "recursive":
		return "directories are read with everything below them: remove the flag"
	case "create-namespace", "kube-context", "context", "kubeconfig", "A", "all-namespaces", "wait", "atomic":
		return "weft does not talk to clusters: pipe the output to kubectl apply -f -"
	case "release-name", "generate-name":
		return "weft has no releases: set a data value with -v name=NAME"
	case "include-crds", "skip-crds":
		return "weft prints all documents: leave a file out with --file-mark 'PATH:exclude=true'"
	}
	return ""
}

// flagSynonyms maps flags of other programs to flags of weft, with the value to pass, if any.
var flagSynonyms = lazy.Value[map[string]string]{New: func() map[string]string {
	return map[string]string{
		"set": "data-value", "set-string": "data-value", "value": "data-value", "var": "data-value",
		"param": "data-value", "arg": "data-value", "define": "data-value",
		"set-json": "data-value-yaml", "set-yaml": "data-value-yaml", "set-file": "data-value-file",
		"values": "data-values-file", "data-values": "data-values-file",
		"data-value-file": "data-values-file", "value-files": "data-values-file",
		"values-file": "data-values-file", "value-file": "data-values-file",
		"var-file": "data-values-file", "vars": "data-values-file",
		"env-prefix": "data-values-env", "env": "environment",
		"filename": "file", "files": "file", "input": "file", "in": "file", "dir": "file",
		"directory": "file", "folder": "file", "path": "file", "template": "file", "overlay": "file",
		"out": "output-files", "out-dir": "output-files", "outdir": "output-files",
		"output-dir": "output-files", "output-directory": "output-files", "output-file": "output-files",
		"format": "output", "json": "output json", "to-json": "output json",
		"inspect": "data-values-inspect", "schema": "data-values-schema-inspect", "list": "files-inspect",
		"dry-run": "diff", "delete": "prune",
		"silent": "quiet", "no-warnings": "warnings=off", "no-warn": "warnings=off", "nowarn": "warnings=off",
		"werror": "warnings=error", "fail-on-warning": "warnings=error",
		"fail-on-warnings": "warnings=error", "warnings-as-errors": "warnings=error",
		"error-on-warnings": "warnings=error",
		"patch":             "overrides", "patches": "overrides-file", "override": "overrides",
		"exclude": "file-mark 'PATH:exclude=true'", "ignore": "file-mark 'PATH:exclude=true'",
		"follow-symlinks": "allow-symlink-destination", "allow-symlinks": "allow-symlink-destination",
		"threads": "jobs", "workers": "jobs", "parallel": "jobs", "concurrency": "jobs",
		"no-color": "color never", "no-colour": "color never", "colour": "color", "colors": "color",
		"profile-time": "timings", "time": "timings", "trace": "debug",
		"inplace": "in-place", "where": "select", "selector": "select",
		"cekit": "profile cekit",
	}
}}

// flagElsewhere returns the hint for a flag that has another name here, or belongs to another
// command; or "".
func flagElsewhere(cmd *cobra.Command, name string) string {
	if name == "list" && cmd.Name() == "env" {
		return "weft env lists all environments"
	}
	if name == "set" && cmd.Name() == "override" {
		return "write what should change as a mapping: --overrides '{spec: {replicas: 3}}'"
	}
	if synonym := flagSynonyms.Get()[name]; synonym != "" {
		flag, _, _ := strings.Cut(strings.ReplaceAll(synonym, "=", " "), " ")
		if cmd.Flag(flag) != nil {
			return "did you mean --" + synonym + "?"
		}
	}
	if len(name) < 2 {
		return ""
	}
	root := cmd.Root()
	var owners []string
	var job string
	for _, other := range append([]*cobra.Command{root}, root.Commands()...) {
		flag := other.LocalNonPersistentFlags().Lookup(name)
		if flag == nil || other.Name() == cmd.Name() || other.Hidden || flag.Hidden {
			continue
		}
		if owners == nil {
			job = jobOf(flag)
		}
		owners = append(owners, "`"+other.CommandPath()+"`")
		if cmd == root && other.Name() == "render" {
			owners, job = []string{"`" + other.CommandPath() + "`"}, jobOf(flag) // the verb for `weft ENV`
			break
		}
	}
	switch {
	case owners == nil:
		return ""
	case owners[0] == "`"+root.CommandPath()+"`":
		owners = owners[:1] // the other commands inherit it
	}
	list := owners[len(owners)-1]
	if n := len(owners) - 1; n > 0 {
		list = strings.Join(owners[:n], ", ") + " and " + list
	}
	return "--" + name + " is a flag of " + list + ": " + job
}

// jobOf returns the first part of the help text of a flag.
func jobOf(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	for _, end := range []string{"; ", ": ", " (", ", such as"} {
		if before, _, ok := strings.Cut(text, end); ok && !strings.HasPrefix(before, "with ") {
			text = before
		}
	}
	return text
}
