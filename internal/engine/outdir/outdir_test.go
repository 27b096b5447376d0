package outdir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"weft/internal/engine/emit"
	"weft/internal/lang/diag"
)

// contents is everything below dir: files with their bytes, directories with a slash after their
// names.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(p, dir+string(filepath.Separator)))
		switch {
		case entry.IsDir():
			found[rel+"/"] = ""
		case entry.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			found[rel] = "-> " + target
			return err
		default:
			data, err := os.ReadFile(p)
			found[rel] = string(data)
			return err
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

func expect(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", dir, diff)
	}
}

// put writes files as a user would.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for p, data := range files {
		p = filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func text(pairs ...string) []emit.File {
	var files []emit.File
	for i := 0; i < len(pairs); i += 2 {
		files = append(files, emit.File{Path: pairs[i], Data: []byte(pairs[i+1])})
	}
	return files
}

func write(t *testing.T, target Target, files []emit.File) Changes {
	t.Helper()
	done, err := target.Write(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func refused(t *testing.T, target Target, files []emit.File, code diag.Code, message string) {
	t.Helper()
	_, err := target.Write(t.Context(), files)
	d, ok := errors.AsType[*diag.Diagnostic](err)
	if list, isList := errors.AsType[diag.List](err); isList && len(list) == 1 {
		d, ok = list[0], true
	}
	if !ok || d.Code != code || !strings.Contains(d.Message, message) {
		t.Errorf("got %v, want %s with %q", err, code, message)
	}
}

// long ago is a time that no write leaves behind.
func age(t *testing.T, p string) {
	t.Helper()
	if err := os.Chtimes(p, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
}

var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

func touched(t *testing.T, p string) bool {
	t.Helper()
	info, err := os.Lstat(p)
	if err != nil {
		t.Fatal(err)
	}
	return !info.ModTime().Equal(longAgo)
}

func unixOnly(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("needs Unix")
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x", "out")
	done := write(t, Target{Dir: dir}, text("b.txt", "text", "a/c.yml", "one\n"))
	expect(t, dir, map[string]string{"a/": "", "a/c.yml": "one\n", "b.txt": "text"})
	want := []string{filepath.Join(dir, "b.txt"), filepath.Join(dir, "a", "c.yml")}
	if diff := cmp.Diff(want, done.Created); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWriteKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"mine.yml": "1", "a/mine.txt": "2", "a/c.yml": "old"})
	write(t, Target{Dir: dir}, text("a/c.yml", "new"))
	expect(
		t,
		dir,
		map[string]string{"mine.yml": "1", "a/": "", "a/mine.txt": "2", "a/c.yml": "new"},
	)
}

func TestWriteNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	write(t, Target{Dir: dir}, nil)
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no directory", err)
	}
}

func TestUnchangedFilesAreNotTouched(t *testing.T) {
	for _, emptied := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "out")
		target := Target{Dir: dir, Emptied: emptied}
		write(t, target, text("a.yml", "1", "d/b.yml", "2"))
		for _, p := range []string{"d/b.yml", "a.yml", "d", ""} {
			age(t, filepath.Join(dir, p))
		}
		done := write(t, target, text("a.yml", "1", "d/b.yml", "2"))
		if len(done.Created) != 2 {
			t.Errorf("emptied %t: got %q, want both", emptied, done.Created)
		}
		for _, p := range []string{"d/b.yml", "a.yml", "d", ""} {
			if touched(t, filepath.Join(dir, p)) {
				t.Errorf("emptied %t: %q was touched", emptied, p)
			}
		}
		write(t, target, text("a.yml", "3", "d/b.yml", "2"))
		if touched(t, filepath.Join(dir, "d/b.yml")) || !touched(t, filepath.Join(dir, "a.yml")) {
			t.Errorf("emptied %t: not only a.yml was touched", emptied)
		}
		expect(t, dir, map[string]string{"a.yml": "3", "d/": "", "d/b.yml": "2"})
	}
}

func TestPermissionsStay(t *testing.T) {
	unixOnly(t)
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.yml": "old"}) // 0644
	write(t, Target{Dir: dir}, text("a.yml", "new"))
	if info, err := os.Stat(filepath.Join(dir, "a.yml")); err != nil ||
		info.Mode().Perm() != 0o644 {
		t.Errorf("got %v, %v, want 0644", info.Mode(), err)
	}
}

