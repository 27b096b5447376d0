package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// InShell quotes a word so that people can paste it into a shell: it stays one word, and the shell
// expands nothing in it. Messages that show a command quote each word that comes from a file, from
// git or from the command line.
func InShell(word string) string {
	switch {
	case word != "" && strings.Trim(word, plainInShell) == "" && word[0] != '=': // zsh expands a leading `=`
		return word
	case !strings.ContainsFunc(word, isEscaped) && utf8.ValidString(word):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return escapedInShell(word)
}

// WordsInShell quotes each word like InShell, and joins them with spaces.
func WordsInShell(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = InShell(word)
	}
	return strings.Join(quoted, " ")
}

// plainInShell has the characters that mean nothing special to a shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"

// PathInShell is like InShell for a path that is an argument of a command, which would take a
// leading dash for a flag.
func PathInShell(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return InShell(path)
}

// QuotedPathInShell is like PathInShell for messages that quote every path, even plain ones.
func QuotedPathInShell(path string) string {
	if word := PathInShell(path); word != path {
		return word
	}
	return "'" + path + "'"
}

// isEscaped reports whether messages escape a character.
func isEscaped(r rune) bool { return !unicode.IsPrint(r) }

// escapedInShell quotes a word with invisible characters, such as line breaks. Bash and zsh read back
// the same word; other shells read a different one, but still one word.
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
		case r < utf8.RuneSelf && isEscaped(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case isEscaped(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	b.WriteByte('\'')
	return b.String()
}
