package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shells are the shells with completions, and the file names that they expect.
var shells = []struct{ name, file string }{
	{"bash", "weft.bash"},
	{"fish", "weft.fish"},
	{"powershell", "weft.ps1"},
	{"zsh", "_weft"},
}

// texts collects the files of every archive besides weft. weft itself generates completions and man
// pages.
func (r *release) texts(ctx context.Context) error {
	for _, name := range []string{"LICENSE", "README.md"} {
		data, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{name, 0o644, data})
	}
	weft, err := r.host(ctx)
	if err != nil {
		return err
	}
	empty := filepath.Join(r.tmp, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		return err
	}
	for _, shell := range shells {
		text, err := run(ctx, command{dir: empty, args: []string{weft, "completion", shell.name}})
		if err != nil {
			return err
		}
		r.shared = append(r.shared, file{"completions/" + shell.file, 0o644, []byte(text + "\n")})
	}
	man := filepath.Join(r.tmp, "man")
	_, err = run(ctx, command{dir: empty, args: []string{weft, "man", "--dir", man}})
	if err != nil {
		return err
	}
	pages, err := readFiles(man)
	if err != nil {
		return err
	}
	r.shared = append(r.shared, below("man", pages)...)
	return nil
}

// archives writes a .tar.gz for each target, and a .zip for Windows. An archive contains one folder.
func (r *release) archives(ctx context.Context) error {
	for _, t := range r.targets {
		files, err := r.contents(ctx, t)
		if err != nil {
			return err
		}
		files = append(files, file{t.binary("weft"), 0o755, r.binaries[t]})
		if t.os == "windows" {
			files = append(files, r.helper(t)...)
		}
		if err := r.writeArchive(t, r.folder(t), files); err != nil {
			return err
		}
	}
	return nil
}

// writeArchive writes an archive with one folder, which has the same name.
func (r *release) writeArchive(t target, folder string, files []file) (err error) {
	files = below(folder, files)
	var data []byte
	if t.os == "windows" {
		data, err = zipped(files, r.time)
	} else if data, err = tarball(files, r.time); err == nil {
		data, err = gzipped(data)
	}
	if err != nil {
		return err
	}
	return r.write(folder+t.extension(), data)
}

// folder returns the name of the folder in an archive.
func (r *release) folder(t target) string { return r.name(t.os, t.arch) }

// archive returns the name of the archive for a target.
func (r *release) archive(t target) string { return r.folder(t) + t.extension() }

// contents returns the texts that go with weft for a target.
func (r *release) contents(ctx context.Context, t target) ([]file, error) {
	notices, err := r.notices(ctx, t, r.weft())
	if err != nil {
		return nil, err
	}
	return append(slices.Clone(r.shared), file{"NOTICES.txt", 0o644, notices}), nil
}

// changelog writes the section of this version in CHANGELOG.md, for the release page.
func (r *release) changelog(context.Context) error {
	data, err := os.ReadFile(filepath.Join(r.dir, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	text, ok := section(string(data), r.version.String())
	if !ok && r.snapshot {
		text, ok = section(string(data), "Unreleased")
	}
	if !ok {
		return fmt.Errorf("CHANGELOG.md has no section for this version: "+
			"rename '## [Unreleased]' to '## [%s] - %s' and commit it",
			r.version, r.time.Format("2006-01-02"))
	}
	return r.write("release-notes.md", []byte(text))
}

// section returns the text of a changelog below the heading of a version, up to the next version.
func section(changelog, version string) (text string, ok bool) {
	changelog = strings.ReplaceAll(changelog, "\r\n", "\n")
	_, rest, ok := strings.Cut("\n"+changelog, "\n## ["+version+"]")
	if !ok {
		return "", false
	}
	_, rest, _ = strings.Cut(rest, "\n") // the date
	rest, _, _ = strings.Cut("\n"+rest, "\n## ")
	return strings.TrimSpace(rest) + "\n", true
}
