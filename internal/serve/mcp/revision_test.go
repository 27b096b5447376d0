//go:build unix

package mcp

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inRepository makes a git repository of the current directory, with all files in its first commit.
func inRepository(t *testing.T) {
	t.Helper()
	for _, line := range []string{
		"init -q -b main", "add -A", "-c user.name=a -c user.email=a@example.com commit -q -m first",
	} {
		cmd := exec.Command("git", strings.Fields(line)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %s: %s\n%s", line, err, out)
		}
	}
}

// An environment is compared with what it was at a revision. The files on disk stay as they are.
func TestDiffRevision(t *testing.T) {
	inDir(t, shop())
	inRepository(t)
	edit := func(name, old, now string) {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), old) {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(text), old, now, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := start(t, Options{})
	r := c.call("diff", args{"environment": "prod", "revision": "HEAD"})
	if r.IsError || r.StructuredContent.Summary != "nothing changes" {
		t.Errorf("without an edit: %v", r)
	}
	r = c.call("diff", args{"revision": "HEAD"})
	if r.IsError || r.StructuredContent.Summary != "nothing changes in 2 environments" {
		t.Errorf("without an edit: %v", r)
	}
	edit("weft.yml", "replicas: 3", "replicas: many")
	r = c.call("diff", args{"revision": "HEAD"})
	if !r.IsError || !strings.Contains(r.StructuredContent.Data, "prod fails:\nweft.yml:6") ||
		r.StructuredContent.Summary != "nothing changes in 1 environment; 1 environment failed" {
		t.Errorf("of an environment that fails: %v", r)
	}
	edit("weft.yml", "replicas: many", "replicas: 4")
	edit("config/schema.yml", "nightingale", "hummingbird")
	before := snapshot(t)
	for _, with := range []args{
		{"environment": "prod", "revision": "HEAD"},
		{"environment": "prod", "revision": "main", "document": "Deployment/shop"},
	} {
		r := c.call("diff", with)
		data := r.StructuredContent.Data
		if r.IsError || !strings.Contains(data, "replicas 3 → 4  (weft.yml:6)") ||
			!strings.Contains(data, "~ Deployment/shop  spec.replicas") {
			t.Errorf("%v: got %v\n%s", with, r.IsError, data)
		}
		if strings.Contains(data, "nightingale") || strings.Contains(data, "hummingbird") {
			t.Errorf("%v: a secret is shown:\n%s", with, data)
		}
	}
	r = c.call("diff", args{"revision": "HEAD"})
	if data := r.StructuredContent.Data; r.IsError || strings.Contains(data, "nightingale") ||
		!strings.Contains(data, "environments: dev (changed), prod (changed)\n") ||
		!strings.Contains(data, "replicas 3 → 4  (weft.yml:6)") || !strings.Contains(data, "Deployment/shop") ||
		!strings.HasPrefix(r.StructuredContent.Summary, "2 of 2 environments: what changes") {
		t.Errorf("of all environments: %v", r)
	}
	for _, wrong := range []string{
		"nothing", "--output=x", "-", "^HEAD", "HEAD:config", ":0:weft.yml", "HEAD..main", "a b", "main\x00", "..",
		strings.Repeat("a", 5000),
	} {
		if r := c.call("diff", args{"environment": "prod", "revision": wrong}); !r.IsError ||
			!strings.Contains(r.StructuredContent.Data, "diff/revision") {
			t.Errorf("%.20q: got %v", wrong, r)
		}
	}
	if after := snapshot(t); after != before {
		t.Errorf("files have changed:\n%s\n%s", before, after)
	}
}

// An environment that is new since the revision is compared with nothing.
func TestDiffNewEnvironment(t *testing.T) {
	inDir(t, shop())
	inRepository(t)
	f, err := os.OpenFile("weft.yml", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("  new: {}\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r := start(t, Options{}).call("diff", args{"environment": "new", "revision": "HEAD"})
	if r.IsError || !strings.Contains(r.StructuredContent.Data, "+ Deployment/shop") ||
		!strings.Contains(r.StructuredContent.Summary, "the revision does not have this environment") {
		t.Errorf("got %v", r)
	}
}

// A project that is new since the revision is compared by its weft.yml, and the answer says so.
func TestDiffRevisionWithoutProject(t *testing.T) {
	files := shop()
	text := files["weft.yml"]
	delete(files, "weft.yml")
	inDir(t, files)
	inRepository(t)
	if err := os.WriteFile("weft.yml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := start(t, Options{}).call("diff", args{"environment": "prod", "revision": "HEAD"})
	if want := "the revision has no weft.yml"; r.IsError || !strings.Contains(r.StructuredContent.Summary, want) {
		t.Errorf("got %v, expected a summary with %q", r, want)
	}
}
