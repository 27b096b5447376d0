package schema

import "testing"

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		kind     kind
		nullable bool
		text     string
		want     string // as Starlark writes it, or "" if the text is not read
	}{
		{intKind, false, "3", "3"},
		{intKind, false, "-3", "-3"},
		{intKind, false, "+3", "3"},
		{intKind, false, "0", "0"},
		{intKind, false, "123456789012345678901234567890", "123456789012345678901234567890"},
		{intKind, false, "0644", ""},
		{intKind, false, "1_000", ""},
		{intKind, false, "0x10", ""},
		{intKind, false, "1.0", ""},
		{intKind, false, "+-3", ""},
		{intKind, false, "-", ""},
		{intKind, false, "", ""},
		{intKind, false, " 3", ""},
		{intKind, false, "null", ""},
		{intKind, true, "null", "None"},
		{intKind, true, "~", ""},
		{floatKind, false, "3", "3"},
		{floatKind, false, "2.50", "2.5"},
		{floatKind, false, ".5", "0.5"},
		{floatKind, false, "1e3", "1000.0"},
		{floatKind, false, "1e999", ""},
		{floatKind, false, ".inf", ""},
		{floatKind, false, "NaN", ""},
		{floatKind, false, "0x1p2", ""},
		{floatKind, false, "e", ""},
		{boolKind, false, "true", "True"},
		{boolKind, false, "false", "False"},
		{boolKind, false, "yes", ""},
		{boolKind, false, "True", ""},
		{boolKind, false, "1", ""},
		{stringKind, false, "3", ""},
		{stringKind, false, "null", ""},
		{stringKind, true, "null", "None"},
		{stringKind, true, "", ""},
		{anyKind, false, "3", ""},
		{arrayKind, false, "[]", ""},
		{mapKind, true, "null", "None"},
	} {
		got := ""
		if x, ok := (&Type{kind: tt.kind, nullable: tt.nullable}).Read(tt.text); ok {
			got = x.String()
		}
		if got != tt.want {
			t.Errorf("%q as %s (nullable: %t): got %q, want %q", tt.text, tt.kind, tt.nullable, got, tt.want)
		}
	}
}
