// Engines answer requests (internal/serve/playground.Request) with responses. There are two: weft as
// WebAssembly in a worker, and a weft on this machine, behind `weft playground`.

/** What an engine rejects with if there is no answer; its message is for people. */
export class EngineError extends Error {
  /** @param {string} message
   *  @param {{file: string, line: number} | null} at what was evaluated; the line is 0 if it is not known */
  constructor(message, at = null) {
    super(message)
    this.at = at
  }

  /** problem is the error as a diagnostic, which marks the whole line. */
  get problem() {
    const {file, line} = this.at ?? {}
    const at = line ? {file, line, column: 1, endLine: line, endColumn: Infinity} : {file}
    return {severity: "error", message: this.message, at}
  }
}

/** How long a worker may take for a request. weft stops by itself two seconds before that, and says
 * what takes long: see internal/serve/playground/worker. */
const longest = request => 6000 + Math.min(request.length, 1_000_000) / 50

/** How often in a row a worker that stops, or is stopped, is started again. */
const mostRestarts = 3

const unexpected = "weft stopped unexpectedly."

/** isForLater reports whether the first program answers that only the second one can do what was asked. */
export const isForLater = answer => Boolean(answer?.diagnostics?.some(d => d.code === "playground/later"))

/** WorkerEngine runs weft in a worker. One request runs at a time; of those of one kind that wait,
 * only the last is run. */
export class WorkerEngine {
  /** @param {(text: string) => void} progress is told how the loading goes
   * @param {string} program is the file of the program
   * @param {string} integrity is its digest, for a program that may be loaded long after the page
   * @param {string} base is the folder of the program and of worker.js: "", or an address with a slash */
  constructor(progress, program = "weft.wasm", integrity = "", base = "") {
    this.progress = progress
    this.program = program
    this.integrity = integrity
    this.base = base
    this.id = 0
    this.waiting = new Map()
    this.running = null
    this.restarts = 0
    this.stops = 0 // since the last answer
    this.at = null // what is evaluated for the request that runs
    this.loaded = this.load()
    this.loaded.catch(() => {}) // whoever asks is told
  }

  async load() {
    if (typeof WebAssembly !== "object") {
      throw new EngineError("This browser does not support WebAssembly, which weft needs here.")
    }
    if (location.protocol === "file:") {
      throw new EngineError("The playground needs a web server: browsers load no programs from a disk. " +
        "Serve the folder, or use weft playground for your own files.")
    }
    let response
    try {
      response = await fetch(this.base + this.program, {integrity: this.integrity})
    } catch {
      const why = this.integrity ? "the server does not answer, or has a newer version" : "the network does not answer"
      throw new EngineError(`${this.program} could not be loaded: ${why}. Reload the page to try again.`)
    }
    if (!response.ok) {
      throw new EngineError(`weft could not be loaded: the server answers ${response.status} for ${this.program}. ` +
        "Reload the page to try again.")
    }
    try {
      this.module = await compile(response, this.progress)
    } catch (err) {
      throw new EngineError(`weft could not be started in this browser: ${err.message}`)
    }
    await this.start()
  }

  /** start makes a worker from the program, which is compiled already. */
  start() {
    const began = performance.now()
    const worker = this.worker = new Worker(this.base + "worker.js")
    let started = false
    this.ready = new Promise((resolve, reject) => {
      worker.onerror = () => reject(new EngineError("weft could not be started: worker.js could not be loaded."))
      worker.onmessage = e => {
        if (e.data.at) {
          this.at = e.data.at
        } else if (e.data.ready) {
          started = true
          worker.onerror = () => this.broken(unexpected)
          this.startTime = performance.now() - began
          resolve()
        } else if (e.data.broken && !started) {
          worker.terminate()
          reject(new EngineError(`weft could not be started in this browser: ${e.data.broken}. Reload the page to try again.`))
        } else if (e.data.deep) {
          this.broken("Stopped: calls are nested too deeply for a browser. Does a function call itself without an end?")
        } else if (e.data.broken) {
          this.broken(unexpected)
        } else {
          this.answered(e.data)
        }
      }
    })
    this.ready.catch(() => {})
    worker.postMessage({module: this.module})
    return this.ready
  }

  /** ask resolves with a response, or with null if a later request of the same kind replaced it.
   * @param {string} kind @param {object} request */
  ask(kind, request) {
    return new Promise((resolve, reject) => {
      this.waiting.get(kind)?.resolve(null)
      this.waiting.delete(kind)
      this.waiting.set(kind, {request, resolve, reject})
      this.next()
    })
  }

  async next() {
    if (this.running || this.waiting.size === 0) return
    const [kind, job] = this.waiting.entries().next().value
    this.waiting.delete(kind)
    this.running = job
    try {
      await this.loaded
      await this.ready
    } catch (err) {
      this.running = null
      job.reject(err)
      return
    }
    job.id = ++this.id
    this.at = null
    const request = JSON.stringify(job.request)
    job.timer = setTimeout(() => this.broken("Stopped: the code takes too long."), longest(request))
    this.worker.postMessage({id: job.id, request})
  }

  answered({id, response}) {
    const job = this.running
    if (!job || job.id !== id) return
    clearTimeout(job.timer)
    this.running = null
    this.stops = 0
    job.resolve(JSON.parse(response))
    this.next()
  }

  /** broken ends a worker that does not answer, or has ended, and starts another, but not for ever. */
  broken(message) {
    const job = this.running
    this.running = null
    this.worker.terminate()
    if (++this.stops > mostRestarts) {
      message += ` It stopped ${this.stops} times in a row, and is not started again: reload the page.`
      this.ready = Promise.reject(new EngineError(message))
      this.ready.catch(() => {})
    } else {
      this.restarts++
      this.start()
    }
    if (job) {
      clearTimeout(job.timer)
      job.reject(new EngineError(message, this.at))
    }
    this.next()
  }
}

/** compile compiles a program while it loads. */
async function compile(response, progress) {
  let done = 0
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, to) {
      done += chunk.length
      progress(`Loading weft… ${(done / 1e6).toFixed(1)} MB`)
      to.enqueue(chunk)
    },
  }))
  // Some servers do not know the type, and some browsers do not compile streams.
  const typed = new Response(counted, {headers: {"Content-Type": "application/wasm"}})
  if (WebAssembly.compileStreaming) return WebAssembly.compileStreaming(typed)
  return WebAssembly.compile(await typed.arrayBuffer())
}

/** LocalEngine asks the weft that serves the page. */
export class LocalEngine {
  /** @param {string} token @param {string} name is the function of the server */
  constructor(token, name = "run") {
    this.token = token
    this.name = name
    this.restarts = 0
    this.queue = Promise.resolve()
    this.latest = new Map()
  }

  get loaded() { return Promise.resolve() }

  ask(kind, request) {
    const mine = {}
    this.latest.set(kind, mine)
    const answer = this.queue.then(() => this.latest.get(kind) === mine ? this.post(this.name, request) : null)
    this.queue = answer.catch(() => {})
    return answer
  }

  /** post calls a function of the server. */
  async post(name, body) {
    let response
    try {
      response = await fetch("api/" + name, {
        method: "POST",
        headers: {"Content-Type": "application/json", "X-Weft-Token": this.token},
        body: JSON.stringify(body),
      })
    } catch {
      throw new EngineError("weft playground does not answer: start it again in your terminal.")
    }
    if (response.status === 403) {
      throw new EngineError("This page has no access: open the link that weft playground prints.")
    }
    const answer = await response.json().catch(() => ({error: `the server answers ${response.status}`}))
    if (!response.ok) throw new EngineError(answer.error)
    return answer
  }
}