func TestLeftoversGo(t *testing.T) {
	dir := t.TempDir()
	put(
		t,
		dir,
		map[string]string{"a.yml": "1", stagingName + "/0": "half", stagingName + "/manifest": "z"},
	)
	write(t, Target{Dir: dir}, text("a.yml", "1"))
	expect(t, dir, map[string]string{"a.yml": "1"})
}

func TestObstacles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"file": "1", "dir/x": "2"})
	before := contents(t, dir)
	target := Target{Dir: dir}
	refused(t, target, text("new.yml", "1", "dir", "1"), CodePath, "a directory has that name")
	refused(t, target, text("new.yml", "1", "file/x.yml", "1"), CodePath, "it is not a directory")
	refused(
		t,
		Target{Dir: filepath.Join(dir, "file")},
		text("x", ""),
		CodeWrite,
		"to be a directory, but it is a file",
	)
	refused(t, target, text("../x.yml", ""), CodePath, "it leaves the output directory")
	for _, emptied := range []bool{false, true} {
		below := Target{Dir: filepath.Join(dir, "file", "out"), Emptied: emptied}
		refused(t, below, text("x", ""), CodeWrite, "not a directory")
	}
	expect(t, dir, before)
}

// What cannot be compared is not a difference, but an error.
func TestDiffRefuses(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"file": "1"})
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx     context.Context
		target  Target
		files   []emit.File
		message string
	}{
		{t.Context(), Target{Dir: dir}, text("../x", ""), "it leaves the output directory"},
		{t.Context(), Target{Dir: filepath.Join(dir, "file")}, text("x", ""), "but it is a file"},
		{t.Context(), Target{Dir: ".", Emptied: true}, text("x", ""), "that weft may delete"},
		{stopped, Target{Dir: dir}, text("file", "2"), "canceled"},
	} {
		var out strings.Builder
		same, err := c.target.Diff(c.ctx, &out, c.files)
		if same || err == nil || !strings.Contains(err.Error(), c.message) || out.Len() > 0 {
			t.Errorf("got %v and %q, want %q", err, out.String(), c.message)
		}
	}
}

// Two names that differ in case alone are refused, also where they are two files.
func TestCase(t *testing.T) {
	for _, emptied := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "out")
		refused(t, Target{Dir: dir, Emptied: emptied}, text("a.yml", "1", "A.yml", "2"), CodeDuplicate,
			"do not distinguish upper and lower case")
		expect(t, dir, map[string]string{})
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	unixOnly(t)
	dir, outside := t.TempDir(), t.TempDir()
	put(t, outside, map[string]string{"a.yml": "theirs"})
	for link, to := range map[string]string{
		"out":      outside,
		"in":       "real",
		"a.yml":    filepath.Join(outside, "a.yml"),
		"dangling": filepath.Join(outside, "new"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, map[string]string{"real/x": "1"})
	before := contents(t, dir)
	for _, p := range []string{"out/a.yml", "out/sub/b.yml", "in/x", "a.yml", "dangling", "dangling/x"} {
		refused(t, Target{Dir: dir}, text("ok.yml", "1", p, "2"), CodeLink, "symbolic link")
	}
	expect(t, dir, before)
	expect(t, outside, map[string]string{"a.yml": "theirs"})

	// The directory itself may be behind one: the user has named it.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	write(t, Target{Dir: link}, text("b.yml", "1"))
	expect(t, outside, map[string]string{"a.yml": "theirs", "b.yml": "1"})
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"mine.yml": "mine"})
	target := Target{Dir: dir, Prune: true}
	write(t, target, text("a.yml", "1", "d/e/b.yml", "2", "d/c.yml", "3"))
	put(t, dir, map[string]string{"d/mine.yml": "mine"})
	done := write(t, target, text("a.yml", "1"))
	expect(t, dir, map[string]string{
		"a.yml": "1", "mine.yml": "mine", "d/": "", "d/mine.yml": "mine", manifestName: manifestOf("a.yml", "1"),
	})
	if diff := cmp.Diff([]string{filepath.Join(dir, "d", "c.yml"), filepath.Join(dir, "d", "e", "b.yml")}, done.Removed); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}

	// A run without Prune removes nothing, but what it writes is known from then on.
	write(t, Target{Dir: dir}, text("z.yml", "4"))
	if done := write(t, target, text("a.yml", "1")); len(done.Removed) != 1 ||
		filepath.Base(done.Removed[0]) != "z.yml" {
		t.Errorf("got %q, want z.yml", done.Removed)
	}

	// With nothing to do, nothing is done.
	age(t, filepath.Join(dir, manifestName))
	write(t, target, text("a.yml", "1"))
	if touched(t, filepath.Join(dir, manifestName)) {
		t.Error("the manifest was written again")
	}
}

