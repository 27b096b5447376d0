// Command pictures draws the pictures of the README, from real runs and from the last benchmark:
//
//	go run ./tools/pictures
//
// It writes docs/pictures. A test checks that the pictures match the current output of weft.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := draw("."); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// draw writes all pictures of the repository at root.
func draw(root string) error {
	pictures, err := all(root)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "docs", "pictures")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range pictures {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// all returns the pictures by their names.
func all(root string) (map[string][]byte, error) {
	demo, err := demonstration(root)
	if err != nil {
		return nil, err
	}
	speed, err := chart(filepath.Join(root, "bench", "README.md"))
	if err != nil {
		return nil, err
	}
	fleet, err := fleetChart(filepath.Join(root, "bench", "README.md"))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"demo.svg": demo, "speed.svg": speed, "fleet.svg": fleet}, nil
}
