package modules

import (
	"testing"

	"go.starlark.net/starlark"

	"weft/internal/lang/yaml"
)

// FuzzDecode: no text makes a decoder panic, and what a decoder gives can be encoded and decoded
// again to the same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"b":[1,2.5,null,true,"x"],"a":{"c":1e3}}`, "a: [1, {b: ~}]\nc: |\n  text\n", "a: &x 1\nb: *x\n",
		"a = 1\n[t]\nb = [1, 2]\nc = \"x\"\n[[s]]\nd = 2001-02-03\n", "a = \"\"\"x\"\"\"\"", "x.y.z = {a = 'b'}",
		"aGVsbG8=", "a%20b+c", "y=2&x=1;z", "http://u:p@[::1]:80/p?q#f", "192.168.0.7/24", "::1", "1.2.3-rc.1+b",
		"[" + "[", "\xff", "\x00", "- - -", "? a\n: b", "<<: {a: 1}",
	} {
		f.Add(seed)
	}
	modules := predeclared(f, &Env{YAML: yaml.Options{MaxDepth: 100, MaxNodes: 10_000}})
	thread := &starlark.Thread{}
	call := func(module, function string, args ...starlark.Value) (starlark.Value, error) {
		fn, err := modules[module].(starlark.HasAttrs).Attr(function)
		if err != nil {
			f.Fatal(err)
		}
		return starlark.Call(thread, fn, args, nil)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := starlark.String(s)
		for _, format := range []string{"json", "yaml", "toml"} {
			v, err := call(format, "decode", text)
			if err != nil {
				continue
			}
			again, err := call(format, "encode", v)
			if err != nil {
				t.Errorf("%s.encode(%v): %v", format, v, err)
				continue
			}
			w, err := call(format, "decode", again)
			if err != nil {
				t.Errorf("%s.decode(%v): %v", format, again, err)
				continue
			}
			if !similar(v, w) {
				t.Errorf("%s: got %v, want %v, by way of %v", format, w, v, again)
			}
		}
		for _, c := range [][3]string{
			{"base64", "encode", "decode"},
			{"url", "path_segment_encode", "path_segment_decode"},
			{"url", "query_param_value_encode", "query_param_value_decode"},
		} {
			encoded, err := call(c[0], c[1], text)
			if err != nil {
				t.Errorf("%s.%s(%q): %v", c[0], c[1], s, err)
				continue
			}
			if back, err := call(c[0], c[2], encoded); err != nil || back != text {
				t.Errorf("%s.%s(%v): got %v, %v, want %v", c[0], c[2], encoded, back, err, text)
			}
			_, _ = call(c[0], c[2], text)
		}
		if v, err := call("url", "query_params_decode", text); err == nil {
			if _, err := call("url", "query_params_encode", v); err != nil {
				t.Error(err)
			}
		}
		for _, c := range [][2]string{
			{"url", "parse"}, {"ip", "parse_addr"}, {"ip", "parse_cidr"}, {"version", "require_at_least"}, {"md5", "sum"}, {"sha256", "sum"},
		} {
			_, _ = call(c[0], c[1], text)
		}
		_, _ = call("regexp", "match", text, text)
		_, _ = call("regexp", "replace", text, text, text)
	})
}

// similar is equality, except that a NaN is equal to a NaN, and keys may be as equal as dicts find
// them.
func similar(v, w starlark.Value) bool {
	switch v := v.(type) {
	case starlark.Float:
		if v != v {
			f, ok := w.(starlark.Float)
			return ok && f != f
		}
	case *starlark.List:
		l, ok := w.(*starlark.List)
		if !ok || l.Len() != v.Len() {
			return false
		}
		for i := range v.Len() {
			if !similar(v.Index(i), l.Index(i)) {
				return false
			}
		}
		return true
	case *starlark.Dict:
		d, ok := w.(*starlark.Dict)
		if !ok || d.Len() != v.Len() {
			return false
		}
		vs, ws := v.Items(), d.Items()
		for i := range vs {
			if !similar(vs[i][0], ws[i][0]) || !similar(vs[i][1], ws[i][1]) {
				return false
			}
		}
		return true
	}
	same, err := starlark.Equal(v, w)
	return err == nil && same
}
