package fleet

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"weft/internal/engine"
	"weft/internal/engine/values"
)

// notInConfigKey are the fields of a configuration that decide nothing about what a session is.
var notInConfigKey = map[string]string{
	"Workers":              "how many things are done at a time",
	"Load.Workers":         "the same",
	"Load.used":            "what the files name",
	"Load.Refuse":          "is set by the language server alone, for files of any project",
	"Compile.YAML.Workers": "the same",
	"Eval.Workers":         "the same",
	"JSONSchemas":          "how the schemas are read that Values names; the same in all runs of a project",
	"Generators.Render":    "is made from Generators.Key and the project, whose files are in the key",
	"Generators.Files":     "is made from Generators.Key and the project, whose files are in the key",
	"Generators.Values.of": "set by sessions that take values files of others",

	"Eval.Values":      "set by the session, as all that follow",
	"Eval.Unresolved":  "",
	"Eval.Missing":     "",
	"Eval.InOrder":     "",
	"Eval.Files":       "",
	"Eval.Once":        "",
	"Eval.Keep":        "",
	"Eval.Kept":        "",
	"Eval.ValuesID":    "",
	"Eval.Env":         "",
	"Eval.Reads":       "",
	"Eval.Uses":        "",
	"Eval.Origins":     "",
	"Eval.Trace":       "",
	"Eval.Cover":       "",
	"Eval.Matched":     "",
	"Eval.Used":        "",
	"Eval.HasComments": "",
	"Eval.Library":     "",
	"Eval.Explained":   "",
}

// notInGroupKey are the fields of options in which environments that share a session may differ.
var notInGroupKey = map[string]string{
	"Hidden.Generators.how":          "Hidden.Generators.of.Key has the request; the files of the project are in the key",
	"Hidden.Generators.of.Render":    "is made from how",
	"Hidden.Generators.of.Files":     "is made from how",
	"Hidden.Generators.of.Values.of": "set by sessions that take values files of others",
	"Limits.Parallelism":             "how many environments are rendered at a time",
	"Print":                          "Rendered.Prints has what is printed",
	"Debug":                          "has no effect on environments",
	"Reads":                          "is called with the paths of each environment",
	"Decides":                        "is called by Render alone",
	"Kubernetes":                     "is what the linter does with documents",
	"Schemas":                        "the same",
	"Hidden.Named":                   "the same",
	"Hidden.Layers":                  "are read for each environment",
	"Hidden.Test":                    "are read for each environment",
	"Hidden.Paths":                   "is for each result, which must not be written there",
	"Hidden.Tested":                  "the same",
	"Values.Project":                 "is set from Hidden.Layers",
}

// notInCacheKey are the fields of options that may be others in the next run.
var notInCacheKey = map[string]string{
	"Hidden.Generators.how":          "Hidden.Generators.of.Key has the request; the files of the project are in the key",
	"Hidden.Generators.of.Render":    "is made from how",
	"Hidden.Generators.of.Files":     "is made from how",
	"Hidden.Generators.of.Values.of": "set by sessions that take values files of others",
	"Limits.Parallelism":             "how many things are done at a time",
	"Print":                          "each run has its own",
	"Reads":                          "each run has its own",
	"Decides":                        "each run has its own",
	"Files":                          "are reloaded, as files on disk are",
	"Kubernetes":                     "is what the linter does with documents",
	"Schemas":                        "the same",
	"Hidden.Named":                   "the same",
	"Hidden.Test":                    "tests have groups of their own, which read them for each environment",
	"Cache":                          "is where the key is used",
	"Hidden.Paths":                   "is for each result, which must not be written there",
	"Hidden.Tested":                  "the same",
	"Values.Project":                 "is set from Hidden.Layers",
}

// TestConfigKey changes each field of a configuration: its keys must be others then, so that no
// session is shared by runs that differ in it. A new field is in the key, or on the list.
func TestConfigKey(t *testing.T) {
	var c engine.Config
	for name, key := range map[string]func() string{"Key": c.Key, "QuickKey": c.QuickKey} {
		t.Run(name, func(t *testing.T) {
			checkFields(t, &c, notInConfigKey, key)
		})
	}
}

