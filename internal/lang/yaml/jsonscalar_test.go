package yaml

import (
	"encoding/json"
	"math"
	"testing"
)

func likeJSONString(t *testing.T, s string) {
	want, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := AppendJSONString([]byte("x"), []byte(s)); string(got) != "x"+string(want) {
		t.Errorf("AppendJSONString(%q)\n got %s\nwant x%s", s, got, want)
	}
}

func likeJSONFloat(t *testing.T, f float64) {
	want, err := json.Marshal(f)
	got, ok := AppendJSONFloat([]byte("x"), f)
	if ok != (err == nil) || string(got) != "x"+string(want) {
		t.Errorf("AppendJSONFloat(%v) = %s, %t, want x%s, %v", f, got, ok, want, err)
	}
}

var (
	jsonStrings = []string{
		"", "word", `a"b\c`, "<a href='x'>&</a>", "a\tb\nc\rd\be\ff\v\x00\x1f\x7f", "héllo 日本 😀",
		"\u2028\u2029\u2027", "\xff", "a\xc3", "\xed\xa0\x80", "\ufffd", "a: b", "\u0085\u00a0\ufeff",
	}
	jsonFloats = []float64{
		0, math.Copysign(0, -1), 1, -1, 1.5, 0.1, 1e20, 1e21, -1e21, 1.5e300, 1e-6, 1e-7, 9.99e-7, -1e-9, 1e-10, 1e-100,
		5e-324, math.MaxFloat64, 18446744073709551616, 123456789.123, math.Inf(1), math.Inf(-1), math.NaN(),
	}
)

func TestJSONScalarsLikeGo(t *testing.T) {
	for _, s := range jsonStrings {
		likeJSONString(t, s)
	}
	for c := range 256 {
		likeJSONString(t, "a"+string([]byte{byte(c)})+"b")
	}
	for _, f := range jsonFloats {
		likeJSONFloat(t, f)
	}
}

func FuzzAppendJSONString(f *testing.F) {
	for _, s := range jsonStrings {
		f.Add(s)
	}
	f.Fuzz(likeJSONString)
}

func FuzzAppendJSONFloat(f *testing.F) {
	for _, x := range jsonFloats {
		f.Add(x)
	}
	f.Fuzz(likeJSONFloat)
}

func BenchmarkAppendJSONString(b *testing.B) {
	s := []byte("registry.example.com/team/service:1.25.3 and some more words behind it")
	dst := make([]byte, 0, 200)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		AppendJSONString(dst, s)
	}
}
