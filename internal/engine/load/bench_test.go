package load

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weft/internal/lang/source"
)

// BenchmarkRead reads 100 files of a directory, with a mark.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	data := []byte(strings.Repeat("key: value\n", 200))
	for i := range 100 {
		p := filepath.Join(dir, fmt.Sprintf("dir%d/file%02d.yml", i%5, i))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(p, data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(100 * len(data)))
	b.ReportAllocs()
	for b.Loop() {
		inputs, err := Read(
			&source.Set{},
			Options{Paths: []string{dir}, Marks: []string{"dir1/**/*:type=yaml-plain"}},
		)
		if err != nil {
			b.Fatal(err)
		}
		if len(inputs) != 100 {
			b.Fatalf("got %d files, want 100", len(inputs))
		}
	}
}
