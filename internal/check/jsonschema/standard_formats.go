package jsonschema

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"weft/internal/lang/lazy"
)

// formatsOf returns the formats of standard schemas, or of those of Kubernetes.
func formatsOf(standard bool) map[string]format {
	if standard {
		return standardFormats.Get()
	}
	return formats.Get()
}

// standardFormats are the formats of JSON Schema that are checked in drafts 4 to 7. Formats for names and
// addresses in other scripts are not.
var standardFormats = lazy.Value[map[string]format]{New: func() map[string]format {
	all := map[string]format{}
	add := func(name, description string, has func(string) bool) {
		all[name] = format{description, ofText(has)}
	}
	add("date-time", "a time such as 2006-01-02T15:04:05Z", isDateTime)
	add("date", "a date such as 2006-01-02", isDate)
	add("time", "a time such as 15:04:05Z", isTime)
	add("duration", "a duration such as P1DT12H", isDuration)
	add("email", "an address such as ops@example.com", isEmail)
	add("hostname", "a host name such as app.example.com", isHostname)
	add("ipv4", "an IPv4 address", isIPv4)
	add("ipv6", "an IPv6 address", isIPv6)
	add("uri", "a URI such as https://example.com/", func(s string) bool {
		u, ok := parseURI(s)
		return ok && u.IsAbs()
	})
	add("uri-reference", "a URI, or a reference relative to one", func(s string) bool {
		_, ok := parseURI(s)
		return ok
	})
	all["iri"], all["iri-reference"] = all["uri"], all["uri-reference"]
	add("uri-template", "a template of a URI such as https://example.com/{name}", isTemplate)
	add("json-pointer", "a JSON pointer such as /a/b", isPointer)
	add("relative-json-pointer", "a relative JSON pointer such as 1/a", isRelativePointer)
	add("regex", "a regular expression", func(s string) bool {
		_, err := regexp.Compile(s)
		return err == nil
	})
	add("uuid", "a UUID", func(s string) bool { return strictUUID.Get().MatchString(s) })
	return all
}}

var strictUUID = lazy.Regexp{
	Text: `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`,
}

func isDateTime(s string) bool {
	day, clock, ok := strings.Cut(strings.ToUpper(s), "T")
	return ok && isDate(day) && isTime(clock)
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

var clock = lazy.Regexp{
	Text: `^([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?([zZ]|([+-])([0-9]{2}):([0-9]{2}))$`,
}

// isTime reports whether a text is a time of day with its zone. A leap second is at the end of a day in
// UTC.
func isTime(s string) bool {
	m := clock.Get().FindStringSubmatch(s)
	if m == nil {
		return false
	}
	n := func(i int) int {
		if m[i] == "" {
			return 0
		}
		return int(m[i][0]-'0')*10 + int(m[i][1]-'0')
	}
	hour, minute, second := n(1), n(2), n(3)
	if hour > 23 || minute > 59 || second > 60 || n(7) > 23 || n(8) > 59 {
		return false
	}
	if second < 60 {
		return true
	}
	shift := n(7)*60 + n(8)
	if m[6] == "+" {
		shift = -shift
	}
	const day = 24 * 60
	return (hour*60+minute+shift+day)%day == day-1
}

var duration = lazy.Regexp{
	Text: `^P([0-9]+W|([0-9]+Y([0-9]+M([0-9]+D)?)?|[0-9]+M([0-9]+D)?|[0-9]+D)?` +
		`(T([0-9]+H([0-9]+M([0-9]+S)?)?|[0-9]+M([0-9]+S)?|[0-9]+S))?)$`,
}

func isDuration(s string) bool { return s != "P" && duration.Get().MatchString(s) }

var mailbox = lazy.Regexp{
	Text: "^([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|\"([^\"\\\\]|\\\\.)*\")$",
}

// isEmail reports whether a text is an address: a name, or a name in quotes, and a host or an IP address in
// brackets.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || at > 64 || len(s) > 254 || !mailbox.Get().MatchString(s[:at]) {
		return false
	}
	host := s[at+1:]
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		if v6, ok := strings.CutPrefix(inner, "IPv6:"); ok {
			return closed && isIPv6(v6)
		}
		return closed && isIPv4(inner)
	}
	return isHostname(host)
}

var hostname = lazy.Regexp{
	Text: `^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`,
}

func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	return len(s) <= 253 && hostname.Get().MatchString(s)
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

// parseURI parses a URI or a relative reference. A host in brackets must be an IPv6 address.
func parseURI(s string) (*url.URL, bool) {
	if strings.ContainsAny(s, "\\ <>\"{}|^`") {
		return nil, false
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, false
	}
	if host := u.Hostname(); strings.Contains(host, ":") &&
		(!strings.Contains(u.Host, "[") || !isIPv6(host)) {
		return nil, false
	}
	return u, true
}

var expression = lazy.Regexp{
	Text: `^[+#./;?&]?[A-Za-z0-9_.%]+(:[1-9][0-9]{0,3}|\*)?(,[A-Za-z0-9_.%]+(:[1-9][0-9]{0,3}|\*)?)*$`,
}

// isTemplate reports whether a text is a URI with expressions in braces.
func isTemplate(s string) bool {
	var rest strings.Builder
	for s != "" {
		before, after, ok := strings.Cut(s, "{")
		rest.WriteString(before)
		if !ok {
			break
		}
		inner, after, ok := strings.Cut(after, "}")
		if !ok || !expression.Get().MatchString(inner) {
			return false
		}
		s = after
	}
	_, ok := parseURI(rest.String())
	return ok
}

// isPointer reports whether a text is a JSON pointer: each ~ is followed by 0 or 1.
func isPointer(s string) bool {
	if s != "" && s[0] != '/' || !utf8.ValidString(s) {
		return false
	}
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

func isRelativePointer(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	n := s[:len(s)-len(rest)]
	return n != "" && (n == "0" || n[0] != '0') && (rest == "#" || isPointer(rest))
}
