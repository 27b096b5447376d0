package weft

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/compile"
	"weft/internal/diag"
	"weft/internal/eval"
	"weft/internal/overlay"
	"weft/internal/schema"
	"weft/internal/source"
	"weft/internal/tree"
	"weft/internal/values"
)

// The codes of this file's diagnostics.
const (
	codeOnlyKind   diag.Code = "values/mixed-file" // a file with documents of different roles
	codeAnnotation diag.Code = "values/annotation" // an annotation that cannot be understood
	codeUnused     diag.Code = "values/unused"     // data values for a library that nobody evaluates
)

// run is what a run and all its libraries share.
type run struct {
	ctx   context.Context
	opts  Options
	files *source.Set

	mu       sync.Mutex
	warnings diag.List
}

// warn notes what is to be told besides the output.
func (r *run) warn(list diag.List) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, list...)
}

// library is one evaluation of the files of a scope: the whole run, or a private library with the values that its user gave it. A nested library is the same
// pipeline on a part of the tree.
type library struct {
	run   *run
	scope eval.Scope
	name  string // as messages show it; empty for the run itself
	eval  eval.Options
	valid bool // validations are run

	given   []handed        // documents from outside, in order
	with    []tree.Document // of with_data_values
	schemas []tree.Document // of with_data_values_schema
}

// target is a document of data values, or of a schema, that is meant for a library.
type target struct {
	doc    tree.Document
	ref    values.Ref
	schema bool
	after  bool // it is laid over what the library module gives
	used   atomic.Bool
}

// handed is a target on its way: ref is what is left of it to go.
type handed struct {
	*target
	rest values.Ref
}

// resolved is a library with its data values worked out.
type resolved struct {
	typ      *schema.Type
	declared bool // there is a schema
	values   *values.Result
	inner    []handed // what is meant for libraries inside of it
}

// take hands the data values of the command line to the library.
func (l *library) take(opts Options, files *source.Set) error {
	docs, err := opts.layers(files)
	if err != nil {
		return err
	}
	for _, d := range docs {
		t := &target{doc: d.Document, ref: d.Ref}
		l.given = append(l.given, handed{t, d.Ref})
	}
	return nil
}

// render evaluates the library: its data values, its templates, its overlays.
func (l *library) render() (*eval.Result, error) {
	vals, err := l.values()
	if err != nil {
		return nil, err
	}
	opt := l.eval
	opt.Values = vals.values.Value
	opt.Library = func(path string, s eval.Scope, kwargs []starlark.Tuple) (starlark.Value, error) {
		return l.inner(path, s, kwargs, vals.inner)
	}
	made, err := eval.Files(l.run.ctx, l.scope, l.scope.With(compile.ForOutput), opt)
	if err != nil {
		return made, err
	}
	if err := unused(vals.inner); err != nil {
		return made, err
	}
	return made, l.overlay(made)
}

// overlay takes the overlays out of the documents that templates made and applies them to the rest.
func (l *library) overlay(made *eval.Result) error {
	left := make([][]tree.Document, len(made.Outputs))
	var overlays []tree.Document
	for i, out := range made.Outputs {
		for _, d := range out.Docs {
			if overlay.IsOverlay(d) {
				overlays = append(overlays, d)
			} else {
				left[i] = append(left[i], d)
			}
		}
	}
	docs, err := overlay.Apply(l.run.ctx, left, overlays, l.overlayOptions(made))
	if err != nil {
		return err
	}
	for i := range made.Outputs {
		out := &made.Outputs[i]
		out.Kept = slices.ContainsFunc(left[i], func(d tree.Document) bool { return !d.Value.Empty() })
		out.Docs = docs[i]
	}
	return nil
}

// overlayOptions is how overlays call the functions of the files that made them.
func (l *library) overlayOptions(made *eval.Result) overlay.Options {
	return overlay.Options{
		Thread:   func(source.Pos) *starlark.Thread { return made.Thread() },
		Print:    func(s string) { made.Prints = append(made.Prints, s) },
		Diagnose: made.Diagnose,
		Warn:     func(d *diag.Diagnostic) { l.run.warn(diag.List{d}) },
		Files:    l.run.files,
	}
}

