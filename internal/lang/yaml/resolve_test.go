package yaml

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	yaml2 "go.yaml.in/yaml/v2"
)

// show writes a value with its kind, so that 1 and 1.0 differ in a table.
func show(v Value) string {
	switch v.Kind {
	case Null:
		return "null"
	case Bool:
		return fmt.Sprintf("bool %t", v.Bool())
	case Int:
		return fmt.Sprintf("int %d", v.Int())
	case Uint:
		return fmt.Sprintf("uint %d", v.Uint())
	case Float:
		return fmt.Sprintf("float %v", v.Float())
	}
	return "string"
}

func TestResolve(t *testing.T) {
	// One row: texts, and what they mean in the two schemas.
	tests := []struct{ texts, compat, core string }{
		{"y Y yes Yes YES on On ON", "bool true", "string"},
		{"n N no No NO off Off OFF", "bool false", "string"},
		{"true True TRUE", "bool true", "bool true"},
		{"false False FALSE", "bool false", "bool false"},
		{"~ null Null NULL", "null", "null"},
		{"tRUE yEs nULL oN nO t f T F o O ~a nothing trueish", "string", "string"},
		{"0 -0 +0", "int 0", "int 0"},
		{"00", "int 0", "int 0"},
		{"-5", "int -5", "int -5"},
		{"+5", "int 5", "int 5"},
		{"007", "int 7", "int 7"},
		{"017", "int 15", "int 17"},
		{"-017", "int -15", "int -17"},
		{"08", "float 8", "int 8"},
		{"-09", "float -9", "int -9"},
		{"0o17", "int 15", "int 15"},
		{"0O17", "int 15", "string"},
		{"-0o17", "int -15", "string"},
		{"0x1F 0x1f", "int 31", "int 31"},
		{"0X1f +0x1f", "int 31", "string"},
		{"-0x1F", "int -31", "string"},
		{"0b101 0B101 +0b101", "int 5", "string"},
		{"-0b11 0b-11", "int -3", "string"},
		{"0b+11", "int 3", "string"},
		{"1_000 1__0_00_", "int 1000", "string"},
		{"1_", "int 1", "string"},
		{"+_1", "int 1", "string"},
		{"0_7", "int 7", "string"},
		{"0_8", "float 8", "string"},
		{"0_x_1f", "int 31", "string"},
		{"0x_0A_74_AE 0b1010_0111_0100_1010_1110", "int 685230", "string"},
		{
			"0x 0xg 0o 0o8 0b 0b2 -0b+1 0B-1 0x+1 0o-7 0x_ _1 + - . .. +. -. ._5 .5_ .5__0 e1",
			"string",
			"string",
		},
		{"1.0 1. +1.0 1.0e0", "float 1", "float 1"},
		{".5 0.5 +.5 5e-1 00.5", "float 0.5", "float 0.5"},
		{".5_0 0_.5 +.5_ 0.5_", "float 0.5", "string"},
		{"685.230_15e+03 685_230.15", "float 685230.15", "string"},
		{"5e3 5E+3 05e3", "float 5000", "float 5000"},
		{"1.5e300", "float 1.5e+300", "float 1.5e+300"},
		{"-0.0", "float -0", "float -0"},
		{"1e-400", "float 0", "float 0"},
		{
			"1e400 -1e400 .e5 1e 1e+ 1.5.5 1.2.3 10.0.0.1 v1.0 3s 0x1p4 0x.8p0 50cent_of_dollar",
			"string",
			"string",
		},
		{".inf .Inf .INF +.inf +.Inf +.INF", "float +Inf", "float +Inf"},
		{"-.inf -.Inf -.INF", "float -Inf", "float -Inf"},
		{".nan .NaN .NAN", "float NaN", "float NaN"},
		{"+.nan -.nan .Nan .iNf inf nan NaN Infinity .inf_ +_.inf", "string", "string"},
		{"1:30 12:30:45.5 190:20:30 -1:30", "string", "string"},
		{"2001-01-01 2001-01-01T10:00:00Z", "string", "string"},
		{"9223372036854775807", "int 9223372036854775807", "int 9223372036854775807"},
		{"-9223372036854775808", "int -9223372036854775808", "int -9223372036854775808"},
		{"9223372036854775808", "uint 9223372036854775808", "uint 9223372036854775808"},
		{"+9223372036854775808", "float 9.223372036854776e+18", "uint 9223372036854775808"},
		{"18446744073709551615", "uint 18446744073709551615", "uint 18446744073709551615"},
		{"18446744073709551616", "float 1.8446744073709552e+19", "float 1.8446744073709552e+19"},
		{"-9223372036854775809", "float -9.223372036854776e+18", "float -9.223372036854776e+18"},
		{"01777777777777777777777", "uint 18446744073709551615", "float 1.7777777777777778e+21"},
		{"0xffffffffffffffff", "uint 18446744073709551615", "uint 18446744073709551615"},
		{"0x10000000000000000", "string", "string"},
		{"+0x8000000000000000 -0x8000000000000001", "string", "string"},
		{
			"-0b1000000000000000000000000000000000000000000000000000000000000000",
			"int -9223372036854775808",
			"string",
		},
		{"<< = * é 日本 ² aGVsbG8=", "string", "string"},
	}
	for _, tt := range tests {
		for _, text := range strings.Fields(tt.texts) {
			if got := show(Compat.Resolve([]byte(text))); got != tt.compat {
				t.Errorf("Compat.Resolve(%q) = %s, want %s", text, got, tt.compat)
			}
			if got := show(Core.Resolve([]byte(text))); got != tt.core {
				t.Errorf("Core.Resolve(%q) = %s, want %s", text, got, tt.core)
			}
		}
	}
	for _, s := range []Schema{Compat, Core} {
		if got := s.Resolve(nil); got.Kind != Null {
			t.Errorf("schema %d: nothing resolves to %s, want null", s, show(got))
		}
		for _, text := range []string{"1 000", "5 ", "true ", "- 1", "1\u00a0"} {
			if got := s.Resolve([]byte(text)); got.Kind != String {
				t.Errorf("schema %d: Resolve(%q) = %s, want string", s, text, show(got))
			}
		}
	}
}

