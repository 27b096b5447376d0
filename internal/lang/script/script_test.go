package script

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// sourceFile registers text as a file.
func sourceFile(t testing.TB, name, text string) *source.File {
	t.Helper()
	f, err := new(source.Set).Add(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// eval evaluates a tree and gives its globals.
func eval(t *testing.T, f *syntax.File, pre starlark.StringDict) starlark.StringDict {
	t.Helper()
	prog, err := starlark.FileProgram(f, pre.Has)
	if err != nil {
		t.Fatalf("resolve: %v", err)
	}
	thread := &starlark.Thread{
		Load: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			return starlark.StringDict{
				"a": starlark.String(module + ".a"),
				"b": starlark.String(module + ".b"),
			}, nil
		},
	}
	globals, err := prog.Init(thread, pre)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return globals
}

// explain writes diagnostics down, a line each and one for each related place.
func explain(f *source.File, err error) string {
	var b strings.Builder
	at := func(s source.Span) string {
		if !s.IsValid() {
			return "?"
		}
		p := f.Place(s.Offset())
		return fmt.Sprintf("%d:%d %q", p.Line, p.Column, f.Data()[s.Offset():s.End()])
	}
	for _, d := range diag.Of(err) {
		fmt.Fprintf(&b, "%s: %s [%s]", at(d.At), d.Message, d.Code)
		if d.Hint != "" {
			fmt.Fprintf(&b, " (hint: %s)", d.Hint)
		}
		b.WriteByte('\n')
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s: %s\n", at(r.At), r.Message)
		}
	}
	return b.String()
}

