package jsonschema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"weft/internal/lang/source"
)

// TestMalformedKeywords gives each keyword values that are wrong in some or all drafts. It compares with a
// library whether the schema can be used and, if so, which values fit.
func TestMalformedKeywords(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(keywords.Get())) {
		for d := range draftNames {
			for _, value := range []string{
				"0", "-1", "1", "0.5", "2.0", "-0.5", "1e400", "-1e400", `"20"`, `"x"`, `""`, "true", "false", "null", "[]",
				"{}", `["a"]`, `[{}]`, `[1]`, `["a", "a"]`, `{"a": 1}`, `{"a": {}}`, `{"a": ["b"]}`, `{"a": [1]}`,
				`"string"`, `["string", "null"]`,
			} {
				if !tolerated(d, name, value) {
					compareKeyword(t, d, name, value)
				}
			}
		}
	}
}

// tolerated reports whether weft accepts what the schemas of schemas forbid, though it is clear what it means.
func tolerated(d draft, name, value string) bool {
	switch name {
	case "$recursiveRef":
		return d == draft2020 // it is not a keyword there
	case "exclusiveMinimum", "exclusiveMaximum":
		return d == draft4 && (value == "true" || value == "false") // without a limit
	case "items", "not":
		return value == "[]" || d == draft4 && (value == "true" || value == "false")
	case "enum", "required", "prefixItems":
		return value == "[]" || value == `["a", "a"]`
	}
	return false
}

func compareKeyword(t *testing.T, d draft, name, value string) {
	t.Helper()
	schema := []byte(fmt.Sprintf(`{"$schema": %q, %q: %s}`, draftNames[d], name, value))
	f, err := new(source.Set).Add("s.json", schema)
	if err != nil {
		t.Fatal(err)
	}
	missing := func(string) (*source.File, error) { return nil, errors.New("there is no such file") }
	s, list := (&Loader{Read: missing}).Load(f, "s.json")
	for _, doc := range []string{"1", `"abc"`, `[1, 1]`, `{"a": 1}`} {
		want, usable := draftVerdict(t, schema, []byte(doc))
		if usable != (list == nil) {
			t.Errorf("%v %s: %s: usable is %v, want %v: %v", d, name, value, !usable, usable, list)
			return
		}
		if value == "1e400" && !strings.HasSuffix(name, "imum") {
			continue // the library takes a length of this size for 0
		}
		if usable && (len(s.Check(valueOf(t, []byte(doc)), nil)) == 0) != want {
			t.Errorf("%v %s: %s: %s fits is %v, want %v", d, name, value, doc, !want, want)
		}
	}
	for _, x := range list {
		if !x.At.IsValid() {
			t.Errorf("%v %s: %s: the error does not say where it is: %v", d, name, value, x)
		}
	}
}
