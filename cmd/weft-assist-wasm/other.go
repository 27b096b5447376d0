//go:build !js

package main

import (
	"fmt"
	"os"
)

// A browser is the only place where this program runs; go run ./tools/web builds it.
func main() {
	fmt.Fprintln(os.Stderr, "weft-assist-wasm: build it for browsers, with GOOS=js GOARCH=wasm")
	os.Exit(1)
}
