package complete

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weft"
)

// keyTime is how long completion may take: the user waits after pressing a key.
const keyTime = 2 * time.Second

// inputsOf returns the options for the command line so far: the files that it names, or else an
// environment of the project. It reads nothing from standard input or the network.
func inputsOf(cmd *cobra.Command, args []string) (weft.Options, bool) {
	opts := weft.Options{DisableValidation: true, IgnoreUnknownComments: true}
	opts.Inputs = onDisk(stringsOf(cmd, "file"))
	opts.Marks = stringsOf(cmd, "file-mark")
	opts.DataValues.Files = onDisk(stringsOf(cmd, "data-values-file"))
	file, _ := cmd.Flags().GetString("project")
	if opts.Inputs != nil && file == "" {
		return opts, true
	}
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{Path: file})
	if err != nil {
		return opts, false
	}
	env := ""
	if named := append(stringsOf(cmd, "environment"), args...); len(named) > 0 {
		if slices.Contains(p.Names(), named[0]) {
			env = named[0]
		}
	}
	if env == "" {
		if env, err = p.Default(); err != nil && len(p.Names()) > 0 {
			env = p.Names()[0]
		}
	}
	opts, err = p.Options(env, opts)
	opts.Inputs = onDisk(opts.Inputs)
	return opts, err == nil
}

// leading returns the environment that the first argument names, or "", and the arguments after it.
func leading(cmd *cobra.Command, args []string) (env string, rest []string) {
	if len(args) == 0 {
		return "", nil
	}
	if names, _ := offerEnvironments(cmd, nil, args[0]); slices.Contains(names, args[0]) {
		return args[0], args[1:]
	}
	return "", args
}

