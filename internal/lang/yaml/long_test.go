package yaml

import (
	"bytes"
	"strings"
	"testing"
)

// longStrings are strings that are written in pieces, one for each way to write them.
func longStrings() map[string]string {
	n := longText + 2*pieceSize
	odd := strings.Repeat("x", pieceSize-1) // so that what follows is across the end of a piece
	return map[string]string{
		"plain":             strings.Repeat("plain words ", n/12) + "end",
		"single quotes":     strings.Repeat("it's: ", n/6),
		"double quotes":     strings.Repeat("a\tb\"\u2028é\U0001F600", n/12),
		"across a piece":    odd + strings.Repeat("é\U0001F600\a", n/7),
		"block":             strings.Repeat("a line\n\n  and more\n", n/18),
		"block, no break":   strings.Repeat("a line\n", n/7) + "end",
		"block, breaks":     strings.Repeat("a line\n", n/7) + "\n\n",
		"block, blank":      "  " + strings.Repeat("a line\n", n/7),
		"block, long lines": strings.Repeat(strings.Repeat("x", 3*pieceSize)+"\n", 8),
		"block, one line":   strings.Repeat("x", n) + "\n",
		"binary":            strings.Repeat("\xff\xfe", n/2),
		"binary later":      odd + "\xf0\x9f" + strings.Repeat("x", n),
	}
}

// writeLong writes text as a document, as a key, as a value and as an item.
func writeLong(w Writer, text []byte) {
	w.Mapping(false)
	w.Scalar(Value{Kind: String}, []byte("before"))
	w.Scalar(Value{Kind: String}, text)
	w.Scalar(Value{Kind: String}, text)
	w.Sequence(false)
	w.Scalar(Value{Kind: String}, text)
	w.Scalar(Value{Kind: Null}, nil)
	w.End()
	w.End()
	w.Scalar(Value{Kind: String}, text)
}

// wanted is what is still to be written.
type wanted struct {
	rest    []byte
	differs bool // from what was written
}

func (w *wanted) take(piece []byte) {
	rest, ok := bytes.CutPrefix(w.rest, piece)
	w.rest, w.differs = rest, w.differs || !ok
}

func TestLongStringsInPieces(t *testing.T) {
	before := longText
	longText = 8 * pieceSize
	t.Cleanup(func() { longText = before })
	for name, text := range longStrings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var whole, pieces YAMLWriter
			whole.dst = make([]byte, 0, 5*len(text))
			writeLong(&whole, []byte(text))
			same := wanted{rest: whole.Bytes()}
			pieces.Drain = same.take
			writeLong(&pieces, []byte(text))
			if same.take(pieces.Bytes()); same.differs || len(same.rest) > 0 {
				t.Error("YAML differs from what is written at once")
			}
			if kept := cap(pieces.dst); kept > longText && !strings.HasPrefix(name, "binary") {
				t.Errorf("YAML: the buffer became %d bytes", kept)
			}

			var wholeJSON, piecesJSON JSONWriter
			wholeJSON.dst = whole.dst[:0]
			writeLong(&wholeJSON, []byte(text))
			same = wanted{rest: wholeJSON.Bytes()}
			piecesJSON.Drain = same.take
			writeLong(&piecesJSON, []byte(text))
			if same.take(piecesJSON.Bytes()); same.differs || len(same.rest) > 0 {
				t.Error("JSON differs from what is written at once")
			}
			if kept := cap(piecesJSON.dst); kept > longText {
				t.Errorf("JSON: the buffer became %d bytes", kept)
			}
		})
	}
}

// Whether a document is empty shows without its text, which may be long.
func TestEmptyTakesNoText(t *testing.T) {
	for _, text := range []string{"a\nb\n", "|\n  a\n", "'a''b'\n", `"\n"` + "\n"} {
		tree, err := parse(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := Composer{Tree: tree}
		if n := testing.AllocsPerRun(10, func() {
			if c.Empty(tree.Root(tree.First())) {
				t.Errorf("%q counts as empty", text)
			}
		}); n > 0 {
			t.Errorf("%q: %g allocations", text, n)
		}
	}
	for text, want := range map[string]bool{"!!null \"\"\n": true, "!!null '~'\n": true, "! a\n": false, "\n": true} {
		tree, err := parse(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := Composer{Tree: tree}
		if tree.More(tree.First()) && c.Empty(tree.Root(tree.First())) != want {
			t.Errorf("%q: empty is %t", text, !want)
		}
	}
}
