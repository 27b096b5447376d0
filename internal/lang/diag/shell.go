package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// InShell returns a word as people can paste it into a shell: whatever it has, it stays one word,
// and the shell expands nothing in it. Messages that show a command write each word so that comes
// from a file, from git or from the command line.
func InShell(word string) string {
	switch {
	case word != "" && strings.Trim(word, plainInShell) == "" && word[0] != '=': // which zsh expands
		return word
	case !strings.ContainsFunc(word, isUnseen) && utf8.ValidString(word):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return escapedInShell(word)
}

// WordsInShell is InShell for each of several words, with spaces between them.
func WordsInShell(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = InShell(word)
	}
	return strings.Join(quoted, " ")
}

// plainInShell are characters that mean nothing to a shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"

// PathInShell is InShell for the path of a file or a directory as an argument of a command, which
// would take one that begins with a dash for a flag.
func PathInShell(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return InShell(path)
}

// QuotedPathInShell is PathInShell for messages that quote every path: plain ones are in quotes, too.
func QuotedPathInShell(path string) string {
	if word := PathInShell(path); word != path {
		return word
	}
	return "'" + path + "'"
}

// isUnseen reports whether messages show a character in another way.
func isUnseen(r rune) bool { return !unicode.IsPrint(r) }

// escapedInShell returns a word with characters that cannot be shown, such as line breaks. Bash and
// zsh read them back; to other shells it is another word, but still only one.
func escapedInShell(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRuneInString(word[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, word[i])
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < utf8.RuneSelf && isUnseen(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case isUnseen(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	b.WriteByte('\'')
	return b.String()
}
