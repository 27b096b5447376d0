package cekit

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// CEKit's library reads YAML 1.1 slightly differently from ytt: `y` and `1e3` are strings, `1:30`
// is ninety, and there are dates. The type of a scalar decides whether CEKit's schema accepts it,
// so scalars are resolved here in the same way.

// pyKind is the type of a scalar in CEKit.
type pyKind uint8

const (
	pyNull pyKind = iota
	pyBool
	pyInt
	pyFloat
	pyStr
	pyDate
)

// pyResolve returns the type and value of a scalar in CEKit. The value of a date is meaningless.
func pyResolve(v tree.Value) (pyKind, yaml.Value, []byte) {
	t, n, ok := v.Syntax()
	if ok && t.Style(n) == yaml.Plain && !t.HasTag(n) {
		text := t.Text(n)
		kind, val := pyPlain(text)
		return kind, val, text
	}
	val, text := v.Scalar()
	return [...]pyKind{
		yaml.Null: pyNull, yaml.Bool: pyBool, yaml.Int: pyInt, yaml.Uint: pyInt,
		yaml.Float: pyFloat, yaml.String: pyStr,
	}[val.Kind], val, text
}

// pythonScalar returns a scalar's value in CEKit.
func pythonScalar(v tree.Value) (yaml.Value, []byte) {
	kind, val, text := pyResolve(v)
	if kind == pyDate {
		return yaml.StringValue(), text
	}
	return val, text
}

var (
	pyNulls = []string{"", "~", "null", "Null", "NULL"}
	pyTrue  = []string{"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}
	pyFalse = []string{"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}
)

func pyPlain(text []byte) (pyKind, yaml.Value) {
	s := string(text)
	switch {
	case slices.Contains(pyNulls, s):
		return pyNull, yaml.Value{}
	case slices.Contains(pyTrue, s):
		return pyBool, yaml.BoolValue(true)
	case slices.Contains(pyFalse, s):
		return pyBool, yaml.BoolValue(false)
	}
	if !strings.ContainsRune("0123456789+-.", rune(s[0])) {
		return pyStr, yaml.StringValue()
	}
	if pyIsDate(s) {
		return pyDate, yaml.StringValue()
	}
	if v, ok := pyInteger(s); ok {
		return pyInt, v
	}
	if f, ok := pyFloating(s); ok {
		return pyFloat, yaml.FloatValue(f)
	}
	return pyStr, yaml.StringValue()
}

// pyInteger reads [-+]? and a number in base 2, 8, 10, 16 or 60. Underscores may be anywhere
// after the first digit.
func pyInteger(s string) (yaml.Value, bool) {
	digits, neg := pySign(s)
	if digits == "" {
		return yaml.Value{}, false
	}
	base, body := 10, digits
	switch {
	case digits[0] < '0' || digits[0] > '9':
		return yaml.Value{}, false
	case strings.HasPrefix(digits, "0b"):
		base, body = 2, digits[2:]
	case strings.HasPrefix(digits, "0x"):
		base, body = 16, digits[2:]
	case digits[0] == '0' && len(digits) > 1:
		base, body = 8, digits[1:]
	case strings.ContainsRune(digits, ':'):
		n, ok := pySixty(digits)
		if neg {
			n = -n
		}
		return yaml.IntValue(int64(n)), ok && digits[0] != '0'
	}
	for _, c := range body {
		d := strings.IndexRune("0123456789abcdef", c|0x20)
		if c != '_' && (d < 0 || d >= base) {
			return yaml.Value{}, false
		}
	}
	body = strings.ReplaceAll(body, "_", "")
	if body == "" {
		return yaml.IntValue(0), len(digits) > 2 || base == 8
	}
	n, err := strconv.ParseUint(body, base, 64)
	switch {
	case err != nil || neg && n > 1<<63:
		f, _ := strconv.ParseFloat(body, 64) // too large for an int64: the nearest float
		if neg {
			f = -f
		}
		return yaml.FloatValue(f), true
	case neg:
		return yaml.IntValue(-int64(n)), true
	}
	return yaml.UintValue(n), true
}

// pySixty reads a whole number in base 60: 1:30 is ninety.
func pySixty(s string) (float64, bool) {
	parts := strings.Split(s, ":")
	n := 0.0
	for i, p := range parts {
		if i == 0 {
			p = strings.ReplaceAll(p, "_", "")
		}
		d, err := strconv.ParseUint(p, 10, 63)
		if err != nil || i > 0 && (len(p) > 2 || d > 59) {
			return 0, false
		}
		n = n*60 + float64(d)
	}
	return n, true
}

// pyFloating reads a number with a point. An exponent needs a sign.
func pyFloating(s string) (float64, bool) {
	digits, neg := pySign(s)
	sign := 1.0
	if neg {
		sign = -1
	}
	switch digits {
	case ".inf", ".Inf", ".INF":
		return math.Inf(int(sign)), true
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), digits == s
	}
	whole, part, point := strings.Cut(digits, ".")
	if !point || strings.HasPrefix(digits, ".") && digits != s {
		return 0, false
	}
	if strings.Contains(whole, ":") {
		n, ok := pySixty(whole)
		f, err := strconv.ParseFloat("0."+strings.ReplaceAll(part, "_", "")+"0", 64)
		return sign * (n + f), ok && err == nil && onlyDigits(part)
	}
	mantissa, power, hasPower := cutAny(part, "eE")
	if whole != "" && (whole[0] == '_' || !onlyDigits(whole)) || !onlyDigits(mantissa) ||
		whole == "" && (mantissa == "" || mantissa[0] == '_') {
		return 0, false
	}
	if hasPower &&
		(len(power) < 2 || power[0] != '+' && power[0] != '-' || !onlyDigits(power[1:]) ||
			strings.Contains(power, "_")) {
		return 0, false
	}
	number := strings.ReplaceAll(whole+"."+mantissa, "_", "")
	if hasPower {
		number += "e" + power
	}
	f, err := strconv.ParseFloat(number, 64)
	return sign * f, err == nil
}

func pySign(s string) (rest string, neg bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:], s[0] == '-'
	}
	return s, false
}

