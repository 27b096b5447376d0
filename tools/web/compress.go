package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path"
)

// compressors are programs that compress standard input as small as browsers can read it. They write the same
// bytes each time.
var compressors = map[string][]string{
	".br":  {"brotli", "-q", "11", "--lgwin=24", "-c"},
	".zst": {"zstd", "-19", "--long=23", "-q", "-c"}, // browsers accept windows of at most 8 MB
}

// compress adds the compressed forms of large files. Many web servers send them instead of compressing a file
// for each visitor, which they do less well: nginx (brotli_static), Caddy (precompressed), Apache (MultiViews).
func (b *builder) compress() error {
	for _, name := range b.names() {
		switch path.Ext(name) {
		case ".wasm", ".js", ".css", ".html", ".json":
		default:
			continue
		}
		if len(b.files[name]) < 4096 {
			continue
		}
		for ending, command := range compressors {
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Stdin = bytes.NewReader(b.files[name])
			out, err := cmd.Output()
			if err != nil {
				return fmt.Errorf("compressing %s with %s: %w", name, command[0], err)
			}
			b.files[name+ending] = out
		}
	}
	return nil
}