// stringsOf returns the values of a flag that can be given more than once. Completion parses the
// command line twice, so each value occurs twice.
func stringsOf(cmd *cobra.Command, flag string) (list []string) {
	values, _ := cmd.Flags().GetStringArray(flag) // not every command has the flag
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// onDisk returns the inputs that are files and directories on disk.
func onDisk(inputs []string) (paths []string) {
	for _, in := range inputs {
		if in != "-" && !strings.Contains(in, "://") {
			paths = append(paths, in)
		}
	}
	return paths
}

// completeValue completes data values of the inputs, up to the equals sign.
func completeValue(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if name, _, ok := strings.Cut(word, "="); ok {
		return truths(cmd, args, name), cobra.ShellCompDirectiveNoFileComp
	}
	var offers []cobra.Completion
	for _, v := range valuesOf(cmd, args) {
		if name := v.name + "="; strings.HasPrefix(name, word) {
			offers = append(offers, name+"\t"+v.kind)
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeValueFile is completeValue for values that are read from files.
func completeValueFile(
	cmd *cobra.Command, args []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return completeValue(cmd, args, word)
}

// truths returns the values of a boolean.
func truths(cmd *cobra.Command, args []string, name string) []cobra.Completion {
	for _, v := range valuesOf(cmd, args) {
		if v.name == name && v.kind == "boolean" {
			return []cobra.Completion{name + "=true", name + "=false"}
		}
	}
	return nil
}

// completeImpact offers the data values of the inputs as arguments.
func completeImpact(
	cmd *cobra.Command, args []string, word string,
) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
	env, rest := leading(cmd, args)
	if env == "" && len(args) == 0 {
		offers, _ = offerEnvironments(cmd, nil, word)
	}
	values := valuesOf(cmd, args)
	args = rest
	for _, v := range values {
		if strings.HasPrefix(v.name, word) && !slices.Contains(args, v.name) {
			offers = append(offers, v.name+"\t"+v.kind)
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// dataValue is the path of a data value and its type. Its value may be a secret.
type dataValue struct{ name, kind string }

// valuesOf returns the data values of the inputs.
func valuesOf(cmd *cobra.Command, args []string) []dataValue {
	ctx, cancel := context.WithTimeout(cmd.Context(), keyTime)
	defer cancel()
	opts, ok := inputsOf(cmd, args)
	if !ok {
		return nil
	}
	res, err := weft.InspectDataValues(ctx, opts)
	if err != nil {
		return nil
	}
	var list []dataValue
	for doc := range res.Documents() {
		list = addValue(list, "", doc.Value())
	}
	return list
}

// addValue adds the data values at and below a path. A map can be set as a whole too, but rarely is.
func addValue(list []dataValue, path string, value any) []dataValue {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			name := strings.ReplaceAll(key, ".", `\.`)
			if path != "" {
				name = path + "." + name
			}
			list = addValue(list, name, v[key])
		}
		if len(v) == 0 && path != "" {
			list = append(list, dataValue{path, "map"})
		}
		return list
	case []any:
		return append(list, dataValue{path, "list"})
	case string:
		return append(list, dataValue{path, "string"})
	case bool:
		return append(list, dataValue{path, "boolean"})
	case nil:
		return append(list, dataValue{path, "not set"})
	}
	return append(list, dataValue{path, "number"})
}

// completeSelect completes conditions on kinds and names that documents of the files meet.
func completeSelect(
	cmd *cobra.Command, args []string, word string,
) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
	begin := strings.LastIndex(word, ",") + 1
	for _, condition := range conditions(cmd, args) {
		if strings.HasPrefix(condition, word[begin:]) {
			offers = append(offers, word[:begin]+condition)
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// completeBlame completes documents of the result by kind and name, and then paths in a document.
func completeBlame(
	cmd *cobra.Command, args []string, word string,
) (offers []cobra.Completion, _ cobra.ShellCompDirective) {
	none := cobra.ShellCompDirectiveNoFileComp
	env, rest := leading(cmd, args)
	if env == "" && len(args) == 0 {
		offers, _ = offerEnvironments(cmd, nil, word)
	}
	opts, ok := inputsOf(cmd, args)
	args = rest
	if !ok || len(args) > 1 {
		return offers, none
	}
	for _, doc := range rendered(cmd, opts) {
		name := doc.kind + "/" + doc.name
		switch {
		case len(args) == 0 && strings.HasPrefix(name, word):
			offers = append(offers, name)
		case len(args) == 1 && args[0] == name:
			for _, v := range addValue(nil, "", doc.root) {
				if strings.HasPrefix(v.name, word) {
					offers = append(offers, v.name)
				}
			}
		}
	}
	return offers, none
}

// begins returns the elements of a list that begin with a word.
func begins(list []string, word string) (offers []cobra.Completion) {
	for _, text := range list {
		if strings.HasPrefix(text, word) {
			offers = append(offers, text)
		}
	}
	return offers
}

// conditions returns the conditions that the documents of plain files meet.
func conditions(cmd *cobra.Command, files []string) []string {
	opts := weft.Options{Inputs: onDisk(files), Marks: []string{"**/*:type=yaml-plain"}}
	kinds, names := map[string]bool{}, map[string]bool{}
	for _, doc := range rendered(cmd, opts) {
		kinds["kind="+doc.kind] = true
		names["metadata.name="+doc.name] = true
	}
	return append(slices.Sorted(maps.Keys(kinds)), slices.Sorted(maps.Keys(names))...)
}

// object is a document that has a kind and a name.
type object struct {
	kind, name string
	root       map[string]any
}

// rendered returns the objects in the rendered inputs.
func rendered(cmd *cobra.Command, opts weft.Options) (list []object) {
	ctx, cancel := context.WithTimeout(cmd.Context(), keyTime)
	defer cancel()
	res, err := weft.Render(ctx, opts)
	if err != nil {
		return nil
	}
	for doc := range res.Documents() {
		root, _ := doc.Value().(map[string]any)
		meta, _ := root["metadata"].(map[string]any)
		if root["kind"] != nil && meta["name"] != nil {
			list = append(list, object{fmt.Sprint(root["kind"]), fmt.Sprint(meta["name"]), root})
		}
	}
	return list
}

// completeLabel offers the labels of the environments.
func completeLabel(
	cmd *cobra.Command, _ []string, word string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	file, _ := cmd.Flags().GetString("project")
	none := cobra.ShellCompDirectiveNoFileComp
	p, err := weft.OpenProject(cmd.Context(), weft.ProjectOptions{Path: file})
	if err != nil {
		return nil, none
	}
	envs, err := p.Environments(p.Names()...)
	if err != nil {
		return nil, none
	}
	labels := map[string]bool{}
	for _, e := range envs {
		for key, value := range e.Labels {
			labels[key+"="+value] = true
		}
	}
	return begins(slices.Sorted(maps.Keys(labels)), word), none
}