// TestGroupKey does the same with the options of environments that are rendered together.
func TestGroupKey(t *testing.T) {
	o := Options{Inputs: []string{"-"}}
	checkFields(t, &o, notInGroupKey, func() string {
		g := groupRuns(RunsOf([]Run{{Options: o}}), nil)[0]
		k := g.options.keyOf(g.config)
		return fmt.Sprintf("%s %v %p", k.config, k.format, k.cache)
	})
}

// TestCacheKey does the same with what one run leaves to the next.
func TestCacheKey(t *testing.T) {
	o := Options{Inputs: []string{"-"}}
	checkFields(t, &o, notInCacheKey, func() string {
		return o.Format.String() + cached(o.Config()).Key()
	})
}

// checkFields changes the fields of a struct, also of those in it, one at a time: key must change
// with each that is not listed.
func checkFields(t *testing.T, of any, listed map[string]string, key func() string) {
	v := reflect.ValueOf(of).Elem()
	fill(v)
	before := key()
	if again := key(); again != before {
		t.Fatalf("the key is another the second time:\n%s\n%s", before, again)
	}
	seen := map[string]bool{}
	eachField(v, "", func(path string, field reflect.Value) bool {
		if _, ok := listed[path]; ok {
			seen[path] = true
			return false
		}
		if !isLeaf(field) {
			return true
		}
		was := reflect.ValueOf(field.Interface())
		changed := false
		for _, other := range others(t, path, field) {
			field.Set(other)
			changed = changed || key() != before
		}
		if field.SetZero(); was.IsValid() {
			field.Set(was)
		}
		if !changed {
			t.Errorf("%s is not in the key: add it, or list it with the reason", path)
		}
		return false
	})
	for _, path := range slices.Sorted(maps.Keys(listed)) {
		if !seen[path] {
			t.Errorf("%s is listed, but there is no such field", path)
		}
	}
}

// fill gives a struct all that has fields: an element to each list, and values to pointers.
func fill(v reflect.Value) {
	eachField(v, "", func(_ string, field reflect.Value) bool {
		switch {
		case isLeaf(field):
		case field.Kind() == reflect.Slice && field.Len() == 0:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case field.Kind() == reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		}
		return true
	})
}

// eachField calls visit for v and all that is in it, from the outside, as long as visit says so.
func eachField(v reflect.Value, path string, visit func(path string, field reflect.Value) bool) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // unexported fields too
	if path != "" && !visit(path, v) || isLeaf(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		eachField(v.Elem(), path, visit)
	case reflect.Slice:
		eachField(v.Index(0), path, visit)
	case reflect.Struct:
		for i := range v.NumField() {
			eachField(v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), visit)
		}
	}
}

// isLeaf reports whether a field is changed as a whole.
func isLeaf(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Slice:
		elem := v.Type().Elem().Kind()
		return elem != reflect.Struct && elem != reflect.Slice
	case reflect.Pointer:
		return v.Type() != reflect.TypeFor[*values.ProjectValues]()
	}
	return true
}

// others are values that a field does not have.
func others(t *testing.T, path string, v reflect.Value) []reflect.Value {
	typ := v.Type()
	switch typ {
	case reflect.TypeFor[io.Reader]():
		return []reflect.Value{reflect.ValueOf(strings.NewReader(""))}
	case reflect.TypeFor[io.Writer]():
		return []reflect.Value{reflect.ValueOf(&bytes.Buffer{})}
	case reflect.TypeFor[fs.FS]():
		return []reflect.Value{reflect.ValueOf(fstest.MapFS{})}
	}
	var list []reflect.Value
	switch typ.Kind() {
	case reflect.Bool:
		return []reflect.Value{reflect.ValueOf(true).Convert(typ)}
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint64:
		for n := range 3 { // one of them may be the default
			list = append(list, reflect.ValueOf(n+1).Convert(typ))
		}
		return list
	case reflect.String:
		return []reflect.Value{reflect.ValueOf("x").Convert(typ)}
	case reflect.Slice:
		elem := reflect.New(typ.Elem()).Elem()
		return []reflect.Value{reflect.Append(v, others(t, path, elem)[0])}
	case reflect.Pointer:
		return []reflect.Value{reflect.New(typ.Elem())}
	case reflect.Func:
		return []reflect.Value{reflect.MakeFunc(typ, nil)}
	}
	t.Fatalf("%s: say what else a %v can be", path, typ)
	return nil
}
