package diag_test

import (
	"strings"
	"testing"

	"weft/internal/lang/diag"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{diag.Article("int"), "an int"},
		{diag.Article("map"), "a map"},
		{diag.Article("null"), "null"},
		{diag.Article("NoneType"), "NoneType"},
		{diag.Article(""), ""},
		{diag.Count(1, "match"), "1 match"},
		{diag.Count(0, "match"), "0 matches"},
		{diag.Count(2, "file"), "2 files"},
		{diag.Plural(1, "environment"), "environment"},
		{diag.Shortened("a: 1"), "a: 1"},
		{diag.Shortened("a: 1\r\nb: 2"), "a: 1..."},
		{diag.Shortened(strings.Repeat("x", 59) + "ä!"), strings.Repeat("x", 59) + "ä..."},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
