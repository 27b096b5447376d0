package outdir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// empty is the digest of a file without content.
const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestManifestText(t *testing.T) {
	m := newManifest(
		text("b.yml", "", "a/c.yml", "", "b.yml", "", "# odd", "", "new\nline", "", `"quoted"`, "", " blank",
			"", "bad-\xff", ""),
	)
	want := manifestHead
	for _, line := range []string{
		`" blank"`, `"\"quoted\""`, "# odd", "a/c.yml", "b.yml", `"bad-\xff"`, `"new\nline"`,
	} {
		want += empty + "  " + line + "\n"
	}
	if diff := cmp.Diff(want, string(m.bytes())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := parseManifest(m.bytes()); !got.equal(m) || !got.isWhole() {
		t.Errorf("got %v, want %v", got, m)
	}
}

// Of a manifest that someone else wrote, names are used only as weft would have written them.
func TestManifestIsNotTrusted(t *testing.T) {
	refused := []string{
		"../x", "/etc/passwd", `"../y"`, `"broken`, ".weft-manifest", ".weft-tmp/0", "b/../a.yml", "./a.yml",
		"a//b.yml", ".git/HEAD", "sub/.GIT/config", "git~1/config", ".git./config", `..\x`, `a\b`, `C:\x`,
		"C:x", "c:/x", ".", "",
	}
	text := "# head\r\n\n" + empty + "  z.yml\r\n"
	for _, name := range refused {
		text += empty + "  " + name + "\n"
	}
	undated := []string{"old.yml", "\"old\"", empty + " x.yml", strings.ToUpper(empty) + "  x.yml", "00  x.yml"}
	text += strings.Join(undated, "\n") + "\n" + empty + "  z.yml"
	got := parseManifest([]byte(text))
	want := listed{manifest{{"z.yml", empty}}, len(undated), len(refused)}
	if !got.equal(want.manifest) || got.undated != want.undated || got.refused != want.refused {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestManifestSets(t *testing.T) {
	a, b := manifest{{"a", "1"}, {"b", "1"}, {"d", "1"}}, manifest{{"b", "1"}, {"b", "2"}, {"c", "1"}}
	if got := a.union(b); !got.equal(manifest{{"a", "1"}, {"b", "1"}, {"b", "2"}, {"c", "1"}, {"d", "1"}}) {
		t.Errorf("union: got %q", got)
	}
	if got := a.without(b); !got.equal(manifest{{"a", "1"}, {"d", "1"}}) {
		t.Errorf("without: got %q", got)
	}
	if manifest(nil).equal(manifest{}) {
		t.Error("no manifest is the same as an empty one")
	}
}

// What is written is read again, whatever the names are; only names with a backslash and those that
// begin like a drive are not.
func FuzzManifest(f *testing.F) {
	f.Add("a.yml", "b/c.yml")
	f.Add("#x", "\"")
	f.Add("a\nb", "\xff ")
	f.Fuzz(func(t *testing.T, a, b string) {
		files, err := cleanAll(named(a, b), false)
		if err != nil {
			return
		}
		for _, f := range files {
			if strings.Contains(f.Path, `\`) || len(f.Path) > 1 && f.Path[1] == ':' {
				return
			}
		}
		m := newManifest(files)
		if got := parseManifest(m.bytes()); !got.equal(m) || !got.isWhole() {
			t.Errorf("got %v, want %v", got, m)
		}
	})
}
