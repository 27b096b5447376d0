package secret

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape removes one level of escapes from a text: those of JSON, YAML, Go, HTML, XML and URLs.
func unescape(text string) string {
	if !strings.ContainsAny(text, `\&%`) {
		return text
	}
	var b []byte
	for text != "" {
		plain, n := escape(text)
		b, text = append(b, plain...), text[n:]
	}
	return string(b)
}

// escape returns the meaning and the length of the escape at the beginning of a text. Any other
// byte means itself.
func escape(text string) (string, int) {
	switch text[0] {
	case '\\':
		return slashEscape(text)
	case '%':
		if c, ok := hex(text[1:], 2); ok {
			return string([]byte{byte(c)}), 3
		}
	case '&':
		if name, _, ok := strings.Cut(text[1:min(len(text), longEntity)], ";"); ok {
			if plain := entity(name); plain != "" {
				return plain, len(name) + 2
			}
		}
	}
	return text[:1], 1
}

func slashEscape(text string) (string, int) {
	if len(text) < 2 {
		return text, 1
	}
	switch text[1] {
	case 'u':
		if r, ok := hex(text[2:], 4); ok {
			if low, ok := strings.CutPrefix(text[6:], `\u`); ok && utf16.IsSurrogate(r) {
				second, _ := hex(low, 4)
				return string(utf16.DecodeRune(r, second)), min(len(text), 12)
			}
			return string(r), 6
		}
	case 'U':
		if r, ok := hex(text[2:], 8); ok {
			return string(r), 10
		}
	case 'x':
		if c, ok := hex(text[2:], 2); ok {
			return string([]byte{byte(c)}), 4
		}
	case 'n', 't', 'r':
		return " ", 2
	}
	return text[1:2], 2
}

// longEntity is the maximum length of an HTML entity.
const longEntity = len("&#x10ffff;")

// entity returns the meaning of an HTML entity that weft writes.
func entity(name string) string {
	switch name {
	case "amp":
		return "&"
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "quot":
		return `"`
	case "apos":
		return "'"
	}
	number, ok := strings.CutPrefix(name, "#")
	if !ok {
		return ""
	}
	base := 10
	if hex, ok := strings.CutPrefix(number, "x"); ok {
		number, base = hex, 16
	}
	r, err := strconv.ParseUint(number, base, 32)
	if err != nil || r > utf8.MaxRune {
		return ""
	}
	return string(rune(r))
}

// hex returns the number that a text begins with.
func hex(text string, digits int) (rune, bool) {
	if len(text) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:digits], 16, 32)
	return rune(n), err == nil
}
