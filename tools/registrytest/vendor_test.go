package registrytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	gcr "github.com/google/go-containerregistry/pkg/v1/remote"

	weftproject "weft/internal/project"
	"weft/internal/project/vendor"
)

// TestVendor locks, restores and updates a bundle in a registry: ranges choose among its tags, a tag that was
// moved is noticed, and what is locked is restored until it is deleted.
func TestVendor(t *testing.T) {
	host, _ := start(t)
	t.Chdir(t.TempDir())
	bundle := func(tag, text string) string {
		return push(t, host+"/team/base:"+tag, image(t, gzipped(pack(t, "", map[string]string{"a.yml": text, "run*": "x"}))))
	}
	for _, tag := range []string{"1.9.0", "1.10.0", "2.0.0", "20231201", "latest"} {
		bundle(tag, "version: "+tag+"\n")
	}
	write(t, "weft.yml", "weft: 2026\nvendor: {base: {oci: "+host+"/team/base, version: ^1}}\n")
	var notes []string
	opts := vendor.Options{
		AllowOutside: []string{"http://" + host}, Note: func(text string) { notes = append(notes, text) },
	}
	update := func() {
		t.Helper()
		v := opened(t)
		list, err := v.Candidates(t.Context(), nil, false, opts)
		if err == nil {
			err = v.Write(t.Context(), list)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	update()
	wantText(t, "version: 1.10.0\n")
	info, err := os.Stat("vendor/base/run")
	if err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the program is not executable: %v, %v", info, err)
	}
	old := digestIn(t)
	now := bundle("1.10.0", "version: moved\n")
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	if _, err := opened(t).Restore(t.Context(), nil, false, opts); err != nil {
		t.Fatal(err)
	}
	wantText(t, "version: 1.10.0\n")
	list, err := opened(t).Outdated(t.Context(), nil, opts)
	if err != nil || !list[0].Moved || list[0].Latest != "2.0.0" {
		t.Errorf("got %+v, %v", list, err)
	}
	ref, err := name.ParseReference(host+"/team/base@"+old, name.Insecure)
	if err == nil {
		err = gcr.Delete(ref)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll("vendor"); err != nil {
		t.Fatal(err)
	}
	_, err = opened(t).Restore(t.Context(), nil, false, opts)
	if err == nil || !strings.Contains(err.Error(), "has moved") || !strings.Contains(err.Error(), now) {
		t.Errorf("got %v", err)
	}
	update()
	wantText(t, "version: moved\n")
	if len(notes) != 1 || !strings.Contains(notes[0], "has moved: it was "+old) {
		t.Errorf("the notes are %q", notes)
	}
}

func opened(t *testing.T) *vendor.Vendor {
	t.Helper()
	p, err := weftproject.Open(weftproject.Options{Path: "weft.yml"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := vendor.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, want string) {
	t.Helper()
	if got, err := os.ReadFile("vendor/base/a.yml"); string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// digestIn returns the digest in the lock.
func digestIn(t *testing.T) string {
	t.Helper()
	lock, err := os.ReadFile("weft.lock")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(lock), "  digest: ")
	digest, _, _ := strings.Cut(rest, "\n")
	return digest
}
