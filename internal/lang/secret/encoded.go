package secret

import (
	"encoding/base64"
	"strings"
)

const (
	// shortestToken is the minimum number of base64 characters to decode: the length of longForm
	// bytes.
	shortestToken = 12
	// maxEncodings is the maximum nesting of base64.
	maxEncodings = 2
)

// findEncoded adds the parts of a text that are base64 of a text in which inside finds something.
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

// findInToken looks for secrets in base64 whose beginning may be missing or different.
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

// isBase64 reports whether c is a character of base64 or its URL variant.
func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_' }
