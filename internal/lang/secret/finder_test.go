package secret

import (
	"fmt"
	"testing"
)

// Many texts hide the same as few: the index only leaves out what is not there.
func TestHideManyTexts(t *testing.T) {
	texts := []string{"first line\n  second line", "password-of-db", "password", "s3cr", "ab"}
	var many Rules
	list := append([]string(nil), texts...)
	for i := range 1000 {
		list = append(list, fmt.Sprintf("other-%04d", i))
	}
	many.Hide(list)
	for text, want := range map[string]string{
		"ab":                              Hidden,
		"cab":                             "cab",
		"x password-of-db y":              "x " + Hidden + " y",
		"my password, s3cr!":              "my " + Hidden + ", " + Hidden + "!",
		"    first line\n\tsecond line\n": Hidden,
		"other-0999":                      Hidden,
		"other-":                          "other-",
		"":                                "",
	} {
		var few Rules
		few.Hide(texts)
		if got := many.MaskText(text); got != want {
			t.Errorf("MaskText(%q) = %q, want %q", text, got, want)
		}
		if got := few.MaskText(text); got != want && text != "other-0999" {
			t.Errorf("without an index, MaskText(%q) = %q, want %q", text, got, want)
		}
	}
}

// Messages of libraries quote parts of what they could not read.
func TestHideParts(t *testing.T) {
	var rules Rules
	rules.Hide([]string{"qZ]URhdMJLM CVé'auk", "db-1 with a pass phrase"})
	for text, want := range map[string]string{
		`invalid port "URhdMJLM CV" after host`: `invalid port "` + Hidden + `" after host`,
		`invalid port "URhdMJLM"`:               `invalid port "URhdMJLM"`,
		"at dMJLM\n  CVé'a":                     "at " + Hidden + "\n  " + Hidden,
		`in "M CV\u00e9'a"`:                     `in "` + Hidden + `"`,
		"found pass phr":                        "found " + Hidden,
		"found phrase":                          "found phrase",
		"cVVSaGRNSkxNIENWw":                     "c" + Hidden,
	} {
		if got := rules.MaskMessage(text); got != want {
			t.Errorf("MaskMessage(%q) = %q, want %q", text, got, want)
		}
	}
	if text := "found pass phr"; rules.MaskText(text) != text {
		t.Errorf("MaskText(%q) hides a part", text)
	}
}

// A secret is found whatever formats have escaped it, and nothing else is.
func TestHideEscaped(t *testing.T) {
	var rules Rules
	rules.Hide([]string{`it's"a<test>`, "db-prod-1"})
	for text, want := range map[string]string{
		`'{"a":"[\"it''s\\\"a\u003ctest\u003e\"]"}'`:  `'{"a":"[\"` + Hidden + `\"]"}'`,
		`it%2527s%2522a%253Ctest%253E.`:               Hidden + `.`,
		`it&amp;#39;s&amp;quot;a&amp;lt;test&amp;gt;`: Hidden,
		`it is a test`:              `it is a test`,
		`it's "not" a <test>`:       `it's "not" a <test>`,
		`db: prod, 1`:               `db: prod, 1`,
		`YSBpdCdzImE8dGVzdD4gYg==`:  `YS` + Hidden + `gYg==`,
		`a/db_prod_1/configuration`: `a/db_prod_1/configuration`,
	} {
		if got := rules.MaskText(text); got != want {
			t.Errorf("MaskText(%q) = %q, want %q", text, got, want)
		}
	}
}
