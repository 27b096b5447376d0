package weft_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"weft"
)

// zeros are the zero values of all exported types with methods.
func zeros() map[string]any {
	list := map[string]any{}
	for _, v := range []any{
		&weft.BlameReport{}, &weft.Cache{}, &weft.CoverageReport{}, &weft.DiffReport{}, &weft.Dir{}, &weft.Document{},
		new(weft.Edition), &weft.Engines{}, &weft.Error{}, &weft.ExplainReport{}, new(weft.Format), &weft.FormatReport{},
		&weft.ImpactReport{}, &weft.LintReport{}, &weft.FixReport{}, &weft.Messages{}, &weft.Migration{},
		&weft.Options{}, &weft.OverrideReport{}, &weft.Project{}, &weft.Redactor{}, &weft.Result{}, &weft.SuggestReport{},
		&weft.TestReport{}, &weft.Timings{}, new(weft.Version), new(weft.Warnings),
	} {
		list[reflect.TypeOf(v).Elem().Name()] = v
	}
	return list
}

// TestZeroValues calls every method of every zero value: a program that has got no result, only an
// error, must not panic if it uses the result all the same.
func TestZeroValues(t *testing.T) {
	list := zeros()
	t.Chdir(t.TempDir()) // some of them write
	for _, name := range slices.Sorted(maps.Keys(list)) {
		v := reflect.ValueOf(list[name])
		for i := range v.NumMethod() {
			method := v.Type().Method(i).Name
			t.Run(name+"."+method, func(t *testing.T) {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("panics: %v", r)
					}
				}()
				callZero(v.Method(i))
			})
		}
	}
}

// callZero calls a function with zero arguments, and goes through what it returns.
func callZero(f reflect.Value) {
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		switch typ := f.Type().In(i); {
		case f.Type().IsVariadic() && i == f.Type().NumIn()-1:
		case typ == reflect.TypeFor[context.Context]():
			args = append(args, reflect.ValueOf(context.Background()))
		case typ == reflect.TypeFor[io.Writer]():
			args = append(args, reflect.ValueOf(io.Discard))
		case typ.Kind() == reflect.Func:
			args = append(args, reflect.MakeFunc(typ, func([]reflect.Value) []reflect.Value {
				var results []reflect.Value
				for i := range typ.NumOut() {
					results = append(results, reflect.Zero(typ.Out(i)))
				}
				return results
			}))
		case typ.Kind() == reflect.Pointer:
			args = append(args, reflect.New(typ.Elem()))
		default:
			args = append(args, reflect.Zero(typ))
		}
	}
	for _, res := range f.Call(args) {
		if res.Kind() == reflect.Func && !res.IsNil() && res.Type().CanSeq() {
			for range res.Seq() {
				continue
			}
		}
	}
}

// TestZeroValuesAreAll finds the types that the test above lacks.
func TestZeroValuesAreAll(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	known := zeros()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !fn.Name.IsExported() {
				continue
			}
			name := receiver(fn.Recv.List[0].Type)
			if ast.IsExported(name) && known[name] == nil {
				t.Errorf("%s: %s has methods: add it to the list of zero values", path, name)
			}
		}
	}
}

func receiver(x ast.Expr) string {
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
