package compile

import (
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What is read as literals is what Starlark makes of the same text as the arguments of a call; what
// Starlark refuses is not read.
func FuzzLiterals(f *testing.F) {
	for _, s := range []string{
		"", " ", "1", "-1", "- 1", "007", "0", "1_000", "1.5", "123456789012345", "1234567890123456", `"a"`, `'a'`, `"a" "b"`, `""`, `""""""`, `"\n"`, `"é"`, `r"a"`, `b"a"`,
		"True", "False", "None", "true", "a=1", "a=1, b='x'", "a=1, a=2", "a=1, 2", "a==1", "a = 1", "1,", ",", "1 2", "(1, 2)", "(1)", "()", "(1,)", "((1, 2), 3)", `("d", 5), ("e", None)`,
		"if=1", "lambda=2", "[1]", "{}", "x", "*a", "a=", "(1, 2", "1 # c", "1 if True else 2", "1+1", "(1, 2)[0]", "None.x", `"a".x`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r literals
		args, kwargs, ok := r.read([]byte(text))
		if !ok {
			return
		}
		capture := starlark.NewBuiltin(
			"f",
			func(_ *starlark.Thread, _ *starlark.Builtin, gotArgs starlark.Tuple, gotKwargs []starlark.Tuple) (starlark.Value, error) {
				same, err := starlark.Equal(gotArgs, args)
				if err != nil || !same {
					t.Errorf("%q: arguments %v, Starlark says %v", text, args, gotArgs)
				}
				if len(gotKwargs) != len(kwargs) {
					t.Fatalf("%q: keyword arguments %v, Starlark says %v", text, kwargs, gotKwargs)
				}
				for i := range kwargs {
					if same, err := starlark.Equal(gotKwargs[i], kwargs[i]); err != nil || !same {
						t.Errorf(
							"%q: keyword arguments %v, Starlark says %v",
							text,
							kwargs,
							gotKwargs,
						)
					}
				}
				return starlark.None, nil
			},
		)
		if _, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "", "f("+text+")", starlark.StringDict{"f": capture}); err != nil {
			t.Errorf("%q: read as %v, %v, Starlark says %v", text, args, kwargs, err)
		}
	})
}

func TestLiteralsAreRead(t *testing.T) {
	for _, text := range []string{"", "1", `"a", 'b'`, "a=True, b=None", `("desc", -5), ("other", "x")`, "missing_ok=True", `1, x="y"`} {
		var r literals
		if _, _, ok := r.read([]byte(text)); !ok {
			t.Errorf("%q is left to the parser", text)
		}
	}
}
