package outdir

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/lang/diag"
)

// repository makes a directory with a repository in it, a bare one, and links to both.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{
		".git/HEAD": "ref: x", ".git/config": "[core]", ".git/hooks/sample": "", "a.yml": "a: 1\n",
		"bare/HEAD": "ref: x", "bare/objects/x": "", "bare/refs/x": "", "bare/config": "[core]",
		"sub/.git": "gitdir: ../store\n", "sub/file": "", "store/config": "",
		"full/x": "", "full/deep/.git/config": "[core]",
	})
	for name, to := range map[string]string{
		"link": ".git", "hooks": ".git/hooks", "dangling": ".git/new", "out": "bare", "by": "link",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	return dir
}

// tree is the content of all files, and where links lead.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir():
			files[p] = "directory"
		case entry.Type().IsRegular():
			data, err := os.ReadFile(p)
			files[p] = string(data)
			return err
		default:
			files[p], err = os.Readlink(p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Nothing is written to or deleted from what belongs to git, by whatever way it is reached.
func TestNothingOfGitIsWritten(t *testing.T) {
	writes := map[string]func(ctx context.Context, dir string) error{}
	target := func(name string, tg Target, path string) {
		writes[name] = func(ctx context.Context, dir string) error {
			tg := tg
			tg.Dir = filepath.Join(dir, tg.Dir)
			_, err := tg.Write(ctx, text(path, "x"))
			return err
		}
		writes[name+" as a diff"] = func(ctx context.Context, dir string) error {
			tg := tg
			tg.Dir = filepath.Join(dir, tg.Dir)
			_, err := tg.Diff(ctx, io.Discard, text(path, "x"))
			return err
		}
	}
	for _, to := range []string{
		".git", ".git/hooks", ".GIT", ".git/new/dir", "link", "link/hooks", "hooks", "by", "dangling", "bare",
		"bare/hooks", "out", "out/new", "sub/.git", "new/.git", ".git/modules/sub",
	} {
		target("to "+to, Target{Dir: to}, "x")
		target("emptied "+to, Target{Dir: to, Emptied: true}, "x")
		target("pruned "+to, Target{Dir: to, Prune: true}, "x")
	}
	for _, path := range []string{
		".git/config", ".git/hooks/post-checkout", ".Git/config", "sub/.git", "link/config", "hooks/x", "by/x",
		"bare/config", "bare/new/x", "out/config", "deep/.git/config", "git~1/config", ".git", "dangling/x",
	} {
		target("file "+path, Target{Dir: "."}, path)
		writes["single "+path] = func(ctx context.Context, dir string) error {
			return WriteFile(ctx, filepath.Join(dir, path), []byte("x"))
		}
		writes["created "+path] = func(ctx context.Context, dir string) error {
			return CreateFile(ctx, filepath.Join(dir, path, "new"), []byte("x"))
		}
		writes["log "+path] = func(_ context.Context, dir string) error {
			f, err := OpenLog(filepath.Join(dir, path))
			if err == nil {
				f.Close()
			}
			return err
		}
		writes["directory "+path] = func(_ context.Context, dir string) error {
			return MakeDir(filepath.Join(dir, path))
		}
	}
	target("emptied full", Target{Dir: "full", Emptied: true}, "x")
	target("file below a bare one", Target{Dir: "bare/refs"}, "y")
	for _, path := range []string{".git/config", "bare/config", "bare/refs/x", "sub/.git"} {
		writes["replaced "+path] = func(ctx context.Context, dir string) error {
			old, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, path)
			return (&Hold{}).Replace(ctx, []Replacement{{Path: file, Old: old, New: []byte("x")}})
		}
	}
	writes["held"] = func(ctx context.Context, dir string) error {
		_, err := HoldDirs(ctx, []string{filepath.Join(dir, "link")})
		return err
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			before := tree(t, dir)
			err := write(t.Context(), dir)
			if err == nil {
				t.Error("there is no error")
			}
			for _, d := range diag.Of(err) {
				if d.Code != CodeGit && d.Code != CodePath && d.Code != CodeLink && d.Code != CodeRefused {
					t.Errorf("the error is another: %s [%s]", d.Message, d.Code)
				}
			}
			after := tree(t, dir)
			for p, was := range before {
				if after[p] != was {
					t.Errorf("%s was changed", p)
				}
				delete(after, p)
			}
			if len(after) > 0 {
				t.Errorf("this is new: %v", after)
			}
		})
	}
}

// A .git file can point to what does not look like a repository.
func TestWhereGitPoints(t *testing.T) {
	dir := repository(t)
	t.Chdir(filepath.Join(dir, "sub"))
	for _, to := range []string{"../store", "../store/new"} {
		if _, err := (Target{Dir: to}).Write(t.Context(), text("config", "x")); err == nil {
			t.Errorf("%s was written to", to)
		}
	}
	if _, err := (Target{Dir: "../other"}).Write(t.Context(), text("config", "x")); err != nil {
		t.Error(err)
	}
}

// What is where weft keeps its own files, and is not weft's, is not deleted.
func TestLeftoversOfOthers(t *testing.T) {
	for _, file := range []string{".weft-tmp/.git", ".weft-tmp/x", ".weft-tmp/0/x", ".out.weft-new/sub/.git/HEAD"} {
		dir := t.TempDir()
		put(t, dir, map[string]string{file: "x"})
		tg := Target{Dir: dir}
		if strings.Contains(file, "weft-new") {
			tg = Target{Dir: filepath.Join(dir, "out"), Emptied: true}
		}
		if _, err := tg.Write(t.Context(), text("a", "1")); err == nil {
			t.Errorf("%s: there is no error", file)
		}
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(file))); err != nil {
			t.Error(err)
		}
	}
}
