package weft_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestProgramCounts compares the program with testdata/counts.txt: what is linked, how large it is,
// and what it does before main. Times vary from machine to machine; these numbers hardly do. A number
// that grows is a change of that file, which a reviewer sees.
func TestProgramCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds weft")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the numbers are those of linux/amd64")
	}
	program := filepath.Join(t.TempDir(), "weft")
	goCommand(t, "linux", "amd64", "build", "-pgo=off", "-overlay", withoutPage(t), "-o", program, "./cmd/weft")
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	all, own := allocationsBeforeMain(t, program)
	got := map[string]int{
		"kilobytes of weft":                  int(info.Size() / 1000),
		"allocations before main":            all,
		"of them in weft's own packages":     own,
		"packages in weft":                   packagesIn(t, "linux", "amd64", "./cmd/weft"),
		"packages in the playground":         packagesIn(t, "js", "wasm", "./cmd/weft-wasm"),
		"packages in the playground's hints": packagesIn(t, "js", "wasm", "./cmd/weft-assist-wasm"),
	}
	table, err := os.ReadFile(filepath.Join("testdata", "counts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		limit, err := strconv.Atoi(number)
		if strings.HasPrefix(line, "#") {
			continue
		}
		n, known := got[name]
		switch {
		case err != nil || !known:
			t.Errorf("testdata/counts.txt has %q, which is not counted", line)
		case n > limit:
			t.Errorf("%d %s, more than the %d in testdata/counts.txt", n, name, limit)
		case n < limit*9/10:
			t.Errorf("%d %s: make that the number in testdata/counts.txt, which is %d", n, name, limit)
		}
		delete(got, name)
	}
	for name, n := range got {
		t.Errorf("testdata/counts.txt lacks %d %s", n, name)
	}
}

// withoutPage returns a file for the flag -overlay of the go command that hides the page of weft playground,
// which may have been built in the working tree.
func withoutPage(t *testing.T) string {
	t.Helper()
	hidden := map[string]string{}
	err := filepath.WalkDir(filepath.Join("web", "dist"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "missing.html" {
			return err
		}
		path, err = filepath.Abs(path)
		hidden[path] = ""
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(map[string]any{"Replace": hidden})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return overlay
}

// goCommand runs the go command for a system, and returns what it prints.
func goCommand(t *testing.T, system, processor string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, &stderr)
	}
	return out
}

// packagesIn returns how many packages are linked into a program. Those of a page are built with a tag, as
// tools/web does.
func packagesIn(t *testing.T, system, processor, program string) int {
	t.Helper()
	args := []string{"list", "-deps", program}
	if system == "js" {
		args = []string{"list", "-deps", "-tags=playground", program}
	}
	return len(strings.Fields(string(goCommand(t, system, processor, args...))))
}

// allocationsBeforeMain returns how often memory is allocated to initialize packages: all of them, and
// those of weft.
func allocationsBeforeMain(t *testing.T, program string) (all, own int) {
	t.Helper()
	cmd := exec.Command(program, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("weft version: %v\n%s", err, out)
	}
	lines := regexp.MustCompile(`(?m)^init (\S+) .* (\d+) allocs$`).FindAllSubmatch(out, -1)
	for _, m := range lines {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		all += n
		if pkg := string(m[1]); pkg == "weft" || strings.HasPrefix(pkg, "weft/") {
			own += n
		}
	}
	if len(lines) == 0 {
		t.Fatalf("the runtime says nothing about packages:\n%s", out)
	}
	return all, own
}
