// A run of weft: the program sees files, arguments and two streams, like a process in a terminal.
importScripts("files.js")

self.onmessage = async e => {
  const {module, args, input, files} = e.data
  const system = new self.MemoryFiles(files, input)
  self.fs = system
  self.process = system.process
  importScripts("wasm_exec.js") // which would make files that cannot be read, if there were none
  try {
    const go = new self.Go()
    let code = 0
    go.argv = ["weft", ...args]
    go.env = {NO_COLOR: "1", HOME: "/home"}
    go.exit = c => { code = c }
    await go.run(await WebAssembly.instantiate(module, go.importObject))
    self.postMessage({output: system.printed(), code})
  } catch (err) {
    self.postMessage({broken: "weft stopped unexpectedly: " + err})
  }
}
