// Package modules has the standard library: what load("@ytt:NAME", "NAME") returns.
//
// Each file of this package is a frozen module. The package also has the functions that every program
// can use without a load and that differ from Starlark's (see floattext.go). The modules data, overlay
// and library depend on the files of a run: other packages create them, and this one only finds them.
package modules

import (
	"fmt"
	"slices"
	"sync"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"weft/internal/lang/diag"
	"weft/internal/lang/script"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// Env is what modules need from the run that loads them. It is shared by all goroutines of a run
// and must not be copied.
type Env struct {
	// Warn receives a warning, which is reported once per run. It may be nil.
	Warn func(text string)
	// YAML has the options of yaml.decode.
	YAML yaml.Options
	// Pipeline has the modules that other packages create: data, overlay, library. They must be
	// frozen.
	Pipeline map[string]starlark.Value

	mathOnce, yamlOnce sync.Once
	math, yaml         starlark.StringDict
	warned             sync.Once
}

// LimitError reports that a limit was exceeded. assert.try_to does not catch it, wrapped or not,
// just as it does not catch the cancellation of a thread.
type LimitError = tree.LimitError

// Load returns the symbols of a module, named without "@ytt:". Do not modify them.
func (e *Env) Load(name string) (starlark.StringDict, error) {
	switch name {
	case "assert":
		return assertModule.Get(), nil
	case "base64":
		return base64Module.Get(), nil
	case "ip":
		return ipModule.Get(), nil
	case "json":
		return jsonModule.Get(), nil
	case "math":
		e.mathOnce.Do(func() { e.math = newMath(e.warnMath) })
		return e.math, nil
	case "md5":
		return md5Module.Get(), nil
	case "module":
		return moduleModule.Get(), nil
	case "overlay":
		return overlayModule.Get(), nil
	case "regexp":
		return regexpModule.Get(), nil
	case "sha256":
		return sha256Module.Get(), nil
	case "struct":
		return structModule.Get(), nil
	case "template":
		return templateModule.Get(), nil
	case "toml":
		return tomlModule.Get(), nil
	case "url":
		return urlModule.Get(), nil
	case "version":
		return versionModule.Get(), nil
	case "yaml":
		e.yamlOnce.Do(func() { e.yaml = newYAML(e.YAML) })
		return e.yaml, nil
	}
	if m, ok := e.Pipeline[name]; ok {
		return starlark.StringDict{name: m}, nil
	}
	near := diag.Nearest(name, Names())
	if near == name { // it exists, but the pipeline has not set it
		near = ""
	}
	return nil, unknown(name, near)
}

// likely are the modules that templates load most.
var likely = []string{"data", "overlay", "yaml", "template", "base64", "json", "library", "struct", "assert"}

// ByUse returns the names of the modules, the likely ones first.
func ByUse() []string {
	list := slices.Clone(likely)
	for _, name := range Names() {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// IsLikely reports whether a module is one of those that templates load most.
func IsLikely(name string) bool { return slices.Contains(likely, name) }

// Names returns the names of all modules, sorted.
func Names() []string { return script.Modules() }

// unknown returns the error for a module that does not exist. near is the probably intended one, or
// "".
func unknown(name, near string) error {
	err := &diag.Hinted{
		Err:  fmt.Errorf("builtin ytt library does not have module '%s'", name),
		Hint: "is it available in newer version of ytt?",
	}
	if near != "" {
		err.Hint = fmt.Sprintf("did you mean '@ytt:%s'?", near)
		err.Was, err.Right = "@ytt:"+name, "@ytt:"+near
	}
	return err
}

// export returns the symbols of a module: one with the module's name, which has its functions and
// values.
func export(
	name string, functions map[string]function, values starlark.StringDict,
) starlark.StringDict {
	members := make(starlark.StringDict, len(functions)+len(values))
	for short, f := range functions {
		members[short] = newBuiltin(name+"."+short, f)
	}
	for short, v := range values {
		members[short] = v
	}
	symbols := starlark.StringDict{name: &starlarkstruct.Module{Name: name, Members: members}}
	symbols.Freeze()
	return symbols
}
