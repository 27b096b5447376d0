package script

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// build reads lines as a template would: `#@ ` begins code, `#@/end ` closes the block around the
// node before, and any other line is a node, for which a call of emit with the line's text is put
// in.
func build(f *source.File) *Builder {
	b := NewBuilder(f)
	off := 0
	node := false
	for text := range strings.Lines(string(f.Data())) {
		line := strings.TrimRight(text, "\n")
		start := off
		off += len(text)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if code, ok := strings.CutPrefix(line[indent:], "#@ "); ok {
			var fr Fragment
			fr, node = NodeBlock(Fragment{Text: []byte(code), Off: start + indent + 3})
			b.Code(fr)
			continue
		}
		if line == "" {
			continue
		}
		at := b.Position(start + indent)
		b.Stmt(
			&syntax.ExprStmt{
				X: call(
					"emit",
					at,
					at,
					&syntax.Literal{
						Token:    syntax.STRING,
						TokenPos: at,
						Raw:      `""`,
						Value:    line[indent:],
					},
				),
			},
		)
		if node {
			b.End(f.Span(start+indent, start+len(line)))
			node = false
		}
	}
	return b
}

func TestBuilder(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"no code", "a\nb\n", "a b"},
		{"if", "#@ if True:\na\n#@ end\n#@ if False:\nb\n#@ end\nc", "a c"},
		{"branches", "#@ for x in [1, 2, 3]:\n#@ if x == 1:\na\n#@ elif x == 2:\nb\n#@ else:\nc\n#@ end\nd\n#@ end", "a d b d c d"},
		{"loop", "#@ for x in range(2):\n  a\n  #@ for y in range(2):\n  b\n  #@ end\n#@ end", "a b b a b b"},
		{"function", "#@ def f(n):\na\n#@ if n:\n#@ f(n - 1)\n#@ end\n#@ end\n#@ f(2)", "a a a"},
		{"statement over several fragments", "#@ x = [\n#@   1,\n  #@ 2,\n#@ ]\n#@ for y in x:\na\n#@ end", "a a"},
		{"string over several fragments", "#@ if '''a\n#@   b''' == 'a\\nb':\nx\n#@ end", "x"},
		{"string behind a backslash", "#@ if 'a\\\n#@    b' == 'a   b':\nx\n#@ end", "x"},
		{"header over several fragments", "#@ if (True\n#@ and False):\nx\n#@ else:\ny\n#@ end", "y"},
		{"block around one node", "#@ if/end False:\na\n#@ for/end x in [1,2]:\nb\nc", "b b c"},
		{"branch around one node", "#@ if False:\na\n#@ else/end:\nb\n#@ if False:\na\n#@ elif/end True:\nc", "b c"},
		{"escapes", "#@ if '\\d' == r'\\d' and \\\n#@ '\\d' == '\\\\d':\nx\n#@ end", "x"},
		{"empty fragments", "#@  \n#@ # note\na", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, "f.yml", tt.src)
			stmts, err := build(f).Finish()
			if err != nil {
				t.Fatal(explain(f, err))
			}
			var got []string
			eval(
				t,
				&syntax.File{Path: "f.yml", Stmts: stmts, Options: Options()},
				starlark.StringDict{
					"emit": starlark.NewBuiltin(
						"emit",
						func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
							got = append(got, string(args[0].(starlark.String)))
							return starlark.None, nil
						},
					),
				},
			)
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBuilderErrors(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{
			"missing colon before a node", "t2:\n  #@ if True\n  t: x\n  #@ end\n",
			`2:13 "": got newline, want ':' [script/syntax] (hint: missing colon at the end of 'if/for/def' statement?)
  3:3 "": the block would begin here
`,
		},
		{
			"node in brackets", "#@ x = [\n#@  1,\na: 1\n#@ ]\n",
			`2:7 "": got end of code, want ']' [script/syntax] (hint: a bracket is not closed before the code ends)
  1:8 "[": '[' was opened here
4:4 "]": unexpected ']' [script/syntax]
`,
		},
		{
			"node in a string", "#@ x = '''\na: 1\n#@ '''",
			`1:8 "'''": unexpected EOF in string [script/syntax]
3:4 "'''": unexpected EOF in string [script/syntax]
`,
		},
		{
			"error in a later fragment", "#@ x = f(\n    #@  é, ö ü\n#@ )\n",
			`2:14 "ü": got identifier, want ',' [script/syntax]
  1:9 "(": '(' was opened here
`,
		},
		{
			"pass", "#@ if True:\n#@   pass\n",
			"2:6 \"pass\": use of reserved keyword 'pass' is not allowed [script/pass] (hint: a block may be empty: write only 'end')\n",
		},
		{
			"unclosed", "m:\n  #@ if True:\n  t: 1\n    #@ if True:\n    t: 2\n    #@ end\n",
			`2:6 "if True:": mismatched set of block openings (if/else/elif/for/def) and closing (end): this 'if' is never closed [script/unclosed-block] (hint: add 'end')
`,
		},
		{
			"end without block", "#@ if/end True:\na: 1\n#@ end",
			`3:4 "end": unexpected end [script/unexpected-end]
  1:4 "if/end True:": the last block is this 'if'
  2:1 "a: 1": it is already closed here
`,
		},
		{
			"else behind one line", "#@ if True: x = 1\n#@ else:\na: 1\n#@ end",
			"2:4 \"else\": unexpected else: no 'if' is open here [script/unexpected-else]" +
				" (hint: an 'if' with its statement on the same line ends there)\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, "f.yml", tt.src)
			_, err := build(f).Finish()
			if got := explain(f, err); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestBuilderDef(t *testing.T) {
	f := sourceFile(t, "f.yml", "def f():\nif x:\ndef g():\nend\n")
	b := NewBuilder(f)
	var got []string
	for i, line := range strings.SplitAfter(string(f.Data()), "\n")[:4] {
		b.Code(Fragment{Text: []byte(line), Off: strings.Index(string(f.Data()), line)})
		if d := b.Def(); d != nil {
			got = append(got, d.Name.Name)
		} else {
			t.Errorf("no function is open behind line %d", i+1)
		}
	}
	if got := strings.Join(got, " "); got != "f f g f" {
		t.Errorf("got %q, want %q", got, "f f g f")
	}
	if b := NewBuilder(f); b.Def() != nil {
		t.Error("a function is open at the beginning")
	}
}

// The value of a block scalar is not what is in the file: each line has a place of its own.
func TestFragmentLines(t *testing.T) {
	const src = "key: |\n    x = [aa,\n      '''\n    \\d''', bb]\n    load('m', cc='dd')\n    async = cc\n"
	f := sourceFile(t, "f.yml", src)
	var text []byte
	var lines []int
	off := len("key: |\n")
	for i, line := range strings.SplitAfter(src, "\n")[1:] {
		if line == "" {
			continue
		}
		if i > 0 {
			lines = append(lines, off+4)
		}
		text = append(text, line[4:]...)
		off += len(line)
	}
	b := NewBuilder(f)
	b.Code(Fragment{Text: text, Off: len("key: |\n    "), Lines: lines})
	stmts, err := b.Finish()
	if err != nil {
		t.Fatal(explain(f, err))
	}
	if len(stmts) != 3 {
		t.Fatalf("got %d statements, want 3", len(stmts))
	}
	checkPlaces(t, f, stmts)
	load := stmts[1].(*syntax.LoadStmt)
	for _, id := range []*syntax.Ident{load.From[0], load.To[0]} {
		at := Span(f, id.NamePos)
		if !strings.HasPrefix(src[at.Offset():], id.Name) {
			t.Errorf("%q is said to be at %v", id.Name, id.NamePos)
		}
	}
	lit := stmts[0].(*syntax.AssignStmt).RHS.(*syntax.ListExpr).List[1].(*syntax.Literal)
	if got, want := lit.Value.(string), "\n\\d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if at := Span(f, lit.TokenPos); !strings.HasPrefix(src[at.Offset():], "'''") {
		t.Errorf("the string is said to be at %v", lit.TokenPos)
	}
}

func TestNodeBlock(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"if/end x:", "if     x:"},
		{"  for/end x in y:", "  for     x in y:"},
		{"else/end:", "else    :"},
		{"def/end f():", "def     f():"},
		{"if/ending:", ""},
		{"if / end x:", ""},
		{"while/end x:", ""},
		{"x/end", ""},
		{"if x/end:", ""},
		{"", ""},
	} {
		got, ok := NodeBlock(Fragment{Text: []byte(tt.src)})
		if ok != (tt.want != "") || ok && string(got.Text) != tt.want {
			t.Errorf("%q: got %q %v, want %q", tt.src, got.Text, ok, tt.want)
		}
	}
}

func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		code      string
	}{
		{"brackets", "x = " + strings.Repeat("(", 100_000), "script/too-deep"},
		{"lists", "x = " + strings.Repeat("[1, ", 100_000), "script/too-deep"},
		{"signs", "x = " + strings.Repeat("-", 100_000) + "1", "script/too-deep"},
		{"not", "x = " + strings.Repeat("not ", 100_000) + "1", "script/too-deep"},
		{"lambdas", "x = " + strings.Repeat("lambda: ", 100_000) + "1", "script/too-deep"},
		{"conditions", "x = " + strings.Repeat("1 if 1 else ", 100_000) + "1", "script/too-deep"},
		{"sum", "x = 1" + strings.Repeat(" + 1", 100_000), "script/too-deep"},
		{"calls", "x = f" + strings.Repeat("()", 100_000), "script/too-deep"},
		{"blocks", strings.Repeat("if x:\n", 20_000) + strings.Repeat("end\n", 20_000), "script/too-deep"},
		{"branches", "if x:\n" + strings.Repeat("elif x:\n", 20_000) + "end", "script/too-deep"},
		{"long list", "x = [" + strings.Repeat("f(1), ", 30_000) + "]", ""},
		{"many statements", strings.Repeat("if x: x = -1\n", 10_000), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, "f.star", tt.src)
			_, err := Parse(f)
			if got := explain(f, err); tt.code == "" && got != "" ||
				!strings.Contains(got, tt.code) {
				t.Errorf("got %.200s, want %q", got, tt.code)
			}
		})
	}
}

func TestExpr(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{" 1 + 2", "3"},
		{"1, 2", "(1, 2)"},
		{"", "()"},
		{"# note", "()"},
		{"1 # note", "1"},
		{"[1,\n  2]\n", "[1, 2]"},
		{"1\n  + 2", "3"},
		{`"\d"`, `"\\d"`},
		{"(1)", "1"},
		{"{'end': 1}", `{"end": 1}`},
	} {
		f := sourceFile(t, "f.yml", tt.src)
		e, err := NewBuilder(f).Expr(Piece(f, 0, len(tt.src)))
		if err != nil {
			t.Errorf("%q: %s", tt.src, explain(f, err))
			continue
		}
		v, err := starlark.EvalExprOptions(Options(), &starlark.Thread{}, e, nil)
		if err != nil {
			t.Errorf("%q: %v", tt.src, err)
			continue
		}
		if got := v.String(); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.src, got, tt.want)
		}
	}
}

func TestExprErrors(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"1 +", "1:4 \"\": got end of code, want primary expression [script/syntax]\n"},
		{"1 + # note", "1:4 \"\": got end of code, want primary expression [script/syntax]\n"},
		{"x[1", "1:4 \"\": got end of code, want ']' [script/syntax] (hint: a bracket is not closed before the code ends)\n"},
		{`f"{1}"`, "1:2 \"\\\"{1}\\\"\": got string literal, want ')' [script/syntax] (hint: there are no f-strings: use \"...{}...\".format(x))\n"},
		{"2**3", "1:2 \"**\": got '**', want ')' [script/syntax] (hint: there is no operator '**': use math.pow(x, y), from @ytt:math)\n"},
		{"1) + (2", "1:2 \")\": unexpected ')' [script/syntax]\n"},
		{"data.values.and.key", "1:13 \"and\": use of reserved keyword 'and' is not allowed (expected identifier) [script/reserved-word]\n"},
		{"data.values.pass.key", "1:13 \"pass\": use of reserved keyword 'pass' is not allowed [script/pass] (hint: a block may be empty: write only 'end')\n"},
		{"x = 1", "1:3 \"=\": got '=', want ')' [script/syntax]\n"},
	} {
		f := sourceFile(t, "f.yml", tt.src)
		_, err := NewBuilder(f).Expr(Piece(f, 0, len(tt.src)))
		if got := explain(f, err); got != tt.want {
			t.Errorf("%q: got\n%swant\n%s", tt.src, got, tt.want)
		}
	}
}

// What pages about overlays print although it is wrong, and what looks like it but is something
// else.
func TestCallArgsSlips(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"expects=lambda x: return x < 10", "a lambda has no 'return': write `lambda x: x < 10`"},
		{"via=lambda a, b: return f(a, b), or_add=True", "a lambda has no 'return': write `lambda a, b: f(a, b)`"},
		{"by=f(lambda: return [1, 2])", "a lambda has no 'return': write `lambda: [1, 2]`"},
		{"expects=lambda x: return (x\n < 10)", "a lambda has no 'return': write `lambda x: ...`"},
		{"expects=lambda x: return", "a lambda has no 'return': write `lambda x: ...`"},
		{"by={1: return}", ""},
		{"return", ""},

		{`by=overlay.subset("a": 1)`, "put braces around it: `overlay.subset({\"a\": 1})`"},
		{`by=overlay.subset("a":{"b": [1, ")"]}, "c": 2), expects=2`, "put braces around it: `overlay.subset({\"a\":{\"b\": [1, \")\"]}, \"c\": 2})`"},
		{"by=overlay.subset(\"a\":\n 1)", "put braces around it: `overlay.subset({...})`"},
		{`by=overlay.subset(a: 1)`, ""},
		{`by=["a": 1]`, ""},
		{`"a": 1`, ""},

		{"when=2+", "put it in quotes: `when=\"2+\"`"},
		{"expects=1+, by=f", "put it in quotes: `expects=\"1+\"`"},
		{"expects = 1 +", "put it in quotes: `expects=\"1+\"`"},
		{"expects=[0, 2+]", "put it in quotes: `\"2+\"`"},
		{"when=[2+, 0]", "put it in quotes: `\"2+\"`"},
		{"before=2+", ""},
		{"when=[f([2+])]", ""},
		{"when=x+", ""},
		{"2+", ""},
		{"+", ""},
	} {
		f := sourceFile(t, "f.yml", tt.src)
		_, err := NewBuilder(f).CallArgs(Piece(f, 0, len(tt.src)))
		if err == nil {
			t.Errorf("%q: no error", tt.src)
			continue
		}
		if got := diag.Of(err)[0].Hint; got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestCallArgs(t *testing.T) {
	const src = "#@foo/bar 1, x=lambda a: aa,\n# note\nend=bb, *cc, **dd # note"
	f := sourceFile(t, "f.yml", src)
	args, err := NewBuilder(f).CallArgs(Piece(f, len("#@foo/bar "), len(src)))
	if err != nil {
		t.Fatal(explain(f, err))
	}
	if len(args) != 5 {
		t.Fatalf("got %d arguments, want 5", len(args))
	}
	for _, a := range args {
		checkPlaces(t, f, []syntax.Stmt{&syntax.ExprStmt{X: a}})
	}
	for _, tt := range []struct{ src, want string }{
		{"", ""},
		{"1 2", "1:3 \"2\": got int literal, want ',' [script/syntax]\n"},
		{"by=", "1:4 \"\": got end of code, want primary expression [script/syntax]\n"},
		{"x:", "1:2 \":\": got ':', want ',' [script/syntax]\n"},
		{"= 1", "1:1 \"=\": got '=', want primary expression [script/syntax]\n"},
		{"by=lambda x: return x", "1:14 \"return\": got return, want primary expression [script/syntax] (hint: a lambda has no 'return': write `lambda x: x`)\n"},
		{"'''a", "1:1 \"'''a\": unexpected EOF in string [script/syntax]\n"},
	} {
		f := sourceFile(t, "f.yml", tt.src)
		_, err := NewBuilder(f).CallArgs(Piece(f, 0, len(tt.src)))
		if got := explain(f, err); got != tt.want {
			t.Errorf("%q: got\n%swant\n%s", tt.src, got, tt.want)
		}
	}
}
