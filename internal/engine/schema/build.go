package schema

import (
	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/tree"
)

// The annotations of schemas.
const (
	noteNullable   = "schema/nullable"
	noteType       = "schema/type"
	noteDefault    = "schema/default"
	noteTitle      = "schema/title"
	noteDesc       = "schema/desc"
	noteExamples   = "schema/examples"
	noteDeprecated = "schema/deprecated"
	noteSecret     = "schema/secret"
	noteValidation = "schema/validation"
	noteMap        = "schema/map"
	noteRequired   = "schema/required"
	noteComputed   = "schema/computed"
	noteAnyOf      = "schema/any-of"
	noteOneOf      = "schema/one-of"
)

// Build returns the type that a schema document declares, or nil if the list has an error; the list
// may have only warnings. All errors are reported at once.
func Build(doc tree.Doc) (*Type, diag.List) {
	var b builder
	t := b.build(documentNode(doc))
	if b.list.Failed() {
		return nil, b.list
	}
	return t, b.list
}

// builder collects the errors of a schema.
type builder struct {
	list   diag.List
	failed int // the number of errors, without warnings
	path   path
}

func (b *builder) fail(d *diag.Diagnostic) {
	b.report(d)
	b.failed++
}

// report adds a diagnostic about the node that is being built.
func (b *builder) report(d *diag.Diagnostic) {
	if d.Path == "" && len(b.path) > 0 {
		d.Path = b.path.String()
	}
	b.list = append(b.list, d)
}

// build returns the type of a node. After an error, the type is used only to find more errors.
func (b *builder) build(n node) *Type {
	before := b.failed
	t := &Type{at: n.span()}
	t.nullable = b.nullable(n)
	t.open = b.openMap(n)
	alternatives := b.union(t, n)
	switch {
	case alternatives:
	case b.anyType(n):
		b.checkBelowAny(n.value)
		t.def = n.value
	default:
		b.infer(t, n)
	}
	sound := b.failed == before // otherwise values would be checked against a wrong type
	if alternatives && sound && !(t.nullable && n.value.IsNull()) {
		b.unionDefault(t, n)
	}
	b.describe(t, n)
	if a := n.notes.Get(noteValidation); a != nil {
		r, list := compileRules(a, &n)
		t.rules = r
		for _, d := range list {
			b.fail(d)
		}
	}
	b.examples(t, n, sound)
	if t.nullable {
		t.def = tree.Null
	}
	b.setDefault(t, n, sound)
	b.required(t, n)
	b.computed(t, n)
	if t.kind == anyKind {
		t.nullable = true
	}
	t.ruled = t.ruled || t.rules != nil || t.open != nil && t.open.rules != nil
	t.deprecates = t.deprecates || t.deprecation != nil
	t.secrets = t.secrets || t.secret
	t.requires = t.requires || t.required
	t.computes = t.computes || t.computed != nil
	t.opens = t.opens || t.unset()
	return t
}

// infer derives a type from the value in the schema.
func (b *builder) infer(t *Type, n node) {
	switch n.value.Kind() {
	case tree.MapKind:
		b.inferMap(t, n)
		return
	case tree.ArrayKind:
		b.inferArray(t, n)
		return
	}
	t.def = n.value
	switch n.value.Starlark().(type) {
	case starlark.String:
		t.kind = stringKind
	case starlark.Int:
		t.kind = intKind
	case starlark.Float:
		t.kind = floatKind
	case starlark.Bool:
		t.kind = boolKind
	default:
		hint := "write a value of the intended type, and annotate it with `#@schema/nullable` " +
			"to make null the default; or allow any value with `#@schema/type any=True`"
		if n.notes.Get(noteNullable) != nil {
			hint = "a nullable value needs an example value to declare its type; or allow any " +
				"value with `#@schema/type any=True`"
		}
		b.fail(diag.Errorf(n.span(), CodeDefinition,
			"invalid schema: null value not allowed here: found null, expected a value of the "+
				"intended type").WithHint("%s", hint))
	}
}

