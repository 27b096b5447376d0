// The worker that weft runs in. The page gives it the compiled program, and ends it if it does not
// answer.
importScripts("wasm_exec.js")

/** Here are what wasm_exec.js and weft define, and what they call. @type {any} */
const here = self

/** weftAt tells the page what is being evaluated, for the case that this worker is ended. */
here.weftAt = (file, line) => self.postMessage({at: {file, line}})

self.onmessage = async e => {
  const {module, id, request} = e.data
  if (!module) {
    try {
      // Strings are copied once on their way, objects deeply: requests travel as JSON.
      self.postMessage({id, response: here.weft(request)})
    } catch (err) {
      self.postMessage({broken: String(err), deep: err instanceof RangeError})
    }
    return
  }
  try {
    const go = new here.Go()
    const ready = new Promise(resolve => { here.weftReady = resolve })
    go.run(await WebAssembly.instantiate(module, go.importObject))
      .then(() => self.postMessage({broken: "weft ended unexpectedly"}),
        err => self.postMessage({broken: String(err)}))
    await ready
    self.postMessage({ready: true})
  } catch (err) {
    self.postMessage({broken: String(err)})
  }
}
