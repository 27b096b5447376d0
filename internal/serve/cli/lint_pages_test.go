package cli

import (
	"strings"
	"testing"

	"weft/docs"
	"weft/internal/check/lint"
	"weft/internal/lang/diag"
)

// The page about a rule begins with its title, so that the page, the list of messages and an editor say the
// same. A title may go on where the page has more sentences.
func TestLintPagesBeginWithTitles(t *testing.T) {
	for _, r := range lint.Rules() {
		text, err := docs.Rule(string(r.Code))
		if err != nil {
			t.Error(err)
			continue
		}
		lines := strings.SplitN(string(text), "\n", 4)
		if len(lines) < 4 {
			t.Errorf("%s: the page has %d lines", r.Code, len(lines))
			continue
		}
		info, _ := diag.About(r.Code)
		title := strings.ToLower(strings.TrimPrefix(info.Title, "with `--kubernetes`: "))
		rest, ok := strings.CutPrefix(title, strings.ToLower(strings.TrimSuffix(lines[2], ".")))
		if !ok || rest != "" && rest[0] != ':' && rest[0] != ';' {
			t.Errorf("%s: the page begins with %q, but the title is %q", r.Code, lines[2], info.Title)
		}
	}
}
