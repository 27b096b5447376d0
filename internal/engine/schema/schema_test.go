package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/engine/load"
	"weft/internal/engine/schema"
	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
)

// build is the type that the text of a schema declares.
func build(t testing.TB, text string) (*program, *schema.Type) {
	t.Helper()
	p, list := run(
		t,
		[]load.Memory{{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\n" + text)}},
	)
	if list != nil {
		t.Fatal(p.render(list))
	}
	typ, list := p.typ()
	if list != nil {
		t.Fatal(p.render(list))
	}
	return p, typ
}

// TestAssignShares sees to it that values which need no filling in are handed on as they are.
func TestAssignShares(t *testing.T) {
	_, typ := build(t, "a: 1\nm:\n  b: x\nl:\n- c: 1\n  d: 2\n")
	q, _ := run(
		t,
		[]load.Memory{
			{
				Path: "values.yml",
				Data: []byte("#@data/values\n---\na: 2\nm:\n  b: z\nl:\n- c: 1\n  d: 1\n"),
			},
		},
	)
	doc, list := typ.Assign(q.values[0], tree.Doc{})
	if list != nil {
		t.Fatal(list)
	}
	if doc.Value != q.values[0].Value {
		t.Error("complete values were copied")
	}
}

// TestAssignSkipsWhatIsChecked sees to it that a step over large values costs what it changes. That
// a wrong value is not found where the caller says that it was checked is how the test knows that
// no one looked.
func TestAssignSkipsWhatIsChecked(t *testing.T) {
	_, typ := build(t, "a: 1\nb: 1\n")
	wrong := tree.Of(
		tree.NewMap(
			[]tree.Item{
				{Key: tree.String("a"), Value: tree.String("x")},
				{Key: tree.String("b"), Value: tree.String("z")},
			},
			source.Pos{},
		),
	)
	if _, list := typ.Assign(tree.Doc{Value: wrong}, tree.Doc{}); len(list) != 2 {
		t.Errorf("got %d violations, want 2", len(list))
	}
	if _, list := typ.Assign(tree.Doc{Value: wrong}, tree.Doc{Value: wrong}); list != nil {
		t.Errorf("what was checked is checked again: %v", list)
	}
	next := tree.Of(
		tree.NewMap(
			[]tree.Item{
				{Key: tree.String("a"), Value: tree.String("x")},
				{Key: tree.String("b"), Value: tree.String("new")},
			},
			source.Pos{},
		),
	)
	if _, list := typ.Assign(tree.Doc{Value: next}, tree.Doc{Value: wrong}); len(
		list,
	) != 1 ||
		list[0].Path != "b" {
		t.Errorf("got %v, want one violation at b", list)
	}
}

// TestAssignComparesByKey sees to it that a value counts as checked only under the key that it had
// then: keys before it may have gone, so that it is where another one was.
func TestAssignComparesByKey(t *testing.T) {
	_, typ := build(t, "a: x\nb: 1\n")
	item := func(key string, v tree.Value) tree.Item { return tree.Item{Key: tree.String(key), Value: v} }
	mapping := func(items ...tree.Item) tree.Doc {
		return tree.Doc{Value: tree.Of(tree.NewMap(items, source.Pos{}))}
	}
	checked := mapping(item("a", tree.String("z")), item("b", tree.Of(starlark.MakeInt(1))))
	_, list := typ.Assign(mapping(item("b", tree.String("z"))), checked)
	if len(list) != 1 || list[0].Path != "b" {
		t.Errorf("got %v, want one violation at b", list)
	}
}

// TestAssignFillsInOrder sees to it that fields which a step took out of a part come back in the
// order of the schema, whatever order they had.
func TestAssignFillsInOrder(t *testing.T) {
	_, typ := build(t, "a: 1\nb: 2\nc: 3\nd: 4\n")
	mapping := func(keys ...string) *tree.Map {
		var items []tree.Item
		for _, k := range keys {
			items = append(
				items,
				tree.Item{Key: tree.String(k), Value: tree.Of(starlark.MakeInt(0))},
			)
		}
		return tree.NewMap(items, source.Pos{})
	}
	part := mapping("c", "b", "a")
	steps := &schema.Steps{Parts: schema.Parts{Maps: map[*tree.Map]bool{part: true}}}
	doc, list := typ.AssignStep(
		tree.Doc{Value: tree.Of(mapping("b"))},
		tree.Doc{Value: tree.Of(part)},
		steps,
	)
	if list != nil {
		t.Fatal(list)
	}
	var got []string
	m, _ := doc.Value.Map()
	for _, it := range m.Entries() {
		got = append(got, it.Key.Starlark().String()+"="+it.Value.Starlark().String())
	}
	if want := `"b"=0 "a"=1 "c"=3`; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestValidateEnds sees to it that a run which must end is not taken for a value that breaks a
// rule.
func TestValidateEnds(t *testing.T) {
	_, typ := build(
		t,
		"#@schema/validation (\"x\", lambda v: True)\na: 1\n#@schema/validation min=5, when=lambda v: True\nb: 1\n#@schema/validation min=5\nc: 1\n",
	)
	limit := diag.List{diag.Errorf(source.Span{}, "eval/limit", "too many steps")}
	calls := 0
	list := typ.Validate(
		typ.Default(),
		func(starlark.Callable, ...starlark.Value) (starlark.Value, error) {
			calls++
			return nil, fmt.Errorf("calling: %w", limit)
		},
		nil,
	)
	if calls != 1 || len(list) != 1 || list[0] != limit[0] {
		t.Errorf("got %d calls and %v, want 1 and the limit alone", calls, list)
	}
	list = typ.Validate(
		typ.Default(),
		func(f starlark.Callable, _ ...starlark.Value) (starlark.Value, error) {
			return nil, errors.New("fail: no")
		},
		nil,
	)
	if len(list) != 3 {
		t.Errorf("got %v, want three violations", list)
	}
}

// TestOneOfTooDeep sees to it that a value which is too deep to be compared is not taken for one of
// those that are allowed.
func TestOneOfTooDeep(t *testing.T) {
	nest := func(inner string) string { return strings.Repeat("[", 400) + inner + strings.Repeat("]", 400) }
	deep := "[&a " + nest("x") + ", &b " + nest("*a") + ", &c " + nest("*b") + "]\n"
	_, typ := build(
		t,
		"#@ def deep():\nv: "+deep+"#@ end\n#@schema/type any=True\n#@schema/validation one_of=[deep()[\"v\"]]\na: "+deep,
	)
	list := typ.Validate(typ.Default(), nil, nil)
	if len(list) != 1 || !strings.Contains(list[0].Message, "recursion depth") {
		t.Errorf("got %.200v, want that the values are too deep", list)
	}
}

// TestValidateContext sees to it that conditions get the parent of a value and the root, also in
// arrays.
func TestValidateContext(t *testing.T) {
	_, typ := build(
		t,
		"#@schema/default [1, 2]\nl:\n#@schema/validation max=0, when=lambda v, ctx: True\n- 1\n",
	)
	var parents []string
	typ.Validate(
		typ.Default(),
		func(_ starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
			ctx := args[1].(*tree.Struct)
			parent, _ := ctx.Attr("parent")
			root, _ := ctx.Attr("root")
			l, _, _ := root.(starlark.Mapping).Get(starlark.String("l"))
			same, err := starlark.Equal(parent, l)
			parents = append(parents, fmt.Sprintf("%v:%t:%v", args[0], same, err))
			return starlark.True, nil
		},
		nil,
	)
	if got, want := strings.Join(parents, " "), "1:true:<nil> 2:true:<nil>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestManyUnknownKeys sees to it that hints do not make many mistakes a quadratic affair.
func TestManyUnknownKeys(t *testing.T) {
	const n = 4000
	var declared, given strings.Builder
	for i := range n {
		fmt.Fprintf(&declared, "declared%d: 1\n", i)
		fmt.Fprintf(&given, "given%d: 1\n", i)
	}
	_, typ := build(t, declared.String())
	q, _ := run(
		t,
		[]load.Memory{{Path: "values.yml", Data: []byte("#@data/values\n---\n" + given.String())}},
	)
	if _, list := typ.Assign(q.values[0], typ.Default()); len(list) != n {
		t.Errorf("got %d violations, want %d", len(list), n)
	}
}

// TestDefaultIsSound is a law: what a schema gives by default is of its type, and complete.
func TestDefaultIsSound(t *testing.T) {
	_, typ := build(
		t,
		"#@schema/nullable\na: 1\nm:\n  x: 1.5\n#@schema/default [{\"p\": 1}]\nl:\n- p: 0\n  q: [\"\"]\n#@schema/type any=True\nz: [1, x]\n",
	)
	doc, list := typ.Assign(typ.Default(), tree.Doc{})
	if list != nil {
		t.Fatal(list)
	}
	if doc.Value != typ.Default().Value {
		t.Error("the default is not complete")
	}
}

// BenchmarkSchema is a schema with many keys and rules, built, and values that set all of them,
// checked and validated.
func BenchmarkSchema(b *testing.B) {
	for _, n := range []int{500, 5000} {
		var declared, given strings.Builder
		for i := range n / 20 {
			fmt.Fprintf(&declared, "group%d:\n  nested:\n", i)
			fmt.Fprintf(&given, "group%d:\n  nested:\n", i)
			for k := range 20 {
				switch k % 4 {
				case 0:
					fmt.Fprintf(
						&declared,
						"    #@schema/validation min_len=1, max_len=100\n    key%d: x\n",
						k,
					)
					fmt.Fprintf(&given, "    key%d: abc\n", k)
				case 1:
					fmt.Fprintf(
						&declared,
						"    #@schema/validation min=0, max=100000\n    key%d: 1\n",
						k,
					)
					fmt.Fprintf(&given, "    key%d: 17\n", k)
				case 2:
					fmt.Fprintf(&declared, "    #@schema/nullable\n    key%d: x\n", k)
				default:
					fmt.Fprintf(&declared, "    key%d:\n    - a: 1\n      b: x\n", k)
					fmt.Fprintf(&given, "    key%d:\n    - a: 2\n", k)
				}
			}
		}
		p, _ := run(b, []load.Memory{
			{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\n" + declared.String())},
			{Path: "values.yml", Data: []byte("#@data/values\n---\n" + given.String())},
		})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				typ, list := schema.Build(p.schema[0])
				if list != nil {
					b.Fatal(list)
				}
				doc, list := typ.Assign(p.values[0], typ.Default())
				if list != nil {
					b.Fatal(list)
				}
				if list := typ.Validate(doc, p.call, nil); list != nil {
					b.Fatal(list)
				}
			}
		})
	}
}

// FuzzSchema is three laws for any schema and any values: nothing panics; what Assign gives without
// complaint it gives again; the JSON Schema is one.
func FuzzSchema(f *testing.F) {
	f.Add("a: 1\nm:\n  x: [1]\n", "a: 2\nm: {x: [3]}\n")
	f.Add("#@schema/nullable\na: 1\n#@schema/type any=True\nb: {c: 1}\n", "a: null\nb: []\n")
	f.Add("#@schema/default [{\"a\": 1}]\nl:\n- a: 0\n  b: \"\"\n", "l:\n- b: x\n- a: 7\n")
	f.Add("#@schema/validation min=1, max_len=3, one_of=[1], when=lambda v: True\na: 1\n", "a: 5\n")
	f.Add(
		"#@schema/validation one_not_null=True, not_null=True\n#@schema/nullable\nm:\n  #@schema/nullable\n  a: 1\n",
		"#@assert/validate (\"x\", len)\nm: {a: 1}\n",
	)
	f.Add("? [a]\n: 1\n", "1: &x {a: *x}\n")
	f.Add("#@schema/examples (\"x\", {})\n#@schema/deprecated 1\n#@schema/title\na: {}\n", "- 1\n")
	f.Fuzz(func(t *testing.T, declared, given string) {
		p, list := run(t, []load.Memory{
			{Path: "schema.yml", Data: []byte("#@data/values-schema\n---\n" + declared)},
			{Path: "values.yml", Data: []byte("#@data/values\n---\n" + given)},
		})
		if list != nil {
			return
		}
		typ, list := p.typ()
		if list.Failed() {
			if typ != nil {
				t.Error("there is a type in spite of errors")
			}
			p.render(list)
			return
		}
		compileJSONSchema(t, typ)
		_ = print(typ.OpenAPI())
		var told diag.List
		doc, list := p.resolve(typ, p.values, &told)
		p.render(append(list, told...))
		if list != nil {
			return
		}
		again, list := typ.Assign(doc, tree.Doc{})
		if list != nil || again.Value != doc.Value {
			t.Errorf("the result is of another type: %v", list)
		}
	})
}
