package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/engine/eval"
	"weft/internal/engine/overlay"
	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// inner creates a library for library.get.
func (l *library) inner(
	ctx context.Context,
	path string,
	s eval.Scope,
	kwargs []starlark.Tuple,
	layers []routed,
	got *names,
) (starlark.Value, error) {
	in := &library{ctx: ctx, run: l.run, eval: l.eval, valid: l.valid, name: path}
	opt, alias, novalid := s.Options(), "", false
	err := takeKwargs(kwargs,
		kwarg{name: "alias", text: &alias},
		kwarg{name: "ignore_unknown_comments", flag: &opt.IgnoreUnknownComments},
		kwarg{name: "implicit_map_key_overrides", flag: &in.eval.Overrides},
		kwarg{name: "strict", flag: &opt.Strict},
		kwarg{name: "dangerous_data_values_disable_validation", flag: &novalid},
	)
	if err != nil {
		return nil, err
	}
	if alias != "" {
		in.name += "~" + alias
	}
	got.add(path, alias)
	in.valid = in.valid && !novalid
	in.scope = s.WithOptions(opt)
	for _, h := range layers {
		if h.rest[0].Matches(path, alias) {
			in.layers = append(in.layers, routed{h.layer, h.rest[1:]})
		}
	}
	return &libraryValue{in}, nil
}

// kwarg is the destination of a keyword argument: a string or a boolean.
type kwarg struct {
	name string
	text *string
	flag *bool
}

// takeKwargs puts keyword arguments where they belong.
func takeKwargs(kwargs []starlark.Tuple, known ...kwarg) error {
	for _, kw := range kwargs {
		name, _ := starlark.AsString(kw[0])
		i := slices.IndexFunc(known, func(k kwarg) bool { return k.name == name })
		if i < 0 {
			return unexpectedKwarg(name, known)
		}
		to, ok := known[i], true
		want := "a boolean"
		if to.text != nil {
			want = "a string"
			*to.text, ok = starlark.AsString(kw[1])
		} else {
			var b starlark.Bool
			b, ok = kw[1].(starlark.Bool)
			*to.flag = bool(b)
		}
		if !ok {
			return fmt.Errorf("expected kwarg '%s' to be %s, but was %s", name, want, kw[1].Type())
		}
	}
	return nil
}

func unexpectedKwarg(name string, known []kwarg) error {
	err := fmt.Errorf("unexpected kwarg '%s'", name)
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = k.name
	}
	slices.Sort(names)
	if near := diag.Nearest(name, names); near != "" {
		return &diag.Hinted{Err: err, Hint: "did you mean '" + near + "'?", Was: name, Right: near}
	}
	return err
}

// takeOne returns the only argument of a call.
func takeOne(args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("expected exactly one argument, but found %d", len(args))
	}
	return args[0], nil
}

// noArguments rejects arguments.
func noArguments(args starlark.Tuple, kwargs []starlark.Tuple) error {
	if n := len(args) + len(kwargs); n > 0 {
		return fmt.Errorf("expected no arguments, but found %d", n)
	}
	return nil
}

// libraryValue is a library in Starlark. Its methods return a new one or evaluate it; it never
// changes.
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
func (v *libraryValue) NotYAML() error {
	return &diag.Hinted{
		Err:  errors.New("a library does not encode"),
		Hint: "did you mean to call eval()?",
		Bare: true,
	}
}

// AttrNames implements starlark.HasAttrs.
func (v *libraryValue) AttrNames() []string {
	return []string{"data_values", "eval", "export", "with_data_values", "with_data_values_schema"}
}

// Attr implements starlark.HasAttrs.
func (v *libraryValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "with_data_values":
		return method("library.with_data_values", v.withDataValues), nil
	case "with_data_values_schema":
		return method("library.with_data_values_schema", v.withSchema), nil
	case "eval":
		return method("library.eval", v.eval), nil
	case "export":
		return method("library.export", v.export), nil
	case "data_values":
		return method("library.data_values", v.dataValues), nil
	}
	return nil, nil
}

// method returns a method of a library.
func method(
	name string, call func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error),
) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(
		t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		return call(t, args, kwargs)
	})
}

func (v *libraryValue) withDataValues(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	arg, err := takeOne(args)
	if err != nil {
		return nil, err
	}
	plain := false
	if err := takeKwargs(kwargs, kwarg{name: "plain", flag: &plain}); err != nil {
		return nil, err
	}
	val, at, err := given(thread, arg)
	if err != nil {
		return nil, err
	}
	if plain {
		if at, ok := annotated(val); ok {
			return nil, diag.Errorf(at.To(at.Offset()+1), codeAnnotation,
				"expected to be plain YAML, having no annotations").
				WithHint("remove comments starting with `#@`")
		}
	}
	in := *v.lib
	doc := tree.Doc{Value: val, Pos: at}
	if plain {
		doc = values.PlainDocument(val, at)
	}
	in.with = append(in.with[:len(in.with):len(in.with)], doc)
	return &libraryValue{&in}, nil
}

// given converts a value that is passed to a library. Values without a place, because Starlark
// created them, get the place of the call.
func given(thread *starlark.Thread, arg starlark.Value) (tree.Value, source.Pos, error) {
	v, err := eval.FromArgument(thread, arg)
	if err != nil {
		return v, source.Pos{}, err
	}
	at := eval.Here(thread).Pos
	if m, ok := v.Map(); ok && !m.Pos.IsValid() {
		v = tree.Of(tree.NewMap(tree.Place(m.Entries(), at), at)).WithOrigin(v.Origin())
	}
	return v, at, nil
}

