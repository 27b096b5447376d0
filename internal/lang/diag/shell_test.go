package diag

import (
	"os/exec"
	"strings"
	"testing"
)

// oddWords are names that files, branches and environments can have.
var oddWords = []string{
	"", "plain", "a b", "a'b", `a"b`, "$(touch x)", "`touch x`", "$HOME", "a;b", "a|b&c", "*", "~", "~root",
	"!!", "#x", "=ls", "a\nb", "a\tb", "\\n", "a\\", "'", "''", "{a,b}", "<(x)", "ü", "日本", "\u202egnp",
	"\u00a0", "\u2028", "\x1b[31m", "\xff", "-x", "--flag=x", "%s", "a=b", "'\n\\", "(a)", "[a]", "a\rb", "\u200b",
}

// TestInShell checks that a shell reads each word back as it was, and that a message shows it as it
// is written.
func TestInShell(t *testing.T) {
	for _, word := range oddWords {
		text := InShell(word)
		if shown := visible(text); shown != text || strings.ContainsAny(text, "\r\n") {
			t.Errorf("%q is written as %q, which messages show as %q", word, text, shown)
		}
		readBack(t, text, word)
	}
	for _, word := range []string{"a", "envs/prod.yml", "a=b", "@lib:x", "1.2-3_4"} {
		if got := InShell(word); got != word {
			t.Errorf("%s is written as %s", word, got)
		}
	}
	if got := PathInShell("-rf /"); got != "'./-rf /'" {
		t.Errorf("got %s", got)
	}
}

// FuzzInShell checks the same for any word.
func FuzzInShell(f *testing.F) {
	for _, word := range oddWords {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if !strings.Contains(word, "\x00") { // which no argument can have
			readBack(t, InShell(word), word)
		}
	})
}

// readBack checks what bash takes a text for.
func readBack(t *testing.T, text, want string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is needed")
	}
	cmd := exec.Command(bash, "-c", "printf '%s|' "+text)
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil || string(out) != want+"|" {
		t.Errorf("%q is written as %s, which bash reads as %q (%v)", want, text, out, err)
	}
}
