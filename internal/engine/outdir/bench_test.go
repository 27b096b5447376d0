package outdir

import (
	"fmt"
	"strings"
	"testing"

	"weft/internal/engine/emit"
)

// BenchmarkWrite writes 50 files, to a new directory and to one that has them already.
func BenchmarkWrite(b *testing.B) {
	var files []emit.File
	for i := range 50 {
		files = append(
			files,
			emit.File{
				Path: fmt.Sprintf("dir%d/file%02d.yml", i%5, i),
				Data: []byte(strings.Repeat("key: value\n", 300)),
			},
		)
	}
	b.Run("new", func(b *testing.B) {
		root := b.TempDir()
		for i := 0; b.Loop(); i++ {
			if _, err := (Target{Dir: fmt.Sprintf("%s/%d", root, i)}).Write(b.Context(), files); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("same", func(b *testing.B) {
		t := Target{Dir: b.TempDir()}
		for b.Loop() {
			if _, err := t.Write(b.Context(), files); err != nil {
				b.Fatal(err)
			}
		}
	})
}