// schema works out the type of the library's data values.
func (l *library) schema() (*resolved, error) {
	if err := l.scope.Compile(); err != nil {
		return nil, err
	}
	res := &resolved{}
	docs, opt, err := l.documents(compile.ForSchema, res)
	if err != nil {
		return nil, err
	}
	for _, h := range l.given {
		if len(h.rest) == 0 && h.schema {
			docs = append(docs, h.doc)
			h.used.Store(true)
		}
	}
	docs = append(docs, l.schemas...)
	typ, list := values.Schema(docs, opt)
	if list.Failed() {
		return nil, list
	}
	l.run.warn(list)
	res.typ, res.declared = typ, len(docs) > 0
	return res, nil
}

// values works out the data values of the library.
func (l *library) values() (*resolved, error) {
	res, err := l.schema()
	if err != nil {
		return nil, err
	}
	docs, opt, err := l.documents(compile.ForValues, res)
	if err != nil {
		return nil, err
	}
	var after []tree.Document
	for _, h := range l.given {
		switch {
		case len(h.rest) > 0: // behind the library's own, so that what its user says is stronger
			res.inner = append(res.inner, h)
			continue
		case h.schema:
			continue
		case h.after:
			after = append(after, h.doc)
		default:
			docs = append(docs, h.doc)
		}
		h.used.Store(true)
	}
	docs = append(append(docs, l.with...), after...)
	if res.values, err = values.Resolve(res.typ, res.declared, docs, opt); err != nil {
		return nil, err
	}
	l.run.warn(res.values.Warnings)
	if l.valid {
		thread := opt.Thread(source.Pos{})
		call := func(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
			return starlark.Call(thread, fn, args, nil)
		}
		if list := res.typ.Validate(res.values.Document, call); list != nil {
			return nil, list
		}
	}
	return res, nil
}

// documents evaluates the files of a role and gives the documents that are meant for this library; the others go to res.inner.
func (l *library) documents(role compile.Role, res *resolved) ([]tree.Document, overlay.Options, error) {
	name, what := compile.ValuesAnnotation, "data values"
	if role == compile.ForSchema {
		name, what = compile.SchemaAnnotation, "schema"
	}
	made, err := eval.Files(l.run.ctx, l.scope, l.scope.With(role), l.eval)
	l.run.opts.tell(made.Prints, made.Warnings)
	opt := l.overlayOptions(made)
	if err != nil {
		return nil, opt, err
	}
	var own []tree.Document
	var list diag.List
	for _, out := range made.Outputs {
		for _, d := range out.Docs {
			if d.Annotations.Get(name) == nil {
				if !d.Value.Empty() {
					list = append(list, diag.Errorf(d.Pos.To(d.Pos.Offset()+3), codeOnlyKind, "expected %s file '%s' to only have %s documents", what, out.File.Input.Path, what).
						WithHint("move this document to a file of its own"))
				}
				continue
			}
			t, err := l.target(d, name)
			switch {
			case err != nil:
				list = append(list, diag.Of(err)...)
			case t == nil:
				own = append(own, d)
			default:
				res.inner = append(res.inner, handed{t, t.ref})
			}
		}
	}
	if list != nil {
		return nil, opt, list
	}
	return own, opt, nil
}

// target reads the annotations that send a document to another library; nil means that it stays.
func (l *library) target(d tree.Document, name string) (*target, error) {
	t := &target{doc: d, schema: name == compile.SchemaAnnotation}
	note := d.Annotations.Get(name)
	at := d.Pos.To(d.Pos.Offset() + 3)
	for _, kw := range note.Kwargs {
		key, _ := starlark.AsString(kw[0])
		after, isBool := kw[1].(starlark.Bool)
		if key != "after_library_module" || t.schema {
			return nil, diag.Errorf(at, codeAnnotation, "unknown kwarg %s for annotation %s", key, name)
		}
		if !isBool {
			return nil, diag.Errorf(at, codeAnnotation, "expected kwarg 'after_library_module' to be a boolean, but was %s", kw[1].Type())
		}
		t.after = bool(after)
	}
	ref := d.Annotations.Get("library/ref")
	if ref == nil {
		if len(note.Kwargs) > 0 {
			return nil, diag.Errorf(at, codeAnnotation, "annotation %s: expected kwarg 'after_library_module' to be used with library/ref annotation", name)
		}
		return nil, nil
	}
	if len(ref.Args) != 1 {
		return nil, diag.Errorf(at, codeAnnotation, "annotation library/ref: expected library/ref annotation to have one arg, got %d", len(ref.Args))
	}
	s, ok := starlark.AsString(ref.Args[0])
	if !ok {
		return nil, diag.Errorf(at, codeAnnotation, "annotation library/ref: expected a string, but was %s", ref.Args[0].Type())
	}
	var err error
	if t.ref, err = values.ParseRef(s); err != nil {
		return nil, diag.Errorf(at, codeAnnotation, "annotation library/ref: %s", err)
	}
	return t, nil
}

