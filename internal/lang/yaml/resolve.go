package yaml

import (
	"encoding/base64"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Schema decides what a plain scalar without a tag means.
type Schema uint8

// The schemas.
const (
	// Compat is the YAML 1.1 flavour of ytt: `yes` and `n` are booleans, `017` is fifteen, `1_000`
	// is a number.
	Compat Schema = iota
	// Core is the core schema of YAML 1.2: `yes` and `n` are strings, `017` is seventeen, `1_000`
	// is a string.
	Core
)

// ValueKind is the type of a scalar's value.
type ValueKind uint8

// The kinds of values. Uint is only for integers above the range of int64, so two equal integers
// always have the same kind.
const (
	Null ValueKind = iota
	Bool
	Int
	Uint
	Float
	String
)

// tagNames are the short tags that messages use for the kinds.
var tagNames = [...]string{
	Null:   "!!null",
	Bool:   "!!bool",
	Int:    "!!int",
	Uint:   "!!int",
	Float:  "!!float",
	String: "!!str",
}

// Value is the value of a scalar. It contains no pointer: the caller keeps the text of a string.
// The zero Value is null.
type Value struct {
	bits uint64 // the bool as 0 or 1, the integer in two's complement, or the float's IEEE bits
	Kind ValueKind
}

// BoolValue returns the Value of b.
func BoolValue(b bool) Value {
	if b {
		return Value{bits: 1, Kind: Bool}
	}
	return Value{Kind: Bool}
}

// IntValue returns the Value of i.
func IntValue(i int64) Value { return Value{bits: uint64(i), Kind: Int} }

// UintValue returns the Value of u: an Int if it fits in an int64.
func UintValue(u uint64) Value {
	if u <= math.MaxInt64 {
		return Value{bits: u, Kind: Int}
	}
	return Value{bits: u, Kind: Uint}
}

// FloatValue returns the Value of f.
func FloatValue(f float64) Value { return Value{bits: math.Float64bits(f), Kind: Float} }

// StringValue returns the Value of any string.
func StringValue() Value { return Value{Kind: String} }

// Bool returns the value of a Bool.
func (v Value) Bool() bool { return v.bits != 0 }

// Int returns the value of an Int.
func (v Value) Int() int64 { return int64(v.bits) }

// Uint returns the value of an Int that is not negative, or of a Uint.
func (v Value) Uint() uint64 { return v.bits }

// Float returns the value of a Float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Resolve returns the value of text as a plain scalar without a tag. Nearly all scalars are
// ordinary words, so the first byte decides whether text can be anything but a string, and only
// then is the rest examined.
func (s Schema) Resolve(text []byte) Value {
	if len(text) == 0 {
		return Value{Kind: Null}
	}
	switch opening[text[0]] {
	case opensWord:
		if len(text) <= len("false") {
			return s.word(text)
		}
	case opensNumber:
		return s.number(text)
	}
	return Value{Kind: String}
}

// What the first byte allows.
const (
	opensString = iota // nothing but a string
	opensWord          // a word for a bool or for null
	opensNumber
)

var opening = func() (t [256]uint8) {
	for _, c := range []byte("yYnNtTfFoO~") {
		t[c] = opensWord
	}
	for _, c := range []byte("0123456789+-.") {
		t[c] = opensNumber
	}
	return t
}()

// word resolves the words for null and the booleans. Only three spellings of each count: `tRUE` is a
// string.
func (s Schema) word(text []byte) Value {
	switch string(text) {
	case "~", "null", "Null", "NULL":
		return Value{Kind: Null}
	case "true", "True", "TRUE":
		return BoolValue(true)
	case "false", "False", "FALSE":
		return BoolValue(false)
	}
	if s == Compat {
		switch string(text) {
		case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON":
			return BoolValue(true)
		case "n", "N", "no", "No", "NO", "off", "Off", "OFF":
			return BoolValue(false)
		}
	}
	return Value{Kind: String}
}

// number resolves text that begins like a number: to an integer if possible, else to a float if
// possible, else to a string. Compat reads integers as Go does with base 0, after removing every
// `_`.
//
// Text that no number type can represent stays text, so nothing is lost: `1e400`, and hexadecimal,
// octal and binary numbers beyond 64 bits. Only decimal integers beyond 64 bits become a float, as
// in ytt. Base 60 (`1:30`) and timestamps contain a byte that no number has, and are strings in
// both schemas.
func (s Schema) number(text []byte) Value {
	if text[0] >= '1' && text[0] <= '9' { // most numbers are as simple as 8080
		if n, ok := magnitude(text, 10); ok {
			return UintValue(n)
		}
	}
	if text[0] == '.' || len(text) > 1 && text[1] == '.' {
		switch string(text) {
		case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
			return FloatValue(math.Inf(1))
		case "-.inf", "-.Inf", "-.INF":
			return FloatValue(math.Inf(-1))
		case ".nan", ".NaN", ".NAN":
			return FloatValue(math.NaN())
		}
	}
	underscore := false
	for _, c := range text {
		if !inNumber[c] {
			return Value{Kind: String}
		}
		underscore = underscore || c == '_'
	}
	if underscore {
		if s == Core || text[0] == '.' && !betweenDigits(text, '_') {
			return Value{
				Kind: String,
			} // ytt reads `.5_` as Go does, unlike `5_` and `-.5_`
		}
		var room [64]byte
		text = without(room[:0], text, '_')
	}

	digits, neg, signed := cutSign(text)
	base, prefix := s.base(digits, signed)
	body := digits[prefix:]
	if prefix == 2 && string(digits[:2]) == "0b" && !signed {
		// ytt also accepts the sign of a binary number after its prefix: `0b-11` is -3.
		body, neg, signed = cutSign(body)
	}
	if n, ok := magnitude(body, base); ok {
		switch {
		case neg && n <= 1<<63:
			return IntValue(-int64(n))
		case !neg && (n <= math.MaxInt64 || !signed || s == Core):
			return UintValue(n)
		}
		// Too small for an int64, or too large with a `+`, which ytt does not allow there: decimal
		// digits become a float.
	}
	if isFloat(digits) {
		if f, err := strconv.ParseFloat(string(text), 64); err == nil {
			return FloatValue(f)
		}
	}
	return Value{Kind: String}
}

// inNumber holds the bytes that occur in finite numbers, to reject `3s` and `10 apples` early.
var inNumber = func() (t [256]bool) {
	for _, c := range []byte("0123456789abcdefABCDEFxXoO_.+-") {
		t[c] = true
	}
	return t
}()

// base returns the base of an integer, and the length of its prefix.
func (s Schema) base(digits []byte, signed bool) (base uint64, prefix int) {
	if len(digits) < 2 || digits[0] != '0' {
		return 10, 0
	}
	if s == Core {
		switch {
		case digits[1] == 'x' && !signed:
			return 16, 2
		case digits[1] == 'o' && !signed:
			return 8, 2
		}
		return 10, 0
	}
	switch digits[1] {
	case 'x', 'X':
		return 16, 2
	case 'o', 'O':
		return 8, 2
	case 'b', 'B':
		return 2, 2
	}
	return 8, 1
}

// magnitude returns the value of digits. It returns false if there are none, if one is not a digit
// of the base, or if the value does not fit in 64 bits.
func magnitude(digits []byte, base uint64) (n uint64, ok bool) {
	if len(digits) == 0 {
		return 0, false
	}
	for _, c := range digits {
		d := uint64(digitValue[c])
		over, product := bits.Mul64(n, base)
		sum, carry := bits.Add64(product, d, 0)
		if d >= base || over|carry != 0 {
			return 0, false
		}
		n = sum
	}
	return n, true
}

// digitValue is the value of a digit in any base up to 16, and more than that for other bytes.
var digitValue = func() (t [256]uint8) {
	for c := range t {
		t[c] = 255
	}
	for d, c := range []byte("0123456789abcdef") {
		t[c] = uint8(d)
	}
	for d, c := range []byte("ABCDEF") {
		t[c] = uint8(d + 10)
	}
	return t
}()

// isFloat reports whether t, which has no sign, matches (\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?.
// strconv.ParseFloat accepts more: `inf`, `0x1p4` and `1.e` are strings here.
func isFloat(t []byte) bool {
	whole := countDigits(t)
	t = t[whole:]
	if len(t) > 0 && t[0] == '.' {
		part := countDigits(t[1:])
		if whole+part == 0 {
			return false
		}
		t = t[1+part:]
	} else if whole == 0 {
		return false
	}
	if len(t) == 0 {
		return true
	}
	if t[0] != 'e' && t[0] != 'E' {
		return false
	}
	power, _, _ := cutSign(t[1:])
	return len(power) > 0 && countDigits(power) == len(power)
}

func countDigits(t []byte) int {
	for i, c := range t {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(t)
}

// betweenDigits reports whether every sep in t, which does not begin with one, is between two
// digits.
func betweenDigits(t []byte, sep byte) bool {
	for i, c := range t {
		if c == sep &&
			(countDigits(t[i-1:i]) == 0 || i+1 == len(t) || countDigits(t[i+1:i+2]) == 0) {
			return false
		}
	}
	return true
}

func cutSign(t []byte) (rest []byte, neg, signed bool) {
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		return t[1:], t[0] == '-', true
	}
	return t, false, false
}

func without(dst, text []byte, drop byte) []byte {
	for _, c := range text {
		if c != drop {
			dst = append(dst, c)
		}
	}
	return dst
}

// coreTag begins the tags of YAML's built-in types, written as `!!` in documents.
const coreTag = "tag:yaml.org,2002:"

// ResolveTagged returns the value of text with a tag in its long form ("tag:yaml.org,2002:int",
// "!foo"). A type's tag applies to quoted text as well: `!!int "5"` is five. The tag "!" and
// unknown tags mean a string. Without a tag, the schema decides, but quoted text is a string. For a
// !!binary, binary is the decoded text, which replaces text and is not nil.
func (s Schema) ResolveTagged(
	tag string, text []byte, plain bool,
) (v Value, binary []byte, err error) {
	if tag == "" {
		if plain {
			return s.Resolve(text), nil, nil
		}
		return Value{Kind: String}, nil, nil
	}
	name, ok := strings.CutPrefix(tag, coreTag)
	if !ok {
		return Value{Kind: String}, nil, nil
	}
	v = s.Resolve(text)
	switch name {
	case "null":
		ok = v.Kind == Null
	case "bool":
		ok = v.Kind == Bool
	case "int":
		ok = v.Kind == Int || v.Kind == Uint
	case "float":
		switch v.Kind {
		case Int:
			v = FloatValue(float64(v.Int()))
		case Uint:
			v = FloatValue(float64(v.Uint()))
		}
		ok = v.Kind == Float
	case "binary":
		if s == Core { // Core has no such tag, so the text stays unchanged
			return Value{Kind: String}, nil, nil
		}
		binary, err = decodeBase64(text)
		return Value{Kind: String}, binary, err
	default: // !!str, !!timestamp, and tags that are not for scalars
		return Value{Kind: String}, nil, nil
	}
	if !ok {
		return Value{}, nil, &TagError{Tag: "!!" + name, Found: v.Kind, Text: string(text)}
	}
	return v, nil, nil
}

// TagError means that the text of a scalar does not fit the type of its tag.
type TagError struct {
	Tag   string    // the tag in its short form: "!!int"
	Found ValueKind // the type of the text
	Text  string
}

func (e *TagError) Error() string {
	return "cannot decode " + tagNames[e.Found] + " `" + excerpt(e.Text) + "` as a " + e.Tag
}

// excerpt truncates long text for messages.
func excerpt(text string) string {
	const maxBytes = 80
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "") + "..."
}

// errBase64 is the same for all invalid texts: a position in base64 would not help.
var errBase64 = errors.New("!!binary value contains invalid base64 data")

// decodeBase64 ignores blanks and line breaks, as the YAML type requires: block and folded scalars
// have them at the end of every line.
func decodeBase64(text []byte) ([]byte, error) {
	packed := make([]byte, 0, len(text))
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			packed = append(packed, c)
		}
	}
	n, err := base64.StdEncoding.Decode(packed, packed)
	if err != nil {
		return nil, errBase64
	}
	return packed[:n], nil
}
