package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// The pictures in the repository are what weft prints, and what the benchmarks say.
func TestPictures(t *testing.T) {
	root := filepath.Join("..", "..")
	pictures, err := all(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pictures {
		got, err := os.ReadFile(filepath.Join(root, "docs", "pictures", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what weft prints now: go run ./tools/pictures", name)
		}
		if err := wellFormed(want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestSpans(t *testing.T) {
	line := spans("\x1b[1ma.yml:1:\x1b[0m \x1b[1;31merror:\x1b[0m no")
	lines := wrap(line, 10)
	if len(lines) != 2 || lines[0][0] != (span{"a.yml:1:", plain, true}) ||
		lines[1][0] != (span{"rror:", "#ff6b6b", true}) {
		t.Errorf("got %+v", lines)
	}
}
