//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSourceIsTheCommit takes exactly what is committed, and with --snapshot what the working tree
// has.
func TestSourceIsTheCommit(t *testing.T) {
	repo := t.TempDir()
	write(t, filepath.Join(repo, "go.mod"), "module example.org/moved/weft\n\ngo 1.26\n")
	write(t, filepath.Join(repo, ".gitignore"), "ignored\n")
	write(t, filepath.Join(repo, "a.txt"), "a\r\n")
	commit(t, repo)
	write(t, filepath.Join(repo, "ignored"), "of this machine\n")
	opts := options{root: repo, version: "1.2.3"}
	src, err := takeSource(t.Context(), opts, filepath.Join(t.TempDir(), "source"))
	if err != nil {
		t.Fatal(err)
	}
	if src.module != "example.org/moved/weft" || len(src.commit) != 40 || src.time.IsZero() {
		t.Errorf("the source is %+v", src)
	}
	if got := string(read(t, filepath.Join(src.dir, "a.txt"))); got != "a\r\n" {
		t.Errorf("a.txt is %q", got)
	}
	if _, err := os.Stat(filepath.Join(src.dir, "ignored")); err == nil {
		t.Error("a file that is ignored is in the release")
	}

	write(t, filepath.Join(repo, "new.txt"), "new\n")
	write(t, filepath.Join(repo, "a.txt"), "changed\n")
	_, err = takeSource(t.Context(), opts, filepath.Join(t.TempDir(), "source"))
	if err == nil || !strings.Contains(err.Error(), "new.txt") ||
		!strings.Contains(err.Error(), "--snapshot") {
		t.Errorf("the error is %v", err)
	}
	opts.snapshot = true
	src, err = takeSource(t.Context(), opts, filepath.Join(t.TempDir(), "source"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(read(t, filepath.Join(src.dir, "new.txt"))); got != "new\n" {
		t.Errorf("new.txt is %q", got)
	}
	if !strings.HasSuffix(src.commit, "-changed") {
		t.Errorf("the commit is %s", src.commit)
	}
	status, err := run(
		t.Context(),
		command{dir: repo, args: []string{"git", "status", "--porcelain"}},
	)
	if want := " M a.txt\n?? new.txt"; err != nil || status != want {
		t.Errorf("git status is now %q, %v", status, err)
	}
}

// TestTagOfAnotherCommit refuses to make a version again from something else.
func TestTagOfAnotherCommit(t *testing.T) {
	repo := t.TempDir()
	write(t, filepath.Join(repo, "go.mod"), "module weft\n\ngo 1.26\n")
	commit(t, repo)
	tag := command{dir: repo, args: []string{"git", "tag", "v1.2.3"}}
	if _, err := run(t.Context(), tag); err != nil {
		t.Fatal(err)
	}
	opts := options{root: repo, version: "1.2.3"}
	if _, err := takeSource(t.Context(), opts, filepath.Join(t.TempDir(), "source")); err != nil {
		t.Errorf("the tagged commit is refused: %v", err)
	}
	write(t, filepath.Join(repo, "b.txt"), "b\n")
	commit(t, repo)
	_, err := takeSource(t.Context(), opts, filepath.Join(t.TempDir(), "source"))
	if err == nil || !strings.Contains(err.Error(), "git checkout v1.2.3") {
		t.Errorf("the error is %v", err)
	}
}

func TestSourceTime(t *testing.T) {
	git := func(...string) (string, error) { return "1700000000", nil }
	for epoch, want := range map[string]string{
		"": "2023-11-14T22:13:20Z", "1000000000": "2001-09-09T01:46:40Z",
	} {
		t.Setenv("SOURCE_DATE_EPOCH", epoch)
		if got, err := sourceTime(git); err != nil ||
			got.Format("2006-01-02T15:04:05Z07:00") != want {
			t.Errorf("%s: %v, %v", epoch, got, err)
		}
	}
	for _, epoch := range []string{"today", "0", "-1", "99999999999999"} {
		t.Setenv("SOURCE_DATE_EPOCH", epoch)
		if got, err := sourceTime(git); err == nil ||
			!strings.Contains(err.Error(), "SOURCE_DATE_EPOCH") {
			t.Errorf("%s: %v, %v", epoch, got, err)
		}
	}
}

func TestOutputThatExists(t *testing.T) {
	err := build(context.Background(), options{out: t.TempDir(), version: "1.2.3"})
	if err == nil ||
		!strings.Contains(err.Error(), "exists; remove it, or choose another directory with -o") {
		t.Errorf("the error is %v", err)
	}
}
