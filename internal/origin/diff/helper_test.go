package diff

import (
	"strings"
	"testing"

	"weft/internal/lang/path"
	"weft/internal/lang/source"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// side is the documents of a text.
func side(t testing.TB, text string) Side {
	t.Helper()
	s, ok := parseSide(text)
	if !ok {
		t.Fatalf("cannot read\n%s", text)
	}
	return s
}

func parseSide(text string) (Side, bool) {
	s := Side{Files: &source.Set{}}
	f, err := s.Files.Add("in.yml", []byte(text))
	if err != nil {
		return s, false
	}
	parsed, err := yaml.Parse(f, yaml.Options{})
	if err != nil || parsed.Check(false) != nil {
		return s, false
	}
	for doc := range parsed.Documents() {
		v := tree.FromSyntax(parsed, parsed.Root(doc))
		if !v.Empty() {
			s.Docs = append(s.Docs, SideDocument{Value: v, Pos: parsed.Start(doc)})
		}
	}
	return s, true
}

func text(t testing.TB, d *Difference) string {
	t.Helper()
	var b strings.Builder
	if err := d.WriteText(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func pattern(t testing.TB, s string) path.Pattern {
	t.Helper()
	p, err := path.Parse("--flag", s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
