package load

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestFind lists what arguments name that are taken as they are.
func TestFind(t *testing.T) {
	opt := Options{
		Stdin: strings.NewReader("stdin"),
		FS: fstest.MapFS{
			"a=b.yml":   {Data: []byte("one")},
			"dir/x.yml": {Data: []byte("two")},
			"dir/y.txt": {Data: []byte("three")},
		},
		Fetch: func(url string) ([]byte, error) { return []byte("fetched " + url), nil },
	}
	for _, c := range []struct {
		arg, want      string
		isFile, listed bool
	}{
		{arg: "-", want: "stdin"},
		{arg: "https://x.example/c.yml", want: "fetched https://x.example/c.yml"},
		{arg: "a=b.yml", want: "one", isFile: true},
		{arg: "dir", want: "two three", isFile: true, listed: true},
		{arg: "dir/x.yml", want: "two", isFile: true},
	} {
		inputs, err := opt.Find(c.arg)
		if err != nil {
			if c.want != "" {
				t.Errorf("%s: %v", c.arg, err)
			}
			continue
		}
		var texts []string
		for _, in := range inputs {
			data, err := opt.Bytes(in)
			if err != nil {
				t.Errorf("%s: %v", c.arg, err)
			}
			texts = append(texts, string(data))
			if in.IsFile() != c.isFile || in.Listed() != c.listed {
				t.Errorf(
					"%s: a file %t, listed %t, want %t and %t",
					c.arg,
					in.IsFile(),
					in.Listed(),
					c.isFile,
					c.listed,
				)
			}
		}
		if got := strings.Join(texts, " "); c.want != "" && got != c.want {
			t.Errorf("%s: got %q, want %q", c.arg, got, c.want)
		}
	}
	for arg, want := range map[string]string{"file:///a/b": "/a/b", "a:b": "a:b", "http:x": "http:x", "https://x.example/c": "https://x.example/c"} {
		if got := DiskPath(arg); got != want && !onWindows {
			t.Errorf("DiskPath(%s) = %s, want %s", arg, got, want)
		}
	}
}
