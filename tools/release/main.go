// Command release builds the files of a release: archives, packages, container images, manifests for
// package managers, checksums and SBOMs. docs/releasing.md explains what to do with them.
//
//	go run ./tools/release 1.2.3               all files, in dist/1.2.3
//	go run ./tools/release 1.2.3 --snapshot    the same for a working tree with changes
//	go run ./tools/release --help              all flags
//
// The builder is a separate module in the folder builder, so that users of weft don't download the
// libraries that write packages and images. This command only finds it and runs it.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	// When the builder is interrupted, it removes its incomplete files; wait for it.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	if err := build(os.Args[1:]); err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			os.Exit(max(exit.ExitCode(), 1)) // the builder has printed the error
		}
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// build runs the builder with these arguments, and with those that name the repository.
func build(args []string) error {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}")
	list.Stderr = os.Stderr
	root, err := list.Output()
	if err != nil {
		return fmt.Errorf("cannot find the module: %w; run this in a clone of weft", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	dir := strings.TrimSpace(string(root))
	cmd := exec.Command("go", append([]string{
		"run", "-C", filepath.Join(dir, "tools", "release", "builder"), ".",
		"--root", dir, "--from", here,
	}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
