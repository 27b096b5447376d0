package secret

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/yaml"
)

// shortest is the minimum length of a text that is hidden wherever it is part of a string. A
// shorter one is hidden only if it is the whole string: otherwise a password "a" would hide every
// letter a.
const shortest = 4

// shortestLine is the minimum length of a line of a secret that is hidden without the lines around
// it: otherwise every closing bracket would be secret.
const shortestLine = 8

// shortestCore is the minimum number of base64 characters that are hidden if their context is
// unknown.
const shortestCore = 6

// forms returns the ways in which a text is written in other texts: unchanged, line by line,
// escaped by one format inside another, and in base64.
func forms(text string) []string {
	var all []string
	for _, part := range linesOf(text) {
		for _, quoted := range escapes(part) {
			all = append(all, quoted, htmlEscape(quoted), EscapeXML(quoted),
				url.QueryEscape(quoted), url.PathEscape(quoted), githubEscape(quoted),
				jsonEscape(quoted), strconvEscape(quoted), diag.Visible(quoted))
			all = appendBase64(all, quoted)
		}
	}
	return all
}

// linesOf returns a text, and its lines if it has several.
func linesOf(text string) []string {
	list := []string{text}
	if !strings.Contains(text, "\n") {
		return list
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); len(line) >= shortestLine {
			list = append(list, line)
		}
	}
	return list
}

// escapes returns a text unchanged and as it appears in quoted strings.
func escapes(text string) []string {
	quote := string(yaml.AppendJSONString(nil, []byte(text)))
	double := string(yaml.AppendDouble(nil, []byte(text)))
	list := []string{
		text,
		inner(quote),
		jsonEscape(text),
		strconvEscape(text),
		inner(double),
		strings.ReplaceAll(text, "'", "''"),
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return r < 0x80 && isAlnum(byte(r)) }) {
		// The other escapes are found by chained.
		list = append(list, htmlEscape(text), url.QueryEscape(text), url.PathEscape(text))
	}
	if utf8.ValidString(text) {
		list = append(list, inner(strconv.QuoteToASCII(text)))
	}
	return list
}

// inner returns a quoted string without its quotes.
func inner(quoted string) string {
	if len(quoted) < 2 {
		return quoted
	}
	return quoted[1 : len(quoted)-1]
}

func strconvEscape(text string) string { return inner(strconv.Quote(text)) }

// jsonEscape escapes a text as JSON in HTML pages: < becomes \u003c.
func jsonEscape(text string) string {
	safe := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`,
		"\u2028", `\u2028`, "\u2029", `\u2029`)
	return safe.Replace(inner(string(yaml.AppendJSONString(nil, []byte(text)))))
}

// htmlEscape escapes a text like package html, without its table of entities.
func htmlEscape(text string) string {
	return strings.NewReplacer("&", "&amp;", "'", "&#39;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").
		Replace(text)
}

// EscapeXML escapes a text for reports in XML, like package encoding/xml: that package fills a table of
// 250 entities whenever the program starts. Characters that XML cannot hold become U+FFFD.
func EscapeXML(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return 0xFFFD
		}
		return r
	}, text)
	return strings.NewReplacer("\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;").Replace(htmlEscape(text))
}

// githubEscape escapes a text as a property of a GitHub Actions command.
func githubEscape(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").
		Replace(text)
}

// appendBase64 adds the base64 forms of a text as part of a longer text: they differ at each of
// three offsets, and the characters at the ends depend on the context.
func appendBase64(all []string, text string) []string {
	whole := base64.StdEncoding.EncodeToString([]byte(text))
	all = append(all, whole)
	for offset := range 3 {
		padded := append(make([]byte, offset), text...)
		encoded := base64.RawStdEncoding.EncodeToString(padded)
		from, to := (offset*8+5)/6, len(padded)*8/6
		if to-from >= shortestCore {
			all = append(all, encoded[from:to], urlAlphabet(encoded[from:to]))
		}
	}
	return all
}

// urlAlphabet converts base64 to its URL variant.
func urlAlphabet(encoded string) string {
	return strings.ReplaceAll(strings.ReplaceAll(encoded, "+", "-"), "/", "_")
}