// unused tells of documents that no library has used by the time the templates have run.
func unused(targets []handed) error {
	var list diag.List
	for _, t := range targets {
		if !t.used.Load() {
			what := "data value"
			if t.schema {
				what = "schema"
			}
			list = append(list, diag.Errorf(t.doc.Pos.To(t.doc.Pos.Offset()+3), codeUnused, "expected all provided library data values documents to be used but found unused: %s belonging to library '%s'", what, t.ref).
				WithHint("is the library evaluated, and named as library.get names it?"))
		}
	}
	if list != nil {
		return list
	}
	return nil
}

// inner makes a library for library.get.
func (l *library) inner(path string, s eval.Scope, kwargs []starlark.Tuple, given []handed) (starlark.Value, error) {
	in := &library{run: l.run, eval: l.eval, valid: l.valid, name: path}
	in.eval.Library = nil
	in.eval.Values = tree.Value{}
	opt, alias := s.Options(), ""
	for _, kw := range kwargs {
		key, _ := starlark.AsString(kw[0])
		on, isBool := kw[1].(starlark.Bool)
		if key == "alias" {
			var ok bool
			if alias, ok = starlark.AsString(kw[1]); !ok {
				return nil, fmt.Errorf("expected kwarg 'alias' to be a string, but was %s", kw[1].Type())
			}
			in.name += "~" + alias
			continue
		}
		if !isBool {
			return nil, fmt.Errorf("expected kwarg '%s' to be a boolean, but was %s", key, kw[1].Type())
		}
		switch key {
		case "ignore_unknown_comments":
			opt.IgnoreUnknownComments = bool(on)
		case "implicit_map_key_overrides":
			in.eval.Overrides = bool(on)
		case "strict":
			opt.Strict = bool(on)
		case "dangerous_data_values_disable_validation":
			in.valid = in.valid && !bool(on)
		default:
			return nil, fmt.Errorf("unexpected kwarg '%s'", key)
		}
	}
	in.scope = s.WithOptions(opt)
	for _, h := range given {
		if h.rest[0].Matches(path, alias) {
			in.given = append(in.given, handed{h.target, h.rest[1:]})
		}
	}
	return &libraryValue{in}, nil
}

// libraryValue is a library as Starlark sees it. Its methods give a new one or evaluate it; it never changes.
type libraryValue struct{ lib *library }

var _ starlark.HasAttrs = (*libraryValue)(nil)

// Type implements starlark.Value.
func (v *libraryValue) Type() string { return "library" }

// String implements starlark.Value.
func (v *libraryValue) String() string { return "library(" + v.lib.name + ")" }

// Freeze implements starlark.Value.
func (v *libraryValue) Freeze() {}

// Truth implements starlark.Value.
func (v *libraryValue) Truth() starlark.Bool { return true }

// Hash implements starlark.Value.
func (v *libraryValue) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: library") }

// NotYAML implements tree.Opaque.
func (v *libraryValue) NotYAML() string {
	return "a library does not encode (did you mean to call eval()?)"
}

// AttrNames implements starlark.HasAttrs.
func (v *libraryValue) AttrNames() []string {
	return []string{"data_values", "eval", "export", "with_data_values", "with_data_values_schema"}
}

// method is what a call of a library's method does.
type method func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// Attr implements starlark.HasAttrs.
func (v *libraryValue) Attr(name string) (starlark.Value, error) {
	m := map[string]method{
		"with_data_values":        v.withDataValues,
		"with_data_values_schema": v.withSchema,
		"eval":                    v.eval,
		"export":                  v.export,
		"data_values":             v.dataValues,
	}[name]
	if m == nil {
		return nil, nil
	}
	return starlark.NewBuiltin("library."+name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return m(t, args, kwargs)
	}), nil
}

