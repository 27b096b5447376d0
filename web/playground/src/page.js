// The parts of the page, each of which is used by several of the modules that decide what it shows.

import {Assistant} from "./assist.js"
import {share} from "./dialogs.js"
import {$, h, meta} from "./dom.js"
import {Editor} from "./editor.js"
import {LocalEngine, WorkerEngine} from "./engine.js"
import {apply, currentPath, file, keepText, show} from "./files.js"
import {Form} from "./form.js"
import {LocalFiles} from "./local.js"
import {Output} from "./output.js"
import {nextProblem} from "./problems.js"
import {asked, changed, render, rendered, request} from "./render.js"
import {histories, jump, lastResult, lineHistory, markResults, parts, shownPart} from "./results.js"
import {Suggestion} from "./suggest.js"
import {Trail} from "./trail.js"

export const local = meta("weft-engine") === "local"

/** The path to the documentation, or null if the page is not part of it. */
export const docs = meta("weft-docs") || null

export const assistant = new Assistant({
  engine: assistEngine, request: want => request(want), file: () => currentPath, say: text => status(text),
})

export const editor = new Editor($("editor"), {
  docs,
  extensions: () => assistant.extensions(),
  changed: () => { keepText(); changed() },
  moved: () => markResults(false),
  run: () => render(),
  save: () => save(),
  problem: () => nextProblem(),
})

export const output = new Output($("output"), {
  chosen: line => { if (output.view.hasFocus && !suggestion.on) trail.choose(line) },
  pointed: line => trail.point(suggestion.on ? 0 : line),
  entered: line => { const at = lineHistory?.target(line); if (at) jump(at) },
  tip: line => {
    const about = suggestion.on ? null : lineHistory?.describe(line, jump)
    return about && h("div", {class: "tip"}, about)
  },
})

export const trail = new Trail({
  history: () => lineHistory, current: () => currentPath, show: path => { if (file(path)) show(path) }, jump,
  light: (lines, now) => { if (editor.path) editor.light(lines, now) },
  files: names => { for (const tab of $("tabs").children) tab.classList.toggle("source", names.has(tab.title)) },
})

export const suggestion = new Suggestion({
  output, apply, began: histories, ended: () => { if (lastResult && !lastResult.failed) parts(lastResult); histories() },
  ask: edited => asked("suggest", {...request(["suggest"]), edited}),
  problem: () => !lastResult || lastResult.failed ? "The output can be edited when there are no errors"
    : lastResult.truncated ? "The output is too long to be edited"
      : $("kind").value !== "" || shownPart !== "" ? "Only documents as YAML can be edited" : "",
})

export const form = new Form($("form"), $("values-count"), () => changed())

/** @type {any} */
export const engine = local ? new LocalEngine(token()) : new WorkerEngine(text => status(text))

export const disk = new LocalFiles(engine)

/** save saves the current file, or shows a link to all of them. */
export function save() { return local ? disk.save() : share() }

/** The program of the assistant, which is loaded later than that of the page. */
export const assistProgram = "assist.wasm"

/** assistEngine is the engine of the assistant. Nothing of it is loaded before the first output. */
async function assistEngine() {
  if (local) return new LocalEngine(engine.token, "assist")
  await rendered
  const started = new WorkerEngine(() => {}, assistProgram, meta("weft-assist"))
  await started.loaded
  return started
}

/** token is what `weft playground` put into the link. It is kept for reloads of this tab only. */
function token() {
  const m = /^#token=([\w-]+)$/.exec(location.hash)
  if (m) {
    sessionStorage.setItem("weft-token", m[1])
    history.replaceState(null, "", location.pathname)
  }
  return sessionStorage.getItem("weft-token") ?? ""
}

export function status(text) {
  if ($("status").textContent !== text) $("status").textContent = text
}
