//go:build js && wasm

package worker

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"weft/internal/engine/budget"
	"weft/internal/serve/playground"
)

// Serve registers the function weft in the worker, and never returns. answer gets a request, and the
// limits for a request of its size. Its context tells the page what is being evaluated.
func Serve[Q, A any](answer func(context.Context, Q, playground.Limits) A, failure func(message string) A) {
	debug.SetGCPercent(200) // most requests end before a collection would be useful
	ctx := budget.Watch(context.Background(), func(file string, line int) {
		js.Global().Call("weftAt", file, line)
	})
	js.Global().Set("weft", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].String()
		var req Q
		var res A
		if err := json.Unmarshal([]byte(text), &req); err != nil {
			res = failure("reading the request: " + err.Error())
		} else {
			res = answer(ctx, req, limitsFor(text))
		}
		out, err := json.Marshal(res)
		if err != nil {
			out, _ = json.Marshal(failure("writing the response: " + err.Error()))
		}
		return string(out)
	}))
	js.Global().Call("weftReady")
	select {}
}

// limitsFor returns limits for a machine that someone is typing on. Large inputs may take longer. If
// a worker does not answer within two more seconds, the page ends it; that covers what these limits
// do not.
func limitsFor(request string) playground.Limits {
	const rate = 50_000 // bytes per second, on a slow machine that has just started
	more := time.Duration(min(len(request), 1_000_000)) * time.Second / rate
	return playground.Limits{Steps: 20e6, Time: 4*time.Second + more, Memory: 512 << 20}
}
