package secret

import (
	"encoding/xml"
	"strings"
	"testing"
)

// TestEscapeXML compares with package encoding/xml.
func TestEscapeXML(t *testing.T) {
	for _, text := range []string{
		"", "plain", `a<b>&"c"'d'`, "tab\tline\nreturn\r", "\x00\x1b\x7f", "\xff\xfe", "\u2028é漢𝄞", "\uFFFE\uFFFF\uFFFD",
	} {
		var want strings.Builder
		if err := xml.EscapeText(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := EscapeXML(text); got != want.String() {
			t.Errorf("%q becomes %q, want %q", text, got, want.String())
		}
	}
}
