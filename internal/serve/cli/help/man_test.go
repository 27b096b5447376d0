package help

import "testing"

// Pages are plain roff: no line of text is taken for a request, and no backslash begins an escape
// that was not meant.
func TestManEscapes(t *testing.T) {
	var p roff
	p.text(`.TH is a\b 'request'`)
	p.text(`'so is this`)
	p.macro(".SH", `say "x-y"`)
	if got, want := p.String(), "\\&.TH is a\\eb 'request'\n\\&'so is this\n.SH \"say \\(dqx\\-y\\(dq\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
