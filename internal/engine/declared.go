package engine

import (
	"context"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/schema"
	"weft/internal/engine/values"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// The codes of this file's diagnostics.
const (
	codeOnlyKind   diag.Code = "values/mixed-file" // a file with documents of different roles
	codeAnnotation diag.Code = "values/annotation" // an invalid annotation
	// data values for a library that is never evaluated
	codeUnused diag.Code = "values/unused"
)

// declared is what the files of a library declare: its data values and its templates. It does not
// depend on the values that are passed to the library, so it is computed once. Each part is computed
// only when it is needed, because layers from outside may fix errors in it.
type declared struct {
	templates *eval.Batch // nil until it is compiled

	compiled        memo[error]
	schemas, valued memo[*documents]
	typ             memo[ownType] // the type of the schema in the library's files
	// the values in the library's files, merged into the defaults of that type
	own memo[ownValues]

	mu     sync.Mutex
	before inherited // its state before files changed: see legacy
}

// inherited is what was known about a library's declarations before some of its files changed. It
// stays valid as long as it does not depend on a change.
type inherited struct {
	schemas, values *documents
	typ             *ownType
	own             *ownValues
}

// declaredKey is what the declarations of a library depend on.
type declaredKey struct {
	scope     eval.Scope
	overrides bool
	valid     bool // of libraries that its documents evaluate
}

// documents are the documents of one role in the files of a library.
type documents struct {
	own   []tree.Doc // meant for the library itself
	inner []*layer   // meant for libraries inside it
	res   *eval.Result
	log   messages
	err   error
}

// ownType is a type of data values.
type ownType struct {
	typ      *schema.Type
	declared bool // there is a schema
	log      messages
	err      error
}

// ownValues is the data values of a library before others are passed in from outside.
type ownValues struct {
	stack values.Stack
	log   messages
	err   error
}

// memo is a value that is computed once, by the first goroutine that needs it, while others wait. If
// the first is interrupted, the next one computes it.
type memo[T any] struct {
	mu    sync.Mutex
	known bool
	value T
}

func (m *memo[T]) get(ctx context.Context, work func() T) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known {
		return m.value
	}
	v := work()
	if ctx.Err() == nil {
		m.value, m.known = v, true
	}
	return v
}

// peek returns a copy of the value if it is known: a pointer into m would keep alive everything
// that m is part of, session after session.
func (m *memo[T]) peek() *T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known {
		return nil
	}
	v := m.value
	return &v
}

// inherits returns the declarations from before files changed.
func (d *declared) inherits() inherited {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.before
}

// legacy returns what the next declarations of the library inherit after files change. d drops what
// it inherited itself. Otherwise each session would keep all earlier ones in memory, because
// documents refer to their session.
func (d *declared) legacy() inherited {
	d.mu.Lock()
	left := d.before
	d.before = inherited{}
	d.mu.Unlock()
	if docs := d.schemas.peek(); docs != nil {
		if *docs != left.schemas {
			left.own = nil // they have the type of the earlier schema
		}
		left.schemas, left.typ = *docs, d.typ.peek()
	}
	if docs := d.valued.peek(); docs != nil {
		left.values, left.own = *docs, d.own.peek()
	}
	return left
}

// declared returns what the files of the library declare.
func (l *library) declared() *declared {
	s := l.run.session
	s.mu.Lock()
	defer s.mu.Unlock()
	key := declaredKey{l.scope, l.eval.Overrides, l.valid}
	d := s.declared[key]
	if d == nil {
		d = &declared{}
		if s.declared == nil {
			s.declared = map[declaredKey]*declared{}
		}
		s.declared[key] = d
	}
	return d
}

// compile compiles all files of the library. It cannot be interrupted, so it is done once: several
// evaluations of a session may read the templates at the same time.
func (d *declared) compile(l *library) error {
	return d.compiled.get(context.Background(), func() error {
		err := l.scope.Compile()
		d.templates = l.scope.Batch(l.scope.With(compile.ForOutput)) // of the files without errors
		return err
	})
}

func (d *declared) schemaDocuments(l *library) *documents {
	return d.schemas.get(
		l.ctx,
		func() *documents { return l.documents(compile.ForSchema, d.inherits().schemas) },
	)
}

