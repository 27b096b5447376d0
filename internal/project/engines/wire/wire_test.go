package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// converse sends lines to weft as weft-engines could, and returns the answer and what weft asked for.
func converse(lines ...string) (*Answer, []string, error) {
	var asked []string
	c := NewConn(strings.NewReader(strings.Join(lines, "\n")+"\n"), io.Discard)
	a, err := c.Converse(&Request{}, func(path string) Reply {
		asked = append(asked, path)
		return Reply{}
	})
	return a, asked, err
}

func TestConverse(t *testing.T) {
	a, asked, err := converse(`{"ask":""}`, `{"ask":"a/b"}`, `{"answer":{"docs":[{"source":"c/t.yaml","text":"a: 1\nb: 2\n","origins":[1,0]}],`+
		`"chains":[[{"file":"c/t.yaml","line":3},{"values":["a","0"]}]]}}`)
	if err != nil || !slices.Equal(asked, []string{"", "a/b"}) {
		t.Fatal(asked, err)
	}
	if got := a.Origin(&a.Docs[0], 0); len(got) != 2 || got[0].Line != 3 || got[1].Values[1] != "0" {
		t.Error(got)
	}
	for _, line := range []int{1, 2} {
		if got := a.Origin(&a.Docs[0], line); got != nil {
			t.Error(line, got)
		}
	}
}

// TestHostile fails if weft believes what it must not.
func TestHostile(t *testing.T) {
	doc := func(fields string) string { return `{"answer":{"docs":[{` + fields + `}],"chains":[[{"file":"a"}]]}}` }
	place := func(fields string) string { return `{"answer":{"chains":[[{` + fields + `}]]}}` }
	for _, test := range []struct{ line, want string }{
		{`{"ask":"/etc/passwd"}`, "not a path"},
		{`{"ask":"../a"}`, "not a path"},
		{`{"ask":"a/../b"}`, "not a path"},
		{`{"ask":"a\u0000"}`, "not a path"},
		{`{"ask":"` + strings.Repeat("a", 5000) + `"}`, "not a path"},
		{`{}`, "neither"},
		{`{"answer":{"what":1}}`, "not a message"},
		{`{"answer":{}}{"answer":{}}`, "more than one"},
		{`{"answer":{"docs":[{"source":"a"}],"error":{"message":"b"}}}`, "documents and an error"},
		{`{"answer":{"error":{}}}`, "without a message"},
		{`{"answer":{"error":{"message":"b","file":"../x"}}}`, "not a path"},
		{`{"answer":{"warnings":[{"message":"b","line":-1}]}}`, "not a line"},
		{doc(`"text":"a"`), "without a source"},
		{doc(`"source":"../a"`), "not a path"},
		{doc(`"source":"a\nb"`), "not a path"},
		{doc(`"source":"a","text":"a\nb","origins":[0]`), "2 lines with 1"},
		{doc(`"source":"a","text":"a\n","origins":[0,0]`), "1 lines with 2"},
		{doc(`"source":"a","text":"a","origins":[2]`), "origin 2 of 1"},
		{doc(`"source":"a","text":"a","origins":[-1]`), "origin -1 of 1"},
		{place(``), "without a file"},
		{place(`"line":3`), "without a file"},
		{place(`"values":["a"],"line":3`), "without a file"},
		{place(`"file":"/a"`), "not a path"},
		{place(`"file":"a","line":-3`), "not a line"},
		{`{"answer":{"chains":[[]]}}`, "a chain of 0"},
	} {
		if _, _, err := converse(test.line); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.80s: %v, expected %q", test.line, err, test.want)
		}
	}
}

// FuzzConverse fails if an answer that weft accepts has origins that are not there, or panics.
func FuzzConverse(f *testing.F) {
	f.Add([]byte(`{"ask":"a"}` + "\n" + `{"answer":{"docs":[{"source":"a","text":"b\n","origins":[1]}],` +
		`"chains":[[{"file":"c","line":1}]]}}` + "\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		a, err := NewConn(bytes.NewReader(lines), io.Discard).
			Converse(&Request{}, func(string) Reply { return Reply{} })
		if err != nil {
			return
		}
		for i := range a.Docs {
			for line := range strings.SplitAfter(a.Docs[i].Text, "\n") {
				for _, p := range a.Origin(&a.Docs[i], line) {
					if strings.HasPrefix(p.File, "/") || strings.Contains("/"+p.File+"/", "/../") {
						t.Fatalf("%q", p.File)
					}
				}
			}
		}
		if _, err := json.Marshal(a); err != nil {
			t.Fatal(err)
		}
	})
}
