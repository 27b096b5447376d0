package yaml

import (
	"bytes"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/testing/cases"
)

// mistake is one case of testdata/errors: a file with something wrong in it, and all that is said
// about it.
//
// In the archive it is two sections, NAME.yml and NAME.err. Options of the reading follow
// NAME.yml: `yaml12`, `strict`, `json`, `max-depth=N`, `max-nodes=N`; `accepted` says that nothing
// is wrong after all.
type mistake struct {
	name, text string
	parse      Options
	strict     bool
	json       bool
	accepted   bool
}

// awkward turns what editors and reviewers cannot see into what the archive writes for it.
var awkward = strings.NewReplacer(
	"␉", "\t", "␍", "\r", "␀", "\x00", "␇", "\a", "␛", "\x1b", "␡", "\x7f",
	"⟨BOM⟩", "\ufeff", "⟨NBSP⟩", "\u00a0", "⟨E4⟩", "\xe4", "⟨FF⟩", "\xff", "⟨FE⟩", "\xfe",
	"⟨end⟩\n", "", // the file ends here, without a line break
)

func newMistake(t *testing.T, f txtar.File) mistake {
	t.Helper()
	words := strings.Fields(f.Name)
	name, ok := strings.CutSuffix(words[0], ".yml")
	if !ok {
		t.Fatalf("section %q is not called NAME.yml", f.Name)
	}
	m := mistake{name: name, text: awkward.Replace(string(f.Data))}
	for _, w := range words[1:] {
		option, value, _ := strings.Cut(w, "=")
		n := 0
		if value != "" {
			var err error
			if n, err = strconv.Atoi(value); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
		switch option {
		case "yaml12":
			m.parse.Grammar, m.parse.Schema = YAML12, Core
		case "strict":
			m.strict = true
		case "json":
			m.json = true
		case "unique":
			m.parse.UniqueKeys = true
		case "max-depth":
			m.parse.MaxDepth = n
		case "max-nodes":
			m.parse.MaxNodes = n
		case "accepted":
			m.accepted = true
		default:
			t.Fatalf("%s: unknown option %q", f.Name, w)
		}
	}
	return m
}

// diagnose is all that is said about text, read as m asks.
func (m mistake) diagnose(t *testing.T, text string) (*source.Set, *source.File, diag.List) {
	t.Helper()
	set := new(source.Set)
	f, err := set.Add(m.name+".yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Parse(f, m.parse)
	if err != nil {
		return set, f, diag.Of(err)
	}
	list := tree.Check(m.strict)
	if m.json && list == nil {
		c := Composer{Tree: tree}
		for doc := range tree.Documents() {
			list = append(list, c.CheckJSON(tree.Root(doc))...)
		}
	}
	return set, f, list
}

func (m mistake) render(t *testing.T, text string) string {
	t.Helper()
	set, _, list := m.diagnose(t, text)
	var b strings.Builder
	if err := diag.Render(&b, set, list, diag.RenderOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestErrors holds what is said about each mistake against the golden text.
func TestErrors(t *testing.T) {
	seen := map[diag.Code]bool{}
	eachMistake(t, func(t *testing.T, m mistake, want string) string {
		_, _, list := m.diagnose(t, m.text)
		for _, d := range list {
			seen[d.Code] = true
		}
		got := m.render(t, m.text)
		if (got == "") != m.accepted {
			t.Errorf("accepted: %v, but marked as accepted: %v", got == "", m.accepted)
		}
		if diff := cmp.Diff(want, got); diff != "" && !*cases.Update {
			t.Errorf("-want +got:\n%s", diff)
		}
		return got
	})
	for name, code := range codes(t) {
		if !seen[code] {
			t.Errorf("no mistake shows %s (%s)", name, code)
		}
	}
}

// TestErrorsForPeople checks what holds for all diagnostics: who reads one can go to the place and
// knows what to do.
func TestErrorsForPeople(t *testing.T) {
	known := map[diag.Code]bool{}
	for _, code := range codes(t) {
		known[code] = true
	}
	eachMistake(t, func(t *testing.T, m mistake, want string) string {
		_, f, list := m.diagnose(t, m.text)
		for _, d := range list {
			checkForPeople(t, f, d)
			if !known[d.Code] {
				t.Errorf("%q is not a code of this package", d.Code)
			}
			if d.Hint == "" {
				t.Errorf("no hint with %q", d.Message)
			}
		}
		return want
	})
}

// fullStop reports whether s ends in a full stop that the input has not brought with it.
func fullStop(s string, input []byte) bool {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	return strings.HasSuffix(strings.TrimSuffix(s, "..."), ".") &&
		!bytes.Contains(input, []byte(last))
}

// checkForPeople holds a diagnostic to what all of them must be: in the file, on one line, short,
// and in the style of the others.
func checkForPeople(t *testing.T, f *source.File, d *diag.Diagnostic) {
	t.Helper()
	spans := []source.Span{d.At}
	texts := []string{d.Message}
	for _, r := range d.Related {
		spans = append(spans, r.At)
		texts = append(texts, r.Message)
	}
	for _, s := range spans {
		if !s.IsValid() || s.End() > len(f.Data()) {
			t.Errorf(
				"%q is about the bytes from %d to %d of a file of %d",
				d.Message,
				s.Offset(),
				s.End(),
				len(f.Data()),
			)
		}
	}
	for _, s := range append(texts, d.Hint) {
		if strings.Contains(s, "%!") && !bytes.Contains(f.Data(), []byte("%!")) {
			t.Errorf("a verb without its argument: %q", s)
		}
		if strings.ContainsAny(s, "\n\r") || fullStop(s, f.Data()) || len(s) > 350 ||
			!utf8.ValidString(s) {
			t.Errorf("not a short line without a full stop: %q", s)
		}
	}
	for _, s := range texts {
		if first, _ := utf8.DecodeRuneInString(s); s == "" ||
			unicode.IsUpper(first) && !strings.HasPrefix(s, "YAML") &&
				!strings.HasPrefix(s, "JSON") {
			t.Errorf("a message begins with a small letter: %q", s)
		}
	}
}

// TestErrorsWhateverTheLineBreak reads every mistake with Windows line breaks and, apart from their
// offsets, expects the same words and places; likewise after lines of other scripts, one of which
// ends in each of YAML's line breaks.
func TestErrorsWhateverTheLineBreak(t *testing.T) {
	eachMistake(t, func(t *testing.T, m mistake, want string) string {
		if strings.ContainsAny(m.text, "\r\x00") {
			return want // these are about line breaks and encodings
		}
		plain := m.render(t, m.text)
		if diff := cmp.Diff(plain, m.render(t, strings.ReplaceAll(m.text, "\n", "\r\n"))); diff != "" {
			t.Errorf("other with \\r\\n: -\\n +\\r\\n:\n%s", diff)
		}
		if diff := cmp.Diff(plain, m.render(t, strings.ReplaceAll(m.text, "\n", "\r"))); diff != "" {
			t.Errorf("other with \\r: -\\n +\\r:\n%s", diff)
		}
		if strings.HasPrefix(m.text, "\ufeff") {
			return want
		}
		bom := m.render(t, "\ufeff"+m.text)
		if diff := cmp.Diff(plain, bom); diff != "" {
			t.Errorf("other behind a byte order mark: -without +with:\n%s", diff)
		}
		_, f, list := m.diagnose(t, m.text)
		_, moved, below := m.diagnose(t, "# Größe\r\n# 名前\r# 🧵\n"+m.text)
		if len(list) != len(below) {
			t.Fatalf("%d diagnostics, behind three comments %d", len(list), len(below))
		}
		for i, d := range list {
			p, q := f.Place(d.At.Offset()), moved.Place(below[i].At.Offset())
			if p.Line+3 != q.Line || p.Column != q.Column || d.Message != below[i].Message ||
				d.Hint != below[i].Hint {
				t.Errorf(
					"%v %q (%q), but behind three comments %v %q (%q)",
					p,
					d.Message,
					d.Hint,
					q,
					below[i].Message,
					below[i].Hint,
				)
			}
		}
		return want
	})
}

// eachMistake calls do with each case and its golden text; with -update the result of do becomes
// the golden text.
func eachMistake(t *testing.T, do func(t *testing.T, m mistake, want string) string) {
	t.Helper()
	for _, file := range cases.Paths(t, "testdata/errors/*.txtar") {
		ar := cases.Archive(t, file)
		want := map[string]string{}
		var mistakes []txtar.File
		for _, f := range ar.Files {
			if name, ok := strings.CutSuffix(f.Name, ".err"); ok {
				want[name] = string(f.Data)
			} else {
				mistakes = append(mistakes, f)
			}
		}
		out := &txtar.Archive{Comment: ar.Comment}
		for _, f := range mistakes {
			m := newMistake(t, f)
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+m.name, func(t *testing.T) {
				got := do(t, m, want[m.name])
				out.Files = append(
					out.Files,
					f,
					txtar.File{Name: m.name + ".err", Data: []byte(got)},
				)
			})
			delete(want, m.name)
		}
		for name := range want {
			if !*cases.Update {
				t.Errorf("%s: %s.err belongs to no case", file, name)
			}
		}
		if *cases.Update && len(out.Files) == 2*len(mistakes) {
			if b := txtar.Format(out); !bytes.Equal(b, txtar.Format(ar)) {
				if err := os.WriteFile(file, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// codes are the constants of errors.go by their names.
func codes(t *testing.T) map[string]diag.Code {
	t.Helper()
	file, err := goparser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]diag.Code{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			value, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			found[name.Name] = diag.Code(value)
		}
		return false
	})
	if len(found) < 20 {
		t.Fatalf("errors.go has %d codes, which cannot be all", len(found))
	}
	return found
}

// TestErrorsAreDocumented holds the reference against errors.go and the parser: every code has a
// section and every section a code, and each section has two files, of which the first gets its
// code and the second is accepted.
func TestErrorsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
	sections := map[diag.Code]string{}
	for _, s := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(s, "\n")
		if _, ok := sections[diag.Code(title)]; ok {
			t.Errorf("two sections about %s", title)
		}
		sections[diag.Code(title)] = text
	}
	for name, code := range codes(t) {
		text, ok := sections[code]
		delete(sections, code)
		if !ok {
			t.Errorf("no section `## %s`, for %s", code, name)
			continue
		}
		files := example.FindAllStringSubmatch(text, -1)
		if len(files) != 2 {
			t.Errorf("%s has %d examples, want a mistake and how it is fixed", code, len(files))
			continue
		}
		m := mistake{name: string(code), strict: code == CodeStrict, json: code == CodeJSON}
		m.parse.UniqueKeys = code == CodeDuplicate
		if _, _, list := m.diagnose(t, awkward.Replace(files[0][1])); len(list) == 0 ||
			list[0].Code != code {
			t.Errorf("the mistake of %s gets %v", code, m.render(t, awkward.Replace(files[0][1])))
		}
		if got := m.render(t, files[1][1]); got != "" {
			t.Errorf("the fixed example of %s is refused:\n%s", code, got)
		}
	}
	for code := range sections {
		t.Errorf("a section about %s, which is no code", code)
	}
}

// FuzzErrors checks of any text that what is said about it can be shown, and is about the text.
func FuzzErrors(f *testing.F) {
	for _, file := range cases.Paths(f, "testdata/errors/*.txtar") {
		for _, s := range cases.Archive(f, file).Files {
			if !strings.HasSuffix(s.Name, ".err") {
				f.Add(awkward.Replace(string(s.Data)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range []Grammar{Lenient, YAML12} {
			m := mistake{
				name:   "fuzz",
				parse:  Options{Grammar: g, MaxDepth: 100, MaxNodes: 1000},
				strict: true,
				json:   true,
			}
			_, file, list := m.diagnose(t, text)
			for _, d := range list {
				checkForPeople(t, file, d)
			}
		}
	})
}
