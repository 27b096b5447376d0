package weft

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"weft/internal/compile"
	"weft/internal/diag"
	"weft/internal/eval"
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

// base is what the files of a library say of its data values. It is the same however often the library is evaluated and whatever values it is given, so it is worked out once,
// and each part only when it is needed: documents from outside may mend what is wrong in it.
type base struct {
	compiled        func() error
	templates       *eval.Batch // once it is compiled
	schemas, values func() *documents
	typed           func() typed     // the type of the library's own schema
	own             func() laid      // its own values over the defaults of that type
	lay             func(typed) laid // its own values over the defaults of another
	rendered        atomic.Bool      // its templates have been evaluated
}

// baseKey is what a base depends on.
type baseKey struct {
	scope     eval.Scope
	overrides bool
	valid     bool // of libraries that its documents evaluate
}

// documents are the documents of one role in the files of a library.
type documents struct {
	own   []tree.Document // meant for the library itself
	inner []*target       // meant for libraries inside of it
	made  *eval.Result
	said  said
	err   error
}

// typed is the type of data values.
type typed struct {
	typ      *schema.Type
	declared bool // there is a schema
	said     said
	err      error
}

// laid is data values before others are given from outside.
type laid struct {
	stack values.Stack
	said  said
	err   error
}

// base gives the base of the library.
func (l *library) base() *base {
	r := l.run
	r.mu.Lock()
	defer r.mu.Unlock()
	key := l.baseKey()
	b := r.bases[key]
	if b == nil {
		b = newBase(l)
		if r.bases == nil {
			r.bases = map[baseKey]*base{}
		}
		r.bases[key] = b
	}
	return b
}

func (l *library) baseKey() baseKey { return baseKey{l.scope, l.eval.Overrides, l.valid} }

// forRun is the base for another run on the same files.
func (b *base) forRun() *base {
	return &base{compiled: b.compiled, templates: b.templates, schemas: b.schemas, values: b.values, typed: b.typed, own: b.own, lay: b.lay}
}

// newBase makes the base of a library, of which only the files count.
func newBase(l *library) *base {
	b := &base{}
	b.compiled = sync.OnceValue(func() error {
		if l.name == "" && l.run.opts.inspects() {
			return l.scope.CompileValues()
		}
		err := l.scope.Compile()
		if err == nil {
			b.templates = l.scope.Batch(l.scope.With(compile.ForOutput))
		}
		return err
	})
	b.schemas = sync.OnceValue(func() *documents { return l.documents(compile.ForSchema) })
	b.values = sync.OnceValue(func() *documents { return l.documents(compile.ForValues) })
	b.typed = sync.OnceValue(func() typed { return l.typeOf(b.schemas().own, b.schemas()) })
	b.lay = func(t typed) laid {
		var x laid
		docs := b.values()
		x.stack, x.err = values.New(t.typ, t.declared).Lay(docs.own, l.overlayOptions(docs.made, &x.said))
		return x
	}
	b.own = sync.OnceValue(func() laid { return b.lay(b.typed()) })
	return b
}

// typeOf makes the type of schema documents, of which some are those of the library.
func (l *library) typeOf(schemas []tree.Document, own *documents) typed {
	t := typed{declared: len(schemas) > 0}
	typ, list := values.Schema(schemas, l.overlayOptions(own.made, &t.said))
	if list.Failed() {
		t.err = list
		return t
	}
	t.typ, t.said.notes = typ, append(t.said.notes, list...)
	return t
}

// targets are the documents for libraries inside, not used yet: each evaluation has to.
func (d *documents) targets() []handed {
	var out []handed
	for _, t := range d.inner {
		out = append(out, handed{&target{doc: t.doc, at: t.at, ref: t.ref, schema: t.schema, after: t.after}, t.ref})
	}
	return out
}

