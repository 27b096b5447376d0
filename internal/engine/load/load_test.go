package load

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
	"weft/internal/lang/source"
)

// tree is the working directory of TestRead. A file's content is its path.
var tree = []string{
	"a.yml", "b.yaml", "c.yml", "c/x.yml", "c/.hidden.yml", "c/z.txt", "c/sub/deep.yml",
	"code.star", "d.json", "lib.lib.yml", "lib.lib.txt", "lib.lib.star", "noext", "upper.YML", "lib.yml", ".lib.yml",
}

func TestRead(t *testing.T) {
	tests := []struct {
		name  string
		paths []string
		marks []string
		// path, type, flags (t template, l library, o output), =content if it was read
		want []string
		err  string // code: message
		hint string
	}{
		{name: "nothing"},
		{name: "file", paths: []string{"a.yml"}, want: []string{"a.yml yaml t-o =a.yml"}},
		{
			name:  "file_in_directory_has_its_base_name",
			paths: []string{"c/sub/deep.yml"},
			want:  []string{"deep.yml yaml t-o =c/sub/deep.yml"},
		},
		{
			name: "directory_in_byte_order", paths: []string{"."},
			want: []string{
				".lib.yml yaml tl- =.lib.yml", "a.yml yaml t-o =a.yml", "b.yaml yaml t-o =b.yaml",
				"c.yml yaml t-o =c.yml", "c/.hidden.yml yaml t-o =c/.hidden.yml", "c/sub/deep.yml yaml t-o =c/sub/deep.yml",
				"c/x.yml yaml t-o =c/x.yml", "c/z.txt text t-o =c/z.txt", "code.star starlark -l- =code.star", "d.json data ---",
				"lib.lib.star starlark -l- =lib.lib.star", "lib.lib.txt text tl- =lib.lib.txt", "lib.lib.yml yaml tl- =lib.lib.yml",
				"lib.yml yaml t-o =lib.yml", "noext data ---", "upper.YML data ---",
			},
		},
		{
			name: "groups_keep_their_order_and_a_file_may_come_twice", paths: []string{"c/", "a.yml", "c/x.yml"},
			want: []string{
				".hidden.yml yaml t-o =c/.hidden.yml",
				"sub/deep.yml yaml t-o =c/sub/deep.yml",
				"x.yml yaml t-o =c/x.yml",
				"z.txt text t-o =c/z.txt",
				"a.yml yaml t-o =a.yml",
				"x.yml yaml t-o =c/x.yml",
			},
		},
		{name: "stdin", paths: []string{"-"}, want: []string{"stdin.yml yaml t-o =from stdin"}},
		{
			name:  "stdin_with_name",
			paths: []string{"s.txt=-"},
			want:  []string{"s.txt text t-o =from stdin"},
		},
		{
			name: "stdin_twice", paths: []string{"-", "x.yml=-"},
			err: "load/stdin-twice: standard input has already been read, has the '-' argument been used in more than one flag?",
		},
		{name: "name", paths: []string{"p/q.txt=a.yml"}, want: []string{"p/q.txt text t-o =a.yml"}},
		{
			name:  "name_of_a_directory_is_ignored",
			paths: []string{"p=c/sub"},
			want:  []string{"deep.yml yaml t-o =c/sub/deep.yml"},
		},
		{
			name: "two_equal_signs", paths: []string{"a=b=c"},
			err: "load/bad-name: expected file 'a=b=c' to only have a single '=' sign for relative path assignment",
		},
		{
			name:  "no_path_behind_equal_sign",
			paths: []string{"a="},
			err:   "load/bad-name: expected file 'a=' to have the form NAME=PATH, but one side of the '=' is empty",
		},
		{
			name:  "missing",
			paths: []string{"something.yml"},
			err:   "load/not-found: checking file 'something.yml': no such file or directory",
		},
		{
			name:  "other_kind_of_URL",
			paths: []string{"ftp://host/a.yml"},
			err:   "load/not-found: checking file 'ftp://host/a.yml': no such file or directory",
			hint:  "weft fetches only http:// and https:// URLs, not ftp://",
		},
		{
			name:  "misspelled",
			paths: []string{"c/sub/dep.yml"},
			err:   "load/not-found: checking file 'c/sub/dep.yml': no such file or directory",
			hint:  "did you mean 'c/sub/deep.yml'?",
		},
		{
			name:  "in_a_misspelled_directory",
			paths: []string{"c/subb/deep.yml"},
			err:   "load/not-found: checking file 'c/subb/deep.yml': no such file or directory",
			hint:  "did you mean 'c/sub/deep.yml'?",
		},
		{
			name:  "misspelled_directory",
			paths: []string{"c/subb/"},
			err:   "load/not-found: checking file 'c/subb/': no such file or directory",
			hint:  "did you mean 'c/sub'?",
		},

		{
			name:  "mark_exclude",
			paths: []string{"c"},
			marks: []string{"*.*:exclude=true", "sub/*:exclude=true"},
		},
		{
			name:  "mark_exclude_data_too",
			paths: []string{"a.yml", "d.json"},
			marks: []string{"d.json:exclude=true"},
			want:  []string{"a.yml yaml t-o =a.yml"},
		},
		{
			name:  "mark_path_changes_type_and_keeps_order",
			paths: []string{"a.yml", "c.yml"},
			marks: []string{"a.yml:path=z/q.txt"},
			want:  []string{"z/q.txt text t-o =a.yml", "c.yml yaml t-o =c.yml"},
		},
		{
			name:  "marks_match_the_original_path",
			paths: []string{"a.yml"},
			marks: []string{"a.yml:path=b.yml", "a.yml:type=yaml-plain"},
			want:  []string{"b.yml yaml --o =a.yml"},
		},
		{
			name:  "mark_type_outlives_path",
			paths: []string{"a.yml"},
			marks: []string{"a.yml:type=text-plain", "a.yml:path=b.yml"},
			want:  []string{"b.yml text --o =a.yml"},
		},
		{
			name:  "mark_excluded_file_still_matches",
			paths: []string{"a.yml"},
			marks: []string{"a.yml:exclude=true", "a.yml:type=data"},
		},
		{
			name:  "mark_yaml_template",
			paths: []string{"d.json"},
			marks: []string{"d.json:type=yaml-template"},
			want:  []string{"d.json yaml t-o =d.json"},
		},
		{
			name:  "mark_yaml_plain",
			paths: []string{"a.yml"},
			marks: []string{"a.yml:type=yaml-plain"},
			want:  []string{"a.yml yaml --o =a.yml"},
		},
		{
			name:  "mark_text_template",
			paths: []string{"noext"},
			marks: []string{"*:type=text-template"},
			want:  []string{"noext text t-o =noext"},
		},
		{
			name:  "mark_text_plain",
			paths: []string{"c/z.txt"},
			marks: []string{"z.txt:type=text-plain"},
			want:  []string{"z.txt text --o =c/z.txt"},
		},
		{
			name:  "mark_starlark",
			paths: []string{"a.yml"},
			marks: []string{"a.yml:type=starlark"},
			want:  []string{"a.yml starlark -l- =a.yml"},
		},
		{
			name:  "mark_data",
			paths: []string{"a.yml"},
			marks: []string{"a.yml:type=data"},
			want:  []string{"a.yml data ---"},
		},
		{
			name:  "mark_for_output",
			paths: []string{"lib.lib.yml"},
			marks: []string{"lib.lib.yml:for-output=true"},
			want:  []string{"lib.lib.yml yaml tlo =lib.lib.yml"},
		},
		{
			name: "mark_for_output_without_type", paths: []string{"d.json"}, marks: []string{"d.json:for-output=true"},
			err:  "load/unknown-type: unknown file type: 'd.json' is marked for output, but only YAML and text files have output",
			hint: "set its type: --file-mark d.json:type=yaml-plain",
		},
		{
			name:  "mark_for_output_and_type",
			paths: []string{"d.json"},
			marks: []string{"d.json:for-output=true", "d.json:type=yaml-plain"},
			want:  []string{"d.json yaml --o =d.json"},
		},
		{
			name: "mark_exclusive_for_output_twice", paths: []string{"a.yml", "b.yaml", "c.yml"},
			marks: []string{"c.yml:exclusive-for-output=true", "a.yml:exclusive-for-output=true"},
			want: []string{
				"a.yml yaml t-o =a.yml",
				"b.yaml yaml t-- =b.yaml",
				"c.yml yaml t-o =c.yml",
			},
		},
		{
			name: "mark_for_output_after_exclusive", paths: []string{"a.yml", "b.yaml"},
			marks: []string{"a.yml:exclusive-for-output=true", "b.yaml:for-output=true"},
			want:  []string{"a.yml yaml t-o =a.yml", "b.yaml yaml t-o =b.yaml"},
		},
		{
			name: "mark_without_match", paths: []string{"c/x.yml"}, marks: []string{"c/x.yml:exclude=true"},
			err:  "load/mark-no-match: expected file mark 'c/x.yml:exclude=true' to match at least one file by path, but did not",
			hint: "marks are matched against relative paths, such as 'x.yml'",
		},
		{
			name:  "mark_without_colon",
			marks: []string{"x"},
			err:   "load/bad-mark: expected file mark 'x' to be in format path:key=value",
		},
		{
			name:  "mark_without_value",
			marks: []string{"a.yml:exclude"},
			err:   "load/bad-mark: expected file mark 'a.yml:exclude' key-value portion to be in format key=value",
		},
		{
			name: "mark_unknown_key", marks: []string{"a.yml:foo=bar"}, err: "load/bad-mark: unknown key in file mark 'a.yml:foo=bar'",
			hint: "keys are path, exclude, type, for-output or exclusive-for-output",
		},
		{
			name:  "mark_unknown_value",
			marks: []string{"a.yml:exclude=false"},
			err:   "load/bad-mark: unknown value in file mark 'a.yml:exclude=false'",
			hint:  "exclude takes true",
		},
		{
			name: "mark_unknown_type", marks: []string{"a.yml:type=foo"}, err: "load/bad-mark: unknown value in file mark 'a.yml:type=foo'",
			hint: "type takes yaml-template, yaml-plain, text-template, text-plain, starlark or data",
		},
		{
			name:  "mark_empty_path",
			marks: []string{"a.yml:path="},
			err:   "load/bad-mark: unknown value in file mark 'a.yml:path='",
			hint:  "path takes a path",
		},
	}

	dir := t.TempDir()
	t.Chdir(dir)
	for _, path := range tree {
		write(t, path, path)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// A slow reader shows whether standard input is read to its end.
			stdin := iotest.OneByteReader(strings.NewReader("from stdin"))
			got, err := read(Options{Paths: tt.paths, Marks: tt.marks, Stdin: stdin})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			checkError(t, err, tt.err, tt.hint)
		})
	}
}