// hintGiven adds hints to errors about the values of with_data_values: values created by Starlark
// have no annotations.
func (l *library) hintGiven(err error) error {
	if len(l.with) == 0 {
		return err
	}
	list := diag.Of(err)
	for _, d := range list {
		at := slices.IndexFunc(l.with, func(doc tree.Doc) bool { return doc.Pos == d.At.Pos })
		if at < 0 {
			continue // it has its own place, in YAML
		}
		if f := l.run.files.File(d.At.Pos); f != nil {
			markGiven(d, f)
		}
		switch near := strings.HasPrefix(d.Hint, "did you mean "); {
		case d.Code == overlay.CodeCount && !near && !hasNotes(l.with[at]):
			d.WithHint(
				"to add keys that the library has no values for, write `with_data_values(..., plain=True)`",
			)
		case d.Code == overlay.CodeCount && !hasNotes(l.with[at]):
			meant, _, _ := strings.Cut(d.Hint, "?")
			d.WithHint(
				"%s? To add keys that the library has no values for, write "+
					"`with_data_values(..., plain=True)`",
				meant,
			)
		case d.Code == schema.CodeKey && !near:
			d.WithHint("pass library '%s' only what its schema declares, as in "+
				"`with_data_values({\"key\": data.values.key})`; or declare it there", l.name)
		}
	}
	return list
}

func hasNotes(doc tree.Doc) bool {
	_, ok := annotated(doc.Value)
	return ok
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

func (v *libraryValue) withSchema(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	arg, err := takeOne(args)
	if err != nil {
		return nil, err
	}
	if err := takeKwargs(kwargs); err != nil {
		return nil, err
	}
	val, at, err := given(thread, arg)
	if err != nil {
		return nil, err
	}
	in := *v.lib
	in.schemas = append(
		in.schemas[:len(in.schemas):len(in.schemas)],
		tree.Doc{Value: val, Pos: at},
	)
	return &libraryValue{&in}, nil
}

func (v *libraryValue) eval(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := noArguments(args, kwargs); err != nil {
		return nil, err
	}
	res, err := v.render(thread)
	if err != nil {
		return nil, v.wrap("evaluating", err)
	}
	var docs []tree.Doc
	for _, out := range res.Outputs {
		docs = append(docs, out.Docs...)
	}
	return tree.NewDocumentSet(docs), nil
}

// render evaluates the library. The caller passes on its messages.
func (v *libraryValue) render(thread *starlark.Thread) (*eval.Result, error) {
	var log messages
	defer func() { log.passOn(thread) }()
	return v.under(thread).evaluate(&log)
}

// under returns the library with the context of a thread.
func (v *libraryValue) under(thread *starlark.Thread) *library {
	in := *v.lib
	in.ctx = eval.Context(thread)
	return &in
}

// passOn passes the messages of a library on to its caller.
func (m *messages) passOn(thread *starlark.Thread) {
	if thread.Print != nil {
		for _, line := range m.prints {
			thread.Print(thread, line)
		}
	}
	eval.Note(thread, m.notes)
}

// wrap adds the name of the library to an error.
func (v *libraryValue) wrap(doing string, err error) error {
	return fmt.Errorf("%s library '%s': %w", doing, v.lib.name, err)
}

func (v *libraryValue) dataValues(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	if err := noArguments(args, kwargs); err != nil {
		return nil, err
	}
	var log messages
	vals, err := v.under(thread).dataValues(&log)
	log.passOn(thread)
	if err != nil {
		return nil, v.wrap("exporting from", err)
	}
	return v.lib.watch(vals.stack.Value).StructOf(vals.stack.Value), nil
}

func (v *libraryValue) export(
	thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple,
) (starlark.Value, error) {
	arg, err := takeOne(args)
	if err != nil {
		return nil, err
	}
	name, ok := starlark.AsString(arg)
	if !ok {
		return nil, fmt.Errorf("expected a string, but was %s", arg.Type())
	}
	path := ""
	if err := takeKwargs(kwargs, kwarg{name: "path", text: &path}); err != nil {
		return nil, err
	}
	if strings.HasPrefix(name, "_") {
		return nil, v.wrap(
			"exporting from",
			fmt.Errorf("symbols starting with '_' are private, and cannot be exported"),
		)
	}
	res, err := v.render(thread)
	if err != nil {
		return nil, v.wrap("exporting from", err)
	}
	found, err := v.exported(res, name, path)
	if err != nil {
		return nil, v.wrap("exporting from", err)
	}
	return found, nil
}

// exported returns the symbol with a name, from the file at path, or from any file if path is empty.
func (v *libraryValue) exported(res *eval.Result, name, path string) (starlark.Value, error) {
	var found starlark.Value
	var in, elsewhere, names []string
	for _, e := range res.Exports {
		p := strings.TrimPrefix(e.File.Input.Path, v.lib.scope.Prefix())
		for n := range e.Globals {
			names = append(names, n)
		}
		x, ok := e.Globals[name]
		switch {
		case ok && (path == "" || p == path):
			found = x
			in = append(in, p)
		case ok:
			elsewhere = append(elsewhere, p)
		}
	}
	switch len(in) {
	case 0:
		hint := ""
		if elsewhere != nil {
			hint = fmt.Sprintf("it is in %s", strings.Join(elsewhere, ", "))
		} else if near := diag.Nearest(name, names); near != "" {
			hint = fmt.Sprintf("did you mean '%s'?", near)
		}
		return nil, diag.Hintf(fmt.Errorf("expected to find exported symbol '%s', but did not", name), "%s", hint)
	case 1:
		return found, nil
	}
	return nil, diag.Hintf(
		fmt.Errorf(
			"expected to find exactly one exported symbol '%s', but found multiple across files: %s",
			name,
			strings.Join(in, ", "),
		),
		"choose one with path=",
	)
}
