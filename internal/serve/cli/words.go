package cli

import (
	"strings"

	"weft/internal/serve/cli/process"
)

// word is a word of a command line, and the column where it begins.
type word struct {
	text   string
	column int
}

// splitWords splits the argument of a flag as a shell would: at blanks, except in quotes. Nothing
// is expanded.
func splitWords(flag, text string) ([]word, error) {
	var words []word
	var b strings.Builder
	begun := -1 // where the current word begins
	for i := 0; i < len(text); i++ {
		c := text[i]
		if strings.IndexByte(" \t\r\n", c) >= 0 {
			if begun >= 0 {
				words = append(words, word{b.String(), begun + 1})
				b.Reset()
				begun = -1
			}
			continue
		}
		if begun < 0 {
			begun = i
		}
		switch c {
		case '\'', '"':
			end, ok := quoted(&b, text, i)
			if !ok {
				return nil, process.Usagef("%s: the quote %c at column %d is never closed", flag, c, i+1).
					WithHint("close the quote, or write \\%c for the character itself", c)
			}
			i = end
		case '\\':
			if i++; i == len(text) {
				return nil, process.Usagef("%s: nothing follows the backslash at column %d", flag, i).
					WithHint(`write \\ for a backslash`)
			}
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	if begun >= 0 {
		words = append(words, word{b.String(), begun + 1})
	}
	return words, nil
}

// quoted reads what is between the quotes that open at i, and gives where they close.
func quoted(b *strings.Builder, text string, i int) (end int, ok bool) {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i, true
		case c == '\\' && quote == '"' && i+1 < len(text) &&
			strings.IndexByte("\"\\$`\n", text[i+1]) >= 0:
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return i, false
}
