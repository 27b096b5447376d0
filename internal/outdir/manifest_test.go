package outdir

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestManifestText(t *testing.T) {
	m := newManifest(
		named("b.yml", "a/c.yml", "b.yml", "# odd", "new\nline", `"quoted"`, " blank", "bad-\xff"),
	)
	want := manifestHead + "\" blank\"\n\"\\\"quoted\\\"\"\n\"# odd\"\na/c.yml\nb.yml\n\"bad-\\xff\"\n\"new\\nline\"\n"
	if diff := cmp.Diff(want, string(m.bytes())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := parseManifest(m.bytes(), false); !got.equal(m) {
		t.Errorf("got %q, want %q", got, m)
	}
}

// A manifest that somebody else wrote does not lead out of the directory.
func TestManifestIsNotTrusted(t *testing.T) {
	got := parseManifest(
		[]byte(
			"# head\r\n../x\n/etc/passwd\n\n\"../y\"\n\"broken\n.weft-manifest\nz.yml\r\nb/../a.yml\nz.yml",
		),
		false,
	)
	if diff := cmp.Diff(manifest{"a.yml", "z.yml"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestManifestSets(t *testing.T) {
	a, b := manifest{"a", "b", "d"}, manifest{"b", "c"}
	if got := a.union(b); !got.equal(manifest{"a", "b", "c", "d"}) {
		t.Errorf("union: got %q", got)
	}
	if got := a.without(b); !slices.Equal(got, []string{"a", "d"}) {
		t.Errorf("without: got %q", got)
	}
	if manifest(nil).equal(manifest{}) {
		t.Error("no manifest is the same as an empty one")
	}
}

// What is written is read again, whatever the names are.
func FuzzManifest(f *testing.F) {
	f.Add("a.yml", "b/c.yml")
	f.Add("#x", "\"")
	f.Add("a\nb", "\xff ")
	f.Fuzz(func(t *testing.T, a, b string) {
		files, err := cleanAll(named(a, b), false)
		if err != nil {
			return
		}
		m := newManifest(files)
		if got := parseManifest(m.bytes(), false); !got.equal(m) {
			t.Errorf("got %q, want %q", got, m)
		}
	})
}
