package engine

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// codePrinted is the code of a warning about a file of data values that is printed.
const codePrinted diag.Code = "values/printed"

// missing returns a hint for a data value that templates read but that is missing, or "".
func (l *library) missing(vals *valued, name string) string {
	if key := vals.typ.AnyWith(name); key != "" {
		return "`#@schema/type any=True` leaves the items of `" + key + "` without defaults: " +
			"remove it to declare them"
	}
	for f := range l.scope.Inputs() {
		if f.Type == load.YAML && f.Output && f.File != nil && isPlain(f.File) &&
			hasKey(f.File.Data(), name) {
			return "'" + f.Path + "' has this key, but is not a data values file: pass it with " +
				"--data-values-file instead of -f"
		}
	}
	return ""
}

// isPlain reports whether a file has no annotations.
func isPlain(f *source.File) bool { return !bytes.Contains(f.Data(), []byte("#@")) }

// hasKey reports whether a line of YAML text begins with the key.
func hasKey(data []byte, key string) bool {
	for line := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok &&
			bytes.HasPrefix(rest, []byte(":")) {
			return true
		}
	}
	return false
}

// testedTexts warns about strings that flags set where code expects booleans.
func (l *library) testedTexts(vals *valued) diag.List {
	var list diag.List
	for _, t := range vals.stack.Texts() {
		keys := make([]string, len(t.Path))
		for i, key := range t.Path {
			keys[i], _ = starlark.AsString(key.Starlark())
		}
		if test, ok := l.test(keys, t.Misread); ok {
			list = append(list, t.Tested(test.At, test.Compared))
		}
	}
	return list
}

// test returns the first place where code of the library tests the data value at a path, among the
// places for which matters returns true.
func (l *library) test(keys []string, matters func(compared bool) bool) (compile.Test, bool) {
	for _, u := range l.scope.Units() {
		for _, t := range u.Tests {
			if slices.Equal(t.Path, keys) && matters(t.Compared) {
				return t, true
			}
		}
	}
	return compile.Test{}, false
}

// printedValues warns about plain files that are printed although all their keys are data values.
func (l *library) printedValues(res *eval.Result, vals *valued) diag.List {
	if !l.isProject() || vals.stack.Value.Empty() {
		return nil
	}
	known, ok := vals.stack.Value.Map()
	if !ok || len(known.Entries()) == 0 {
		return nil
	}
	var list diag.List
	declared := !vals.typ.AnyAt(nil)
	for _, out := range res.Outputs {
		twoKeys := declared && isPlain(out.File.Input.File) ||
			strings.Contains(strings.ToLower(path.Base(out.File.Input.Path)), "values")
		if len(out.Docs) != 1 || !looksLikeValues(out.Docs[0].Value, known, twoKeys) {
			continue
		}
		at := out.Docs[0].Value
		t, n, _ := at.Syntax()
		list = append(
			list,
			diag.Warningf(t.Span(n+1), codePrinted,
				"this file is printed, though all its keys are data values").
				WithHint("pass it with --data-values-file instead of -f; or put the lines "+
					"`#@data/values` and `---` at its top"),
		)
	}
	return list
}

// hasKeys reports whether a mapping has all these keys.
func hasKeys(t *yaml.Tree, n yaml.NodeID, names ...string) bool {
	found := 0
	for key := range t.Pairs(n) {
		if t.Kind(key) == yaml.Scalar && slices.Contains(names, string(t.Text(key))) {
			found++
		}
	}
	return found == len(names)
}

// looksLikeValues reports whether a document of a plain file sets only data values. One or two keys
// are enough only with twoKeys: there is a schema, or the name of the file suggests it.
func looksLikeValues(doc tree.Value, known *tree.Map, twoKeys bool) bool {
	t, n, ok := doc.Syntax()
	if !ok || t.Kind(n) != yaml.Mapping {
		return false
	}
	if hasKeys(t, n, "apiVersion", "kind") {
		return false // a Kubernetes object, even if data values have the same names
	}
	keys := 0
	for key := range t.Pairs(n) {
		if t.Kind(key) != yaml.Scalar || known.Find(starlark.String(t.Text(key))) < 0 {
			return false
		}
		keys++
	}
	return keys > 2 || keys > 0 && twoKeys
}