func TestReadWithoutStdin(t *testing.T) {
	got, err := read(Options{Paths: []string{"-"}})
	if diff := cmp.Diff([]string{"stdin.yml yaml t-o ="}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestReadFailingStdin(t *testing.T) {
	_, err := read(Options{Paths: []string{"-"}, Stdin: iotest.ErrReader(fs.ErrClosed)})
	checkError(t, err, "load/unreadable: reading file '(stdin)': file already closed", "")
}

func TestSymlinks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, path := range []string{"config/a.yml", "real/b.yml", "realistic/c.yml", "other/d.yml"} {
		write(t, path, path)
	}
	for link, target := range map[string]string{
		"config/l.yml":   "../real/b.yml",
		"near/l.yml":     "../realistic/c.yml",
		"chain.yml":      "config/l.yml",
		"dangling.yml":   "nowhere",
		"loop.yml":       "loop.yml",
		"linked":         "real",
		"alias":          "real",
		"trees/real.yml": "../real",
		"trees/real":     "../real",
	} {
		mkdir(t, filepath.Dir(link))
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	const hint = "symlinks are disallowed as a security feature, use '--allow-symlink-destination' flags to override"
	tests := []struct {
		name    string
		path    string
		allowed []string
		all     bool
		want    []string
		err     string
	}{
		{
			name: "in_a_tree", path: "config",
			err: "load/symlink: listing files 'config': checking symlink file 'config/l.yml': expected symlink file 'config/l.yml' -> 'real/b.yml' to be allowed, but was not",
		},
		{
			name: "as_argument", path: "chain.yml",
			err: "load/symlink: checking symlink file 'chain.yml': expected symlink file 'chain.yml' -> 'real/b.yml' to be allowed, but was not",
		},
		{
			name:    "allowed_directory",
			path:    "config",
			allowed: []string{"other", "real"},
			want:    []string{"a.yml yaml t-o =config/a.yml", "l.yml yaml t-o =real/b.yml"},
		},
		{
			name:    "allowed_file",
			path:    "chain.yml",
			allowed: []string{"real/b.yml"},
			want:    []string{"chain.yml yaml t-o =real/b.yml"},
		},
		{
			name:    "allowed_absolute",
			path:    "chain.yml",
			allowed: []string{filepath.Join(dir, "real")},
			want:    []string{"chain.yml yaml t-o =real/b.yml"},
		},
		{
			name:    "allowed_through_a_link",
			path:    "chain.yml",
			allowed: []string{"alias"},
			want:    []string{"chain.yml yaml t-o =real/b.yml"},
		},
		{
			name:    "allowed_root",
			path:    "chain.yml",
			allowed: []string{filepath.VolumeName(dir) + string(filepath.Separator)},
			want:    []string{"chain.yml yaml t-o =real/b.yml"},
		},
		{
			name: "whole_parts_of_a_path_count", path: "near/l.yml", allowed: []string{"real"},
			err: "load/symlink: checking symlink file 'near/l.yml': expected symlink file 'near/l.yml' -> 'realistic/c.yml' to be allowed, but was not",
		},
		{
			name: "the_final_target_counts", path: "chain.yml", allowed: []string{"config", "nowhere"},
			err: "load/symlink: checking symlink file 'chain.yml': expected symlink file 'chain.yml' -> 'real/b.yml' to be allowed, but was not",
		},
		{
			name: "all",
			path: "config",
			all:  true,
			want: []string{"a.yml yaml t-o =config/a.yml", "l.yml yaml t-o =real/b.yml"},
		},
		{
			name: "directory_as_argument",
			path: "linked",
			all:  true,
			want: []string{"b.yml yaml t-o =real/b.yml"},
		},
		{
			name: "directory_as_argument_denied", path: "linked",
			err: "load/symlink: checking symlink file 'linked': expected symlink file 'linked' -> 'real' to be allowed, but was not",
		},
		{
			name: "directory_in_a_tree_is_a_file",
			path: "trees",
			all:  true,
			err:  "load/unreadable: reading file 'trees/real.yml': is a directory",
		},
		{
			name: "dangling",
			path: "dangling.yml",
			all:  true,
			err:  "load/not-found: checking symlink file 'dangling.yml': it leads to 'nowhere', which does not exist",
		},
		{
			name: "loop",
			path: "loop.yml",
			all:  true,
			err:  "load/unreadable: checking symlink file 'loop.yml': too many levels of symbolic links",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(
				Options{
					Paths:    []string{tt.path},
					Symlinks: Symlinks{All: tt.all, Allowed: tt.allowed},
				},
			)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			wantHint := ""
			if strings.HasPrefix(tt.err, "load/symlink:") {
				wantHint = hint
			}
			if runtime.GOOS == "windows" && tt.err != "" && wantHint == "" {
				if err == nil {
					t.Error("no error") // the system says it in other words
				}
				return
			}
			checkError(t, err, filepath.FromSlash(tt.err), wantHint)
		})
	}
}

func TestSplitName(t *testing.T) {
	tests := []struct {
		arg        string
		windows    bool
		name, path string
	}{
		{"a.yml", false, "", "a.yml"},
		{"x/y.yml=a.yml", false, "x/y.yml", "a.yml"},
		{`x\y.yml=a.yml`, false, `x\y.yml`, "a.yml"},
		{`x\y.yml=C:\z\a.yml`, true, "x/y.yml", `C:\z\a.yml`},
		{`C:\z\a.yml`, true, "", `C:\z\a.yml`},
		{"x=-", false, "x", "-"},
	}
	for _, tt := range tests {
		name, path, err := splitName(tt.arg, tt.windows)
		if name != tt.name || path != tt.path || err != nil {
			t.Errorf(
				"splitName(%q, %t): got %q, %q, %v, want %q, %q",
				tt.arg,
				tt.windows,
				name,
				path,
				err,
				tt.name,
				tt.path,
			)
		}
	}
}

func TestCutMark(t *testing.T) {
	tests := []struct {
		mark       string
		windows    bool
		path, rest string
		found      bool
	}{
		{"a.yml:exclude=true", false, "a.yml", "exclude=true", true},
		{"a.yml:path=b:c=d", false, "a.yml", "path=b:c=d", true},
		{`C:\x.yml:exclude=true`, true, `C:\x.yml`, "exclude=true", true},
		{`c:/x.yml:path=D:\y`, true, "c:/x.yml", `path=D:\y`, true},
		{`C:\x.yml:exclude=true`, false, "C", `\x.yml:exclude=true`, true},
		{"C:type=data", true, "C", "type=data", true}, // a file called C
		{`C:\x.yml`, true, `C:\x.yml`, "", false},
		{"", true, "", "", false},
	}
	for _, tt := range tests {
		path, rest, found := cutMark(tt.mark, tt.windows)
		if path != tt.path || rest != tt.rest || found != tt.found {
			t.Errorf(
				"cutMark(%q, %t): got %q, %q, %t, want %q, %q, %t",
				tt.mark,
				tt.windows,
				path,
				rest,
				found,
				tt.path,
				tt.rest,
				tt.found,
			)
		}
	}
}

func TestWindowsMarkUsesEitherSlash(t *testing.T) {
	m, err := parseMark(`x\*.yml:path=y\z.yml`, true)
	if err != nil {
		t.Fatal(err)
	}
	if !m.pattern.match("x/a.yml") || m.path != "y/z.yml" {
		t.Errorf("got %+v", m)
	}
}

func TestHasPathPrefix(t *testing.T) {
	tests := []struct {
		path, prefix string
		sep          byte
		want         bool
	}{
		{"/a/b", "/a/b", '/', true},
		{"/a/b/c", "/a/b", '/', true},
		{"/a/bc", "/a/b", '/', false},
		{"/a", "/a/b", '/', false},
		{"/a", "/", '/', true},
		{`C:\a`, `C:\`, '\\', true},
		{`C:\ab`, `C:\a`, '\\', false},
	}
	for _, tt := range tests {
		if got := hasPathPrefix(tt.path, tt.prefix, tt.sep); got != tt.want {
			t.Errorf("hasPathPrefix(%q, %q): got %t, want %t", tt.path, tt.prefix, got, tt.want)
		}
	}
}

func TestIsDescriptor(t *testing.T) {
	for path, want := range map[string]bool{
		"/dev/fd/63": true, "/proc/self/fd/0": true, "/dev/stdin": true,
		"/dev/fd/": false, "/dev/fd/../sda": false, "/dev/fd/1/2": false, "dev/fd/1": false,
	} {
		if got := isDescriptor(path); got != want {
			t.Errorf("isDescriptor(%q): got %t, want %t", path, got, want)
		}
	}
}

// What is too large is refused before it is read, or as soon as it is known.
func TestTooLarge(t *testing.T) {
	t.Chdir(t.TempDir())
	huge, err := os.Create("huge.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(huge.Truncate(source.MaxSize+1), huge.Close()); err != nil {
		t.Skip("no file with holes here:", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = read(Options{Paths: []string{"huge.yml"}})
	runtime.ReadMemStats(&after)
	checkError(
		t,
		err,
		"load/too-large: reading file 'huge.yml': it is larger than 4294967294 bytes",
		"",
	)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("took %d bytes of memory to find out", n)
	}

	stdin := &file{rel: "stdin.yml", stdin: true}
	data, err := stdin.readAll(strings.NewReader("12345"), 0, 5, 1)
	if string(data) != "12345" || err != nil {
		t.Errorf("got %q, %v", data, err)
	}
	_, err = stdin.readAll(strings.NewReader("123456"), 0, 5, 1)
	checkError(
		t,
		err,
		"load/too-large: reading file '(stdin)': it is larger than 5 bytes",
		"write it to a file first: files may be larger than pipes",
	)
}

// read shows each input as a line of text.
func read(opt Options) ([]string, error) {
	inputs, err := readInputs(opt)
	var lines []string
	for _, in := range inputs {
		line := in.Path + " " + in.Type.String() + " " + flag(
			in.Template,
			"t",
		) + flag(
			in.Library,
			"l",
		) + flag(
			in.Output,
			"o",
		)
		if in.File != nil {
			line += " =" + string(in.File.Data())
			if in.File.Name() != in.Path {
				line += " under another name: " + in.File.Name()
			}
		}
		lines = append(lines, line)
	}
	return lines, err
}

func readInputs(opt Options) ([]Input, error) { return Read(&source.Set{}, opt) }

func flag(b bool, s string) string {
	if b {
		return s
	}
	return "-"
}

func checkError(t *testing.T, err error, want, hint string) {
	t.Helper()
	got, gotHint := "", ""
	for _, d := range diag.Of(err) {
		got += string(d.Code) + ": " + d.Message
		gotHint += d.Hint
	}
	if got != want || gotHint != hint {
		t.Errorf("error:\n got %s (hint: %s)\nwant %s (hint: %s)", got, gotHint, want, hint)
	}
}

func write(t *testing.T, path, data string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// A large file is read in slices, several at a time; one that is not as long as it said is not.
func TestReadSlices(t *testing.T) {
	data := make([]byte, 3*sliceSize+17)
	for i := range data {
		data[i] = byte(i >> 7)
	}
	r := bytes.NewReader(data)
	if got := readSlices(r, int64(len(data)), 0); !bytes.Equal(got, data) {
		t.Error("got other bytes than the file has")
	}
	for _, size := range []int{len(data) - 1, len(data) + 1, len(data) + sliceSize} {
		if readSlices(r, int64(size), 0) != nil {
			t.Errorf("got the bytes of a file of %d that said it had %d", len(data), size)
		}
	}
}

func TestSlashed(t *testing.T) {
	for _, tt := range []struct {
		path    string
		windows bool
		want    string
	}{
		{`a\b/c.yml`, true, "a/b/c.yml"},
		{`a\b/c.yml`, false, `a\b/c.yml`}, // elsewhere a backslash is part of a name
		{`C:\a`, true, "C:/a"},
		{"", true, ""},
	} {
		if got := slashed(tt.path, tt.windows); got != tt.want {
			t.Errorf("slashed(%q, %t): got %q, want %q", tt.path, tt.windows, got, tt.want)
		}
	}
}

func TestHasDrive(t *testing.T) {
	for path, want := range map[string]bool{
		`C:\x`: true, "c:/x": true, "C:x": false, "C:": false, `1:\x`: false, `\\host\share`: false, "a.yml:type=data": false,
	} {
		if got := hasDrive(path); got != want {
			t.Errorf("hasDrive(%q): got %t, want %t", path, got, want)
		}
	}
}

func TestFSPath(t *testing.T) {
	for path, want := range map[string]string{".": ".", "./": ".", "./a/": "a", "a//b": "a/b", "a/../b": "b", "../a": "../a", "/a": "/a"} {
		if got := fsPath(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}
