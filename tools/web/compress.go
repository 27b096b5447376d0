package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"weft/internal/lang/parallel"
)

// compressors are programs that compress standard input as small as browsers can read it. They write the same
// bytes each time.
var compressors = map[string][]string{
	".br":  {"brotli", "-q", "11", "--lgwin=24", "-c"},
	".zst": {"zstd", "-19", "--long=23", "-q", "-c"}, // browsers accept windows of at most 8 MB
}

// compress adds the compressed forms of the large files of a directory. Many web servers send them instead of
// compressing a file for each visitor, which they do less well: nginx (brotli_static), Caddy (precompressed),
// Apache (MultiViews).
func compress(dir string) error {
	names, err := compressible(dir)
	if err != nil {
		return err
	}
	errs := make([]error, len(names))
	parallel.Workers(0).Each(len(names), func(i int) { errs[i] = compressFile(names[i]) })
	fmt.Printf("%d files in %s have compressed forms\n", len(names), dir)
	return errors.Join(errs...)
}

// compressible returns the files of a directory whose compressed forms are worth a file each.
func compressible(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		switch filepath.Ext(name) {
		case ".wasm", ".js", ".css", ".html", ".json", ".svg", ".xml", ".txt":
		default:
			return nil
		}
		info, err := entry.Info()
		if err == nil && info.Size() >= 4096 {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func compressFile(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for ending, command := range compressors {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Stdin = bytes.NewReader(data)
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("compressing %s with %s: %w", name, command[0], err)
		}
		if err := os.WriteFile(name+ending, out, 0o644); err != nil {
			return err
		}
	}
	return nil
}