// documents evaluates the files of a role.
func (l *library) documents(role compile.Role) *documents {
	name, what, other := compile.ValuesAnnotation, "data values", compile.SchemaAnnotation
	if role == compile.ForSchema {
		name, what, other = compile.SchemaAnnotation, "schema", compile.ValuesAnnotation
	}
	docs := &documents{}
	opt := l.eval
	opt.Values, opt.Unresolved = tree.Of(tree.NewMap(nil, source.Pos{})), true
	opt.Library = func(path string, s eval.Scope, kwargs []starlark.Tuple) (starlark.Value, error) {
		return l.inner(path, s, kwargs, nil, &names{}) // what is meant for it is not known yet
	}
	docs.made, docs.err = eval.Files(l.run.ctx, l.scope, l.scope.With(role), opt)
	docs.said = said{docs.made.Prints, docs.made.Notes}
	if docs.err != nil {
		return docs
	}
	var list diag.List
	for _, out := range docs.made.Outputs {
		for _, d := range out.Docs {
			if d.Annotations.Get(name) == nil {
				switch {
				case !d.Value.Empty():
					list = append(list, diag.Errorf(d.Pos.To(d.Pos.Offset()+3), codeOnlyKind, "expected %s file '%s' to only have %s documents", what, out.File.Input.Shown(), what).
						WithHint("move this document to a file of its own"))
				case d.Annotations.Get(other) != nil && slices.ContainsFunc(out.Docs, func(d tree.Document) bool { return !d.Value.Empty() }):
					// Empty though it is, it makes the file one of the other kind too.
					at := d.Annotations.Get(other).Pos
					list = append(list, diag.Errorf(at.To(at.Offset()+len("#@")+len(other)), codeOnlyKind, "expected %s file '%s' to only have %s documents, but found an empty one with @%s", what, out.File.Input.Shown(), what, other).
						WithHint("move the annotation to a file of its own, or remove it"))
				}
				continue
			}
			t, err := readTarget(d, name)
			switch {
			case err != nil:
				list = append(list, diag.Of(err)...)
			case t == nil:
				docs.own = append(docs.own, d)
			default:
				docs.inner = append(docs.inner, t)
			}
		}
	}
	if list != nil {
		docs.err = list
	}
	return docs
}

// readTarget reads the annotations that send a document to another library; nil means that it stays.
func readTarget(d tree.Document, name string) (*target, error) {
	at := d.Pos.To(d.Pos.Offset() + 3)
	t := &target{doc: d, at: at, schema: name == compile.SchemaAnnotation}
	note := d.Annotations.Get(name)
	for _, kw := range note.Kwargs {
		key, _ := starlark.AsString(kw[0])
		after, isBool := kw[1].(starlark.Bool)
		if key != "after_library_module" || t.schema {
			d := diag.Errorf(at, codeAnnotation, "unknown kwarg %s for annotation %s", key, name)
			if near := diag.Nearest(key, []string{"after_library_module"}); near != "" && !t.schema {
				d.WithHint("did you mean %s?", near)
			}
			return nil, d
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

// names are the libraries that templates have got, as references name them.
type names struct {
	mu   sync.Mutex
	list []string
}

func (n *names) add(path, alias string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, "@"+path)
	if alias != "" {
		n.list = append(n.list, "@~"+alias)
	}
}

// unused tells of documents that no library has used by the time the templates have run.
func unused(targets []handed, got *names) error {
	var list diag.List
	for _, t := range targets {
		if t.used.Load() {
			continue
		}
		what := "data value"
		if t.schema {
			what = "schema"
		}
		d := diag.Errorf(t.at, codeUnused, "expected all provided library data values documents to be used but found unused: %s belonging to library '%s'", what, t.ref)
		slices.Sort(got.list)
		known := slices.Compact(got.list)
		above := t.ref[:len(t.ref)-len(t.rest)].String() // the libraries on the way, which were found
		near := diag.Nearest(t.rest[:1].String(), known)
		switch {
		case len(known) == 0:
			d.WithHint("no template gets a library%s: evaluate it with library.get(...).eval()", orHere(above))
		case near != "" && near != t.rest[:1].String():
			d.WithHint("did you mean '%s'?", above+near)
		default:
			d.WithHint("the libraries that templates get%s are %s; is it evaluated?", orHere(above), strings.Join(known, ", "))
		}
		list = append(list, d)
	}
	if list != nil {
		return list
	}
	return nil
}

// orHere is where the templates are that get libraries.
func orHere(lib string) string {
	if lib == "" {
		return " here"
	}
	return " in " + lib
}
