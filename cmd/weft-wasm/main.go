//go:build js && wasm

// Command weft-wasm is weft for browsers. It gives its worker one function, weft, which takes a
// playground.Request as JSON and returns a playground.Response as JSON.
package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"weft/internal/playground"
)

// limitsFor are limits for a machine that somebody is typing on. Much input may take longer. The page
// ends a worker that does not answer two seconds later, which is for what the limits do not see.
func limitsFor(request string) playground.Limits {
	const rate = 50_000 // bytes a second, on a slow machine that has just begun
	more := time.Duration(min(len(request), 1_000_000)) * time.Second / rate
	return playground.Limits{Steps: 20e6, Time: 4*time.Second + more, Memory: 512 << 20}
}

func main() {
	debug.SetGCPercent(200) // most requests are over before a collection pays
	js.Global().Set("weft", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return answer(args[0].String())
	}))
	js.Global().Call("weftReady")
	select {}
}

func answer(request string) string {
	var req playground.Request
	var res playground.Response
	if err := json.Unmarshal([]byte(request), &req); err != nil {
		res = playground.Failure("reading the request: " + err.Error())
	} else {
		res = playground.Run(context.Background(), req, limitsFor(request))
	}
	out, err := json.Marshal(res)
	if err != nil {
		out, _ = json.Marshal(playground.Failure("writing the response: " + err.Error()))
	}
	return string(out)
}
