package yaml

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendJSONString appends s as a JSON string, byte for byte as encoding/json does: it also escapes
// what is special in HTML or JavaScript, and replaces invalid UTF-8 with U+FFFD.
func AppendJSONString(dst, s []byte) []byte {
	dst = append(dst, '"')
	dst = appendJSONBody(dst, s)
	return append(dst, '"')
}

// appendJSONBody appends s without the quotes.
func appendJSONBody(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	start := 0 // everything before it is written
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !jsonEscaped[c] {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\b':
				dst = append(dst, `\b`...)
			case '\f':
				dst = append(dst, `\f`...)
			case '\n':
				dst = append(dst, `\n`...)
			case '\r':
				dst = append(dst, `\r`...)
			case '\t':
				dst = append(dst, `\t`...)
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRune(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\ufffd`...)
			start = i + 1
		case r == 0x2028 || r == 0x2029: // line breaks in JavaScript
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, hex[r&0xF])
			start = i + size
		}
		i += size
	}
	return append(dst, s[start:]...)
}

var jsonEscaped = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = c < ' '
	}
	for _, c := range []byte(`"\<>&`) {
		t[c] = true
	}
	return t
}()

// AppendJSONFloat appends f as encoding/json does: in decimal notation unless it is very small or
// very large, like JavaScript. For infinities and NaN, which JSON lacks, it appends nothing and
// returns false.
func AppendJSONFloat(dst []byte, f float64) ([]byte, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, false
	}
	if size := math.Abs(f); size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64), true
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// JavaScript writes e-7 where Go writes e-07. Large exponents have two digits anyway.
	if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst, true
}

// AppendJSONValue appends a scalar as JSON for reports. Infinities and NaN, which JSON lacks,
// become strings.
func AppendJSONValue(dst []byte, v Value, text []byte) []byte {
	switch v.Kind {
	case String:
		return AppendJSONString(dst, text)
	case Float:
		if out, ok := AppendJSONFloat(dst, v.Float()); ok {
			return out
		}
		return AppendJSONString(dst, AppendFloat(nil, v.Float()))
	}
	return AppendValue(dst, v, text, 0)
}
