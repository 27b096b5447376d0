package jsonschema

import (
	"encoding/base64"
	"math"
	"net/netip"
	"strings"
	"time"

	"weft/internal/lang/lazy"
	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// formats are the formats of Kubernetes that are checked: those that an API server checks too. A value of a
// type without that format is always valid.
var formats = lazy.Value[map[string]format]{New: func() map[string]format {
	return map[string]format{
		"int32": {"an integer of at most 32 bits", func(v yaml.Value, _ []byte) bool {
			return v.Kind != yaml.Uint && (v.Kind != yaml.Int || int64(int32(v.Int())) == v.Int()) &&
				(v.Kind != yaml.Float || math.Abs(v.Float()) <= math.MaxInt32)
		}},
		"int64": {"an integer of at most 64 bits", func(v yaml.Value, _ []byte) bool {
			return v.Kind != yaml.Uint && (v.Kind != yaml.Float || math.Abs(v.Float()) <= math.MaxInt64)
		}},
		"byte": {"text in base64", ofText(func(s string) bool {
			_, err := base64.StdEncoding.DecodeString(s)
			return err == nil
		})},
		"date-time": {"a time such as 2006-01-02T15:04:05Z", ofText(func(s string) bool {
			_, err := time.Parse(time.RFC3339, strings.ToUpper(s))
			return err == nil
		})},
		"date": {"a date such as 2006-01-02", ofText(func(s string) bool {
			_, err := time.Parse(time.DateOnly, s)
			return err == nil
		})},
		"duration": {"a duration such as 1h30m", ofText(func(s string) bool {
			_, err := time.ParseDuration(s)
			return err == nil || strings.HasPrefix(s, "P")
		})},
		"ipv4": {"an IPv4 address", ofText(func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err == nil && a.Is4()
		})},
		"ipv6": {"an IPv6 address", ofText(func(s string) bool {
			a, err := netip.ParseAddr(s)
			return err == nil && a.Is6()
		})},
		"cidr": {"a network such as 10.0.0.0/8", ofText(func(s string) bool {
			_, err := netip.ParsePrefix(s)
			return err == nil
		})},
		"uuid": {"a UUID", ofText(func(s string) bool { return uuid.Get().MatchString(s) })},
	}
}}

// format is a format of scalars.
type format struct {
	description string
	has         func(v yaml.Value, text []byte) bool
}

var uuid = lazy.Regexp{Text: `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`}

// ofText returns a format of strings.
func ofText(has func(string) bool) func(yaml.Value, []byte) bool {
	return func(v yaml.Value, text []byte) bool { return v.Kind != yaml.String || has(string(text)) }
}

// hasFormat reports whether a scalar has a format, or the format is unknown.
func hasFormat(v tree.Value, name string, standard bool) bool {
	f, ok := formatsOf(standard)[name]
	if !ok || v.Kind() != tree.ScalarKind {
		return true
	}
	return f.has(v.Scalar())
}
