package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Under WebAssembly nothing runs beside the code of a template, so that code looks at the clock
// itself: a loop without an end stops at --timeout there too. What stays within it is rendered.
//
// To build for WebAssembly takes longer than most tests together, so that it is asked for:
// WEFT_TEST_WASM=1, as CI does.
func TestWebAssembly(t *testing.T) {
	if os.Getenv("WEFT_TEST_WASM") == "" {
		t.Skip("weft is not run as WebAssembly: WEFT_TEST_WASM=1 does so")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("weft is not run as WebAssembly: node is not installed")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("weft is not run as WebAssembly: go env: %v", err)
	}
	start := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	if _, err := os.Stat(start); err != nil {
		t.Skipf("weft is not run as WebAssembly: %v", err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "weft.wasm")
	// As tools/web builds it, so that what one has compiled the other finds in the cache.
	build := exec.Command("go", "build", "-pgo=off", "-trimpath", "-gcflags=all=-l", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(template string, flags ...string) (string, error) {
		file := filepath.Join(dir, "in.yml")
		if err := os.WriteFile(file, []byte(template), 0o644); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(
			node,
			append([]string{"--stack-size=8192", start, program, "-f", file}, flags...)...)
		c.WaitDelay = time.Second
		guard := time.AfterFunc(2*time.Minute, func() { c.Process.Kill() })
		defer guard.Stop()
		out, err := c.CombinedOutput()
		return string(out), err
	}

	if out, err := run("#@ for i in range(2):\n- #@ i\n#@ end\n", "--timeout", "1m"); err != nil ||
		out != "- 0\n- 1\n" {
		t.Errorf("got %q, %v", out, err)
	}
	out, err := run("#@ for i in range(1000*1000*1000*1000):\n#@ end\na: 1\n", "--timeout", "2s")
	if err == nil || !strings.Contains(out, "[run/timeout]") {
		t.Errorf("a loop without an end: got %q, %v", out, err)
	}
	out, err = run(
		"#@ for i in range(1000*1000*1000*1000):\n#@ end\na: 1\n",
		"--max-steps",
		"1000000",
	)
	if err == nil || !strings.Contains(out, "too many steps") {
		t.Errorf("a loop of too many steps: got %q, %v", out, err)
	}
}
