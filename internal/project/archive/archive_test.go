package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weft/internal/lang/diag"
)

// item is an entry of an archive to be made: of a type of tar, with a text or, for links, a target.
type item struct {
	kind byte
	name string
	text string
	mode int64
}

func file(name, text string) item { return item{tar.TypeReg, name, text, 0o600} }
func link(name, to string) item   { return item{tar.TypeSymlink, name, to, 0o777} }
func dir(name string) item        { return item{tar.TypeDir, name, "", 0o755} }

func tarOf(items ...item) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, i := range items {
		h := &tar.Header{Typeflag: i.kind, Name: i.name, Mode: i.mode}
		if i.kind == tar.TypeSymlink || i.kind == tar.TypeLink {
			h.Linkname, i.text = i.text, ""
		}
		h.Size = int64(len(i.text))
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, i.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func zipOf(items ...item) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, i := range items {
		h := &zip.FileHeader{Name: i.name, Method: zip.Deflate}
		mode := fs.FileMode(i.mode)
		switch i.kind {
		case tar.TypeSymlink:
			mode |= fs.ModeSymlink
		case tar.TypeDir:
			mode |= fs.ModeDir
		case tar.TypeChar:
			mode |= fs.ModeDevice | fs.ModeCharDevice
		case tar.TypeFifo:
			mode |= fs.ModeNamedPipe
		}
		h.SetMode(mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, i.text)
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

func gzipOf(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

func must(t testing.TB) func([]byte, error) []byte {
	return func(data []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
}

// contents returns files as name, mode and text.
func contents(f *Files) map[string]string {
	got := map[string]string{}
	for file := range f.All() {
		got[file.Name] = fmt.Sprintf("%o %s", file.Mode(), file.Data)
	}
	return got
}

func wantFail(t *testing.T, err error, text string) {
	t.Helper()
	d, ok := errors.AsType[*diag.Diagnostic](err)
	if !ok || d.Code != CodeArchive || d.Hint == "" || !strings.Contains(d.Message, text) {
		t.Errorf("got %v, want … %s … with a hint", err, text)
	}
}

func TestRead(t *testing.T) {
	items := []item{
		dir("./"), dir("b/"), file("b/z.yml", "z"), file("./a.yml", "a"),
		{tar.TypeReg, "b/run", "r", 0o711},
		file("b//y.yml", "y"),
	}
	want := map[string]string{"a.yml": "644 a", "b/z.yml": "644 z", "b/run": "755 r", "b/y.yml": "644 y"}
	plain := must(t)(tarOf(items...))
	for name, data := range map[string][]byte{
		"tar": plain, "tgz": gzipOf(plain), "zip": must(t)(zipOf(items...)),
		"two members": slices.Concat(gzipOf(plain[:1024]), gzipOf(plain[1024:])),
	} {
		f, err := Read("x", data, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, contents(f)); diff != "" {
			t.Errorf("%s, -want +got:\n%s", name, diff)
		}
		if names := f.Names(); !slices.IsSorted(names) {
			t.Errorf("%s: the names are not sorted: %q", name, names)
		}
	}
	for name, data := range map[string][]byte{"tar": make([]byte, 1024), "tgz": gzipOf(make([]byte, 1024))} {
		if f, err := Read("x", data, Limits{}); err != nil || len(f.Names()) > 0 {
			t.Errorf("an empty %s: %v, %v", name, f, err)
		}
	}
}

// What git and the tar and zip programs of the system write is read as they mean it.
func TestReadPrograms(t *testing.T) {
	src := t.TempDir()
	long := strings.Repeat("directory/", 15) + "ä-long-name.yml"
	for name, text := range map[string]string{"a.yml": "a", "run": "#!/bin/sh\n", long: "long"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(src, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(src, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.yml": "644 a", "run": "755 #!/bin/sh\n", long: "644 long"}
	for _, command := range []string{
		"tar cf - .", "tar czf - .", "tar --format=pax -cf - .", "tar --format=gnu -cf - *",
		"git init -q . && git add . && git -c user.name=a -c user.email=b commit -qm x && " +
			"git archive --format=tar HEAD", "git archive --format=zip HEAD", "rm -rf .git; zip -qr - .",
	} {
		program := strings.Fields(command)[0]
		if _, err := exec.LookPath(program); program != "rm" && err != nil {
			continue
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = src
		data, err := cmd.Output()
		if err != nil && strings.Contains(command, "zip -qr") {
			continue // zip is not installed everywhere
		}
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		f, err := Read("x", data, Limits{})
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if diff := cmp.Diff(want, contents(f)); diff != "" {
			t.Errorf("%s, -want +got:\n%s", command, diff)
		}
	}
}

// Names that lead out of a directory, or into git's, are an error of the whole archive.
func TestHostileNames(t *testing.T) {
	for _, tt := range []struct {
		name string
		want string
	}{
		{"../x", "leads out"},
		{"a/../../x", "leads out"},
		{"a/../x", "leads out"},
		{"..", "leads out"},
		{"/etc/x", "absolute"},
		{"//x", "absolute"},
		{"C:/x", "absolute"},
		{`..\x`, "backslash"},
		{`a\..\..\x`, "backslash"},
		{".git/config", "belongs to git"},
		{"a/.GIT/hooks/post-checkout", "belongs to git"},
		{".git", "belongs to git"},
		{"git~1/config", "belongs to git"},
		{".g\u200cit/config", "belongs to git"},
		{"a\nb", "control character"},
		{"a\x1b[2Jb", "control character"},
		{"a\xffb", "not UTF-8"},
		{strings.Repeat("a/", 600) + "x", "too long"},
		{".", "no name"},
	} {
		for kind, data := range map[string]func(...item) ([]byte, error){"tar": tarOf, "zip": zipOf} {
			data, err := data(file("good", "1"), file(tt.name, "x"))
			if err != nil {
				t.Fatalf("%s of %q: %v", kind, tt.name, err)
			}
			_, err = Read("x", data, Limits{})
			wantFail(t, err, tt.want)
		}
		_, err := New("x", []File{{Name: tt.name}})
		wantFail(t, err, tt.want)
		_, err = ReadLayers("x", []Layer{{Name: tt.name}}, Limits{})
		if tt.name != "" {
			wantFail(t, err, tt.want)
		}
	}
}

func TestHostileEntries(t *testing.T) {
	for name, tt := range map[string]struct {
		items []item
		want  string
	}{
		"twice":                  {[]item{file("a", "1"), file("a", "2")}, "two entries 'a'"},
		"twice, spelled apart":   {[]item{file("a", "1"), file("./a", "2")}, "two entries 'a'"},
		"below a file":           {[]item{file("a", "1"), file("a/b", "2")}, "not a directory"},
		"a file over a folder":   {[]item{file("a/b", "1"), file("a", "2")}, "two entries 'a'"},
		"through a link":         {[]item{link("a", "b"), file("a/x", "2")}, "not a directory"},
		"through a link outward": {[]item{link("a", "/etc"), file("a/x", "2")}, "not a directory"},
		"link over a folder":     {[]item{file("a/b", "1"), link("a", "..")}, "two entries 'a'"},
	} {
		for kind, pack := range map[string]func(...item) ([]byte, error){"tar": tarOf, "zip": zipOf} {
			_, err := Read("x", must(t)(pack(tt.items...)), Limits{})
			if wantFail(t, err, tt.want); t.Failed() {
				t.Fatalf("%s, %s", name, kind)
			}
		}
	}
}

// What cannot be a file of a project is an error if it is selected, and can be left out.
func TestRefused(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
	for name, tt := range map[string]struct {
		items []item
		want  string
	}{
		"absolute link":     {[]item{link("bad", "/etc/passwd")}, "outside of the source"},
		"link out":          {[]item{link("bad", "../x")}, "outside of the source"},
		"deep link out":     {[]item{link("d/bad", "../../x")}, "outside of the source"},
		"hard link out":     {[]item{{tar.TypeLink, "bad", "../x", 0}}, "outside of the source"},
		"absolute hard":     {[]item{{tar.TypeLink, "bad", "/etc/passwd", 0}}, "outside of the source"},
		"hard link to .git": {[]item{{tar.TypeLink, "bad", ".git/config", 0}}, "outside of the source"},
		"link to nothing":   {[]item{link("bad", "nothing")}, "not in the source"},
		"link to itself":    {[]item{link("bad", "bad")}, "itself"},
		"circle":            {[]item{link("bad", "bad2"), link("bad2", "bad")}, "itself"},
		"link to the top":   {[]item{link("d/bad", "..")}, "above it"},
		"link above":        {[]item{file("d/e/x", "1"), link("d/e/bad", "..")}, "above it"},
		"link to bad link":  {[]item{link("bad", "bad2"), link("bad2", "/etc")}, "which is a link"},
		"nested links": {
			[]item{file("e/x", "1"), link("e/y", "x"), link("bad", "e")}, "in a directory that is linked",
		},
		"device":          {[]item{{tar.TypeChar, "bad", "", 0}}, "device"},
		"block device":    {[]item{{tar.TypeBlock, "bad", "", 0}}, "device"},
		"pipe":            {[]item{{tar.TypeFifo, "bad", "", 0}}, "device"},
		"LFS":             {[]item{file("bad", pointer)}, "git LFS pointer"},
		"case":            {[]item{file("bad", "1"), file("BAD", "2")}, "same file on some systems"},
		"case of folders": {[]item{file("bad/x", "1"), file("Bad/y", "2")}, "same file on some systems"},
		"accents":         {[]item{file("bad\u00e9", "1"), file("bade\u0301", "2")}, "same file on some systems"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read("x", must(t)(tarOf(append(tt.items, file("good", "1"))...)), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Select(nil)
			wantFail(t, err, tt.want)
			// The hint works.
			good, err := f.Select(func(name string) bool { return name == "good" })
			if err != nil || len(good.Names()) != 1 {
				t.Errorf("got %v, %v", good, err)
			}
		})
	}
}

// Encrypted files of zip archives are refused as well.
func TestEncrypted(t *testing.T) {
	data := must(t)(zipOf(file("bad", "1"), file("good", "1")))
	local, central := bytes.Index(data, []byte("PK\x03\x04")), bytes.Index(data, []byte("PK\x01\x02"))
	data[local+6] |= 1 // the flag of the first file, at both places
	data[central+8] |= 1
	f, err := Read("x", data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Select(nil)
	wantFail(t, err, "encrypted")
	if _, err := f.Select(func(name string) bool { return name == "good" }); err != nil {
		t.Error(err)
	}
}

// A text about LFS is not a pointer.
func TestNoPointer(t *testing.T) {
	f, err := New("x", []File{
		{Name: "a", Data: []byte("version https://git-lfs.github.com/spec/v1\n" + strings.Repeat("x", 2000))},
		{Name: "b", Data: []byte("version https://example.com\n")},
	})
	if err == nil {
		_, err = f.Select(nil)
	}
	if err != nil {
		t.Error(err)
	}
}

// Links inside an archive become copies.
func TestLinks(t *testing.T) {
	items := []item{
		file("d/a", "a"),
		{tar.TypeReg, "d/e/run", "r", 0o755},
		link("d/b", "a"), link("run", "d/e/../e/run"),
		link("chain", "d2/b2"), link("d2", "e2"), file("e2/b2", "b2"), link("copy", "d/e"), link("e2/up", "../d/a"),
	}
	want := map[string]string{
		"d/a": "644 a", "d/e/run": "755 r", "d/b": "644 a", "run": "755 r", "chain": "644 b2", "e2/b2": "644 b2",
		"d2/b2": "644 b2", "copy/run": "755 r", "e2/up": "644 a",
	}
	data := must(t)(tarOf(append(items, item{tar.TypeLink, "hard", "d/a", 0})...))
	f, err := Read("x", data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err = f.Select(func(name string) bool { return name != "d2/up" })
	if err != nil {
		t.Fatal(err)
	}
	want["hard"] = "644 a"
	if diff := cmp.Diff(want, contents(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	var many []item
	for i := range 101 {
		many = append(many, file(fmt.Sprintf("f%d", i), ""))
	}
	zeros := strings.Repeat("\x00", 1<<20)
	limits := Limits{Bytes: 1<<20 + 10, Entries: 100}
	var copies []item
	for i := range 20 {
		copies = append(copies, link(fmt.Sprintf("l%d", i), "a"))
	}
	for name, tt := range map[string]struct {
		items []item
		want  string
	}{
		"files":   {many, "more than 100 entries"},
		"folders": {[]item{dir(strings.Repeat("d/", 3)), file("a", zeros+"01234567890")}, "when unpacked"},
		"bomb":    {[]item{file("a", zeros), file("b", zeros)}, "when unpacked"},
		"links":   {append(copies, file("a", zeros)), "when unpacked"},
	} {
		plain := must(t)(tarOf(tt.items...))
		for kind, data := range map[string][]byte{
			"tar": plain, "tgz": gzipOf(plain), "zip": must(t)(zipOf(tt.items...)),
		} {
			_, err := Read("x", data, limits)
			if wantFail(t, err, tt.want); t.Failed() {
				t.Fatalf("%s, %s", name, kind)
			}
		}
	}
	if _, err := Read("x", must(t)(tarOf(file("a", zeros+"0123456789"))), limits); err != nil {
		t.Errorf("exactly the limit: %v", err)
	}
}

// Headers that are no entries are counted, too: a small archive could keep weft busy for hours with them.
func TestHeaderBomb(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for range 200 {
		long := map[string]string{"a": strings.Repeat("x", 30_000)}
		h := &tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: long}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := Read("x", gzipOf(b.Bytes()), Limits{Bytes: 1 << 20, Entries: 1000})
	wantFail(t, err, "when unpacked")
}

func TestDamaged(t *testing.T) {
	items := []item{file("a", strings.Repeat("text ", 500)), file("b", "2")}
	plain := must(t)(tarOf(items...))
	packed, zipped := gzipOf(plain), must(t)(zipOf(items...))
	for name, data := range map[string][]byte{
		"tar cut in a file": plain[:1000], "tar cut between files": plain[:3072],
		"tgz cut": packed[:len(packed)-20], "tgz without its checksum": packed[:len(packed)-8],
		"tgz with more":   append(slices.Clone(packed), "more"...),
		"zip cut":         zipped[:len(zipped)-30],
		"no archive":      []byte("a: 1\n"),
		"nothing":         nil,
		"gzip of nothing": packed[:5],
		"xz":              []byte("\xfd7zXZ\x00"),
		"zstd":            []byte("\x28\xb5\x2f\xfd1"),
		"bzip2":           []byte("BZh91AY&SY12"),
	} {
		if _, err := Read("x", data, Limits{}); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			wantFail(t, err, "cannot use 'x': ")
		}
	}
	// Checksums notice a change of any byte, apart from names and modes.
	for _, data := range [][]byte{packed, zipped} {
		for i := range data {
			flipped := slices.Clone(data)
			flipped[i] ^= 0x40
			f, err := Read("x", flipped, Limits{})
			if err != nil {
				continue
			}
			for file := range f.All() {
				if text := string(file.Data); text != items[0].text && text != items[1].text {
					t.Errorf("byte %d: other content, but no error: %q", i, text)
				}
			}
		}
	}
}

func TestLayers(t *testing.T) {
	layer := func(items ...item) Layer { return Layer{Data: gzipOf(must(t)(tarOf(items...)))} }
	f, err := ReadLayers("x", []Layer{
		layer(
			file("keep", "1"), file("change", "1"), file("gone", "1"), file("d/gone", "1"), file("d/keep", "1"),
			file("opaque/a", "1"), file("opaque/b/c", "1"), file("file", "1"), file("folder/x", "1"),
			link("l", "keep"),
		),
		layer(
			file("change", "2"), file(".wh.gone", ""), file("d/.wh.gone", ""), file("opaque/.wh..wh..opq", ""),
			file("opaque/new", "2"), file("file/x", "2"), file("folder", "2"), file("l", "2"),
		),
		{Name: "titled/file.yml", Data: []byte("3")},
	}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"keep": "644 1", "change": "644 2", "d/keep": "644 1", "opaque/new": "644 2", "file/x": "644 2",
		"folder": "644 2", "l": "644 2", "titled/file.yml": "644 3",
	}
	if diff := cmp.Diff(want, contents(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTop(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"a/b", "a/c/d"}, "a"},
		{[]string{"a/b", "c"}, ""},
		{[]string{"a/b", "c/d"}, ""},
		{[]string{"a"}, ""},
		{nil, ""},
	} {
		var list []File
		for _, name := range tt.names {
			list = append(list, File{Name: name})
		}
		f, err := New("x", list)
		if err != nil || f.Top() != tt.want {
			t.Errorf("%q: got %q, %v, want %q", tt.names, f.Top(), err, tt.want)
		}
	}
}

// writeAll writes files as a program does that trusts their names.
func writeAll(f *Files, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for file := range f.All() {
		name := dir + "/" + file.Name
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, file.Data, file.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// onDisk returns the files below a directory as contents does, and fails for anything else.
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			t.Errorf("%s is not a file: %s", name, info.Mode())
			return nil
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		found[filepath.ToSlash(rel)] = fmt.Sprintf("%o %s", info.Mode(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// FuzzArchive writes what it can read of any archive, without any care, and looks at the disk: nothing is outside
// of the new directory, nothing in it is git's or a link, and it has exactly the files. The first byte of the input
// says what it is: an archive, or lines that become a tar or a zip archive, or two layers.
func FuzzArchive(f *testing.F) {
	scripts := []string{
		"0a text\n0b/c text\n2l a\n2m b\n1h a", "0../x 1\n2a ..\n0a/b 1", "5d\n2d/l ..\n2e d\n3dev\n6pipe",
		"0.git/config x\n2.git /tmp", "0a 1\n0A 2",
		"0.wh.a\n0b/.wh..wh..opq\n0b/c 2", "2a b\n2b c\n2c a", "0/etc/x 1",
	}
	for _, s := range scripts {
		for kind := range 4 {
			f.Add(append([]byte{byte(kind)}, s...))
		}
		for _, pack := range []func(...item) ([]byte, error){tarOf, zipOf} {
			if data, err := pack(itemsOf(s)...); err == nil {
				f.Add(append([]byte{0}, data...))
				f.Add(append([]byte{0}, gzipOf(data)...))
			}
		}
	}
	limits := Limits{Bytes: 1 << 20, Entries: 1000}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 {
			return
		}
		files, err := readInput(input[0]%4, input[1:], limits)
		if err != nil {
			return
		}
		parent := t.TempDir()
		if err := os.WriteFile(filepath.Join(parent, "before"), []byte("1"), 0o644); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(parent, "new")
		if files, err = files.Select(nil); err != nil {
			return
		}
		err = writeAll(files, to)
		if e, ok := errors.AsType[*fs.PathError](err); ok && strings.Contains(e.Err.Error(), "name too long") {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"before": "644 1"}
		for name, text := range contents(files) {
			want["new/"+name] = text
			if strings.Contains("/"+strings.ToLower(name), "/.git/") || strings.Contains("/"+name, "/../") {
				t.Errorf("%q was written", name)
			}
		}
		if diff := cmp.Diff(want, onDisk(t, parent)); diff != "" {
			t.Errorf("-want +on disk:\n%s", diff)
		}
	})
}

// readInput reads the input of FuzzArchive.
func readInput(kind byte, data []byte, limits Limits) (*Files, error) {
	if kind == 0 {
		return Read("x", data, limits)
	}
	pack := tarOf
	if kind == 2 {
		pack = zipOf
	}
	first, second, _ := strings.Cut(string(data), "\n\n")
	one, err := pack(itemsOf(first)...)
	if err != nil || kind != 3 {
		return readOr(one, err, limits)
	}
	two, err := pack(itemsOf(second)...)
	if err != nil {
		return nil, err
	}
	return ReadLayers("x", []Layer{{Data: one}, {Data: two}}, limits)
}

func readOr(data []byte, err error, limits Limits) (*Files, error) {
	if err != nil {
		return nil, err
	}
	return Read("x", data, limits)
}

// itemsOf reads lines of a type of tar with a name, and a text or a target.
func itemsOf(script string) (items []item) {
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		name, text, _ := strings.Cut(line[1:], " ")
		items = append(items, item{line[0], name, text, int64(len(name)) * 0o11})
	}
	return items
}
