package weft

import (
	"bytes"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// notOfProjects are the options that a project cannot set, and Project.Options leaves as they are.
var notOfProjects = map[string]bool{
	"Revision": true, "Files": true, "Stdin": true, "Env": true, "AllowEnv": true, "DisableValidation": true,
	"DataValues.Files": true, "DataValues.Texts": true, "DataValues.Env": true, "DataValues.EnvYAML": true,
	"DataValues.KV": true, "DataValues.KVYAML": true, "DataValues.JSONSchemas": true,
	"Cache": true, "Observe.Print": true, "Observe.Timings": true, "Observe.Debug": true, "Observe.Reads": true,
	"Observe.Inputs": true,
}

// TestOptionsConvert sets one option at a time. The public API cannot have the type that other packages
// take, so the fields are there twice: none may be lost on the way there, nor on the way back from a
// project.
func TestOptionsConvert(t *testing.T) {
	seen := 0
	for path := range optionPaths(reflect.TypeFor[Options](), "") {
		var o, back Options
		option := reflect.ValueOf(&o).Elem()
		for name := range strings.SplitSeq(path, ".") {
			option = option.FieldByName(name)
		}
		option.Set(notZero(t, option.Type()))
		given := o.options()
		if reflect.DeepEqual(given, Options{}.options()) {
			t.Errorf("Options.%s is lost", path)
		}
		back.set(given)
		if kept := !reflect.DeepEqual(back, Options{}); kept == notOfProjects[path] {
			t.Errorf("Options.%s comes back from a project: %t, want %t", path, kept, !kept)
		}
		if notOfProjects[path] {
			seen++
		}
	}
	if seen != len(notOfProjects) {
		t.Errorf("%d of the %d options that a project cannot set exist", seen, len(notOfProjects))
	}
}

// optionPaths returns the paths of the exported fields of a struct, and of the structs in it.
func optionPaths(typ reflect.Type, prefix string) map[string]bool {
	paths := map[string]bool{}
	for f := range typ.Fields() {
		switch {
		case !f.IsExported():
		case f.Type.Kind() == reflect.Struct:
			for path := range optionPaths(f.Type, prefix+f.Name+".") {
				paths[path] = true
			}
		default:
			paths[prefix+f.Name] = true
		}
	}
	return paths
}

// notZero returns a value of a type that is not its zero value.
func notZero(t *testing.T, typ reflect.Type) reflect.Value {
	t.Helper()
	switch typ {
	case reflect.TypeFor[io.Reader]():
		return reflect.ValueOf(strings.NewReader(""))
	case reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(&bytes.Buffer{})
	case reflect.TypeFor[fs.FS]():
		return reflect.ValueOf(fstest.MapFS{})
	}
	switch typ.Kind() {
	case reflect.Bool:
		return reflect.ValueOf(true)
	case reflect.Int, reflect.Uint8, reflect.Uint64:
		return reflect.ValueOf(1).Convert(typ)
	case reflect.String:
		return reflect.ValueOf("x")
	case reflect.Slice:
		return reflect.MakeSlice(typ, 1, 1)
	case reflect.Pointer:
		return reflect.New(typ.Elem())
	case reflect.Func:
		return reflect.MakeFunc(typ, nil)
	}
	t.Fatalf("say what a %v can be", typ)
	return reflect.Value{}
}
