package yaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// tolerant reads src as far as it can be read.
func tolerant(t testing.TB, src string, opt Options) (*source.File, *Tree, diag.List) {
	t.Helper()
	var set source.Set
	f, err := set.Add("in.yml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	tree, list := ParseTolerant(f, opt)
	return f, tree, list
}

// outline writes a tree on one line, with `!` for what is invalid.
func outline(t *Tree) string {
	var b strings.Builder
	var value func(n NodeID)
	value = func(n NodeID) {
		switch t.Kind(n) {
		case Mapping, Sequence:
			b.WriteByte("{["[t.Kind(n)-Mapping])
			for child := range t.Items(n) {
				if child > n+1 {
					b.WriteByte(' ')
				}
				value(child)
			}
			b.WriteByte("}]"[t.Kind(n)-Mapping])
		case Invalid:
			b.WriteByte('!')
		case Alias:
			b.Write(t.Raw(n))
		default:
			b.Write(t.Text(n))
			if t.isMissing(n) {
				b.WriteByte('~')
			}
		}
	}
	for doc := range t.Documents() {
		b.WriteString("--- ")
		value(t.Root(doc))
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// TestTolerant has files with several errors: which are told, and what is left.
func TestTolerant(t *testing.T) {
	for _, tt := range []struct{ name, in, errs, tree string }{
		{"nothing wrong", "a: 1\n", "", "--- {a 1}"},
		{"two lines", "a: b: c\nd: 1\ne: f: g\nh: 2\n", "1 nested-on-one-line, 3 nested-on-one-line", "--- {! ! d 1 ! ! h 2}"},
		{"two lines, one below the other", "a: b: c\nd: e: f\ng: 1\n", "1 nested-on-one-line, 2 nested-on-one-line", "--- {! ! ! ! g 1}"},
		{"open quote", "a: \"x\nb: 1\nc: [\nd: 2\n", "1 unclosed, 3 unclosed", "--- {! ! b 1 ! ! d 2}"},
		{"open quote that ends at another", "a: \"x\nb: \"y\"\nc: 1\n", "1 unclosed", "--- {! ! b y c 1}"},
		{"inside a map", "a:\n  b: c: d\n  e: 1\nf: @x\ng: 2\n", "2 nested-on-one-line, 4 reserved-character", "--- {a {! ! e 1} ! ! g 2}"},
		{"all of a map", "a:\n  b: c: d\ne: 1\n", "2 nested-on-one-line", "--- {a ! e 1}"},
		{"inside a list", "- a: b: c\n  d: 1\n- e\n- @f\n- g\n", "1 nested-on-one-line, 4 reserved-character", "--- [{! ! d 1} e ! g]"},
		{"stray line", "a:\n    b: 1\n  c: 2\nd: 3\n", "3 indentation", "--- {a {b 1} ! ! d 3}"},
		{"stray lines", "a:\n    b: 1\n  c: 2\n  d: 3\n  e: 4\nf: 5\n", "3 indentation", "--- {a {b 1} ! ! f 5}"},
		{"documents", "a: b: c\n---\nd: 1\n---\n@e\n---\nf: 2\n", "1 nested-on-one-line, 5 reserved-character", "--- ! --- {d 1} --- ! --- {f 2}"},
		{"anchor that is left out", "a: &x y: z\nb: *x\nc: *y\n", "1 nested-on-one-line, 3 anchor", "--- !"},
		{"tabs", "a:\n\tb: 1\nc: 2\nd:\n\te: 3\nf: 4\n", "2 tab-indentation", "--- {! ! c 2 ! ! f 4}"},
		{"conflict", "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\nc: d: e\n", "2 unexpected, 7 nested-on-one-line", "--- {a 1 ! ! ! !}"},
		{"comments", "#! one\na: b: c\n  #! two\n  d: 1\n#! three\ne: 2\n", "2 nested-on-one-line", "--- {! ! e 2}"},
		{"control character", "a: \x01\nb: c: d\n", "1 control-character, 2 nested-on-one-line", "--- {a x ! !}"},
		{"binary", "\x00\x01\x02", "1 encoding", "--- !"},
		{"flow", "a: {b: [c}\nd: 1\ne: ]\n", "1 flow, 3 flow", "--- {! ! d 1 ! !}"},
		{"another program's template", "{{ if x }}\na: {{ b }}\n{{ end }}\n", "2 document", "--- !"},
		{"word alone", "a: 1\nfoo\nb: 2\nbar\n", "2 key, 4 key", "--- {a 1 ! ! b 2 ! !}"},
		{"list beside its key", "a: b: c\n- d\ne: 1\n", "1 nested-on-one-line", "--- {! ! e 1}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, tree, list := tolerant(t, tt.in, Options{})
			var errs []string
			for _, d := range list {
				errs = append(
					errs,
					fmt.Sprint(
						f.Line(d.At.Offset()),
						" ",
						strings.TrimPrefix(string(d.Code), "yaml/"),
					),
				)
			}
			if got := strings.Join(errs, ", "); got != tt.errs {
				t.Errorf("errors: got %s, want %s", got, tt.errs)
			}
			if got := outline(tree); got != tt.tree {
				t.Errorf("tree: got %s, want %s", got, tt.tree)
			}
			checkTree(t, tree)
		})
	}
}

// TestTolerantLimit: a file has at most MaxErrors errors, however many lines are wrong.
func TestTolerantLimit(t *testing.T) {
	_, tree, list := tolerant(t, strings.Repeat("a: b: c\nd: 1\n", 100), Options{})
	if len(list) != MaxErrors {
		t.Errorf("got %d errors, want %d", len(list), MaxErrors)
	}
	if got := outline(tree); !strings.HasPrefix(got, "--- {! ! d 1 ! ! d 1") {
		t.Errorf("got %s", got)
	}
}

// TestTolerantEnds: files that are wrong all over are not parsed for ever.
func TestTolerantEnds(t *testing.T) {
	for name, src := range map[string]string{
		"aliases of an anchor that is left out": "a: &x b: c\n" + strings.Repeat("d: *x\ne: 1\n", 1000),
		"tabs":                                  strings.Repeat("a:\n\tb: 1\nc: 2\n", 1000),
		"strays":                                "a:\n      b: 1\n" + strings.Repeat("    c: 2\n  d: 3\n", 1000),
		"deep":                                  strings.Repeat("[", 100_000),
		"quotes":                                strings.Repeat("a: \"b\n", 1001),
		"large":                                 strings.Repeat("a: b: c\nd: 1\n---\n", 200_000),
	} {
		_, tree, list := tolerant(t, src, Options{})
		checkTree(t, tree)
		if len(list) == 0 || len(list) > MaxErrors {
			t.Errorf("%s: got %d errors", name, len(list))
		}
	}
}

// TestTolerantTellsOne reads every mistake of testdata/errors: each has one thing wrong with it,
// and no other error may follow from that.
func TestTolerantTellsOne(t *testing.T) {
	eachMistake(t, func(t *testing.T, m mistake, want string) string {
		_, err := parse(m.text, m.parse)
		_, tree, list := tolerant(t, m.text, m.parse)
		checkTree(t, tree)
		if diff := cmp.Diff(messages(diag.Of(err)), messages(list)); diff != "" {
			t.Errorf("(-Parse +ParseTolerant):\n%s\n%s", diff, m.text)
		}
		if err != nil && len(tree.Check(false)) > 0 {
			t.Errorf("what is left has an error: %v", tree.Check(false))
		}
		return want
	})
}

func messages(list diag.List) (lines []string) {
	for _, d := range list {
		lines = append(lines, fmt.Sprint(d.At.Offset(), " ", d.Message))
	}
	return lines
}

// FuzzTolerant: whatever the bytes are, what is right in them is read. The first error is that of
// Parse; all lie in the file, and so do the nodes, in order; without an error the tree is that of
// Parse.
func FuzzTolerant(f *testing.F) {
	seeds(f)
	for _, s := range []string{"a: \"x\nb: [\nc: 1\n", "- a: b: c\n  #@ d\n- e\n", "a:\n    b: 1\n  c: 2\n", "%YAML x\n---\na\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, g := range []Grammar{Lenient, YAML12} {
			opt := Options{Grammar: g, MaxNodes: 10_000}
			strict, err := parse(string(src), opt)
			file, tree, list := tolerant(t, string(src), opt)
			checkTree(t, tree)
			tree.Check(true)
			if err == nil {
				if len(list) > 0 || string(tree.Dump()) != string(strict.Dump()) {
					t.Errorf("%q is right, but not read as it is: %v\n%s", src, list, tree.Dump())
				}
				continue
			}
			if len(list) == 0 || list[0].Message != err.Error() || len(list) > MaxErrors {
				t.Fatalf("%q: got %v, want %v first", src, list, err)
			}
			for _, d := range list {
				if !d.At.IsValid() || d.At.End() > len(file.Data()) {
					t.Errorf(
						"%q: %s is told of the bytes from %d to %d",
						src,
						d.Message,
						d.At.Offset(),
						d.At.End(),
					)
				}
			}
		}
	})
}