func (b *builder) inferMap(t *Type, n node) {
	m, _ := n.value.Map()
	t.kind = mapKind
	entries := m.Entries()
	t.fields = make([]field, 0, len(entries))
	if len(entries) > manyFields {
		t.index = make(map[tree.ScalarKey]int, len(entries))
	}
	defaults := make([]tree.Item, 0, len(entries))
	for i := range entries {
		child := itemNode(&entries[i], tree.MapItem, n.pos)
		k, ok := child.key.ScalarKey()
		if !ok {
			b.fail(
				diag.Errorf(
					child.span(),
					CodeDefinition,
					"invalid schema: the key of a data value is a scalar, but found %s",
					diag.Article(child.key.TypeName()),
				),
			)
			continue
		}
		if t.open != nil && child.key.IsString(restKey) {
			b.inferRest(t, child)
			continue
		}
		b.path = append(b.path, step{key: child.key, index: -1})
		typ := b.build(child)
		b.path = b.path[:len(b.path)-1]
		if t.index != nil {
			t.index[k] = len(t.fields)
		}
		name, _ := starlark.AsString(child.key.Starlark())
		t.fields = append(t.fields, field{key: child.key, name: name, typ: typ})
		if !typ.unset() {
			defaults = append(defaults, tree.Item{Key: child.key, Value: typ.def, Pos: child.pos})
		}
		t.contains(typ)
	}
	b.checkRest(t, n)
	t.def = tree.Of(tree.NewMap(defaults, m.Pos)).WithOrigin(n.value.Origin())
}

// contains notes what is in a type that t contains, for walks.
func (t *Type) contains(inner *Type) {
	t.ruled = t.ruled || inner.ruled
	t.deprecates = t.deprecates || inner.deprecates
	t.secrets = t.secrets || inner.secrets
	t.requires = t.requires || inner.requires
	t.computes = t.computes || inner.computes
	t.opens = t.opens || inner.opens
	t.tagged = t.tagged || inner.tagged
}

func (b *builder) inferArray(t *Type, n node) {
	a, _ := n.value.Array()
	t.kind = arrayKind
	t.def = tree.Of(tree.NewArray(nil, a.Pos)).WithOrigin(n.value.Origin())
	entries := a.Entries()
	if len(entries) != 1 {
		d := diag.Errorf(n.span(), CodeDefinition,
			"invalid schema: wrong number of items in array definition: found %d array items, "+
				"expected exactly 1, of the desired type", len(entries)).
			WithHint("the one item declares the type of all items, and arrays are empty by " +
				"default: set another default with `#@schema/default` above the array")
		if len(entries) > 1 {
			second := itemNode(&entries[1], tree.ArrayItem, n.pos)
			relate(d, second.span(), "the second item is here")
		}
		b.fail(d)
		if len(entries) == 0 {
			t.item = Any()
			return
		}
	}
	b.path = append(b.path, step{index: 0})
	t.item = b.build(itemNode(&entries[0], tree.ArrayItem, n.pos))
	b.path = b.path[:len(b.path)-1]
	t.contains(t.item)
}

// typeNotes are the annotations that say something about the type.
var typeNotes = [...]string{
	noteNullable, noteType, noteDefault, noteMap, noteRequired, noteComputed, noteAnyOf, noteOneOf,
}

// checkBelowAny rejects annotations that have no effect because they are below `any=True`, where
// there are no types.
func (b *builder) checkBelowAny(v tree.Value) {
	if _, _, ok := v.Syntax(); ok {
		return // no node below has annotations
	}
	entries, what := v.Entries(), tree.MapItem
	if v.Kind() == tree.ArrayKind {
		what = tree.ArrayItem
	}
	for i := range entries {
		n := itemNode(&entries[i], what, v.Start())
		at := step{key: n.key, index: -1}
		if what == tree.ArrayItem {
			at.index = i
		}
		b.path = append(b.path, at)
		var found []*tree.Annotation
		for _, name := range typeNotes {
			if a := n.notes.Get(name); a != nil {
				found = append(found, a)
			}
		}
		if found != nil {
			d := diag.Errorf(
				noteSpan(found[0]),
				CodeAnnotation,
				"invalid schema: schema was specified within an \"any type\" fragment: found "+
					"@%s, expected no '@schema/...' on nodes within a node annotated "+
					"'@schema/type any=True'",
				found[0].Name,
			)
			for _, a := range found[1:] {
				relate(d, noteSpan(a), "and @"+a.Name+" is here")
			}
			b.fail(
				n.annotated(d).
					WithHint("an \"any type\" fragment has no constraints: remove the " +
						"annotation, or `any=True` above"),
			)
		}
		if a := n.notes.Get(noteValidation); a != nil {
			d := diag.Warningf(
				noteSpan(a),
				CodeAnnotation,
				"@%s has no effect within a node annotated '@schema/type any=True'",
				a.Name,
			)
			b.report(
				n.annotated(d).WithHint("put the rule on the node that is annotated with any=True"),
			)
		}
		b.checkBelowAny(n.value)
		b.path = b.path[:len(b.path)-1]
	}
}
