package suggest

import (
	"testing"

	"weft/internal/lang/edit"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// TestLineBreaks checks that what is added at the end of a file has the line breaks of the file.
func TestLineBreaks(t *testing.T) {
	v := tree.Of(tree.NewMap([]tree.Item{{Key: tree.String("b"), Value: number(2)}}, tree.Value{}.Start()))
	for old, want := range map[string]string{
		"a: 1\n":          "a: 1\n---\nb: 2\n",
		"a: 1\r\n":        "a: 1\r\n---\r\nb: 2\r\n",
		"a: 1\r\nc: 3":    "a: 1\r\nc: 3\r\n---\r\nb: 2\r\n",
		"a: |\r\n  x\r\n": "a: |\r\n  x\r\n---\r\nb: 2\r\n",
	} {
		now, err := setAll([]byte(old), []setting{{at: spot{offset: -1, document: 1}, value: &v}}, yaml.Options{})
		if err != nil || string(now) != want {
			t.Errorf("%q: got %q, %v, want %q", old, now, err, want)
		}
	}
	const overlays = "#@ load(\"@ytt:overlay\", \"overlay\")\r\n---\r\na: 1\r\n\r\n"
	text := following(overlays, loadLine+"\n\n---\nb: 2\n", New)
	if got, want := string(edit.Append([]byte(overlays), text, yaml.Options{})),
		overlays+"---\r\nb: 2\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
