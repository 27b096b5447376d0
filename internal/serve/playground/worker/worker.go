//go:build js && wasm

package worker

import (
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"weft/internal/serve/playground"
)

// Serve gives the worker the function weft, and never returns. The answer is for a request and for
// the limits that one of its size has.
func Serve[Q, A any](answer func(Q, playground.Limits) A, failure func(message string) A) {
	debug.SetGCPercent(200) // most requests are over before a collection pays
	js.Global().Set("weft", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].String()
		var req Q
		var res A
		if err := json.Unmarshal([]byte(text), &req); err != nil {
			res = failure("reading the request: " + err.Error())
		} else {
			res = answer(req, limitsFor(text))
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

// limitsFor are limits for a machine that someone is typing on. Much input may take longer. The
// page ends a worker that does not answer two seconds later, which is for what the limits do not
// see.
func limitsFor(request string) playground.Limits {
	const rate = 50_000 // bytes a second, on a slow machine that has just begun
	more := time.Duration(min(len(request), 1_000_000)) * time.Second / rate
	return playground.Limits{Steps: 20e6, Time: 4*time.Second + more, Memory: 512 << 20}
}
