package yaml

import (
	"testing"

	"weft/internal/lang/source"
)

func TestChanged(t *testing.T) {
	for text, want := range map[string]string{
		"on": "true", "NO": "false", "y": "true", "Off": "false", "yes": "true",
		"0644": "420", "-0644": "-420", "08": "8", "1_000": "1000", "0b11": "3", "+1": "1", "-0": "0",
		"1.10": "1.1", "1.0": "1", "-0.50": "-0.5", "1e3": "1000", "12e03": "12000", ".5": "0.5", "1.": "1", "00": "0",
		"12345678901234567890123": "1.2345678901234568e+22",

		"true": "", "True": "", "FALSE": "", "~": "", "null": "", "Null": "", "": "", "0": "", "1": "", "-1": "", "42": "", "1.5": "", "-2.25": "", "0.1": "", "0x1F": "", "0o17": "", "1e+10": "",
		".inf": "", ".NaN": "", "-.Inf": "", "1.2.3": "", "10Gi": "", "2001-01-01": "", "1:30": "", "word": "", "yesterday": "", "none": "", "0abc": "", "10.0.0.1": "", "9223372036854775807": "",
		"18446744073709551615": "", "-": "", "+": "", ".": "", "...": "", "100m": "", "0.1.10": "", "1e400": "", "oN": "",
	} {
		got, ok := changed([]byte(text))
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %t, want %q", text, got, ok, want)
		}
		if ok && !suspect([]byte(text)) {
			t.Errorf("%q is changed, and not suspected", text)
		}
	}
}

// Whatever is changed is suspected.
func FuzzSuspect(f *testing.F) {
	for _, s := range []string{"on", "0644", "1.10", "1_0", "-0", "+1", "1e3", "99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, ok := changed([]byte(s)); ok && !suspect([]byte(s)) {
			t.Errorf("%q is changed, and not suspected", s)
		}
	})
}

func TestTreeChanged(t *testing.T) {
	var set source.Set
	file, err := set.Add(
		"a.yml",
		[]byte("on: [NO, \"no\", 'on', !!str on]\nperm: 0644\nv: 1.10\nw: 1.20\nt: |\n  on\n"+
			"mode: 0644\nfiles: [{defaultMode: 0400}]\nargs: [mode, 0644]\n"), // modes are numbers, and mean what they say
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {Schema: Core}} {
		tr, err := Parse(file, opt)
		if err != nil {
			t.Fatal(err)
		}
		tr.Check(false)
		tr.Check(false) // which counts nothing twice
		want := 6
		if opt.Schema == Core {
			want = 0
		}
		if got := tr.Changed(); got.Count != want || len(got.First) != min(want, 3) {
			t.Errorf("got %+v, want %d", got, want)
		}
	}
}
