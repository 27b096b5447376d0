package secret

import (
	"encoding/base64"
	"strings"
)

const (
	// shortestToken is how many characters of base64 are read: longForm bytes have as many.
	shortestToken = 12
	// mostEncoded is how many times a text may be in base64.
	mostEncoded = 2
)

// findEncoded adds the parts of a text that are base64 of what inside finds.
func findEncoded(found []span, text string, inside func(text string) []span) []span {
	for from := 0; from < len(text); {
		if !isBase64(text[from]) {
			from++
			continue
		}
		to := from + 1
		for to < len(text) && isBase64(text[to]) {
			to++
		}
		if to-from >= shortestToken {
			found = findInToken(found, text, span{from, to}, inside)
		}
		from = to
	}
	return found
}

// findInToken looks for secrets in base64 of which the beginning may be missing, or may be
// something else.
func findInToken(found []span, text string, token span, inside func(text string) []span) []span {
	encoded := strings.NewReplacer("-", "+", "_", "/").Replace(text[token.from:token.to])
	for offset := range 4 {
		plain, _ := base64.RawStdEncoding.DecodeString(encoded[offset:])
		for _, s := range inside(string(plain)) {
			start := token.from + offset
			found = append(found, span{start + s.from*8/6, min(start+(s.to*8+5)/6, token.to)})
		}
	}
	return found
}

// isBase64 reports whether base64 has a character, or the variant for URLs.
func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_' }
