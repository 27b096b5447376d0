package cekit

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"weft/internal/engine/override"
	"weft/internal/lang/source"
)

// TestOverrideFromURL reads an override from a server, by either option.
func TestOverrideFromURL(t *testing.T) {
	pages := fstest.MapFS{"over.yml": {Data: []byte("a: 2\n")}}
	server := httptest.NewServer(http.FileServerFS(pages))
	defer server.Close()
	for _, file := range []bool{false, true} {
		r := override.Reader{Files: &source.Set{}}
		Adapt(&r)
		docs, err := r.Overrides(
			context.Background(),
			[]override.Argument{{Text: server.URL + "/over.yml", File: file}},
		)
		if err != nil {
			t.Fatal(err)
		}
		if got := override.Brief(docs[0].Value, 40); len(docs) != 1 || got != "{a: 2}" {
			t.Errorf("got %d overrides, the first %s, want {a: 2}", len(docs), got)
		}
		if _, err := r.Overrides(context.Background(), []override.Argument{{Text: server.URL + "/other.yml", File: file}}); err == nil ||
			!strings.Contains(err.Error(), "404") {
			t.Errorf("a page that is not there: got %v, want an error that names 404", err)
		}
	}
}
