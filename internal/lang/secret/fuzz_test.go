package secret

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// encodings are the ways in which one text is written in another.
var encodings = []func(string) string{
	func(s string) string { return s },
	func(s string) string { b, _ := json.Marshal(map[string]string{"a": s}); return string(b) },
	strconv.Quote,
	strconv.QuoteToASCII,
	html.EscapeString,
	url.QueryEscape,
	url.PathEscape,
	func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" },
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("x" + s + "yz")) },
	func(s string) string { return base64.StdEncoding.EncodeToString([]byte("xy" + s)) },
	func(s string) string { return "  first: x\n  " + strings.ReplaceAll(s, "\n", "\n  ") + "\n" },
}

// FuzzHide: a text that has a secret, encoded in up to three ways one in the other, shows no part of
// it of more than eight bytes, and neither does a message with any part of that text.
func FuzzHide(f *testing.F) {
	for _, s := range []string{
		"qZ]URhdMJLMCVauk", "qZSw'qp4BmSQ#K1k", `a"b'cdef\<g>&%:,{}`, "пароль-é€-1234",
		"abcd efgh\nij kl", "a1!b2@c3#d4$e5%f6^g7&h8*", `\\\\\\\\\\\\\\\\`, "aaaa,aaaa,aaaa,aaaa,b",
		"%41%41%41%41%41", "&amp;&amp;&amp;",
	} {
		for seed := range uint64(6) {
			f.Add(s, seed)
		}
	}
	f.Add("''&0000000000000", uint64(96)) // two quotes stay, each escaped twice
	f.Fuzz(func(t *testing.T, secret string, seed uint64) {
		secret = strings.TrimSpace(secret)
		if len(secret) < longForm || len(secret) > 60 || !utf8.ValidString(secret) ||
			strings.ContainsFunc(secret, unusual) {
			t.Skip()
		}
		random := rand.New(rand.NewPCG(seed, 1))
		var rules Rules
		rules.Hide([]string{secret})
		text, around := secret, "z" // around is what the encodings add
		var names []int
		for range 1 + random.IntN(depth(secret)) {
			i := random.IntN(len(encodings))
			names = append(names, i)
			text, around = encodings[i](text), encodings[i](around)
		}
		text = "found " + text + " here"
		if part := shown(secret, around, rules.MaskWritten(text)); part != "" {
			t.Errorf("%q in %q by %v shows %q: %q", secret, text, names, part, rules.MaskWritten(text))
		}
		from := random.IntN(len(text))
		cut := text[from : from+random.IntN(len(text)-from)]
		if part := shown(secret, around, rules.MaskMessage(cut)); part != "" {
			t.Errorf("%q in the message %q shows %q: %q", secret, cut, part, rules.MaskMessage(cut))
		}
	})
}

// depth is how many encodings may be nested: three, but two for lines without letters and digits.
func depth(secret string) int {
	for line := range strings.SplitSeq(secret, "\n") {
		if newChained(line) == nil && strings.ContainsFunc(line, func(r rune) bool { return !isAlnum(byte(r)) }) {
			return 2
		}
	}
	return 3
}

// unusual reports whether a character is one that people do not type into a password.
func unusual(r rune) bool { return r != '\n' && (r == '\u00a0' || !strconv.IsPrint(r)) }

// shown is the first part of more than eight bytes of a form of a secret that a text has, and that
// does not come from what is around the secret.
func shown(secret, around, text string) string {
	for line := range strings.SplitSeq(secret, "\n") {
		if line = strings.TrimSpace(line); len(line) < longForm {
			continue
		}
		for _, form := range formsOf(line) {
			for i := 0; i+longForm <= len(form); i++ {
				if part := form[i : i+longForm]; strings.Contains(text, part) && isTelling(part) &&
					!strings.Contains(around, part) {
					return part
				}
			}
		}
	}
	return ""
}

// isTelling reports whether a part is more than a few characters that are escaped. It may begin or end within
// an escape.
func isTelling(part string) bool {
	return len(withoutEscapes(cutEscape.ReplaceAllString(part, ""))) >= shortest
}

var cutEscape = regexp.MustCompile(`^#?\d{1,3};|&#?\w*$`)

// formsOf are a text as it is, as each encoding has it, and in base64 at each offset.
func formsOf(text string) []string {
	js, _ := json.Marshal(text)
	list := []string{
		text, inner(string(js)), inner(strconv.Quote(text)), inner(strconv.QuoteToASCII(text)),
		html.EscapeString(text), url.QueryEscape(text), url.PathEscape(text),
		strings.ReplaceAll(text, "'", "''"),
	}
	for offset := range 3 {
		padded := append(make([]byte, offset), text...)
		encoded := base64.RawStdEncoding.EncodeToString(padded)
		core := encoded[(offset*8+5)/6 : len(padded)*8/6]
		list = append(list, core, urlAlphabet(core))
	}
	return list
}