func onlyDigits(s string) bool {
	return strings.Trim(s, "0123456789_") == ""
}

func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// pyIsDate reports whether s has the form of a date, alone or with a time.
func pyIsDate(s string) bool {
	date, rest := s, ""
	if i := strings.IndexAny(s, "Tt \t"); i >= 0 {
		date, rest = s[:i], strings.TrimLeft(s[i+1:], " \t")
		if (s[i] == 'T' || s[i] == 't') && rest != s[i+1:] {
			return false
		}
	}
	parts := strings.Split(date, "-")
	if len(parts) != 3 || len(parts[0]) != 4 || !isDigits(parts[0], 4, 4) {
		return false
	}
	if rest == "" {
		return date == s && isDigits(parts[1], 2, 2) && isDigits(parts[2], 2, 2)
	}
	if !isDigits(parts[1], 1, 2) || !isDigits(parts[2], 1, 2) {
		return false
	}
	clock := rest
	if i := strings.IndexAny(rest, "Zz+- \t"); i >= 0 {
		clock = rest[:i]
		zone := strings.TrimLeft(rest[i:], " \t")
		if zone != "Z" {
			if zone == "" || zone[0] != '+' && zone[0] != '-' {
				return false
			}
			h, m, has := strings.Cut(zone[1:], ":")
			if !isDigits(h, 1, 2) || has && !isDigits(m, 2, 2) {
				return false
			}
		}
	}
	clock, fraction, _ := strings.Cut(clock, ".")
	hms := strings.Split(clock, ":")
	return len(hms) == 3 && isDigits(hms[0], 1, 2) && isDigits(hms[1], 2, 2) &&
		isDigits(hms[2], 2, 2) &&
		(fraction == "" || isDigits(fraction, 1, len(fraction)))
}

func isDigits(s string, least, most int) bool {
	return len(s) >= least && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

// View returns documents with their scalars as CEKit reads them, for printing in another format.
func View(docs []tree.Doc) []tree.Doc {
	out := slices.Clone(docs)
	for i := range out {
		out[i].Value = pyView(out[i].Value)
	}
	return out
}

func pyView(v tree.Value) tree.Value {
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind, tree.ArrayKind:
		items := r.Items(nil, v)
		for i := range items {
			items[i].Value = pyView(items[i].Value)
		}
		if v.Kind() == tree.MapKind {
			return tree.Of(tree.NewMap(items, v.Start()))
		}
		return tree.Of(tree.NewArray(items, v.Start()))
	}
	val, text := pythonScalar(v)
	was, old := v.Scalar()
	if val == was && (val.Kind != yaml.String || bytes.Equal(text, old)) {
		return v
	}
	switch val.Kind {
	case yaml.Bool:
		return tree.Of(starlark.Bool(val.Bool()))
	case yaml.Int:
		return tree.Of(starlark.MakeInt64(val.Int()))
	case yaml.Uint:
		return tree.Of(starlark.MakeUint64(val.Uint()))
	case yaml.Float:
		return tree.Of(starlark.Float(val.Float()))
	case yaml.String:
		return tree.String(string(text))
	}
	return tree.Null
}

// pyRepr returns a value as Python's repr shows it, as in CEKit's messages.
func pyRepr(v tree.Value, top bool) string {
	var r tree.Reader
	var parts []string
	switch v.Kind() {
	case tree.MapKind:
		for _, it := range r.Items(nil, v) {
			parts = append(parts, pyRepr(it.Key, false)+": "+pyRepr(it.Value, false))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case tree.ArrayKind:
		for _, it := range r.Items(nil, v) {
			parts = append(parts, pyRepr(it.Value, false))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	kind, val, text := pyResolve(v)
	switch kind {
	case pyNull:
		return "None"
	case pyBool:
		if val.Bool() {
			return "True"
		}
		return "False"
	case pyStr, pyDate:
		if top {
			return string(text)
		}
		return "'" + strings.ReplaceAll(string(text), "'", `\'`) + "'"
	}
	return string(yaml.AppendValue(nil, val, nil, 0))
}

// canonicalInt returns an integer in its usual spelling, or nothing for other values.
func canonicalInt(v yaml.Value) []byte {
	if v.Kind != yaml.Int && v.Kind != yaml.Uint {
		return nil
	}
	return yaml.AppendValue(nil, v, nil, 0)
}

// appendIdentity appends the same bytes for scalars that are equal in Python, such as true, 1 and
// 1.0.
func appendIdentity(dst []byte, v tree.Value) []byte {
	val, text := pythonScalar(v)
	switch val.Kind {
	case yaml.String:
		return strconv.AppendQuote(dst, string(text))
	case yaml.Bool:
		if val.Bool() {
			return append(dst, '1')
		}
		return append(dst, '0')
	case yaml.Float:
		if f := val.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return strconv.AppendInt(dst, int64(f), 10)
		}
	}
	return yaml.AppendValue(dst, val, nil, 0)
}