func (d *declared) valuesDocuments(l *library) *documents {
	return d.valued.get(
		l.ctx,
		func() *documents { return l.documents(compile.ForValues, d.inherits().values) },
	)
}

func (d *declared) ownType(l *library) ownType {
	docs := d.schemaDocuments(l)
	return d.typ.get(l.ctx, func() ownType {
		if was := d.inherits(); was.typ != nil && docs == was.schemas {
			return *was.typ
		}
		return l.typeOf(docs.own, docs)
	})
}

func (d *declared) ownValues(l *library) ownValues {
	typ, docs := d.ownType(l), d.valuesDocuments(l)
	return d.own.get(l.ctx, func() ownValues {
		if was := d.inherits(); was.own != nil && docs == was.values &&
			d.schemaDocuments(l) == was.schemas {
			return *was.own
		}
		return d.valuesUnder(l, typ)
	})
}

// valuesUnder returns the values in the library's files on top of the defaults of a type. There are
// none if the type itself has errors, which another schema may fix.
func (d *declared) valuesUnder(l *library, t ownType) ownValues {
	if t.err != nil {
		return ownValues{err: t.err}
	}
	var x ownValues
	docs := d.valuesDocuments(l)
	x.stack, x.err = values.New(t.typ, t.declared).Late(l.run.config.LateChecks).
		Apply(layersBy(tree.ByDocument, docs.own), l.valueOptions(docs.res, &x.log))
	return x
}

// typeOf builds the type of schema documents, some of which belong to the library.
func (l *library) typeOf(schemas []tree.Doc, docs *documents) ownType {
	t := ownType{declared: len(schemas) > 0}
	typ, list := values.Schema(schemas, l.valueOptions(docs.res, &t.log))
	if list.Failed() {
		t.err = list
		return t
	}
	t.typ, t.log.notes = typ, append(t.log.notes, list...)
	return t
}

// routed returns the documents for inner libraries, marked as unused: each evaluation has to use
// them.
func (d *documents) routed() []routed {
	var out []routed
	for _, t := range d.inner {
		fresh := &layer{doc: t.doc, by: t.by, at: t.at, ref: t.ref, schema: t.schema, after: t.after}
		out = append(out, routed{fresh, t.ref})
	}
	return out
}

// fileKind says what the documents of a file contain: schema or data values.
type fileKind struct {
	annotation, what string
	other            string // the annotation of the other kind
}

// missingAnnotation returns the error for d, a document of out without the annotation of its kind, or nil.
func (k fileKind) missingAnnotation(out eval.Output, d tree.Doc) *diag.Diagnostic {
	full := func(d tree.Doc) bool { return !d.Value.Empty() }
	other := d.Annotations.Get(k.other)
	switch {
	case full(d):
		return diag.Errorf(d.Pos.To(d.Pos.Offset()+3), codeOnlyKind,
			"expected %s file '%s' to only have %s documents", k.what, out.File.Input.Shown(), k.what).
			WithHint("move this document to a separate file")
	case other != nil && slices.ContainsFunc(out.Docs, full):
		// Even an empty document makes the file one of the other kind too.
		return diag.Errorf(other.Pos.To(other.Pos.Offset()+len("#@")+len(k.other)), codeOnlyKind,
			"expected %s file '%s' to only have %s documents, but found an empty one with @%s",
			k.what, out.File.Input.Shown(), k.what, k.other).
			WithHint("move the annotation to a separate file, or remove it")
	}
	return nil
}

