package diag_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/testing/cases"
)

// Each case is a source text in which «» marks what the diagnostic is about and ‹› the related
// place; what Render makes of it is the section of the same name in testdata/render.txtar.
var renderCases = []struct {
	name string
	text string
	edit func(*diag.Diagnostic)
	opt  diag.RenderOptions
}{
	{name: "word", text: "a: 1\nb: «two» # comment\n"},
	{name: "empty_span", text: "a: 1\nb:«»2\n"},
	{name: "at_end_of_line", text: "key «»\nnext\n"},
	{name: "at_end_of_file", text: "a: [1,\n«»"},
	{name: "empty_file", text: "«»"},
	{name: "several_lines", text: "a: «{b: 1,\n  c: 2}»\n"},
	{name: "tab", text: "a:\n«\t»b: 1\n"},
	{name: "tab_before", text: "\ta:\t«b»\tc\n"},
	{name: "utf8", text: "naïve: «café»\n"},
	{name: "wide", text: "名前: «値» # 日本\n"},
	{name: "combining", text: "cafe\u0301: «x»\n"},
	{name: "byte_order_mark", text: "\ufeff«a»: 1\n"},
	{name: "crlf", text: "a: 1\r\nb: «2»\r\nc: 3\r\n"},
	{name: "control_characters", text: "a: \x1b[31m«red\x07»\x7f\u009b \u202e!\n"},
	{name: "invalid_utf8", text: "a: \xff«\xfe»b\n"},
	{name: "line_number_of_two_digits", text: strings.Repeat("x\n", 41) + "«x»\n"},
	{name: "long_line_start", text: "«key»: " + strings.Repeat("0123456789", 30) + "\n"},
	{
		name: "long_line_middle",
		text: strings.Repeat("0123456789", 30) + "«here»" + strings.Repeat("abcdefghij", 30) + "\n",
	},
	{name: "long_line_end", text: strings.Repeat("0123456789", 30) + "«»\n"},
	{name: "long_span", text: "k: «" + strings.Repeat("0123456789", 30) + "»\n"},
	{
		name: "long_line_of_wide_characters",
		text: strings.Repeat("日本語", 100) + "«値»" + strings.Repeat("日本語", 100) + "\n",
	},
	{
		name: "narrow",
		text: strings.Repeat("0123456789", 30) + "«here»" + strings.Repeat("abcdefghij", 30) + "\n",
		opt:  diag.RenderOptions{Width: 40},
	},
	{
		name: "everything", text: "a: ‹\"›text\nb: 1\n«»",
		edit: func(d *diag.Diagnostic) {
			d.Code = "yaml/unclosed-quote"
			d.Path = "a"
			d.WithHint("close the quote,\nor begin a block")
		},
	},
	{
		name: "everything_in_colour", text: "a: ‹\"›text\nb: 1\n«»", opt: diag.RenderOptions{Color: true},
		edit: func(d *diag.Diagnostic) {
			d.Code = "yaml/unclosed-quote"
			d.Path = "a"
			d.WithHint("close the quote")
		},
	},
	{
		name: "warning",
		text: "a: «yes»\n",
		edit: func(d *diag.Diagnostic) { d.Severity = diag.Warning },
		opt:  diag.RenderOptions{Color: true},
	},
	{name: "no_place", text: "«»", edit: func(d *diag.Diagnostic) { d.At = source.Span{} }},
	{
		name: "message_of_several_lines", text: "«a»: 1\n",
		edit: func(d *diag.Diagnostic) { d.Message = "one\ntwo\x1b[2J\n"; d.Code = "x/y" },
	},
}

