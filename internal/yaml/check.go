package yaml

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"weft/internal/diag"
	"weft/internal/source"
)

// facts are what one quick look at the bytes tells before they are parsed.
type facts struct {
	lines    int  // line feeds
	returns  bool // carriage returns
	nonASCII bool
}

// check refuses what is no text that YAML could be written in (other encodings, broken UTF-8, control
// characters) and counts lines. It looks at eight bytes at a time: a loop over single bytes would cost as
// much as parsing.
func check(f *source.File) (facts, *diag.Diagnostic) {
	b := f.Data()
	if d := otherEncoding(f); d != nil {
		return facts{}, d
	}
	var ft facts
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		ft.nonASCII = ft.nonASCII || x&high != 0
		// A byte under 0x80 is under 0x20 iff taking 0x20 from it, with its high bit set, clears that bit; no byte borrows from the next.
		if ctl := ^((x | high) - ones*0x20) & high &^ x; ctl != 0 {
			lf := zeroBytes(x ^ ones*'\n')
			cr := zeroBytes(x ^ ones*'\r')
			ft.lines += bits.OnesCount64(lf)
			ft.returns = ft.returns || cr != 0
			if bad := ctl &^ (lf | cr | zeroBytes(x^ones*'\t')); bad != 0 {
				return ft, controlCharacter(f, i+bits.TrailingZeros64(bad)/8)
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
			return ft, controlCharacter(f, i)
		case c >= utf8.RuneSelf:
			ft.nonASCII = true
		}
	}
	if ft.nonASCII && !utf8.Valid(b) {
		for i := 0; i < len(b); {
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return ft, diag.Errorf(f.Span(i, i+1), CodeEncoding, "byte 0x%02X is not valid UTF-8", b[i]).
					WithHint("save the file as UTF-8; put binary data under the tag !!binary, in base64")
			}
			i += n
		}
	}
	return ft, nil
}

// zeroBytes sets the high bit of each byte of x that is zero, and of no other.
func zeroBytes(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return ^((x&low + low) | x | low)
}

func controlCharacter(f *source.File, i int) *diag.Diagnostic {
	return diag.Errorf(f.Span(i, i+1), CodeControl, "control character 0x%02X is not allowed in YAML", f.Data()[i]).
		WithHint(`write it as "\x%02X" in double quotes`, f.Data()[i])
}

// otherEncoding tells UTF-16 and UTF-32 by their byte order marks, or by the zero bytes that ASCII text has in them.
func otherEncoding(f *source.File) *diag.Diagnostic {
	b := f.Data()
	name := ""
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(b, []byte{0, 0, 0xfe, 0xff}):
		name = "UTF-32"
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		name = "UTF-16"
	case len(b) >= 4 && b[0] == 0 && b[1] == 0 && b[2] == 0 && b[3] != 0, len(b) >= 4 && b[0] != 0 && b[1] == 0 && b[2] == 0 && b[3] == 0:
		name = "UTF-32"
	case len(b) >= 2 && (b[0] == 0) != (b[1] == 0):
		name = "UTF-16"
	default:
		return nil
	}
	return diag.Errorf(f.Span(0, 0), CodeEncoding, "the file is encoded in %s, but YAML is read as UTF-8", name).
		WithHint("convert it: iconv -f %s -t UTF-8", name)
}