// documents evaluates the files of a role, unless their earlier result is still valid.
func (l *library) documents(role compile.Role, before *documents) *documents {
	files := l.scope.With(role)
	if before != nil && before.err == nil && before.res.Holds(l.scope, files) {
		return before
	}
	kind := fileKind{compile.ValuesAnnotation, "data values", compile.SchemaAnnotation}
	if role == compile.ForSchema {
		kind = fileKind{compile.SchemaAnnotation, "schema", compile.ValuesAnnotation}
	}
	name := kind.annotation
	docs := &documents{}
	opt := l.eval
	opt.Keep = !l.run.config.Once
	opt.Values, opt.Unresolved = tree.Of(tree.NewMap(nil, source.Pos{})), true
	opt.Library = func(
		ctx context.Context, path string, s eval.Scope, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		return l.inner(ctx, path, s, kwargs, nil, &names{}) // the layers for the library are not known yet
	}
	docs.res, docs.err = eval.Files(l.ctx, l.scope, files, opt)
	docs.log = messages{docs.res.Prints, docs.res.Notes}
	if docs.err != nil {
		return docs
	}
	var list diag.List
	for _, out := range docs.res.Outputs {
		for _, d := range out.Docs {
			if d.Annotations.Get(name) == nil {
				if x := kind.missingAnnotation(out, d); x != nil {
					list = append(list, x)
				}
				continue
			}
			docs.log.notes = append(docs.log.notes, emit.Misplaced(d.Annotations, kind.what)...)
			t, err := readLayer(d, name)
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

// readLayer reads the annotations that send a document to another library. It returns nil if there
// are none.
func readLayer(d tree.Doc, name string) (*layer, error) {
	at := d.Pos.To(d.Pos.Offset() + 3)
	t := &layer{doc: d, by: tree.ByDocument, at: at, schema: name == compile.SchemaAnnotation}
	note := d.Annotations.Get(name)
	for _, kw := range note.Kwargs {
		key, _ := starlark.AsString(kw[0])
		after, isBool := kw[1].(starlark.Bool)
		if key != "after_library_module" || t.schema {
			d := diag.Errorf(at, codeAnnotation, "unknown kwarg %s for annotation %s", key, name)
			if near := diag.Nearest(key, []string{"after_library_module"}); near != "" &&
				!t.schema {
				d.WithHint("did you mean %s?", near).WithFixOn(note.Pos, key, near)
			}
			return nil, d
		}
		if !isBool {
			return nil, diag.Errorf(
				at,
				codeAnnotation,
				"expected kwarg 'after_library_module' to be a boolean, but was %s",
				kw[1].Type(),
			)
		}
		t.after = bool(after)
	}
	ref := d.Annotations.Get("library/ref")
	if ref == nil {
		if len(note.Kwargs) > 0 {
			return nil, diag.Errorf(
				at,
				codeAnnotation,
				"annotation %s: expected kwarg 'after_library_module' to be used with library/ref annotation",
				name,
			)
		}
		return nil, nil
	}
	if len(ref.Args) != 1 {
		return nil, diag.Errorf(
			at,
			codeAnnotation,
			"annotation library/ref: expected library/ref annotation to have one arg, got %d",
			len(ref.Args),
		)
	}
	s, ok := starlark.AsString(ref.Args[0])
	if !ok {
		return nil, diag.Errorf(
			at,
			codeAnnotation,
			"annotation library/ref: expected a string, but was %s",
			ref.Args[0].Type(),
		)
	}
	var err error
	if t.ref, err = values.ParseRef(s); err != nil {
		return nil, diag.Errorf(at, codeAnnotation, "annotation library/ref: %s", err)
	}
	return t, nil
}

// names records the libraries that templates have requested, by reference.
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

// unused reports documents for libraries that were not evaluated, after the templates have run.
func unused(layers []routed, got *names) error {
	var list diag.List
	for _, t := range layers {
		if t.used.Load() {
			continue
		}
		what := "data value"
		if t.schema {
			what = "schema"
		}
		d := diag.Errorf(
			t.at,
			codeUnused,
			"expected all provided library data values documents to be used but found unused: %s "+
				"belonging to library '%s'",
			what,
			t.ref,
		)
		slices.Sort(got.list)
		known := slices.Compact(got.list)
		// the part of the path whose libraries were found
		above := t.ref[:len(t.ref)-len(t.rest)].String()
		near := diag.Nearest(t.rest[:1].String(), known)
		switch {
		case len(known) == 0:
			d.WithHint(
				"no template gets a library%s: evaluate it with library.get(...).eval()",
				inLibrary(above),
			)
		case near != "" && near != t.rest[:1].String():
			d.WithHint("did you mean '%s'?", above+near)
		default:
			d.WithHint(
				"the libraries that templates get%s are %s; is it evaluated?",
				inLibrary(above),
				strings.Join(known, ", "),
			)
		}
		list = append(list, d)
	}
	if list != nil {
		return list
	}
	return nil
}

// inLibrary describes the place of the templates that request libraries.
func inLibrary(lib string) string {
	if lib == "" {
		return " here"
	}
	return " in " + lib
}
