//go:build js && wasm

// Command weft-assist-wasm is the language server for the playground page. It exports one function
// to its worker, weft, which takes an assist.Request as JSON and returns an assist.Response as
// JSON.
package main

import (
	"context"

	"weft/internal/serve/playground"
	"weft/internal/serve/playground/assist"
	"weft/internal/serve/playground/worker"
)

func main() {
	assistant := assist.New()
	worker.Serve(func(req assist.Request, limits playground.Limits) assist.Response {
		return assistant.Answer(context.Background(), req, limits)
	}, assist.Failure)
}
