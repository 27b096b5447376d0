package modules

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"golang.org/x/mod/semver"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
	"weft/internal/testing/cases"
)

// TestModules runs the cases of testdata: an expression, and what it gives, as repr shows it (`=>
// `), or its error (`!! `), which may be cut short with `…` where the words are those of another
// package.
func TestModules(t *testing.T) {
	cases.Each(t, "testdata/*.txt", func(t *testing.T, path string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for c := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
			expr, want, ok := cutCase(c)
			if !ok {
				t.Errorf("case without a result:\n%s", c)
				continue
			}
			got := outcome(evaluate(t, &Env{}, expr))
			if start, ok := strings.CutSuffix(want, "…"); ok && strings.HasPrefix(got, start) {
				continue
			}
			if diff := cmp.Diff(got, want); diff != "" {
				t.Errorf("%s\n(-got +want):\n%s", expr, diff)
			}
		}
	})
}

func cutCase(c string) (expr, want string, ok bool) {
	for _, mark := range []string{"=> ", "!! "} {
		if before, after, found := strings.Cut(c, "\n"+mark); found {
			return before, mark + after, true
		}
	}
	return "", "", false
}

func outcome(v starlark.Value, err error) string {
	if err != nil {
		return "!! " + strings.ReplaceAll(err.Error(), "\n", `\n`)
	}
	return "=> " + v.String()
}

// evaluate evaluates an expression that can use all modules, the functions of Universe, those that
// follow `%` and format, and makers of fragments.
func evaluate(t testing.TB, env *Env, expr string) (starlark.Value, error) {
	t.Helper()
	return starlark.EvalOptions(options, &starlark.Thread{}, "test", expr, predeclared(t, env))
}

var options = &syntax.FileOptions{
	Set:             true,
	While:           true,
	TopLevelControl: true,
	GlobalReassign:  true,
	Recursion:       true,
}

func predeclared(t testing.TB, env *Env) starlark.StringDict {
	t.Helper()
	all := starlark.StringDict{
		"percent": starlark.NewBuiltin("percent", Percent),
		"format":  starlark.NewBuiltin("format", Format),
		"frag":    starlark.NewBuiltin("frag", fragment),
		"docs":    starlark.NewBuiltin("docs", documents),
		"nothing": tree.Nothing{},
	}
	for name, v := range Universe.Get() {
		all[name] = v
	}
	for _, name := range Names() {
		symbols, err := env.Load(name)
		if err != nil {
			if name != "data" && name != "overlay" && name != "library" {
				t.Fatal(err)
			}
			continue
		}
		for name, v := range symbols {
			all[name] = v
		}
	}
	return all
}

// fragment makes the fragment that a YAML text is.
func fragment(
	_ *starlark.Thread,
	_ *starlark.Builtin,
	args starlark.Tuple,
	_ []starlark.Tuple,
) (starlark.Value, error) {
	t, err := parse(string(args[0].(starlark.String)))
	if err != nil {
		return nil, err
	}
	return tree.FromSyntax(t, t.Root(t.First())).Starlark(), nil
}

func documents(
	_ *starlark.Thread,
	_ *starlark.Builtin,
	args starlark.Tuple,
	_ []starlark.Tuple,
) (starlark.Value, error) {
	t, err := parse(string(args[0].(starlark.String)))
	if err != nil {
		return nil, err
	}
	var docs []tree.Doc
	for doc := range t.Documents() {
		docs = append(docs, tree.Doc{Value: tree.FromSyntax(t, t.Root(doc))})
	}
	return tree.NewDocumentSet(docs), nil
}

func parse(text string) (*yaml.Tree, error) {
	var set source.Set
	f, err := set.Add("test.yml", []byte(text))
	if err != nil {
		return nil, err
	}
	return yaml.Parse(f, yaml.Options{})
}