// manifestOf is the text of a manifest of these files.
func manifestOf(pairs ...string) string { return string(newManifest(text(pairs...)).bytes()) }

// A manifest that came with the directory leads to nothing outside of it, through no link, and to no
// file that weft did not write or that someone reads.
func TestPruneBelievesNothing(t *testing.T) {
	unixOnly(t)
	parent, outside := t.TempDir(), t.TempDir()
	dir := filepath.Join(parent, "out")
	put(t, parent, map[string]string{"precious": "1"})
	put(t, outside, map[string]string{"precious": "1"})
	put(t, dir, map[string]string{
		"d/x": "1", "here": "2", "changed": "theirs", "input": "1", "sub/.git/HEAD": "1", "bare/HEAD": "1",
		"bare/objects/x": "1", "bare/refs/x": "1",
		manifestName: manifestOf(
			"../precious", "1", "link/precious", "1", "d", "1", "here", "2", "gone", "1", "changed", "ours",
			"input", "1", "sub/.git/HEAD", "1", "bare/HEAD", "1", "bare/refs/x", "1", "d/../here", "2",
		),
	})
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	asked := []string{}
	target := Target{Dir: dir, Prune: true, Keep: func(path string) string {
		asked = append(asked, filepath.Base(path))
		if filepath.Base(path) == "input" {
			return "it is read"
		}
		return ""
	}}
	done := write(t, target, text("a.yml", "1"))
	if diff := cmp.Diff([]string{filepath.Join(dir, "here")}, done.Removed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"here", "input"}, asked); diff != "" {
		t.Error(diff)
	}
	const replaced = "weft did not write what is there now"
	want := []Kept{
		{filepath.Join(dir, manifestName), "it has 3 lines with paths that weft would not write"},
		{filepath.Join(dir, "bare/HEAD"), replaced},
		{filepath.Join(dir, "bare/refs/x"), replaced},
		{filepath.Join(dir, "changed"), "it has changed since weft wrote it"},
		{filepath.Join(dir, "d"), replaced},
		{filepath.Join(dir, "input"), "it is read"},
		{filepath.Join(dir, "link/precious"), replaced},
	}
	if diff := cmp.Diff(want, done.Kept); diff != "" {
		t.Error(diff)
	}
	expect(t, outside, map[string]string{"precious": "1"})
	delete(before, "here")
	before["a.yml"], before[manifestName] = "1", manifestOf("a.yml", "1")
	expect(t, dir, before)
	if done := write(t, target, text("a.yml", "1")); done.Kept != nil {
		t.Errorf("the next run says it again: %v", done.Kept)
	}
}

// A manifest without digests, as earlier versions wrote it, deletes nothing. It is written again.
func TestPruneWithoutDigests(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.yml": "1", "b.yml": "2", manifestName: manifestHead + "a.yml\nb.yml\n"})
	before := contents(t, dir)
	write(t, Target{Dir: dir}, text("a.yml", "1")) // which does not prune, and says nothing
	expect(t, dir, before)
	target := Target{Dir: dir, Prune: true}
	done := write(t, target, text("a.yml", "1"))
	if len(done.Removed) != 0 || len(done.Kept) != 1 || !strings.Contains(done.Kept[0].Why, "without digests") {
		t.Errorf("got %v", done)
	}
	expect(t, dir, map[string]string{"a.yml": "1", "b.yml": "2", manifestName: manifestOf("a.yml", "1")})
}

