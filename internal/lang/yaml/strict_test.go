package yaml

import (
	"strings"
	"testing"
)

func TestStrictProblem(t *testing.T) {
	tests := []struct {
		texts []string
		want  string // %s stands for the text
	}{
		{
			[]string{
				"",
				"true",
				"false",
				"0",
				"-0",
				"-5",
				"123",
				"91230",
				"9223372036854775808",
				"18446744073709551615",
				"-9223372036854775808",
			},
			"",
		},
		{
			[]string{
				"0.0",
				"-0.0",
				"0.123",
				"1.0",
				"9230.9230",
				"-0.1",
				"5e3",
				"1E+2",
				"1.5e300",
				"1e-7",
				"1e20",
				"123456789.123",
			},
			"",
		},
		{
			[]string{
				"word",
				"a/b",
				"a-b",
				"a--b",
				"a#b",
				"it's",
				"0x",
				"0xg",
				"0o8",
				"_1",
				"inf",
				"nan",
				"tRUE",
				"=",
				"<<",
				"v1.0",
				"1.2.3",
				"é",
			},
			"",
		},
		{
			[]string{"yes", "YES", "on", "y", "n", "N", "True", "FALSE", "Off"},
			"found '%s', which is ambiguous (could be !!str or !!bool)",
		},
		{
			[]string{"~", "null", "Null"},
			"found '%s', which is ambiguous (could be !!str or !!null)",
		},
		{
			[]string{
				"00",
				"007",
				"010",
				"0_7",
				"0o17",
				"0x1F",
				"0b101",
				"-0b0001",
				"+5",
				"1_000",
				"1_",
			},
			"found '%s', which is ambiguous (could be !!str or !!int)",
		},
		{
			[]string{
				"08",
				"1.",
				".5",
				"+1.5",
				"1.e5",
				".inf",
				"-.inf",
				".nan",
				"1e400",
				"18446744073709551616",
				"-9223372036854775809",
			},
			"found '%s', which is ambiguous (could be !!str or !!float)",
		},
		{
			[]string{"2001-01-01", "2001-01-01T10:00:00Z"},
			"found '%s', which is ambiguous (could be !!str or !!timestamp)",
		},
		{
			[]string{"hello world", "100 100", "a\tb"},
			"strings with whitespace must be explicitly quoted: '%s'",
		},
		{
			[]string{"b:c", "1:30", "12:30:45.5", ":a"},
			"strings with colon must be explicitly quoted: '%s'",
		},
		{
			[]string{"---key", "prevval---key"},
			"strings with triple-dash must be explicitly quoted: '%s'",
		},
	}
	for _, tt := range tests {
		for _, text := range tt.texts {
			want := tt.want
			if want != "" {
				want = "strict parsing: " + strings.Replace(want, "%s", text, 1)
			}
			if got := StrictProblem([]byte(text), Compat.Resolve([]byte(text))); got != want {
				t.Errorf("StrictProblem(%q)\n got %q\nwant %q", text, got, want)
			}
		}
	}
}

func TestStrictProblemUnderCore(t *testing.T) {
	for text, bad := range map[string]bool{"yes": false, "017": true, "0x1F": true, "1_000": false, "08": true, "null": true, "5": false} {
		if got := StrictProblem([]byte(text), Core.Resolve([]byte(text))); (got != "") != bad {
			t.Errorf("StrictProblem(%q) = %q, want a problem: %t", text, got, bad)
		}
	}
}

func TestStrictProblemIsOneShortLine(t *testing.T) {
	text := []byte("a\nb " + strings.Repeat("word ", 1000))
	if got := StrictProblem(text, StringValue()); got == "" || strings.Contains(got, "\n") ||
		len(got) > 200 {
		t.Errorf("got %q", got)
	}
}
