package schema_test

import (
	"bytes"
	"slices"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/engine/compile"
	"weft/internal/engine/emit"
	"weft/internal/engine/eval"
	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// program is a set of files whose schema and values documents were evaluated.
type program struct {
	files  *source.Set
	scope  eval.Scope
	schema []tree.Doc
	values []tree.Doc
	call   schema.Call
}

// run evaluates files as the pipeline does, up to where documents are merged.
func run(t testing.TB, files []load.Memory) (*program, diag.List) {
	t.Helper()
	p := &program{files: &source.Set{}}
	inputs, err := load.Read(p.files, load.Options{Memory: files})
	if err != nil {
		return p, diag.Of(err)
	}
	p.scope = eval.NewLibrary(inputs, compile.Options{}).Root()
	if err := p.scope.Compile(); err != nil {
		return p, diag.Of(err)
	}
	docs := func(role compile.Role, name string) ([]tree.Doc, error) {
		res, err := eval.Files(
			t.Context(),
			p.scope,
			p.scope.With(role),
			eval.Options{MaxSteps: 1_000_000},
		)
		if err != nil {
			return nil, err
		}
		thread := res.Thread(t.Context())
		p.call = func(fn starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
			return starlark.Call(thread, fn, args, nil)
		}
		var out []tree.Doc
		for _, o := range res.Outputs {
			for _, d := range o.Docs {
				if d.Annotations.Get(name) != nil {
					out = append(out, d)
				}
			}
		}
		return out, nil
	}
	if p.values, err = docs(compile.ForValues, compile.ValuesAnnotation); err != nil {
		return p, diag.Of(err)
	}
	if p.schema, err = docs(compile.ForSchema, compile.SchemaAnnotation); err != nil {
		return p, diag.Of(err)
	}
	return p, nil
}

// typ is the type that the first schema document declares, or any.
func (p *program) typ() (*schema.Type, diag.List) {
	if len(p.schema) == 0 {
		return schema.Any(), nil
	}
	return schema.Build(p.schema[0])
}

// merge is a stand-in for overlays: maps are merged, arrays of documents appended, all else is
// replaced. The item on the left keeps its annotations, and its place if it is merged with.
func merge(left, right tree.Value, appends bool) tree.Value {
	if l, ok := left.Array(); ok && appends {
		if r, ok := right.Array(); ok {
			return tree.Of(tree.NewArray(slices.Concat(l.Entries(), r.Entries()), l.Pos))
		}
	}
	l, ok := left.Map()
	if !ok {
		return right
	}
	r, ok := right.Map()
	if !ok {
		return right
	}
	items := slices.Clone(l.Entries())
	for _, it := range r.Entries() {
		i := l.Find(it.Key.Starlark())
		switch {
		case i < 0:
			items = append(items, it)
		default:
			kind := it.Value.Kind()
			merges := kind == items[i].Value.Kind() &&
				(kind == tree.MapKind || kind == tree.ArrayKind && appends)
			items[i].Value = merge(items[i].Value, it.Value, appends)
			if !merges {
				items[i].Pos = it.Pos
			}
		}
	}
	return tree.Of(tree.NewMap(items, l.Pos))
}

// resolve gives the final values: defaults, then each document, checked after each step, then
// validated. Warnings go to told.
func (p *program) resolve(
	typ *schema.Type,
	documents []tree.Doc,
	told *diag.List,
) (tree.Doc, diag.List) {
	doc := typ.Default()
	for i, d := range documents {
		d = d.Placed()
		*told = append(*told, typ.Deprecated(d)...)
		next := doc
		if i == 0 && len(p.schema) == 0 {
			next = d
		}
		next.Value = merge(doc.Value, d.Value, i < len(p.values))
		var list diag.List
		if doc, list = typ.Assign(next, doc); list != nil {
			return doc, list
		}
	}
	if list := typ.Missing(doc); list != nil {
		return doc, list
	}
	doc, list := typ.Compute(doc, schema.Computing{Call: p.call})
	if list != nil {
		return doc, list
	}
	return doc, typ.Validate(doc, p.call, nil)
}

// render is a list as users see it.
func (p *program) render(list diag.List) string {
	var b bytes.Buffer
	_ = diag.Render(&b, p.files, list, diag.RenderOptions{Full: 100})
	return b.String()
}

// print is a value as YAML.
func print(v tree.Value) string {
	var b bytes.Buffer
	_, _ = emit.YAML(&b, []tree.Doc{{Value: v}}, 0)
	return b.String()
}