// A file that is written under another spelling of its name is not deleted where the file system
// takes both for one.
func TestPruneSpelling(t *testing.T) {
	dir := t.TempDir()
	target := Target{Dir: dir, Prune: true}
	write(t, target, text("A.yml", "1"))
	write(t, target, text("a.yml", "1"))
	if data, err := os.ReadFile(filepath.Join(dir, "a.yml")); err != nil || string(data) != "1" {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestEmptied(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	target := Target{Dir: dir, Emptied: true, Sync: true}
	write(t, target, text("a.yml", "1"))
	put(t, dir, map[string]string{"other": "x", "d/other": "y", manifestName: "a.yml\n"})
	write(t, target, text("a.yml", "1", "b/c.yml", "2"))
	expect(
		t,
		parent,
		map[string]string{"out/": "", "out/a.yml": "1", "out/b/": "", "out/b/c.yml": "2"},
	)

	// An empty directory is a difference too.
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, target, text("a.yml", "1", "b/c.yml", "2"))
	expect(t, dir, map[string]string{"a.yml": "1", "b/": "", "b/c.yml": "2"})

	write(t, target, nil)
	expect(t, parent, map[string]string{"out/": ""})

	refused(
		t,
		target,
		text("a", "1", "b", "2", "a", "3"),
		CodeDuplicate,
		"output file 'a' would be written twice",
	)
}

func TestEmptiedLinkStaysOne(t *testing.T) {
	unixOnly(t)
	parent := t.TempDir()
	put(t, parent, map[string]string{"real/old": "1"})
	if err := os.Symlink("real", filepath.Join(parent, "out")); err != nil {
		t.Fatal(err)
	}
	write(t, Target{Dir: filepath.Join(parent, "out"), Emptied: true}, text("new", "2"))
	expect(t, parent, map[string]string{"out": "-> real", "real/": "", "real/new": "2"})
}

func TestEmptiedRefuses(t *testing.T) {
	parent := t.TempDir()
	put(t, parent, map[string]string{
		"home/me/precious": "1", "work/deep/x": "1", "repo/.git/HEAD": "1", "worktree/.git": "gitdir: x", "in/sub/a.yml": "1", "file": "1",
	})
	t.Setenv("HOME", filepath.Join(parent, "home", "me"))
	t.Setenv("USERPROFILE", filepath.Join(parent, "home", "me"))
	t.Chdir(filepath.Join(parent, "work", "deep"))
	before := contents(t, parent)
	at := func(p string) string { return filepath.Join(parent, filepath.FromSlash(p)) }
	tests := []struct{ dir, message string }{
		{"", "expected the name"},
		{".", "expected the name"},
		{"./", "expected the name"},
		{"/", "expected the name"},
		{filepath.VolumeName(parent) + string(filepath.Separator) + "./", "root of a file system"},
		{"../deep", "working directory"},
		{"..", "working directory"},
		{at("work"), "working directory"},
		{at("home/me"), "home directory"},
		{at("home"), "home directory"},
		{at("repo"), "git repository"},
		{at("worktree"), "git repository"},
		{at("in"), "it contains the input"},
		{at("in/sub"), "it contains the input"},
	}
	if runtime.GOOS != "windows" && runtime.GOOS != "js" {
		if err := os.Symlink(at("in"), at("link")); err != nil {
			t.Fatal(err)
		}
		before = contents(t, parent)
		tests = append(tests, struct{ dir, message string }{at("link"), "it contains the input"})
	}
	for _, tt := range tests {
		target := Target{
			Dir:     tt.dir,
			Emptied: true,
			Inputs:  []string{"../../file", "../../in/sub/a.yml"},
		}
		refused(t, target, text("a.yml", "1"), CodeRefused, tt.message)
		if _, err := target.Diff(t.Context(), &strings.Builder{}, text("a.yml", "1")); err == nil {
			t.Errorf("%q: there is a diff", tt.dir)
		}
	}
	refused(
		t,
		Target{Dir: at("file"), Emptied: true},
		text("a.yml", "1"),
		CodeWrite,
		"to be a directory, but it is a file",
	)
	expect(t, parent, before)

	// Next to all of them there is no harm in it.
	write(
		t,
		Target{Dir: at("in/other"), Emptied: true, Inputs: []string{at("in/sub/a.yml")}},
		text("a.yml", "1"),
	)
}

// An input behind a link is in the directory all the same.
func TestEmptiedRefusesLinkedInputs(t *testing.T) {
	unixOnly(t)
	parent := t.TempDir()
	put(t, parent, map[string]string{"out/a.yml": "1", "config/b.yml": "1"})
	for link, to := range map[string]string{"dir": "out", "config/a.yml": "../out/a.yml", "out/link.yml": "../config/b.yml"} {
		if err := os.Symlink(to, filepath.Join(parent, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []string{"dir/a.yml", "config/a.yml", "out/link.yml"} {
		target := Target{
			Dir:     filepath.Join(parent, "out"),
			Emptied: true,
			Inputs:  []string{filepath.Join(parent, in)},
		}
		refused(t, target, nil, CodeRefused, "it contains the input")
	}
}

// Systems that cannot exchange two names do it in two steps.
func TestExchangeInSteps(t *testing.T) {
	parent := t.TempDir()
	p := spot{parent: parent, name: "out"}
	put(t, parent, map[string]string{"out/old": "1"})
	d, err := openDir(t.Context(), parent)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	if err := p.build(t.Context(), d, text("new", "2"), Target{}, &Changes{}); err != nil {
		t.Fatal(err)
	}
	if err := p.exchangeInSteps(d); err != nil {
		t.Fatal(err)
	}
	expect(
		t,
		parent,
		map[string]string{"out/": "", "out/new": "2", p.newName() + "/": "", p.newName() + "/old": "1"},
	)
}

// If the second step fails, the old directory is back in its place.
func TestExchangeGoesBack(t *testing.T) {
	parent := t.TempDir()
	p := spot{parent: parent, name: "out"}
	put(t, parent, map[string]string{"out/old": "1"})
	d, err := openDir(t.Context(), parent)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	if err := p.exchangeInSteps(d); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there is no new directory", err)
	}
	expect(t, parent, map[string]string{"out/": "", "out/old": "1"})
	if err := d.syncDir(p.newName()); err == nil || !strings.Contains(err.Error(), "syncing") {
		t.Errorf("got %v, want that there is nothing to sync", err)
	}
}

// Wherever a run was killed, the next one finds the old directory or the new one, whole.
func TestRepair(t *testing.T) {
	p := spot{name: "out"}
	for name, tt := range map[string]struct{ before, after map[string]string }{
		"while building":            {map[string]string{"out/a": "old", p.newName() + "/a": "half"}, map[string]string{"out/": "", "out/a": "old"}},
		"between the two renames":   {map[string]string{p.old() + "/a": "old", p.newName() + "/a": "new"}, map[string]string{"out/": "", "out/a": "old"}},
		"behind the second":         {map[string]string{p.old() + "/a": "old", "out/a": "new"}, map[string]string{"out/": "", "out/a": "new"}},
		"while removing":            {map[string]string{p.newName() + "/a": "old", "out/a": "new"}, map[string]string{"out/": "", "out/a": "new"}},
		"before there was anything": {map[string]string{p.newName() + "/a": "new"}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			target := Target{Dir: filepath.Join(parent, "out"), Emptied: true}
			put(t, parent, tt.before)
			d, err := openDir(t.Context(), parent)
			if err != nil {
				t.Fatal(err)
			}
			err = spot{parent: parent, name: "out"}.repair(d)
			d.close()
			if err != nil {
				t.Fatal(err)
			}
			expect(t, parent, tt.after)

			put(t, parent, tt.before)
			write(t, target, text("a", "newer"))
			expect(t, parent, map[string]string{"out/": "", "out/a": "newer"})
		})
	}
}

func TestRepairWithoutWriting(t *testing.T) {
	parent := t.TempDir()
	for _, other := range []Target{{Dir: "."}, {Dir: filepath.Join(parent, "out"), Emptied: true}} {
		if err := other.Repair(t.Context()); err != nil {
			t.Errorf("there is nothing to repair, yet: %v", err)
		}
	}
	if err := (Target{Dir: ".", Emptied: true}).Repair(t.Context()); err == nil {
		t.Error("a directory without a name is repaired")
	}
	put(t, parent, map[string]string{".out.weft-old/a": "old", ".out.weft-new/a": "new"})
	target := Target{Dir: filepath.Join(parent, "out"), Emptied: true}
	if err := target.Repair(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect(t, parent, map[string]string{"out/": "", "out/a": "old"})
}

// A run that is told to stop before its files lie ready changes nothing.
func TestCancelled(t *testing.T) {
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, emptied := range []bool{false, true} {
		parent := t.TempDir()
		put(t, parent, map[string]string{"out/a": "old"})
		for _, name := range []string{"out", "fresh/deep"} {
			_, err := Target{
				Dir:     filepath.Join(parent, name),
				Emptied: emptied,
			}.Write(
				stopped,
				text("a", "new", "b", "new"),
			)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
		}
		expect(t, parent, map[string]string{"out/": "", "out/a": "old"})
	}
}

func TestDiff(t *testing.T) {
	unixOnly(t)
	t.Chdir(t.TempDir())
	put(t, "out", map[string]string{"same": "1\n", "changed": "1\n", "other": "1\n"})
	if err := os.Symlink("same", "out/link"); err != nil {
		t.Fatal(err)
	}
	before := contents(t, "out")
	files := text("same", "1\n", "new/x", "2\n", "changed", "2\n")
	changed := "--- out/changed\n+++ out/changed\n@@ -1 +1 @@\n-1\n+2\n"
	added := "--- /dev/null\n+++ out/new/x\n@@ -0,0 +1 @@\n+2\n"
	other := "--- out/other\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
	for _, tt := range []struct {
		name   string
		target Target
		files  []emit.File
		want   string
	}{
		{"files", Target{Dir: "out"}, files, changed + added},
		{"the same", Target{Dir: "out"}, text("same", "1\n"), ""},
		{"no directory", Target{Dir: "none"}, text("a", "1\n"), "--- /dev/null\n+++ none/a\n@@ -0,0 +1 @@\n+1\n"},
		{"emptied", Target{Dir: "out", Emptied: true}, files, changed + "Not a file, and removed: out/link\n" + added + other},
	} {
		var b strings.Builder
		same, err := tt.target.Diff(t.Context(), &b, tt.files)
		if err != nil || same != (tt.want == "") || b.String() != tt.want {
			t.Errorf("%s: got %t, %v\n%s\nwant\n%s", tt.name, same, err, b.String(), tt.want)
		}
	}
	expect(t, "out", before)

	write(t, Target{Dir: "pruned", Prune: true}, text("a", "1\n", "b", "2\n"))
	var b strings.Builder
	same, err := Target{Dir: "pruned", Prune: true}.Diff(t.Context(), &b, text("b", "2\n"))
	if want := "--- pruned/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"; err != nil || same ||
		b.String() != want {
		t.Errorf("got %t, %v\n%s\nwant\n%s", same, err, b.String(), want)
	}
	if _, err := (Target{Dir: "out"}).Diff(t.Context(), &b, text("link", "")); err == nil {
		t.Error("there is a diff for what cannot be written")
	}
}

// Two runs at once come one after the other, and both succeed.
func TestRunsWaitForEachOther(t *testing.T) {
	for _, emptied := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "out")
		errs := make(chan error)
		const runs = 8
		for i := range runs {
			go func() {
				var files []emit.File
				for j := range 26 {
					files = append(
						files,
						emit.File{
							Path: filepath.ToSlash(filepath.Join("d", string(rune('a'+j)), "f")),
							Data: []byte{byte(i)},
						},
					)
				}
				_, err := Target{Dir: dir, Emptied: emptied}.Write(t.Context(), files)
				errs <- err
			}()
		}
		for range runs {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		got := contents(t, dir)
		for p, data := range got {
			if !strings.HasSuffix(p, "/") && data != got["d/a/f"] {
				t.Errorf("emptied %t: %q is of another run than the rest", emptied, p)
			}
		}
		if len(got) != 1+2*26 {
			t.Errorf("emptied %t: got %d names", emptied, len(got))
		}
	}
}