// checkPlaces fails if a name of the tree, other than emit, does not be where the tree says.
func checkPlaces(t *testing.T, f *source.File, stmts []syntax.Stmt) {
	t.Helper()
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Ident:
				if n.Name == "emit" {
					break // put in by a test
				}
				at := Span(f, n.NamePos)
				if !at.IsValid() || !strings.HasPrefix(string(f.Data()[at.Offset():]), n.Name) {
					t.Errorf("%q is said to be at %v, where %.20q stands", n.Name, n.NamePos, f.Data()[at.Offset():])
				}
			case *syntax.LoadStmt:
				return false // its names may be written with escapes
			}
			return true
		})
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"statement", "v = 1", "1"},
		{"empty", "v = 1\n\n  \n# note\n", "1"},
		{"indentation means nothing", "\t\tif True:\nv = 1\n\t\t\tend\n", "1"},
		{"empty blocks", "def f():\nend\nif True:\nend\nfor x in []:\nend\nif False:\nelse:\nend\nv = f()", "None"},
		{"one line needs no end", "if True: v = 1", "1"},
		{"semicolons", "x = 1; v = x + 1;", "2"},
		{"if", "x = 2\nif x == 1:\nv = 1\nend\nif x == 2:\nv = 2\nend", "2"},
		{"elif", "x = 2\nif x == 1:\nv = 'one'\nelif x == 2:\nv = 'two'\nelif x == 3:\nv = 'three'\nelse:\nv = 'other'\nend", `"two"`},
		{"else", "x = 7\nif x == 1:\nv = 'one'\nelif x == 2:\nv = 'two'\nelse:\nv = 'other'\nend", `"other"`},
		{"else with blanks", "if False:\nv = 1\nelse :\nv = 2\nend", "2"},
		{"else on one line", "if False:\nv = 1\nelse: v = 2", "2"},
		{"elif on one line", "v = 0\nif False:\nv = 1\nelif True: v = 2\nw = 3", "2"},
		{"for", "v = 0\nfor x in range(4):\nif x == 2:\ncontinue\nend\nv += x\nend", "4"},
		{"while", "v = 0\nwhile v < 3:\nv += 1\nend", "3"},
		{"nested functions", "def f(a):\ndef g(b):\nreturn a + b\nend\nreturn g\nend\nv = f(1)(2)", "3"},
		{"two ends on a line", "def f():\nif True:\nreturn 5\nend end\nv = f()", "5"},
		{"statement behind end", "if True:\nx = 1\nend v = x", "1"},
		{"comments", "if True: # note\n # note\n v = 1 # note\nend # note", "1"},
		{"end in a string", "if True:\nv = 'end'\nend", `"end"`},
		{"end as part of a name", "end_x = 1\nif end_x:\nv = 1\nend", "1"},
		{"end as an argument and an attribute", "def f(**kw): return kw\nv = f(end=1, x = 2)\ndef g(x): return x.end", `{"end": 1, "x": 2}`},
		{"brackets go on", "v = [\n1,\n  # note\n2,\n]", "[1, 2]"},
		{"dict over lines opens no block", "v = {'a':\n1}", `{"a": 1}`},
		{"header over lines", "def f(\na,\nb):\nreturn a + b\nend\nv = f(1,\n2)", "3"},
		{"else in brackets", "v = (1 if False\nelse 2)", "2"},
		{"backslash goes on", "v = 1 + \\\n  2", "3"},
		{"string goes on behind a backslash", "v = \"a\\n\\\n   b\"", `"a\n   b"`},
		{"string over lines loses its indentation", "v = '''a\n  b\n\tc\\\n  d'''", `"a\nb\nc  d"`},
		{"raw string over lines", "v = r'''a\n  b\\n'''", `"a\nb\\n"`},
		{"string over lines without indentation", "v = '''a\nb'''", `"a\nb"`},
		{"carriage returns", "if True:\r\nv = '''a\r\n  b'''\r\nend\r\n", `"a\nb"`},
		{"lone carriage returns", "if True:\rv = 1\rend", "1"},
		{"unknown escape", `v = "\d+\.\$"`, `"\\d+\\.\\$"`},
		{"unknown escape beside known ones", `v = "\d\"\\\n\t\101\x41'"`, `"\\d\"\\\n\tAA'"`},
		{"unicode escapes are no escapes", `v = "\u00e9\U0001F600"`, `"\\u00e9\\U0001F600"`},
		{"bytes", `v = "\xff\377"`, `"\xff\xff"`},
		{"unknown escape before a letter beyond ascii", `x = 1; v = ["\é", x]`, `["\\é", 1]`},
		{"unknown escape in a triple quoted string", "v = \"\"\"\\d\\\"\"\n  x\"\"\"", `"\\d\"\"\nx"`},
		{"raw string", `v = r"\d\"" + 'x'`, `"\\d\\\"x"`},
		{"prefix that is none", `b = 1; v = [b, "x"]`, `[1, "x"]`},
		{"words that newer versions reserve", "def async(await, b=1): return await + b\nv = async(await=1)", "2"},
		{"load", "load('m', 'a', x='b')\nv = [a, x]", `["m.a", "m.b"]`},
		{"byte order mark", "\ufeffv = 1", "1"},
		{"standard indentation", "def f(a):\n  if a:\n    return 1\n  else:\n    return 2\nv = f(0)", "2"},
		{"standard pass", "def f():\n  pass\nv = f()", "None"},
		{"standard else behind a loop", "if False:\n  for x in []:\n    pass\nelse:\n  v = 1", "1"},
		{"standard end as a name", "def f(start, end):\n  return [start, end]\nv = f(1, 2)", "[1, 2]"},
		{"standard string keeps its indentation", "def f():\n  return '''a\n  b'''\nv = f()", `"a\n  b"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, "f.star", tt.src)
			file, err := Parse(f)
			if err != nil {
				t.Fatal(explain(f, err))
			}
			checkPlaces(t, f, file.Stmts)
			if got := eval(t, file, nil)["v"].String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{
			"missing colon", "\nif True\n  v = 123\nend",
			`2:8 "": got newline, want ':' [script/syntax] (hint: missing colon at the end of 'if/for/def' statement?)
  3:3 "v = 123": the block would begin here
`,
		},
		{
			"missing colon at the end", "def f()",
			`1:8 "": got newline, want ':' [script/syntax] (hint: missing colon at the end of 'if/for/def' statement?)
`,
		},
		{
			"two errors", "x = 1 +\ny = 2\nz = (3]\n",
			`1:8 "": got newline, want primary expression [script/syntax]
  2:1 "y = 2": the next code begins here
3:7 "]": got ']', want ')' [script/syntax]
`,
		},
		{
			"double ampersand", "if True && True:\nend",
			`1:10 "&": got '&', want primary expression [script/syntax] (hint: use 'and' instead of '&&' for logical-and)
`,
		},
		{
			"double bar", "x = a ||\\\n b",
			`1:8 "|": got '|', want primary expression [script/syntax] (hint: use 'or' instead of '||' for logical-or)
`,
		},
		{"lone ampersand", "v = &123", "1:5 \"&\": got '&', want primary expression [script/syntax]\n"},
		{"two values", "a bc", "1:3 \"bc\": got identifier, want newline [script/syntax]\n"},
		{"assert", "assert True", "1:8 \"True\": got identifier, want newline [script/syntax]\n"},
		{
			"end of the text for the Starlark parser", "x = 1 \x00 + 2",
			"1:7 \"\\x00\": control character 0x00 is not allowed in code [script/syntax]" +
				" (hint: remove the character, or write it as \"\\x00\" in a string)\n",
		},
		{
			"keyword as attribute", "x = data.values.and.key",
			"1:17 \"and\": use of reserved keyword 'and' is not allowed (expected identifier) [script/reserved-word]\n",
		},
		{
			"keyword as parameter", "def f(if):\nend",
			"1:7 \"if\": use of reserved keyword 'if' is not allowed (expected identifier) [script/reserved-word]\n",
		},
		{
			"end as a name", "x = end + 1",
			"1:5 \"end\": use of reserved keyword 'end' is not allowed (expected identifier) [script/reserved-word]" +
				" (hint: 'end' closes a block; as a name it is only allowed after a dot or as a keyword argument)\n",
		},
		{
			"end as a target", "end = 1",
			"1:1 \"end\": use of reserved keyword 'end' is not allowed (expected identifier) [script/reserved-word]" +
				" (hint: 'end' closes a block; as a name it is only allowed after a dot or as a keyword argument)\n",
		},
		{
			"end as a parameter", "def f(end=1):\nend",
			"1:7 \"end\": use of reserved keyword 'end' is not allowed (expected identifier) [script/reserved-word]" +
				" (hint: 'end' closes a block; as a name it is only allowed after a dot or as a keyword argument)\n",
		},
		{
			"reserved word", "del x[0]",
			"1:1 \"del\": got del, want primary expression [script/syntax] (hint: 'del' is a reserved word in Starlark, and cannot be used)\n",
		},
		{
			"pass and end", "if True:\n  pass\nend",
			"2:3 \"pass\": use of reserved keyword 'pass' is not allowed [script/pass] (hint: a block may be empty: write only 'end')\n",
		},
		{
			"pass as an attribute", "x = data.values.pass.key",
			"1:17 \"pass\": use of reserved keyword 'pass' is not allowed [script/pass] (hint: a block may be empty: write only 'end')\n",
		},
		{
			"unclosed", "def f():\n  for x in y:\n    if x:\n      g(x)\n    end\n",
			`2:3 "for x in y:": mismatched set of block openings (if/else/elif/for/def) and closing (end): this 'for' is never closed [script/unclosed-block] (hint: add 'end')
  1:1 "def f():": this 'def' is also open
`,
		},
		{
			"unclosed inside", "def f():\n  if x:\n    g(x)\nend\n",
			`1:1 "def f():": mismatched set of block openings (if/else/elif/for/def) and closing (end): this 'def' is never closed [script/unclosed-block] (hint: add 'end')
  4:1 "end": this 'end' is indented less than the 'if' that it closes
  2:3 "if x:": the 'if' is here
`,
		},
		{
			"unclosed and badly indented", "def f():\nreturn 1",
			`1:1 "def f():": mismatched set of block openings (if/else/elif/for/def) and closing (end): this 'def' is never closed [script/unclosed-block] (hint: add 'end')
`,
		},
		{
			"extra end", "if x:\n  y = 1\nend\nend",
			`4:1 "end": unexpected end [script/unexpected-end]
  1:1 "if x:": the last block is this 'if'
  3:1 "end": it is already closed here
`,
		},
		{
			"only an end", "x = 1\nend",
			`2:1 "end": unexpected end [script/unexpected-end] (hint: no block is open: 'end' closes an 'if', 'for', 'while' or 'def' whose line ends in a colon)
`,
		},
		{
			"else in a loop", "if a:\nfor x in y:\nelse:\nend\nend",
			`3:1 "else": unexpected else: no 'if' is open here [script/unexpected-else] (hint: close it with 'end' before 'else')
  2:1 "for x in y:": this 'for' is the innermost open block
`,
		},
		{
			"else behind one line", "if a: x = 1\nelse: x = 2\nif a:\nend",
			"2:1 \"else\": unexpected else: no 'if' is open here [script/unexpected-else]" +
				" (hint: an 'if' with its statement on the same line ends there)\n",
		},
		{
			"two elses", "if a:\nelse:\nelif b:\nend",
			`3:1 "elif": unexpected elif: this 'if' already has an 'else' [script/unexpected-else]
  2:1 "else": the 'else' is here
  1:1 "if a:": the 'if' is here
`,
		},
		{"elif without condition", "if a:\nelif:\nend", "2:5 \":\": got ':', want primary expression [script/syntax]\n"},
		{"else in an expression", "x = 1 else 2", "1:7 \"else\": got else, want newline [script/syntax]\n"},
		{"block in a one-line else", "if a:\nelse: if b:\nend\nend", "2:7 \"if\": got if, want primary expression [script/syntax]\n"},
		{
			"open bracket", "x = (1\ny = 2\n",
			`2:1 "y": got identifier, want ')' [script/syntax]
  1:5 "(": '(' was opened here
`,
		},
		{
			"open bracket at the end", "x = {'a': [\n1,\n",
			`2:3 "": got end of file, want ']' [script/syntax]
  1:11 "[": '[' was opened here
`,
		},
		{"closing bracket", "x = 1)", "1:6 \")\": unexpected ')' [script/syntax]\n"},
		{"colon behind a statement", "x = 1:\ny = 2", "1:6 \":\": got ':', want newline [script/syntax]\n"},
		{"lambda as a header", "if x: y = lambda z:\nend", "1:20 \"\": got newline, want primary expression [script/syntax]\n  2:1 \"end\": the next code begins here\n"},
		{"open string", "x = 'abc\ny = 1", "1:5 \"'abc\": unexpected newline in string [script/syntax]\n"},
		{"open triple string", "x = '''abc\ny = 1", "1:5 \"'''abc\\ny = 1\": unexpected EOF in string [script/syntax]\n"},
		{"bad escape", `x = "\xg1"`, `1:5 "\"\\xg1\"": invalid escape sequence \xg1 [script/syntax]` + "\n"},
		{"bad escape beside an unknown one", `x = "\d\xg1"`, `1:5 "\"\\d\\xg1\"": invalid escape sequence \xg1 [script/syntax] (hint: write \\ for a backslash)` + "\n"},
		{"error behind a covered string", `é = "\d"; x = +`, "1:16 \"\": got newline, want primary expression [script/syntax]\n"},
		{"computed load", "load(n, 'f')", "1:7 \",\": first operand of load statement must be a string literal [script/syntax]\n"},
		{"comparison chain", "x = 1 < 2 < 3", "1:11 \"<\": < does not associate with < (use parens) [script/syntax]\n"},
		{"odd character", "x = 1 $ 2", "1:7 \"$\": unexpected input character '$' [script/syntax]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, "f.star", tt.src)
			_, err := Parse(f)
			if got := explain(f, err); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// To read a number takes the square of its length, so that one may be only so long: twice as much
// code takes twice the work, whether it is one number or many. Counted are the bytes and, for each
// number that there is, the square of its words.
func TestNumbersGrowth(t *testing.T) {
	for name, code := range map[string]func(n int) string{
		"one":          func(n int) string { return "x = " + strings.Repeat("9", n) },
		"one in hex":   func(n int) string { return "x = 0x" + strings.Repeat("f", n) },
		"one float":    func(n int) string { return "x = 1." + strings.Repeat("5", n) },
		"many":         func(n int) string { return "x = [" + strings.Repeat(strings.Repeat("9", 999)+",", n/1000) + "]" },
		"many, in hex": func(n int) string { return "x = [" + strings.Repeat("0x"+strings.Repeat("f", 997)+",", n/1000) + "]" },
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) int {
				steps := n
				file, err := Parse(sourceFile(t, "x.star", code(n)))
				if err != nil {
					if !strings.Contains(err.Error(), "but the limit is") {
						t.Fatal(err)
					}
					return steps // it was refused before it was read
				}
				syntax.Walk(file, func(node syntax.Node) bool {
					if lit, ok := node.(*syntax.Literal); ok {
						words := len(lit.Raw) / 16
						steps += words * words
					}
					return true
				})
				return steps
			}
			n := maxDigits + 1
			if once, twice := work(n), work(2*n); twice > once*22/10 {
				t.Errorf("%d digits take %d steps, twice as many take %d", n, once, twice)
			}
		})
	}
}