func TestResolveTagged(t *testing.T) {
	tests := []struct{ tag, text, want string }{
		{"", "5", "int 5"},
		{"!", "5", "string"},
		{"!foo", "5", "string"},
		{"!foo", "bar", "string"},
		{"!foo", "", "string"},
		{"tag:example.com,2020:int", "5", "string"},
		{"!!str", "5", "string"},
		{"!!str", "~", "string"},
		{"!!str", "", "string"},
		{"!!int", "5", "int 5"},
		{"!!int", "0b0010", "int 2"},
		{"!!int", "18446744073709551615", "uint 18446744073709551615"},
		{"!!int", "x", "cannot decode !!str `x` as a !!int"},
		{"!!int", "", "cannot decode !!null `` as a !!int"},
		{"!!int", "5.0", "cannot decode !!float `5.0` as a !!int"},
		{"!!int", "yes", "cannot decode !!bool `yes` as a !!int"},
		{"!!int", "2001-01-01", "cannot decode !!str `2001-01-01` as a !!int"},
		{"!!int", "5\n", "cannot decode !!str `5\n` as a !!int"},
		{"!!float", "5", "float 5"},
		{"!!float", "-1", "float -1"},
		{"!!float", "0x10", "float 16"},
		{"!!float", "1.1", "float 1.1"},
		{"!!float", ".inf", "float +Inf"},
		{"!!float", "9223372036854775808", "float 9.223372036854776e+18"},
		{"!!float", "error", "cannot decode !!str `error` as a !!float"},
		{"!!float", "1e400", "cannot decode !!str `1e400` as a !!float"},
		{"!!bool", "yes", "bool true"},
		{"!!bool", "off", "bool false"},
		{"!!bool", "1", "cannot decode !!int `1` as a !!bool"},
		{"!!null", "", "null"},
		{"!!null", "~", "null"},
		{"!!null", "x", "cannot decode !!str `x` as a !!null"},
		{"!!timestamp", "2001-01-01", "string"},
		{"!!foo", "BAR!", "string"},
		{"!!merge", "<<", "string"},
	}
	for _, tt := range tests {
		tag := tt.tag
		if name, ok := strings.CutPrefix(tag, "!!"); ok {
			tag = coreTag + name
		}
		for _, plain := range []bool{true, false} {
			if tag == "" && !plain {
				continue
			}
			v, binary, err := Compat.ResolveTagged(tag, []byte(tt.text), plain)
			got := show(v)
			if err != nil {
				got = err.Error()
				if _, ok := errors.AsType[*TagError](err); !ok {
					t.Errorf("%s %q gives a %T, want a *TagError", tt.tag, tt.text, err)
				}
			}
			if got != tt.want || binary != nil {
				t.Errorf(
					"ResolveTagged(%s, %q, %t) = %s, %q, want %s",
					tt.tag,
					tt.text,
					plain,
					got,
					binary,
					tt.want,
				)
			}
		}
	}
	if v, _, _ := Compat.ResolveTagged("", []byte("5"), false); v.Kind != String {
		t.Errorf("quoted text without a tag resolves to %s, want string", show(v))
	}
	if _, _, err := Core.ResolveTagged(coreTag+"bool", []byte("yes"), true); err == nil {
		t.Error("!!bool yes is accepted by Core")
	}
}

