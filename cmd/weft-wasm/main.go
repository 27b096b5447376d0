//go:build js && wasm

// Command weft-wasm is weft for browsers. It exports one function to its worker, weft, which takes
// a playground.Request as JSON and returns a playground.Response as JSON.
package main

import (
	"weft/internal/serve/playground"
	"weft/internal/serve/playground/worker"
)

func main() { worker.Serve(playground.Run, playground.Failure) }
