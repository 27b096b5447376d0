package override

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/lang/source"
)

// TestOverrideFromURL reads an override from a server.
func TestOverrideFromURL(t *testing.T) {
	pages := fstest.MapFS{"over.yml": {Data: []byte("a: 2\n")}}
	server := httptest.NewServer(http.FileServerFS(pages))
	defer server.Close()
	r := Reader{Files: &source.Set{}}
	docs, err := r.Overrides(
		context.Background(),
		[]Argument{{Text: server.URL + "/over.yml", File: true}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := Brief(docs[0].Value, 40); len(docs) != 1 || got != "{a: 2}" {
		t.Errorf("got %d overrides, the first %s, want {a: 2}", len(docs), got)
	}
	if f := r.Files.File(docs[0].Value.Start()); f.Name() != server.URL+"/over.yml" {
		t.Errorf("messages call it %s, want the URL", f.Name())
	}
	if _, err := r.Overrides(context.Background(), []Argument{{Text: server.URL + "/other.yml", File: true}}); err == nil ||
		!strings.Contains(err.Error(), "404") {
		t.Errorf("a page that is not there: got %v, want an error that names 404", err)
	}
}

// TestOverrideFromFS reads overrides from a file system that is not a disk.
func TestOverrideFromFS(t *testing.T) {
	r := Reader{Files: &source.Set{}, FS: fstest.MapFS{
		"dir/b.yml":  {Data: []byte("b: 1\n")},
		"dir/a.yaml": {Data: []byte("a: 1\n---\na: 2\n")},
		"dir/c.txt":  {Data: []byte("no")},
	}}
	docs, err := r.Overrides(context.Background(), []Argument{{Text: "./dir/", File: true}})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, d := range docs {
		got += Brief(d.Value, 40)
	}
	if want := "{a: 1}{a: 2}{b: 1}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := r.Overrides(context.Background(), []Argument{{Text: "nope", File: true}}); err == nil {
		t.Error("a path that is not there is read")
	}
}
