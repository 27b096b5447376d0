package schema

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"weft/internal/lang/diag"
	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
)

// format is a known form of texts: `format="hostname"`.
type format struct {
	name     string
	must     string              // what a valid value is
	standard string              // its name in JSON Schema, if it has one
	pattern  string              // that all valid texts match; may be empty
	check    func(s string) bool // nil if the pattern is enough
	numbers  bool                // integers may be valid as well
}

const (
	label    = `[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
	hostname = label + `(\.` + label + `)*`
	semver   = `^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-((0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)` +
		`(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(\+([0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*))?$`
)

// formats are the forms that weft knows, sorted by their names.
var formats = []format{
	{
		name: "cidr", must: "a range of addresses, such as 10.0.0.0/8",
		pattern: `^[0-9a-fA-F:.]+/[0-9]+$`, check: isCIDR,
	},
	{
		name: "date-time", must: "a date with a time, such as 2026-11-17T18:00:00Z", standard: "date-time",
		check: isDateTime,
	},
	{name: "dns-label", must: "a DNS label, such as my-app", pattern: `^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`},
	{
		name: "duration", must: "a duration, such as 30s or 1h15m",
		pattern: `^[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`, check: isDuration,
	},
	{
		name: "email", must: "an address, such as ops@example.com", standard: "email",
		pattern: `^[^@\s"(),:;<>\[\]\\]+@` + hostname + `$`,
	},
	{
		name: "hostname", must: "a host name, such as app.example.com", standard: "hostname",
		pattern: `^` + hostname + `$`, check: func(s string) bool { return len(s) <= 253 },
	},
	{name: "ipv4", must: "an IPv4 address, such as 10.0.0.1", standard: "ipv4", check: isIPv4},
	{name: "ipv6", must: "an IPv6 address, such as 2001:db8::1", standard: "ipv6", check: isIPv6},
	{
		name: "port", must: "a port number from 1 to 65535", pattern: `^[1-9][0-9]{0,4}$`, check: isPort,
		numbers: true,
	},
	{
		name: "quantity", must: "a quantity of Kubernetes, such as 500m or 2Gi",
		pattern: `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+|[KMGTPE]i|[numkMGTPE])?$`, numbers: true,
	},
	{name: "semver", must: "a semantic version, such as 1.2.3", pattern: semver},
	{name: "url", must: "a URL with a scheme and a host", standard: "uri", check: isURL},
}

// StandardFormat returns weft's name of a format of JSON Schema, or "".
func StandardFormat(name string) string {
	for _, f := range formats {
		if f.standard == name {
			return f.name
		}
	}
	return ""
}

// FormatOfPattern returns the format that weft writes to JSON Schema as this pattern, or "".
func FormatOfPattern(pattern string) string {
	for _, f := range formats {
		if f.pattern == pattern {
			return f.name
		}
	}
	return ""
}

// FormatNames returns the names of all formats.
func FormatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// patterns are the compiled patterns of formats, by their names.
var patterns = lazy.Value[map[string]*regexp.Regexp]{New: func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, f := range formats {
		if f.pattern != "" {
			all[f.name] = regexp.MustCompile(f.pattern)
		}
	}
	return all
}}

// valid returns nil if a value has the form, or else an error that says what was found.
func (f *format) valid(v tree.Value) error {
	var s string
	switch x := v.Starlark().(type) {
	case starlark.String:
		s = string(x)
	case starlark.Int:
		if s = x.String(); !f.numbers {
			return errors.New("an integer")
		}
	default:
		return errors.New(diag.Article(v.TypeName()))
	}
	if p := patterns.Get()[f.name]; p != nil && !p.MatchString(s) || f.check != nil && !f.check(s) {
		return errors.New(strconv.Quote(s))
	}
	return nil
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func isCIDR(s string) bool {
	_, err := netip.ParsePrefix(s)
	return err == nil
}

func isDateTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

func isDuration(s string) bool {
	_, err := time.ParseDuration(s)
	return err == nil
}

func isPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 1 && n <= 65535
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != ""
}

// format adds a rule about the form of a text.
func (c *ruleCompiler) format(x starlark.Value) {
	name, ok := starlark.AsString(x)
	if !ok {
		c.fail("expected keyword argument %q to be a string, but was %s", "format", x.Type()).
			WithHint("write one of %s", strings.Join(FormatNames(), ", "))
		return
	}
	i := slices.Index(FormatNames(), name)
	if i < 0 {
		d := c.fail("there is no format '%s'", name).
			WithHint("formats are %s", strings.Join(FormatNames(), ", ")).WithWord(name)
		if near := diag.Nearest(name, FormatNames()); near != "" {
			d.WithHint("did you mean %q?", near).WithFix(name, near)
		}
		return
	}
	c.rules.format = &formats[i]
	c.add(formats[i].must, formats[i].valid)
}

// matches adds a rule about texts that match a regular expression.
func (c *ruleCompiler) matches(x starlark.Value) {
	re := c.pattern("matches", x)
	if re == nil {
		return
	}
	c.rules.matches = re
	c.add("a string that matches "+re.String(), func(v tree.Value) error {
		s, ok := v.Starlark().(starlark.String)
		if !ok {
			return errors.New(diag.Article(v.TypeName()))
		}
		if !re.MatchString(string(s)) {
			return errors.New(strconv.Quote(string(s)))
		}
		return nil
	})
}

// multipleOf adds a rule about numbers that are multiples of another.
func (c *ruleCompiler) multipleOf(x starlark.Value) {
	unit, ok := rational(x)
	if !ok || unit.Sign() <= 0 {
		c.fail("expected keyword argument %q to be a number above 0, but was %s", "multiple_of", x)
		return
	}
	v, _, ok := c.plain(x)
	if !ok {
		return
	}
	c.rules.multipleOf = &v
	c.add("a multiple of "+x.String(), func(v tree.Value) error {
		n, ok := rational(v.Starlark())
		if !ok {
			return errors.New(diag.Article(v.TypeName()))
		}
		if !n.Quo(n, unit).IsInt() {
			return errors.New(v.Starlark().String())
		}
		return nil
	})
}

// rational returns exactly the number that is written in decimal digits, so that 0.3 is a multiple of 0.1.
func rational(x starlark.Value) (*big.Rat, bool) {
	switch x := x.(type) {
	case starlark.Int:
		return new(big.Rat).SetInt(x.BigInt()), true
	case starlark.Float:
		return new(big.Rat).SetString(strconv.FormatFloat(float64(x), 'g', -1, 64))
	}
	return nil, false
}

// unique adds a rule about lists whose items all differ.
func (c *ruleCompiler) unique(x starlark.Value) {
	b, ok := x.(starlark.Bool)
	if !ok {
		c.fail("expected keyword argument %q to be a boolean, but was %s", "unique", x.Type())
	}
	if !b {
		return
	}
	c.rules.unique = true
	c.add("items that all differ", func(v tree.Value) error {
		a, ok := v.Array()
		if !ok {
			return errors.New(diag.Article(v.TypeName()))
		}
		seen := make(map[string]int, len(a.Entries()))
		for i, it := range a.Entries() {
			key := string(appendMeaning(nil, it.Value))
			if first, ok := seen[key]; ok {
				return fmt.Errorf("items %d and %d are equal", first, i)
			}
			seen[key] = i
		}
		return nil
	})
}

// appendMeaning appends a text that is the same for equal values. 1 and 1.0 are equal, and the order of keys
// does not matter.
func appendMeaning(b []byte, v tree.Value) []byte {
	switch x := v.Starlark().(type) {
	case *tree.Map:
		var items []string
		for _, it := range x.Entries() {
			items = append(items, string(appendMeaning(append(appendMeaning(nil, it.Key), ':'), it.Value)))
		}
		slices.Sort(items)
		return append(append(append(b, '{'), strings.Join(items, ",")...), '}')
	case *tree.Array:
		b = append(b, '[')
		for _, it := range x.Entries() {
			b = append(appendMeaning(b, it.Value), ',')
		}
		return append(b, ']')
	case starlark.String:
		return strconv.AppendQuote(b, string(x))
	default:
		if r, ok := rational(x); ok {
			return append(b, r.RatString()...)
		}
		return append(b, x.String()...)
	}
}
