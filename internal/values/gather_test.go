package values

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"weft/internal/overlay"
	"weft/internal/schema"
	"weft/internal/source"
	"weft/internal/tree"
)

// Flags that set different values are laid in one step, however many there are.
func TestManyFlagsAreOneDocument(t *testing.T) {
	var flags []string
	for i := range 20_000 {
		flags = append(flags, fmt.Sprintf("a.key%d=%d", i, i))
	}
	if docs := together(flagDocuments(t, flags)); len(docs) != 1 {
		t.Errorf("got %d documents, want 1", len(docs))
	}
	flags = append(flags, "a.key7.deeper=1", "b=1")
	if docs := together(flagDocuments(t, flags)); len(docs) != 2 {
		t.Errorf("got %d documents, want 2: one flag leads into what another sets", len(docs))
	}
}

// A law: flags put together give what they give one after another, errors too.
func TestGatheredFlagsMeanTheSame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var flags []string
		for range fewFlags + rnd.IntN(40) {
			path := string(rune('a' + rnd.IntN(12)))
			for rnd.IntN(3) == 0 {
				path += "." + string(rune('a'+rnd.IntN(3)))
			}
			flags = append(flags, fmt.Sprintf("%s=%d", path, rnd.IntN(10)))
		}
		docs := flagDocuments(t, flags)
		s := New(schema.Any(), true)
		got, want := outcome(s.Lay(docs, overlay.Options{})), outcome(s.layEach(docs, overlay.Options{}))
		if got != want {
			t.Fatalf("%s\ngave\n%s\nbut one after another\n%s", strings.Join(flags, " "), got, want)
		}
	}
}

func flagDocuments(t *testing.T, flags []string) []tree.Document {
	t.Helper()
	docs, err := Flags{KV: flags}.Documents(Environment{Files: &source.Set{}})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]tree.Document, len(docs))
	for i, d := range docs {
		out[i] = d.Document
	}
	return out
}

func outcome(s Stack, err error) string {
	text := fmt.Sprintln(err)
	v, _ := tree.ToStarlark(s.Value)
	return text + v.String()
}
