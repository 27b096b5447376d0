package main

import (
	"slices"
	"testing"
)

// TestRead fails if texts are not read as Kubernetes reads them: YAML 1.1, in documents, without those that
// are empty.
func TestRead(t *testing.T) {
	a := read([]string{
		"# nothing\n---\nb: yes\na: 0777\n---\n---\r\nc: |\r\n  ---x\r\n--- {d: 1e3}\n",
		"",
		"a: 1\n---x: 2\n",
	})
	if a.Error != nil {
		t.Fatal(a.Error)
	}
	var got []string
	for _, d := range a.Docs {
		got = append(got, d.Source+" "+d.Text)
	}
	want := []string{`1 {"a":511,"b":true}`, `1 {"c":"---x\n"}`, `1 {"d":1000}`, `3 {"---x":2,"a":1}`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if a := read([]string{"a: [\n"}); a.Error == nil {
		t.Error("a text that cannot be read is not an error")
	}
}
