package overlay_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/overlay"
	"weft/internal/engine/overlay/explain"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// input is what templates made, ready for Apply.
type input struct {
	files    *source.Set
	left     [][]tree.Doc
	overlays []tree.Doc
	opt      overlay.Options
	prints   []string
	warnings diag.List
	failed   bool // the last outcome was an error
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
	in := newInput()
	var memory []load.Memory
	for _, f := range files {
		memory = append(memory, load.Memory{Path: f.name, Data: []byte(f.text)})
	}
	return in, in.evaluate(load.Options{Memory: memory})
}

func newInput() *input { return &input{files: &source.Set{}} }

func (in *input) evaluate(opt load.Options) error {
	inputs, err := load.Read(in.files, opt)
	if err != nil {
		return err
	}
	scope := eval.NewLibrary(inputs, compile.Options{YAML: yaml.Options{MaxNodes: 1_000_000, MaxDepth: 10_000}}).
		Root()
	if err := scope.Compile(); err != nil {
		return err
	}
	res, err := eval.Files(
		context.Background(),
		scope,
		scope.With(compile.ForOutput),
		eval.Options{MaxSteps: 1_000_000, MaxNodes: 1_000_000},
	)
	if err != nil {
		return err
	}
	in.left = make([][]tree.Doc, len(res.Outputs))
	for i, out := range res.Outputs {
		for _, d := range out.Docs {
			if overlay.IsOverlay(d) {
				in.overlays = append(in.overlays, d)
			} else {
				in.left[i] = append(in.left[i], d)
			}
		}
	}
	in.opt = overlay.Options{
		Thread:   func(source.Pos) *starlark.Thread { return res.Thread(context.Background()) },
		Print:    func(s string) { in.prints = append(in.prints, s) },
		Warn:     func(d *diag.Diagnostic) { in.warnings = append(in.warnings, d) },
		Diagnose: res.Diagnose,
		Files:    in.files,
		Explain:  explain.New,
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

// yaml is the documents of all files as they are printed.
func (in *input) yaml(files [][]tree.Doc) string {
	var b bytes.Buffer
	if _, err := emit.YAML(&b, slices.Concat(files...), 0); err != nil {
		panic(err)
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

// header loads the module, which nearly every overlay needs.
const header = "#@ load(\"@ytt:overlay\", \"overlay\")\n"
