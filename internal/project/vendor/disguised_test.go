package vendor

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/project/archive"
)

// FuzzDisguised writes the files of a source to a disk, and asks git itself: it finds no repository in any of
// their folders, whatever they are called. Whoever runs git there would run what its config says. Each line of
// the input is the name of a file; the first one is a pattern of `paths`. Names that some systems take for
// those of a repository are written as such.
func FuzzDisguised(f *testing.F) {
	if _, err := exec.LookPath("git"); err != nil {
		f.Skip("git is needed")
	}
	const bare = "\nHEAD\nobjects/x\nrefs/y\nconfig"
	for _, s := range []string{
		bare, "**/*" + bare, "s/*\ns/HEAD\ns/objects/x\ns/refs/y", "s/**\ns/HEAD\ns/objects/x\ns/refs/y\ns/config",
		"\nhead\nOBJECTS/a/b\nRefs/heads/x", "\na/HEAD\na/commondir\na/gitdir", "\nx/HEAD\nx/object\u017f/a\nx/ref\u017f/b",
		"*/**\na/HEAD\nb/objects/x\nb/refs/y", "\na/HEAD\na/objects\na/refs/x", "\n.GIT/config\na", "\na/b.yml",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		pattern, rest, _ := strings.Cut(script, "\n")
		var list []archive.File
		for name := range strings.SplitSeq(rest, "\n") {
			list = append(list, archive.File{Name: name, Data: []byte(contentOf(name))})
		}
		all, err := archive.New("x", list)
		if err != nil || len(list) > 20 {
			return
		}
		var paths []string
		if pattern != "" {
			paths = []string{pattern}
		}
		tree, _, err := taken(all, paths, nil)
		if err != nil {
			return
		}
		top := t.TempDir()
		for _, file := range tree.files {
			name := filepath.Join(top, asGit(file.Name))
			if os.MkdirAll(filepath.Dir(name), 0o755) != nil || os.WriteFile(name, file.Data, 0o644) != nil {
				return // a name that this system does not have
			}
		}
		for _, file := range tree.files {
			for dir := filepath.Dir(filepath.Join(top, asGit(file.Name))); strings.HasPrefix(dir, top); dir = filepath.Dir(dir) {
				cmd := exec.CommandContext(t.Context(), "git", "-C", dir, "rev-parse", "--git-dir")
				cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(top), "GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=")
				if out, err := cmd.Output(); err == nil {
					t.Fatalf("git takes %s for the repository of %s: %q", out, dir, tree.names())
				}
			}
		}
	})
}

// contentOf returns what makes a file one of a repository.
func contentOf(name string) string {
	switch strings.ToLower(filepath.Base(name)) {
	case "head":
		return "ref: refs/heads/main\n"
	case "commondir":
		return ".\n"
	}
	return ""
}

// asGit returns a name with the spelling that git has for parts of it, as a disk that ignores case has it.
func asGit(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		for _, known := range []string{"HEAD", "objects", "refs", "commondir", "config"} {
			if strings.EqualFold(part, known) {
				parts[i] = known
			}
		}
	}
	return filepath.FromSlash(strings.Join(parts, "/"))
}
