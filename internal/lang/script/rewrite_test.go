package script

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// helpers are builtins that show how they were called.
func helpers() starlark.StringDict {
	pre := starlark.StringDict{}
	for _, name := range []string{"__percent", "__format", "__values"} {
		pre[name] = starlark.NewBuiltin(
			name,
			func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
				var parts []string
				for _, a := range args {
					parts = append(parts, a.String())
				}
				for _, kv := range kwargs {
					parts = append(parts, string(kv[0].(starlark.String))+"="+kv[1].String())
				}
				return starlark.String(b.Name() + "(" + strings.Join(parts, ", ") + ")"), nil
			},
		)
	}
	pre["__load"] = starlark.NewBuiltin(
		"__load",
		func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			var out starlark.Tuple
			for _, a := range args[1:] {
				out = append(
					out,
					starlark.String(
						fmt.Sprintf(
							"%s!%s",
							string(args[0].(starlark.String)),
							string(a.(starlark.String)),
						),
					),
				)
			}
			return out, nil
		},
	)
	return pre
}

func TestRewrite(t *testing.T) {
	h := Helpers{
		Load:       "__load",
		Percent:    "__percent",
		Format:     "__format",
		Values:     "__values",
		DataModule: "@ytt:data",
	}
	for _, tt := range []struct{ name, src, want string }{
		{"keyword behind star", "def f(*a, **k): return [a, k]\nx = [1]\nv = f(0, *x, k=2, l=3, **{'m': 4})", `[(0, 1), {"k": 2, "l": 3, "m": 4}]`},
		{"keyword before star", "def f(*a, **k): return [a, k]\nv = f(k=2, *[1])", `[(1,), {"k": 2}]`},
		{"percent", "x = 1.5\nv = '%s' % x", `"__percent(\"%s\", 1.5)"`},
		{"percent of a tuple", "x = 1.5\nv = '%s %d' % (x, 2)", `"__percent(\"%s %d\", (1.5, 2))"`},
		{"percent of names", "f, x = 7, 4\nv = f % x", `"__percent(7, 4)"`},
		{"percent of a float", "v = '%s' % 1.0", `"__percent(\"%s\", 1.0)"`},
		{"percent with a key", "v = '%(a)s' % {'a': 1.0}", `"__percent(\"%(a)s\", {\"a\": 1.0})"`},
		{"percent with integer verbs", "x = 3\nv = '%d %x' % (x, x)", `"__percent(\"%d %x\", (3, 3))"`},
		{"percent with literals", "v = '%d%% %x' % (3, 3)", `"3% 3"`},
		{"percent with characters", "x = 'y'\nv = '%c%%' % x", `"y%"`},
		{"percent of an integer", "x = 8\nv = x % 5", `3`},
		{"percent of a negative integer", "x = 8\nv = x % -5", `-2`},
		{"percent of a number", "x = 3\nv = 8 % x", `2`},
		{"percent of a text", "f = 'a%s'\nv = f % 'b'", `"ab"`},
		{"percent of literals", "f = 'a%s%s'\nv = f % ('b', 1)", `"ab1"`},
		{"percent, augmented", "v = '%s'\nx = 2.0\nv %= x", `"__percent(\"%s\", 2.0)"`},
		{"percent of an integer, augmented", "v = 8\nv %= 5", `3`},
		{"percent, augmented element", "v = [8]\nx = 5\nv[0] %= x", `[3]`},
		{"format", "x = 1.0\nv = 'a{}{b}'.format(x, b=2)", `"__format(\"a{}{b}\", 1.0, b=2)"`},
		{"format with stars", "v = 'a'.format(*[1], b=2)", `"__format(\"a\", 1, b=2)"`},
		{"format without a call", "v = type('a'.format)", `"builtin_function_or_method"`},
		{"nested", "x = 1.0\nv = [('%s' % x) for y in [{'k': lambda z='%s' % x: z}]][0:1][0]", `"__percent(\"%s\", 1.0)"`},
		{"nested in statements", "x = 1.0\ndef f(a='%s' % x):\nif a:\nfor i in [1]:\nwhile True:\nreturn a + '%s' % i\nend\nend\nend\nend\nv = f()", `"__percent(\"%s\", 1.0)__percent(\"%s\", 1)"`},
		{"values", "load('@ytt:data', 'a')\nv = a.values", `"__values(\"@ytt:data.a\")"`},
		{"values under another name", "load('@ytt:data', d='a')\nv = d.values", `"__values(\"@ytt:data.a\")"`},
		{"values of a parameter", "load('@ytt:data', 'a')\ndef f(a):\nreturn a.values\nend\nv = f(5)", `"__values(5)"`},
		{"values of something else", "load('m', 'a')\nx = {1: 2}\nv = x.values()", `[2]`},
		{"load under an if", "if True:\nload('m', 'a', x='b')\nend\nv = [a, x]", `["m!a", "m!b"]`},
		{"load under ifs", "if False:\nelif True:\nif True:\nload('m', 'a')\nend\nelse:\nload('n', 'a')\nend\nv = a", `"m!a"`},
		{"load before a load under an if", "load('n', 'a')\nif False:\nload('m', 'a')\nend\nv = a", `"n!a"`},
		{"other loads stay", "load('n', 'b')\nif True:\nload('m', 'a')\nend\nv = [a, b]", `["m!a", "n.b"]`},
		{"values of a conditional load", "if True:\nload('@ytt:data', 'data')\nend\nv = data.values", `"__values(\"@ytt:data!data\")"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, "f.star", tt.src)
			file, err := Parse(f)
			if err != nil {
				t.Fatal(explain(f, err))
			}
			Rewrite(file.Stmts, h)
			if got := eval(t, file, helpers())["v"].String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A target of an assignment is not a value: it must not become a call.
func TestRewriteTargets(t *testing.T) {
	f := sourceFile(
		t,
		"f.star",
		"load('@ytt:data', 'data')\ndata.values = 1\n(data.values, [data.values.x, data.values['y']]) = 2\n",
	)
	file, err := Parse(f)
	if err != nil {
		t.Fatal(explain(f, err))
	}
	Rewrite(file.Stmts, Helpers{Values: "__values", DataModule: "@ytt:data"})
	if _, err := starlark.FileProgram(file, helpers().Has); err != nil {
		t.Fatal(err)
	}
	var calls int
	for _, s := range file.Stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if _, ok := n.(*syntax.CallExpr); ok {
				calls++
			}
			return true
		})
	}
	if calls != 2 {
		t.Errorf("got %d calls, want 2: those of .x and ['y']", calls)
	}
}

// Without names for helpers, nothing that needs one changes.
func TestRewriteNothing(t *testing.T) {
	f := sourceFile(
		t,
		"f.star",
		"load('@ytt:data', 'a')\nx = 1.5\nv = ['%s' % x, '{}'.format(x)]\nw = a.values if False else 1",
	)
	file, err := Parse(f)
	if err != nil {
		t.Fatal(explain(f, err))
	}
	Rewrite(file.Stmts, Helpers{})
	if got, want := eval(t, file, nil)["v"].String(), `["1.5", "1.5"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReturns(t *testing.T) {
	f := sourceFile(t, "f.star", `def f(x):
  return 1
  if x:
    return 2
  elif x:
    return 3
  else:
    return 4
  end
  def g():
    return 100
  end
  for y in x:
    while y:
      return 5
    end
  end
  return
end`)
	file, err := Parse(f)
	if err != nil {
		t.Fatal(explain(f, err))
	}
	var got []string
	Returns(file.Stmts[0].(*syntax.DefStmt).Body, func(r *syntax.ReturnStmt) {
		if r.Result == nil {
			got = append(got, "-")
		} else {
			got = append(got, r.Result.(*syntax.Literal).Raw)
		}
	})
	if got := strings.Join(got, " "); got != "1 2 3 4 5 -" {
		t.Errorf("got %q", got)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"x = 1\nv = true", "2:5 \"true\": undefined: true [script/undefined] (hint: use 'True' instead of 'true' for boolean assignment)\n"},
		{"v = false", "1:5 \"false\": undefined: false [script/undefined] (hint: use 'False' instead of 'false' for boolean assignment)\n"},
		{"v = nil", "1:5 \"nil\": undefined: nil [script/undefined] (hint: use 'None' instead of 'nil' to indicate no value)\n"},
		{
			"é = null; v = none", "1:5 \"null\": undefined: null [script/undefined] (hint: use 'None' instead of 'null' to indicate no value)\n" +
				"1:15 \"none\": undefined: none [script/undefined] (hint: use 'None' instead of 'none' to indicate no value)\n",
		},
		{"foooo = 1\nv = fooo", "2:5 \"fooo\": undefined: fooo [script/undefined] (hint: did you mean foooo?)\n"},
		{"\ufeffv = xyzzy", "1:5 \"xyzzy\": undefined: xyzzy [script/undefined]\n"},
		{"def f():\nload('m', 'x')\nend", "2:1 \"\": load statement within a function [script/resolve]\n"},
	} {
		f := sourceFile(t, "f.star", tt.src)
		file, err := Parse(f)
		if err != nil {
			t.Fatal(explain(f, err))
		}
		_, err = starlark.FileProgram(file, func(string) bool { return false })
		if got := explain(f, Errors(f, err)); got != tt.want {
			t.Errorf("%q: got\n%swant\n%s", tt.src, got, tt.want)
		}
	}

	f := sourceFile(t, "f.star", "x = 1 && 2")
	_, err := Options().Parse("f.star", f.Data(), 0)
	if got, want := explain(f, Errors(f, err)), "1:8 \"\": got '&', want primary expression [script/syntax] (hint: use 'and' instead of '&&' for logical-and)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	err = resolve.Error{Msg: "undefined: true"}
	if got, want := explain(f, Errors(f, err)), "?: undefined: true [script/undefined] (hint: use 'True' instead of 'true' for boolean assignment)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := explain(f, Errors(f, fmt.Errorf("else"))), "?: else"; !strings.HasPrefix(
		got,
		want,
	) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := Errors(f, nil); got != nil {
		t.Errorf("got %v for no error", got)
	}
}

func TestHint(t *testing.T) {
	for msg, want := range map[string]string{
		"unknown binary op: bool & bool":           "use 'and' instead of '&' for logical-and",
		"unknown binary op: string | int":          "use 'or' instead of '|' for logical-or",
		"unknown binary op: int + string":          "",
		"unhandled index operation struct[string]": "use getattr(...) to access struct field programmatically",
		"got '|', want primary expression":         "",
		"got class, want primary expression":       "'class' is a reserved word in Starlark, and cannot be used",
		"undefined: truer":                         "",
	} {
		if got := Hint(msg, nil); got != want {
			t.Errorf("%q: got %q, want %q", msg, got, want)
		}
	}
}