func TestResolveBinary(t *testing.T) {
	tests := []struct{ text, want string }{
		{"aGVsbG8=", "hello"},
		{"/w==", "\xff"},
		{"", ""},
		{"gI\n  GC\n", "\x80\x81\x82"},
		{"gI GC", "\x80\x81\x82"},
	}
	for _, tt := range tests {
		v, binary, err := Compat.ResolveTagged(coreTag+"binary", []byte(tt.text), true)
		if err != nil || v.Kind != String || binary == nil || string(binary) != tt.want {
			t.Errorf("!!binary %q = %s, %q, %v, want %q", tt.text, show(v), binary, err, tt.want)
		}
	}
	for _, text := range []string{"==", "gIGC=", "gIG", "é", "a-b_"} {
		if _, _, err := Compat.ResolveTagged(coreTag+"binary", []byte(text), true); err == nil {
			t.Errorf("!!binary %q is accepted", text)
		}
	}
}

func TestTagErrorStaysShort(t *testing.T) {
	_, _, err := Compat.ResolveTagged(coreTag+"int", []byte(strings.Repeat("é", 1000)), true)
	if err == nil || len(err.Error()) > 150 {
		t.Errorf("got %v, want an error of a line", err)
	}
}

func TestValueHoldsEverything(t *testing.T) {
	for _, v := range []Value{
		{},
		BoolValue(true), BoolValue(false), IntValue(math.MinInt64), UintValue(7), UintValue(math.MaxUint64),
		FloatValue(math.Copysign(0, -1)), StringValue(),
	} {
		text := string(AppendValue(nil, v, []byte("word"), 0))
		if got := Compat.Resolve([]byte(text)); v.Kind != Float && got != v {
			t.Errorf("%s prints as %s, which reads as %s", show(v), text, show(got))
		}
	}
	if UintValue(7).Kind != Int {
		t.Error("a small integer has two kinds")
	}
	if size := unsafe.Sizeof(Value{}); size != 16 {
		t.Errorf("a Value has %d bytes, want 16", size)
	}
}

func TestResolveDoesNotAllocate(t *testing.T) {
	for _, text := range []string{"word", "true", "12345", "1_000", "0x1f", "3.14159", "-1.5e-300", "10.0.0.1", "2001-01-01"} {
		b := []byte(text)
		if n := testing.AllocsPerRun(100, func() { Compat.Resolve(b) }); n != 0 {
			t.Errorf("Resolve(%q) allocates %v times", text, n)
		}
	}
}

// likeYAML2 compares a plain scalar with what yaml.v2 reads. Text that is not a plain scalar of one
// line is left out; there are no other exceptions, for a timestamp and `<<` are strings there as
// well.
func likeYAML2(t *testing.T, text string) {
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7F || c == ':' || c == '#' {
			return
		}
	}
	if text == "" || starting[text[0]] && startsLikeYAML([]byte(text)) {
		return
	}
	var doc map[string]any
	if err := yaml2.Unmarshal([]byte("v: "+text), &doc); err != nil {
		t.Fatalf("yaml.v2 cannot read %q: %v", text, err)
	}
	want := "string"
	switch v := doc["v"].(type) {
	case nil:
		want = "null"
	case bool:
		want = fmt.Sprintf("bool %t", v)
	case int, int64:
		want = fmt.Sprintf("int %d", v)
	case uint64:
		want = fmt.Sprintf("uint %d", v)
	case float64:
		want = fmt.Sprintf("float %v", v)
	case string:
		if v != text {
			t.Fatalf("yaml.v2 reads %q as %q", text, v)
		}
	default:
		t.Fatalf("yaml.v2 reads %q as a %T", text, v)
	}
	if got := show(Compat.Resolve([]byte(text))); got != want {
		t.Errorf("Compat.Resolve(%q) = %s, want %s", text, got, want)
	}
	// The printer asks Compat alone whether a string has to be quoted.
	if Core.Resolve([]byte(text)).Kind != String && want == "string" {
		t.Errorf("%q is a string to Compat but not to Core", text)
	}
}

func TestResolveLikeYAML2(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 20000 {
		n := 1 + r.IntN(9)
		if r.IntN(20) == 0 {
			n += 60
		}
		text := make([]byte, n)
		alphabet := "00112789___+-..eExXoObBfinNaA"[r.IntN(12):]
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		likeYAML2(t, string(text))
	}
}

func FuzzResolveLikeYAML2(f *testing.F) {
	for _, s := range []string{"yes", "~", "0x1F", "-0b11", "1_000", "1.5e300", ".inf", "18446744073709551616", "2001-01-01", "<<"} {
		f.Add(s)
	}
	f.Fuzz(likeYAML2)
}

func BenchmarkResolve(b *testing.B) {
	for _, text := range []string{"metadata", "name", "true", "8080", "1.25", "10.0.0.1", "2001-01-01", "nginx:1.25.3"} {
		b.Run(text, func(b *testing.B) {
			t := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				Compat.Resolve(t)
			}
		})
	}
}
