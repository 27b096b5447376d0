// An example that can be changed and run. weft is loaded once for the page, and every run has a
// worker of its own, like a process.

/** How long a run may take. */
const patience = 15_000

const here = new URL(".", import.meta.url)
let program = null

/** load compiles weft, once. It rejects with an Error for people. */
function load(progress) {
  program ??= fetchProgram(progress)
  program.catch(() => { program = null }) // the next run tries again
  return program
}

async function fetchProgram(progress) {
  let response
  try {
    response = await fetch(new URL("weft.wasm", here))
  } catch {
    throw new Error("weft could not be loaded: the network does not answer.")
  }
  if (!response.ok) throw new Error(`weft could not be loaded: the server answers ${response.status} for weft.wasm.`)
  let done = 0
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, to) {
      done += chunk.length
      progress(`Loading weft… ${(done / 1e6).toFixed(1)} MB`)
      to.enqueue(chunk)
    },
  }))
  // Some servers do not know the type of the file.
  return WebAssembly.compileStreaming(new Response(counted, {headers: {"Content-Type": "application/wasm"}}))
}

/** execute runs weft on files and resolves with what it prints. "<" and a path behind the arguments
 * are standard input.
 * @returns {Promise<{output: string, code: number}>} */
export async function execute(args, files, progress = () => {}, stop = new AbortController().signal) {
  const module = await load(progress)
  if (stop.aborted) return null
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("worker.js", here))
    const end = then => {
      clearTimeout(timer)
      worker.terminate()
      then()
    }
    const timer = setTimeout(() => end(() => reject(new Error("Stopped: it takes too long."))), patience)
    stop.addEventListener("abort", () => end(() => resolve(null)))
    worker.onmessage = e => end(() => e.data.broken ? reject(new Error(e.data.broken)) : resolve(e.data))
    worker.onerror = () => end(() => reject(new Error("weft could not be started.")))
    const [given, input] = args.includes("<") ? [args.slice(0, args.indexOf("<")), args.at(-1)] : [args, ""]
    worker.postMessage({module, args: given, input, files})
  })
}

let count = 0

/** live makes a figure with a command and its output into one that runs.
 * @param {HTMLElement} figure @param {string[]} args @param {{path: string, data: string}[]} files */
export function live(figure, args, files) {
  const id = "live-" + ++count
  const tested = figure.querySelector("pre").textContent
  const work = files.map(f => ({...f}))
  const {pane, area, tabs} = editor(id, work, () => changed(400))
  const command = element("input", {type: "text", className: "command", value: line(args), spellcheck: false})
  command.setAttribute("aria-label", "Arguments of weft")
  const runs = button("Run", () => changed(0)), reset = button("Reset", () => {
    work.forEach((f, i) => { f.data = files[i].data })
    command.value = line(args)
    tabs.show(0)
    changed(0)
  })
  const status = element("span", {className: "status"})
  status.setAttribute("role", "status")
  const bar = element("div", {className: "line"}, element("code", {textContent: "weft"}), command, runs, reset, status)
  const caption = figure.querySelector("figcaption")
  caption.querySelector("code").hidden = true
  caption.append(bar)
  caption.after(pane)
  figure.classList.add("live")
  const code = figure.querySelector("pre code")

  let timer = 0, current = null
  const changed = delay => {
    clearTimeout(timer)
    timer = setTimeout(run, delay)
  }
  const run = async () => {
    current?.abort()
    const mine = current = new AbortController()
    const began = performance.now()
    status.textContent = "Running…"
    figure.dataset.state = "running"
    try {
      const result = await execute(words(command.value), work, text => { status.textContent = text }, mine.signal)
      if (!result || mine.signal.aborted) return
      code.textContent = result.output.replace(/\n$/, "")
      const same = code.textContent === tested ? "as documented" : "changed"
      status.textContent = `${same} · exit code ${result.code} · ${Math.round(performance.now() - began)} ms`
      figure.dataset.state = "done"
    } catch (err) {
      if (mine.signal.aborted) return
      status.textContent = err.message
      figure.dataset.state = "failed"
    }
  }
  command.addEventListener("keydown", e => { if (e.key === "Enter") changed(0) })
  command.addEventListener("input", () => changed(600))
  pane.addEventListener("keydown", e => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) changed(0) })
  tabs.show(first(args, work))
  area.focus({preventScroll: true})
  changed(0)
}

/** first is the file to show first: the last one that the command names, which most examples are
 * about. */
function first(args, files) {
  const named = args.map(arg => files.findIndex(f => f.path === arg)).filter(i => i >= 0)
  return named.at(-1) ?? 0
}

/** editor is a text area with a tab for each file. */
function editor(id, files, changed) {
  const area = element("textarea", {id, spellcheck: false, rows: 12})
  area.setAttribute("autocapitalize", "off")
  const list = element("div", {className: "tabs"})
  list.setAttribute("role", "tablist")
  list.setAttribute("aria-label", "Files")
  const pane = element("div", {className: "editor"}, list, area)
  let shown = 0
  const tabs = files.map((f, i) => {
    const tab = button(f.path, () => show(i))
    tab.setAttribute("role", "tab")
    tab.setAttribute("aria-controls", id)
    return tab
  })
  list.append(...tabs)
  const show = i => {
    shown = i
    tabs.forEach((tab, k) => {
      tab.setAttribute("aria-selected", String(k === i))
      tab.tabIndex = k === i ? 0 : -1
    })
    area.value = files[i]?.data ?? ""
    area.setSelectionRange(0, 0)
    area.setAttribute("aria-label", files[i]?.path ?? "no files")
    area.rows = Math.min(24, Math.max(6, area.value.split("\n").length + 1))
  }
  list.addEventListener("keydown", e => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[e.key]
    if (!step) return
    show((shown + step + files.length) % files.length)
    tabs[shown].focus()
  })
  area.addEventListener("input", () => {
    files[shown].data = area.value
    changed()
  })
  show(0)
  return {pane, area, tabs: {show}}
}

/** words splits a command line at spaces, except within quotes. */
function words(line) {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(m => m[0].replace(/"([^"]*)"|'([^']*)'/g, "$1$2"))
}

/** line is a command line that words splits again. */
function line(args) {
  return args.map(arg => /[\s"']/.test(arg) ? (arg.includes("'") ? `"${arg}"` : `'${arg}'`) : arg).join(" ")
}

function element(name, properties, ...children) {
  const e = Object.assign(document.createElement(name), properties)
  e.append(...children)
  return e
}

function button(text, run) {
  const b = element("button", {type: "button", textContent: text})
  b.addEventListener("click", run)
  return b
}