func (v *libraryValue) withDataValues(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("expected exactly one argument")
	}
	plain := false
	for _, kw := range kwargs {
		key, _ := starlark.AsString(kw[0])
		b, isBool := kw[1].(starlark.Bool)
		switch {
		case key != "plain":
			return nil, fmt.Errorf("invalid argument name: %s", key)
		case !isBool:
			return nil, fmt.Errorf("expected kwarg 'plain' to be a boolean, but was %s", kw[1].Type())
		}
		plain = bool(b)
	}
	val, err := tree.FromStarlark(args[0])
	if err != nil {
		return nil, err
	}
	if plain {
		if at, ok := annotated(val); ok {
			return nil, diag.Errorf(at.To(at.Offset()+1), codeAnnotation, "expected to be plain YAML, having no annotations").WithHint("remove comments starting with `#@`")
		}
		val = values.Plain(val)
	}
	in := *v.lib
	in.with = append(in.with[:len(in.with):len(in.with)], tree.Document{Value: val})
	return &libraryValue{&in}, nil
}

// annotated finds an annotated item.
func annotated(v tree.Value) (source.Pos, bool) {
	var items []tree.Item
	if m, ok := v.Map(); ok {
		items = m.Entries()
	} else if a, ok := v.Array(); ok {
		items = a.Entries()
	}
	for _, it := range items {
		if it.Annotations != nil {
			return it.Pos, true
		}
		if at, ok := annotated(it.Value); ok {
			return at, true
		}
	}
	return source.Pos{}, false
}

func (v *libraryValue) withSchema(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("expected exactly one argument")
	}
	val, err := tree.FromStarlark(args[0])
	if err != nil {
		return nil, err
	}
	in := *v.lib
	in.schemas = append(in.schemas[:len(in.schemas):len(in.schemas)], tree.Document{Value: val})
	return &libraryValue{&in}, nil
}

func (v *libraryValue) eval(thread *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 0 {
		return nil, fmt.Errorf("expected no arguments")
	}
	made, err := v.render(thread)
	if err != nil {
		return nil, v.wrap("evaluating", err)
	}
	var docs []tree.Document
	for _, out := range made.Outputs {
		docs = append(docs, out.Docs...)
	}
	return tree.NewDocumentSet(docs), nil
}

// render evaluates the library; what it prints, the caller prints.
func (v *libraryValue) render(thread *starlark.Thread) (*eval.Result, error) {
	made, err := v.lib.render()
	if made != nil && thread.Print != nil {
		for _, s := range made.Prints {
			thread.Print(thread, s)
		}
	}
	return made, err
}

// wrap says which library an error comes from.
func (v *libraryValue) wrap(doing string, err error) error {
	return fmt.Errorf("%s library '%s': %w", doing, v.lib.name, err)
}

func (v *libraryValue) dataValues(_ *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 0 {
		return nil, fmt.Errorf("expected no arguments")
	}
	vals, err := v.lib.values()
	if err != nil {
		return nil, v.wrap("exporting from", err)
	}
	return tree.StructOf(vals.values.Value), nil
}

func (v *libraryValue) export(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("expected exactly one argument")
	}
	name, ok := starlark.AsString(args[0])
	if !ok {
		return nil, fmt.Errorf("expected a string, but was %s", args[0].Type())
	}
	path := ""
	for _, kw := range kwargs {
		key, _ := starlark.AsString(kw[0])
		if key != "path" {
			return nil, fmt.Errorf("unexpected kwarg '%s'", key)
		}
		if path, ok = starlark.AsString(kw[1]); !ok {
			return nil, fmt.Errorf("expected kwarg 'path' to be a string, but was %s", kw[1].Type())
		}
	}
	if strings.HasPrefix(name, "_") {
		return nil, v.wrap("exporting from", fmt.Errorf("symbols starting with '_' are private, and cannot be exported"))
	}
	made, err := v.render(thread)
	if err != nil {
		return nil, v.wrap("exporting from", err)
	}
	var found starlark.Value
	var in, names []string
	for _, e := range made.Exports {
		p := strings.TrimPrefix(e.File.Input.Path, v.lib.scope.Prefix())
		for n := range e.Globals {
			names = append(names, n)
		}
		if x, ok := e.Globals[name]; ok && (path == "" || p == path) {
			found = x
			in = append(in, p)
		}
	}
	switch len(in) {
	case 0:
		hint := ""
		if near := diag.Nearest(name, names); near != "" {
			hint = fmt.Sprintf(", did you mean '%s'?", near)
		}
		return nil, v.wrap("exporting from", fmt.Errorf("expected to find exported symbol '%s', but did not%s", name, hint))
	case 1:
		return found, nil
	}
	return nil, v.wrap("exporting from", fmt.Errorf("expected to find exactly one exported symbol '%s', but found multiple across files: %s", name, strings.Join(in, ", ")))
}
