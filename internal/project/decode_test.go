package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
	"weft/internal/project"
	"weft/internal/testing/cases"
)

// TestDecode holds the decoder to files that it has to accept and to refuse: testdata/accepted and
// testdata/refused. What it says of the latter is in a comment at their end. The same files are
// validated against the JSON Schema, in tools/schematest.
func TestDecode(t *testing.T) {
	for _, dir := range []string{"accepted", "refused", "refused/text"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.yml"))
		if err != nil || len(files) == 0 {
			t.Fatal(err, "no files")
		}
		for _, path := range files {
			t.Run(dir+"/"+filepath.Base(path), func(t *testing.T) { decode(t, path, dir != "accepted") })
		}
	}
}

func decode(t *testing.T, path string, refused bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var set source.Set
	f, err := set.Add("weft.yml", data)
	if err != nil {
		t.Fatal(err)
	}
	_, err = project.Decode(f)
	if !refused {
		if err != nil {
			t.Errorf("refused: %s", err)
		}
		return
	}
	var said strings.Builder
	for _, d := range diag.Of(err) {
		said.WriteString("#: " + f.Where(d.At.Offset()) + ": " + d.Message + "\n")
		for _, r := range d.Related {
			said.WriteString("#:   " + f.Where(r.At.Offset()) + ": " + r.Message + "\n")
		}
		if d.Hint != "" {
			said.WriteString("#:   hint: " + d.Hint + "\n")
		}
	}
	text, _, _ := strings.Cut(string(data), "#: ")
	if now := text + said.String(); *cases.Update {
		if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(data), now); diff != "" || err == nil {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A byte order mark and the line ends of Windows change nothing.
func TestDecodeWindowsText(t *testing.T) {
	var set source.Set
	f, err := set.Add("weft.yml", []byte("\ufeffweft: 2026\r\ninputs:\r\n- a.yml\r\nvalues: {a: 1}\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := project.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Get("inputs").Items[0].Text; got != "a.yml" {
		t.Errorf("the input is %q", got)
	}
}
