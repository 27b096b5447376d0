package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// source is the input of a release: the files of a commit, copied to a separate folder. Other files in
// the clone have no effect.
type source struct {
	dir    string
	module string    // the path of the module
	commit string    // with -changed if it is not exactly this commit
	time   time.Time // of everything in the release
}

// takeSource copies the files of the release to dir.
func takeSource(ctx context.Context, opts options, dir string) (*source, error) {
	git := func(args ...string) (string, error) {
		return run(ctx, command{dir: opts.root, args: append([]string{"git"}, args...)})
	}
	commit, err := git("rev-parse", "--verify", "HEAD")
	if err != nil {
		return nil, fmt.Errorf("a release is made from a git commit: %w", err)
	}
	changes, err := git("status", "--porcelain")
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir, commit: commit}
	tree := commit
	switch {
	case changes == "":
	case !opts.snapshot:
		return nil, fmt.Errorf("the working tree has changes:\n%s\n"+
			"commit them, or add --snapshot to try out a release", firstLines(changes, 5))
	default:
		s.commit += "-changed"
		if tree, err = workingTree(ctx, opts.root, filepath.Dir(dir)); err != nil {
			return nil, err
		}
	}
	if err := checkTag(git, opts, commit); err != nil {
		return nil, err
	}
	if s.time, err = sourceTime(git); err != nil {
		return nil, err
	}
	// Line endings are as in the repository, whatever the machine's settings are.
	text, err := git("-c", "core.autocrlf=false", "-c", "core.eol=lf",
		"archive", "--format=tar", tree)
	if err != nil {
		return nil, err
	}
	if err := extract(strings.NewReader(text), dir); err != nil {
		return nil, err
	}
	s.module, err = runGo(ctx, dir, nil, "list", "-m")
	return s, err
}

// workingTree writes the working tree, including untracked files, as a tree object and returns its name.
// It does not change the index of the user.
func workingTree(ctx context.Context, root, tmp string) (string, error) {
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(tmp, "index")}
	for _, args := range [][]string{{"git", "read-tree", "HEAD"}, {"git", "add", "--all"}} {
		if _, err := run(ctx, command{dir: root, env: env, args: args}); err != nil {
			return "", err
		}
	}
	return run(ctx, command{dir: root, env: env, args: []string{"git", "write-tree"}})
}

// checkTag refuses a version that another commit already has.
func checkTag(git func(...string) (string, error), opts options, commit string) error {
	tag := opts.version.tag()
	tagged, err := git("rev-parse", "--quiet", "--verify", "refs/tags/"+tag+"^{commit}")
	if err != nil || tagged == commit || opts.snapshot {
		return nil // no such tag, or a snapshot
	}
	return fmt.Errorf("the tag %s is at commit %.12s, but this is %.12s; "+
		"run: git checkout %s, or choose the next version", tag, tagged, commit, tag)
}

// sourceTime returns SOURCE_DATE_EPOCH if it is set, otherwise the time of the commit.
func sourceTime(git func(...string) (string, error)) (time.Time, error) {
	text, from := os.Getenv("SOURCE_DATE_EPOCH"), "SOURCE_DATE_EPOCH"
	if text == "" {
		var err error
		if text, err = git("show", "--no-patch", "--format=%ct", "HEAD"); err != nil {
			return time.Time{}, err
		}
		from = "the time of the commit"
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	// Zip archives cannot store times before 1980, and tar archives none after 2242.
	if err != nil || seconds < 315532800 || seconds >= 1<<33 {
		return time.Time{}, fmt.Errorf("expected seconds since 1970, and not before 1980, in %s, "+
			"but found '%s'", from, text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// extract writes the files of a tar archive.
func extract(archive io.Reader, dir string) error {
	for r := tar.NewReader(archive); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("git archive: %w", err)
		}
		if header.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		if !filepath.IsLocal(header.Name) {
			return fmt.Errorf("git archive: '%s' is outside of the repository", header.Name)
		}
		name := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := extractEntry(r, header, name); err != nil {
			return err
		}
	}
}

func extractEntry(r io.Reader, header *tar.Header, name string) error {
	if header.Typeflag == tar.TypeDir {
		return os.MkdirAll(name, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if header.Typeflag == tar.TypeSymlink {
		return os.Symlink(header.Linkname, name)
	}
	var data bytes.Buffer
	if _, err := io.Copy(&data, r); err != nil {
		return err
	}
	return os.WriteFile(name, data.Bytes(), header.FileInfo().Mode()|0o600)
}

func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("and %d more", len(lines)-n))
	}
	return strings.Join(lines, "\n")
}
