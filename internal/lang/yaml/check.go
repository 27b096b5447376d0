package yaml

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// facts is what a quick scan of the bytes finds out before parsing.
type facts struct {
	lines    int  // number of line feeds
	returns  bool // there are carriage returns
	nonASCII bool
}

// check rejects input that is not YAML text (other encodings, invalid UTF-8, control characters)
// and counts the lines.
func check(f *source.File) (facts, *diag.Diagnostic) {
	if d := otherEncoding(f); d != nil {
		return facts{}, d
	}
	b := f.Data()
	ft, control := scanFacts(b)
	if control >= 0 {
		return ft, controlCharacter(f, control)
	}
	if ft.nonASCII && !utf8.Valid(b) {
		for i := 0; i < len(b); {
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return ft, badByte(f, i)
			}
			i += n
		}
	}
	return ft, nil
}

// scanFacts collects the facts about b and returns the offset of the first control character that YAML
// forbids, or -1. It reads eight bytes at a time: a loop over single bytes would cost as much as
// parsing.
func scanFacts(b []byte) (ft facts, control int) {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		ft.nonASCII = ft.nonASCII || x&high != 0
		// For a byte below 0x80, set its high bit and subtract 0x20: the high bit is cleared iff the
		// byte is below 0x20. The subtraction never borrows from the next byte.
		if ctl := ^((x | high) - ones*0x20) & high &^ x; ctl != 0 {
			lf := zeroBytes(x ^ ones*'\n')
			cr := zeroBytes(x ^ ones*'\r')
			ft.lines += bits.OnesCount64(lf)
			ft.returns = ft.returns || cr != 0
			if bad := ctl &^ (lf | cr | zeroBytes(x^ones*'\t')); bad != 0 {
				return ft, i + bits.TrailingZeros64(bad)/8
			}
		}
	}
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\n':
			ft.lines++
		case c == '\r':
			ft.returns = true
		case c < 0x20 && c != '\t':
			return ft, i
		case c >= utf8.RuneSelf:
			ft.nonASCII = true
		}
	}
	return ft, -1
}

// zeroBytes sets the high bit of each byte of x that is zero, and of no other.
func zeroBytes(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return ^((x&low + low) | x | low)
}

// badByte reports the byte at i, which is not part of a UTF-8 character.
func badByte(f *source.File, i int) *diag.Diagnostic {
	b := f.Data()
	if !utf8.FullRune(b[i:]) {
		return diag.Errorf(f.Span(i, len(b)), CodeEncoding, "the file ends in the middle of a character").
			WithHint("the file is truncated, or is not UTF-8: save it again as UTF-8")
	}
	return diag.Errorf(f.Span(i, i+1), CodeEncoding, "byte 0x%02X is not valid UTF-8", b[i]).
		WithHint("save the file as UTF-8, or, if it is in Latin-1, convert it: iconv -f " +
			"ISO-8859-1 -t UTF-8; write binary data as base64, with the tag !!binary")
}

func controlCharacter(f *source.File, i int) *diag.Diagnostic {
	c := f.Data()[i]
	d := diag.Errorf(
		f.Span(i, i+1),
		CodeControl,
		"control character 0x%02X is not allowed in YAML",
		c,
	)
	if c == 0 {
		return d.WithHint(
			`if this is a text file, remove the character, or write it as "\0" in double quotes`,
		)
	}
	return d.WithHint(`remove it, or write it as "\x%02X" in double quotes`, c)
}

// otherEncoding detects UTF-16 and UTF-32 by their byte order marks, or by the zero bytes in ASCII
// text.
func otherEncoding(f *source.File) *diag.Diagnostic {
	b := f.Data()
	name, order := "", "" // without a byte order mark, iconv needs the byte order
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(b, []byte{0, 0, 0xfe, 0xff}):
		name = "UTF-32"
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		name = "UTF-16"
	case len(b) >= 4 && b[0] == 0 && b[1] == 0 && b[2] == 0 && b[3] != 0:
		name, order = "UTF-32", "BE"
	case len(b) >= 4 && b[0] != 0 && b[1] == 0 && b[2] == 0 && b[3] == 0:
		name, order = "UTF-32", "LE"
	case len(b) >= 2 && b[0] == 0 && b[1] != 0:
		name, order = "UTF-16", "BE"
	case len(b) >= 2 && b[0] != 0 && b[1] == 0:
		name, order = "UTF-16", "LE"
	default:
		return nil
	}
	return diag.Errorf(f.Span(0, 0), CodeEncoding,
		"the file is encoded in %s, but YAML is read as UTF-8", name).
		WithHint("save it as UTF-8, or convert it: iconv -f %s%s -t UTF-8", name, order)
}
