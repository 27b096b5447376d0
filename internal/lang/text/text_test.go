package text

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

func sourceFile(t testing.TB, text string) *source.File {
	t.Helper()
	f, err := new(source.Set).Add("f.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// show writes parts down: text in quotes, code between the marks of its kind.
func show(src string, parts []Part) string {
	var out []string
	for _, p := range parts {
		body := src[p.Body.Start:p.Body.End]
		if p.Kind == Literal {
			out = append(out, fmt.Sprintf("%q", body))
		} else {
			out = append(out, fmt.Sprintf("%s<%s>", p.Kind, strings.ReplaceAll(body, "\n", "|")))
		}
	}
	return strings.Join(out, " ")
}

func TestFile(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"empty", "", ``},
		{"no code", "\nline1\n\n", `"\nline1\n\n"`},
		{"print", `a (@= "b" @) c`, `"a " print< "b" > " c"`},
		{"statements", "before(@ a = 5 @)after", `"before" statement< a = 5 > "after"`},
		{"statements over lines", "(@ x = 1\ny = 2 @)", `statement< x = 1|y = 2 >`},
		{"empty code", "(@@)(@ @)(@\n\n@)", `statement<> statement< > statement<||>`},
		{"comment", "(@# note @)a(@ # note @)", `comment< note > "a" statement< # note >`},
		{"comment before code", "(@# note\nx = 1 @)", `statement<# note|x = 1 >`},
		{"trim before", "a \t\n\n (@- x @) b", `"a" statement< x > " b"`},
		{"trim behind", "a (@ x -@) \r\n b\n", `"a " statement< x > "b\n"`},
		{"trim and print", "a (@-= x -@) b", `"a" print< x > "b"`},
		{"trim all", "(@--@)\n\ncon (@--@) tent\n\n(@--@)", `statement<> "con" statement<> "tent" statement<>`},
		{"trim a text from both sides", "(@ -@) \n (@- @)", `statement< > "" statement< >`},
		{"trim with one dash", "a (@-@) b", `"a" statement<> " b"`},
		{"trim only the text next to it", "a (@ x @)(@- y -@)(@ z @) b", `"a " statement< x > statement< y > statement< z > " b"`},
		{"trim wide spaces", "a\u00a0\u2003(@-@)", `"a" statement<>`},
		{"minus in code", "(@ - 1 - @)", `statement< - 1 - >`},
		{"equals sign in code", "(@ =@)(@-==@)", `statement< => print<=>`},
		{"parentheses", "(a) @ (@= (b)@) )(", `"(a) @ " print< (b)> " )("`},
		{"opening before closing", "(@)x@)", `statement<)x>`},
		{"many at signs", "@@(@@@@)@", `"@@" statement<@@> "@"`},
		{"beginning with a closing parenthesis", ")@(@= x @)", `")@" print< x >`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, tt.src)
			parts, err := File(f)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(tt.src, parts); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func explain(f *source.File, err error) string {
	var b strings.Builder
	for _, d := range diag.Of(err) {
		p := f.Place(d.At.Offset())
		fmt.Fprintf(
			&b,
			"%d:%d %q: %s [%s] (hint: %s)\n",
			p.Line,
			p.Column,
			f.Data()[d.At.Offset():d.At.End()],
			d.Message,
			d.Code,
			d.Hint,
		)
		for _, r := range d.Related {
			p := f.Place(r.At.Offset())
			fmt.Fprintf(&b, "  %d:%d: %s\n", p.Line, p.Column, r.Message)
		}
	}
	return b.String()
}

func TestFileErrors(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{
			"nested", "a\n(@ x\n  (@= y @)",
			`3:3 "(@": unexpected code opening '(@' [text/nested-opening] (hint: close it with '@)' first; to print the two characters, write (@= "(" + "@" @))
  2:1: the open code begins here
`,
		},
		{
			"closing in a string", `é(@= "@)" @)`,
			`1:11 "@)": unexpected code closing '@)' [text/unexpected-closing] (hint: no code is open; to print it, write (@= "@" + ")" @))
`,
		},
		{
			"unclosed", "\ntest(@ a = 5",
			`2:5 "(@": missing code closing '@)' [text/missing-closing] (hint: the code that begins here continues to the end of the text)
`,
		},
		{
			"exclamation mark", "(@-! x @)",
			`1:4 "!": unexpected '!' at the beginning of code [text/unknown-mark] (hint: a comment is written (@# ... @))
`,
		},
		{
			"several", "@)\n(@ x @)\n@)",
			`1:1 "@)": unexpected code closing '@)' [text/unexpected-closing] (hint: no code is open; to print it, write (@= "@" + ")" @))
3:1 "@)": unexpected code closing '@)' [text/unexpected-closing] (hint: no code is open; to print it, write (@= "@" + ")" @))
`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := sourceFile(t, tt.src)
			_, err := File(f)
			if got := explain(f, err); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// A text that is part of a file has its errors where they are in the file.
func TestParsePlaces(t *testing.T) {
	const src = "key: \"a @) b\"\n"
	f := sourceFile(t, src)
	const start = len("key: \"")
	_, err := Parse(
		[]byte("a @) b"),
		func(a, b int) source.Span { return f.Span(start+a, start+b) },
	)
	if got, want := explain(f, err), "1:9 \"@)\""; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestManyErrors(t *testing.T) {
	f := sourceFile(t, strings.Repeat("@)", 100_000))
	_, err := File(f)
	if got := len(diag.Of(err)); got != maxErrors {
		t.Errorf("got %d errors, want %d", got, maxErrors)
	}
}

// Any bytes give parts that are the whole text, each body inside its part, or an error with a
// place.
func FuzzFile(f *testing.F) {
	for _, s := range []string{
		"", "a", "a(@= b @)c", "(@--@)", "a (@-# b -@) c", "(@ (@ @)", "@)", "(@", "(@)@)", "(@-", "(@!@)", "(@@@)@)", " (@- x\n-@)\u2003(@-@)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file := sourceFile(t, src)
		parts, err := File(file)
		if err != nil {
			for _, d := range diag.Of(err) {
				if !d.At.IsValid() || d.At.End() > len(src) || d.Message == "" {
					t.Errorf("a bad diagnostic: %+v", d)
				}
			}
			return
		}
		var raw strings.Builder
		for i, p := range parts {
			raw.WriteString(src[p.Raw.Start:p.Raw.End])
			if p.Body.Start < p.Raw.Start || p.Body.End < p.Body.Start || p.Body.End > p.Raw.End {
				t.Errorf("part %d: the body %v is not in the part %v", i, p.Body, p.Raw)
			}
			if p.Kind == Literal && i > 0 && parts[i-1].Kind == Literal {
				t.Errorf("part %d: two texts in a row", i)
			}
			body := src[p.Body.Start:p.Body.End]
			if strings.Contains(body, "(@") || strings.Contains(body, "@)") {
				t.Errorf("part %d: marks in %q", i, body)
			}
		}
		if raw.String() != src {
			t.Errorf("the parts are %q, the text is %q", raw.String(), src)
		}
	})
}

func BenchmarkFile(b *testing.B) {
	f := sourceFile(
		b,
		strings.Repeat(
			"Some text, mail@example.org (really)\n(@ for x in y: -@)\n  item (@= str(x) @)\n(@ end -@)\n",
			1000,
		),
	)
	b.SetBytes(int64(len(f.Data())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := File(f); err != nil {
			b.Fatal(err)
		}
	}
}