func TestLoad(t *testing.T) {
	own := starlark.String("own")
	env := &Env{Pipeline: map[string]starlark.Value{"data": own}}
	for _, name := range Names() {
		symbols, err := env.Load(name)
		switch name {
		case "library":
			if err == nil {
				t.Errorf("%s: loaded, but nobody has made it", name)
			}
			continue
		case "data":
			if symbols["data"] != starlark.Value(own) {
				t.Errorf("data: got %v, want what the pipeline made", symbols)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := symbols.Keys(); !slices.Equal(got, []string{name}) {
			t.Errorf("%s exports %v, want its own name alone", name, got)
		}
		if got := symbols[name].Type(); got != "module" {
			t.Errorf("%s is a %s, want module", name, got)
		}
		again, _ := env.Load(name)
		if again[name] != symbols[name] {
			t.Errorf("%s is made anew by the second load", name)
		}
	}
}

func TestLoadUnknown(t *testing.T) {
	tests := []struct{ name, want string }{
		{
			"nope",
			"builtin ytt library does not have module 'nope' (hint: is it available in newer version of ytt?)",
		},
		{"jsn", "builtin ytt library does not have module 'jsn' (hint: did you mean '@ytt:json'?)"},
		{
			"overlays",
			"builtin ytt library does not have module 'overlays' (hint: did you mean '@ytt:overlay'?)",
		},
		{
			"library",
			"builtin ytt library does not have module 'library' (hint: is it available in newer version of ytt?)",
		},
		{
			"",
			"builtin ytt library does not have module '' (hint: is it available in newer version of ytt?)",
		},
	}
	for _, test := range tests {
		_, err := new(Env).Load(test.name)
		hinted, ok := errors.AsType[*diag.Hinted](err)
		if !ok || hinted.Error() != test.want {
			t.Errorf("load %q: got %v, want %s", test.name, err, test.want)
		}
	}
	if _, err := new(Env).Load(strings.Repeat("x", 10<<20)); err == nil {
		t.Error("a very long name was found")
	}
}

// TestSharedByThreads loads and calls modules from many threads at once; the race detector does the
// rest.
func TestSharedByThreads(t *testing.T) {
	warnings := 0
	env := &Env{Warn: func(string) { warnings++ }} // not guarded on purpose: there must be one call
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			expr := fmt.Sprintf(
				`[regexp.replace("a%d", "a1a2", "x"), json.encode({"a": math.sqrt(4)}), yaml.decode("{}"), str(1.0)]`,
				i%3,
			)
			if _, err := evaluate(t, env, expr); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if warnings != 1 {
		t.Errorf("got %d warnings, want 1", warnings)
	}
}

func TestMathWarning(t *testing.T) {
	var got []string
	env := &Env{Warn: func(text string) { got = append(got, text) }}
	if _, err := evaluate(t, env, "math.pi"); err != nil || len(got) != 0 {
		t.Errorf("a constant warns: %q, %v", got, err)
	}
	if _, err := evaluate(t, env, "[math.floor(1.5), math.sqrt(2)]"); err != nil {
		t.Error(err)
	}
	want := []string{
		"a function from the @ytt:math module is used in this invocation; this module does not guarantee bit-identical results across CPU architectures.",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("warnings (-got +want):\n%s", diff)
	}
}

func TestYAMLOptions(t *testing.T) {
	env := &Env{YAML: yaml.Options{Grammar: yaml.YAML12, Schema: yaml.Core}}
	if v, err := evaluate(t, env, `yaml.decode("yes")`); err != nil || v != starlark.String("yes") {
		t.Errorf("got %v, %v, want the string yes, as YAML 1.2 has it", v, err)
	}
}

func TestTryToCallsThroughTheHook(t *testing.T) {
	var seen []string
	thread := &starlark.Thread{}
	thread.SetLocal(HostKey, &Host{TryTo: func(call func() (starlark.Value, error)) (starlark.Value, error) {
		v, err := call()
		seen = append(seen, fmt.Sprint(v, err))
		return v, err
	}})
	v, err := starlark.EvalOptions(
		options,
		thread,
		"test",
		`[assert.try_to(lambda: 1), assert.try_to(lambda: fail("x"))]`,
		predeclared(t, &Env{}),
	)
	if got, want := outcome(v, err), `=> [(1, None), (None, "fail: x")]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := []string{"1 <nil>", "<nil> fail: x"}; !slices.Equal(seen, want) {
		t.Errorf("hook saw %q, want %q", seen, want)
	}
}

func TestTryToHandsOnLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts up to a limit")
	}
	tooMuch := starlark.NewBuiltin(
		"too_much",
		func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			return nil, fmt.Errorf("wrapped: %w", &LimitError{Message: "too much"})
		},
	)
	tests := []struct{ name, program, want string }{
		{
			"steps",
			"def f():\n  while True:\n    pass\nv = assert.try_to(f)",
			"Starlark computation cancelled: too many steps",
		},
		{
			"nested",
			"def f():\n  while True:\n    pass\nv = assert.try_to(lambda: regexp.replace('a', 'a', lambda m: f()))",
			"Starlark computation cancelled: too many steps",
		},
		{"recursion", "def f():\n  return f()\nv = assert.try_to(f)", "Starlark stack overflow"},
		{"size", "v = assert.try_to(too_much)", "wrapped: too much"},
		{"no limit", "v = assert.try_to(lambda: fail('Starlark stack overflow'))", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := predeclared(t, &Env{})
			env["too_much"] = tooMuch
			thread := &starlark.Thread{}
			thread.SetMaxExecutionSteps(300_000)
			_, err := starlark.ExecFileOptions(options, thread, "test", test.program, env)
			if (err == nil) != (test.want == "") ||
				err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestErrorsKeepTheStack: the error of a function that a module calls has its own stack at the end
// of the chain.
func TestErrorsKeepTheStack(t *testing.T) {
	_, err := evaluate(t, &Env{}, `regexp.replace("a", "a", lambda m: fail("x"))`)
	var depths []int
	for err != nil {
		if e, ok := err.(*starlark.EvalError); ok {
			depths = append(depths, len(e.CallStack))
		}
		err = errors.Unwrap(err)
	}
	if len(depths) != 2 || depths[0] >= depths[1] {
		t.Errorf("got stacks of %v, want two, the inner one deeper", depths)
	}
}

// TestFreezing: what a module's values hold is frozen with them, so that threads can share them.
func TestFreezing(t *testing.T) {
	program := `
d = {"n": 1}
l = [3]
obj = struct.make_and_bind(d, set=lambda self: self.update(n=2))
fn = struct.bind(lambda self: self.append(1), l)
keep = {"assertion": assert.one_of(l).check}
`
	for _, name := range []string{"obj", "fn", "keep"} {
		globals, err := starlark.ExecFileOptions(
			options,
			&starlark.Thread{},
			"test",
			program,
			predeclared(t, &Env{}),
		)
		if err != nil {
			t.Fatal(err)
		}
		l, d := globals["l"].(*starlark.List), globals["d"].(*starlark.Dict)
		globals[name].Freeze()
		if name == "obj" {
			err = d.SetKey(starlark.String("n"), starlark.MakeInt(3))
		} else {
			err = l.Append(starlark.None)
		}
		if err == nil || !strings.Contains(err.Error(), "frozen") {
			t.Errorf("%s was frozen, but what it holds can be changed: %v", name, err)
		}
	}
}

func TestReplacement(t *testing.T) {
	tests := []struct{ expr, items, array, docs string }{
		{
			`template.replace({"a": 1, 2: [3]})`,
			`a=1 2=[3] overrides`,
			`!array, but was dict`,
			`!document set, but was dict`,
		},
		{
			`template.replace(struct.make(a=1))`,
			`a=1 overrides`,
			`!array, but was struct`,
			`!document set, but was struct`,
		},
		{
			`template.replace(frag("a: 1"))`,
			`a=1`,
			`!array, but was yamlfragment`,
			`!document set, but was yamlfragment`,
		},
		{`template.replace([1, {"b": 2}])`, `!map, but was list`, `1 {b: 2}`, `1 {b: 2}`},
		{`template.replace((1, None))`, `!map, but was tuple`, `1 null`, `1 null`},
		{`template.replace(frag("[1, 2]"))`, `!map, but was yamlfragment`, `1 2`, `1 2`},
		{
			`template.replace(docs("a\n---\nb"))`,
			`!map, but was yamlfragment`,
			`!array, but was yamlfragment`,
			`a b`,
		},
		{
			`template.replace({})`,
			` overrides`,
			`!array, but was dict`,
			`!document set, but was dict`,
		},
		{`template.replace([])`, `!map, but was list`, ``, ``},
		{`template.replace(nothing)`, ``, ``, ``},
		{
			`template.replace(5)`,
			`!map, but was int`,
			`!array, but was int`,
			`!document set, but was int`,
		},
		{
			`template.replace(None)`,
			`!map, but was NoneType`,
			`!array, but was NoneType`,
			`!document set, but was NoneType`,
		},
		{
			`template.replace([len])`,
			`!map, but was list`,
			`!a function (len) cannot be converted to YAML; did you mean to call it?`,
			`!a function (len) cannot be converted to YAML; did you mean to call it?`,
		},
		{
			`template.replace({"a": len})`,
			`!a function (len) cannot be converted to YAML; did you mean to call it?`,
			`!array, but was dict`,
			`!document set, but was dict`,
		},
	}
	for _, test := range tests {
		v, err := evaluate(t, &Env{}, test.expr)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(Replacement)
		items, overrides, err := r.MapItems(tree.FromStarlark)
		got := []string{shownItems(items, true, err)}
		if overrides {
			got[0] += " overrides"
		}
		items, err = r.ArrayItems(tree.FromStarlark)
		got = append(got, shownItems(items, false, err))
		docs, err := r.Documents(tree.FromStarlark)
		items = nil
		for _, d := range docs {
			items = append(items, tree.Item{Value: d.Value})
		}
		got = append(got, shownItems(items, false, err))
		if diff := cmp.Diff(got, []string{test.items, test.array, test.docs}); diff != "" {
			t.Errorf("%s (-got +want):\n%s", test.expr, diff)
		}
	}
}

func shownItems(items []tree.Item, keys bool, err error) string {
	if err != nil {
		text := strings.TrimPrefix(err.Error(), "template.replace: ")
		return "!" + strings.TrimPrefix(text, "expected value to be ")
	}
	var texts []string
	for _, item := range items {
		text := flow(item.Value)
		if keys {
			text = flow(item.Key) + "=" + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

// flow is a value on one line.
func flow(v tree.Value) string {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		return "{" + strings.ReplaceAll(shownItems(x.Entries(), true, nil), "=", ": ") + "}"
	case *tree.Array:
		return "[" + shownItems(x.Entries(), false, nil) + "]"
	}
	return string(appendScalar(nil, v))
}

func TestReplacementIsNoYAML(t *testing.T) {
	v, err := evaluate(t, &Env{}, "[template.replace([1])]")
	if err != nil {
		t.Fatal(err)
	}
	_, err = tree.FromStarlark(v)
	want := "unable to convert value: the result of template.replace() must be the whole value of a map item, an array item or a document"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestPatternCacheIsBounded(t *testing.T) {
	var c patternCache
	first, err := c.compile("a")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := c.compile("a"); again != first {
		t.Error("the second compile did not find the pattern")
	}
	for i := range 3 * maxPatterns {
		if _, err := c.compile(fmt.Sprint("x", i)); err != nil {
			t.Fatal(err)
		}
		if len(c.m) > maxPatterns {
			t.Fatalf("%d patterns are kept, want at most %d", len(c.m), maxPatterns)
		}
	}
}

func TestSemverOrder(t *testing.T) {
	// the order of semver.org, section 11, and more
	sorted := []string{
		"0.0.0-0", "0.0.0", "0.1.0", "0.9.9", "0.10.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
		"1.0.0-rc.1", "1.0.0", "2.0.0", "99999999999999999999.0.0", "100000000000000000000.0.0",
	}
	for i, a := range sorted {
		for j, b := range sorted {
			va, okA := canonical(a)
			vb, okB := canonical(b + "+build.007")
			if !okA || !okB {
				t.Fatalf("%s or %s is refused", a, b)
			}
			if got := semver.Compare(va, vb); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("compare %s with %s: got %d", a, b, got)
			}
		}
	}
	for _, bad := range []string{"", "1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.00.0", "1.0.-1", "1.0.0-", "1.0.0-a..b", "1.0.0-01", "1.0.0+", "1.0.0+a_b", "1.0.0 ", "1.0.0-é"} {
		if _, ok := canonical(bad); ok {
			t.Errorf("%q is taken for a version", bad)
		}
	}
	if _, ok := canonical(LanguageLevel); !ok {
		t.Errorf("%q is no version", LanguageLevel)
	}
}
