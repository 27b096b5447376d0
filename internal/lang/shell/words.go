// Package shell parses text as a shell does: the words of a command line, and the commands of a
// script. It runs nothing. For quoting names, see package diag.
package shell

import "strings"

// Word is a word of a command, with its constant parts expanded.
type Word struct {
	Text     string
	Variable string // the part that a shell would expand, or ""
	Plain    bool   // no part of it is quoted
	Column   int    // where it begins in the text, in bytes from 1
}

// Unfinished is a quote that is never closed, or a backslash at the end.
type Unfinished struct {
	Char   byte
	Column int
}

// Words splits text at blanks, except in quotes. Nothing is expanded.
func Words(text string) ([]Word, *Unfinished) {
	const blanks = " \t\r\n"
	s := scanner{text: text, between: blanks}
	var words []Word
	for s.pos < len(text) {
		switch {
		case strings.IndexByte(blanks, text[s.pos]) >= 0:
			s.pos++
		case strings.HasPrefix(text[s.pos:], "\\\n"):
			s.pos += 2
		default:
			w, _ := s.readWord()
			words = append(words, w)
		}
	}
	return words, s.err
}
