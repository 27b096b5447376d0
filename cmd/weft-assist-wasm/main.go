//go:build js && wasm

// Command weft-assist-wasm is what the page of the playground loads when it is first needed: the language
// server, comparisons, suggestions, the linter and the formatter. It exports one function to its worker,
// weft, which takes an assist.Request as JSON and returns an assist.Response or a playground.Response.
package main

import (
	"context"

	"weft/internal/serve/playground"
	"weft/internal/serve/playground/assist"
	"weft/internal/serve/playground/worker"
)

func main() {
	assistant := assist.New()
	worker.Serve(func(ctx context.Context, req assist.Request, limits playground.Limits) any {
		if req.IsAboutCursor() {
			return assistant.Answer(ctx, req, limits)
		}
		return playground.Run(ctx, req.Request, limits)
	}, func(message string) any { return assist.Failure(message) })
}
