//go:build unix

package weft_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// BenchmarkMemory runs the command on 50 MB of plain YAML, or on the file that WEFT_BENCH_YAML
// names, and tells its peak memory as a multiple of the file's size.
func BenchmarkMemory(b *testing.B) {
	dir := b.TempDir()
	weft := filepath.Join(dir, "weft")
	if out, err := exec.Command("go", "build", "-o", weft, "./cmd/weft").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	input := os.Getenv("WEFT_BENCH_YAML")
	if input == "" {
		input = filepath.Join(dir, "in.yml")
		if err := os.WriteFile(input, manifests(50<<20), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(input)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	var peak int64
	for b.Loop() {
		cmd := exec.Command(weft, "-f", input)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		rss := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
		if runtime.GOOS != "darwin" {
			rss *= 1024
		}
		peak = max(peak, rss)
	}
	b.ReportMetric(float64(peak)/float64(info.Size()), "peak/input")
}

// manifests makes at least size bytes of custom resource definitions, deep and full of text as they
// are.
func manifests(size int) []byte {
	var buf bytes.Buffer
	for i := 0; buf.Len() < size; i++ {
		fmt.Fprintf(
			&buf,
			"---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: kind%d.example.com\nspec:\n  versions:\n  - name: v1\n    served: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n",
			i,
		)
		for p := range 40 {
			fmt.Fprintf(
				&buf,
				"          field%d:\n            description: |-\n              Field %d of kind %d: must be set when field %d is used.\n              It is read when the resource is made.\n            type: string\n            enum: [a%d, \"b\", 'c']\n            maxLength: %d\n",
				p,
				p,
				i,
				p/2,
				p,
				10+p,
			)
		}
	}
	return buf.Bytes()
}
