package overlay_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"weft/internal/compile"
	"weft/internal/diag"
	"weft/internal/emit"
	"weft/internal/eval"
	"weft/internal/load"
	"weft/internal/overlay"
	"weft/internal/source"
	"weft/internal/tree"
)

// input is what templates made, ready for Apply.
type input struct {
	files    *source.Set
	left     [][]tree.Document
	overlays []tree.Document
	opt      overlay.Options
	prints   []string
	warnings diag.List
}

// file is one file of a test.
type file struct{ name, text string }

// evaluate runs templates and takes the overlays out of what they make.
func evaluate(tb testing.TB, files ...file) *input {
	tb.Helper()
	in, err := tryEvaluate(files...)
	if err != nil {
		tb.Fatalf("the templates of the test fail: %v", err)
	}
	return in
}

func tryEvaluate(files ...file) (*input, error) {
	in := &input{files: &source.Set{}}
	var memory []load.Memory
	for _, f := range files {
		memory = append(memory, load.Memory{Path: f.name, Data: []byte(f.text)})
	}
	return in, in.evaluate(load.Options{Memory: memory})
}

func (in *input) evaluate(opt load.Options) error {
	inputs, err := load.Read(in.files, opt)
	if err != nil {
		return err
	}
	scope := eval.NewLibrary(inputs, compile.Options{}).Root()
	if err := scope.Compile(); err != nil {
		return err
	}
	made, err := eval.Files(context.Background(), scope, scope.With(compile.ForOutput), eval.Options{Overlay: module, MaxSteps: 1_000_000, MaxNodes: 1_000_000})
	if err != nil {
		return err
	}
	in.left = make([][]tree.Document, len(made.Outputs))
	for i, out := range made.Outputs {
		for _, d := range out.Docs {
			if overlay.IsOverlay(d) {
				in.overlays = append(in.overlays, d)
			} else {
				in.left[i] = append(in.left[i], d)
			}
		}
	}
	in.opt = overlay.Options{
		Thread:   func(source.Pos) *starlark.Thread { return made.Thread() },
		Print:    func(s string) { in.prints = append(in.prints, s) },
		Warn:     func(d *diag.Diagnostic) { in.warnings = append(in.warnings, d) },
		Diagnose: made.Diagnose,
		Files:    in.files,
	}
	return nil
}

// apply applies the overlays and gives what is printed.
func (in *input) apply() (string, error) {
	docs, err := overlay.Apply(context.Background(), in.left, in.overlays, in.opt)
	if err != nil {
		return "", err
	}
	return in.yaml(docs), nil
}

func (in *input) yaml(files [][]tree.Document) string {
	var b bytes.Buffer
	for _, docs := range files {
		if b.Len() > 0 && len(docs) > 0 {
			b.WriteString("---\n")
		}
		if _, err := emit.YAML(&b, docs); err != nil {
			panic(err)
		}
	}
	return b.String()
}

// text is diagnostics as the command prints them.
func (in *input) text(err error) string {
	var b bytes.Buffer
	if err := diag.Render(&b, in.files, diag.Of(err), diag.RenderOptions{}); err != nil {
		panic(err)
	}
	return b.String()
}

// module is @ytt:overlay, as package modules makes it.
var module = func() starlark.Value {
	type maker func(starlark.Tuple, []starlark.Tuple) (*overlay.Matcher, error)
	members := starlark.StringDict{
		"all": overlay.All,
		"apply": starlark.NewBuiltin("overlay.apply", func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if len(args) == 0 {
				return nil, fmt.Errorf("overlay.apply: expected at least one argument")
			}
			return overlay.Values(thread, args[0], args[1:], overlay.Options{})
		}),
	}
	for name, make := range map[string]maker{
		"index": overlay.Index, "map_key": overlay.MapKey, "subset": overlay.Subset, "and_op": overlay.And, "or_op": overlay.Or, "not_op": overlay.Not,
	} {
		members[name] = starlark.NewBuiltin("overlay."+name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			m, err := make(args, kwargs)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.Name(), err)
			}
			return m, nil
		})
	}
	m := &starlarkstruct.Module{Name: "overlay", Members: members}
	m.Freeze()
	return m
}()

// header loads the module, which nearly every overlay needs.
const header = "#@ load(\"@ytt:overlay\", \"overlay\")\n"

func TestMain(m *testing.M) { os.Exit(m.Run()) }