func TestRender(t *testing.T) {
	const file = "testdata/render.txtar"
	golden := cases.Archive(t, file)
	want := map[string]string{}
	for _, f := range golden.Files {
		want[f.Name] = string(f.Data)
	}
	golden.Files = nil
	for _, tt := range renderCases {
		t.Run(tt.name, func(t *testing.T) {
			set, d := marked(t, tt.text)
			if tt.edit != nil {
				tt.edit(d)
			}
			got := render(t, set, diag.List{d}, tt.opt)
			if !utf8.ValidString(got) {
				t.Errorf("not UTF-8: %q", got)
			}
			golden.Files = append(golden.Files, txtar.File{Name: tt.name, Data: []byte(got)})
			if diff := cmp.Diff(want[tt.name], got); diff != "" && !*cases.Update {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if *cases.Update {
		if err := os.WriteFile(file, txtar.Format(golden), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRenderAtMost(t *testing.T) {
	var list diag.List
	for i := range 30 {
		d := diag.Warningf(source.Span{}, "", "number %d", i)
		if i%10 == 9 {
			d.Severity = diag.Error
		}
		list = append(list, d)
	}
	got := render(t, nil, list, diag.RenderOptions{Full: 4})
	// The three errors are all there; one place is left for the first warning.
	want := `weft: warning: number 0

weft: error: number 9

weft: error: number 19

weft: error: number 29

... and 26 more
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := strings.Count(render(t, nil, list, diag.RenderOptions{}), "number"); n != 20 {
		t.Errorf("by default %d diagnostics are shown, want 20", n)
	}
}

// Whatever the text and the span are, the output is plain text of a bounded width.
func FuzzRender(f *testing.F) {
	for _, tt := range renderCases {
		text, at, _ := unmark(tt.text)
		f.Add([]byte(text), at[0], at[1])
	}
	f.Fuzz(func(t *testing.T, text []byte, from, to int) {
		var set source.Set
		file, err := set.Add("f.yml", text)
		if err != nil {
			t.Skip()
		}
		from = min(max(from, 0), len(text))
		to = min(max(to, 0), len(text))
		d := diag.Errorf(file.Span(from, to), "x/y", "%s", text)
		got := render(t, &set, diag.List{d}, diag.RenderOptions{})
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 {
				t.Fatalf("control character %U in %q", r, got)
			}
		}
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if carets := lines[len(lines)-1]; !strings.HasSuffix(carets, "^") || len(carets) > 200 {
			t.Errorf("bad line of carets %q", carets)
		}
	})
}

func render(t *testing.T, set *source.Set, list diag.List, opt diag.RenderOptions) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Render(&b, set, list, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// marked is a set with one file, and a diagnostic about the parts of text that are marked.
func marked(t *testing.T, text string) (*source.Set, *diag.Diagnostic) {
	t.Helper()
	text, at, rel := unmark(text)
	set := new(source.Set)
	f, err := set.Add("config.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d := diag.Errorf(f.Span(at[0], at[1]), "", "message")
	if rel[1] > 0 {
		d.WithRelated(f.Span(rel[0], rel[1]), "it opens here")
	}
	return set, d
}

func unmark(text string) (plain string, at, rel [2]int) {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch r {
		case '«':
			at[0] = b.Len()
		case '»':
			at[1] = b.Len()
		case '‹':
			rel[0] = b.Len()
		case '›':
			rel[1] = b.Len()
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String(), at, rel
}

// Every error is told, however many there are: those beyond the usual number in a line for each
// place, and no warnings then.
func TestRenderManyErrors(t *testing.T) {
	files := &source.Set{}
	f, err := files.Add("a.yml", []byte("a: 1\nb: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := diag.List{diag.Warningf(f.Span(0, 1), "", "a warning")}
	for _, off := range []int{0, 5, 8} {
		d := diag.Errorf(f.Span(off, 1), "x/y", "number %d", off).
			WithRelated(f.Span(3, 1), "the other side").
			WithHint("a hint")
		d.Path = "a.b"
		list = append(list, d)
	}
	got := render(t, files, list, diag.RenderOptions{Full: 1, Max: 2})
	want := `a.yml:1:1: error: number 0 [x/y]
  |
1 | a: 1
  | ^
in: a.b
a.yml:1:4: note: the other side
  |
1 | a: 1
  |    ^
hint: a hint

a.yml:2:1: error: number 5, in a.b [x/y]
  a.yml:1:4: note: the other side

... and 2 more
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
