// When to render, what to ask for, and what to do with the answers.

import {$} from "./dom.js"
import {EngineError, isForLater} from "./engine.js"
import {allFiles, chosenEnvironment, chosenInputs, tabs} from "./files.js"
import {assistant, editor, engine, form, local, status} from "./page.js"
import {problems} from "./problems.js"
import {keepSoon, remember} from "./projects.js"
import {environments, jump, lastResult, parts, pinnedOutput, setBlame, setResult, showDiff, stale} from "./results.js"
import {cards} from "./why.js"

let newest = 0 // the number of the last change
/** When there was a first output, for tests. */
export let firstOutput

let timer, firstRendered

/** rendered is when there is a first result. */
export const rendered = new Promise(resolve => { firstRendered = resolve })

/** changed renders soon. */
export function changed(delay = 60) {
  newest++
  if (local) tabs()
  remember()
  keepSoon()
  clearTimeout(timer)
  timer = setTimeout(render, delay)
}

export function request(want) {
  return {
    files: allFiles.map(({path, data}) => ({path, data})), inputs: chosenInputs,
    environment: chosenEnvironment, values: form.flags, format: $("kind").value, want,
  }
}

/** What the program answers that is loaded when it is first needed, together with completion. */
const later = ["more", "format", "suggest"]
/** Whether it also renders, since the first one cannot: see internal/lang/browser. */
let rendersLater = false

/** asked asks the engine; what goes wrong with the engine itself is shown. Without details, the output
 * is still right. */
export async function asked(kind, what) {
  try {
    if (later.includes(kind) ? !local : kind === "details" && rendersLater) {
      return await (await assistant.load()).ask(kind, what)
    }
    const answer = await engine.ask(kind, what)
    if (kind !== "render" || !answer) return answer
    rendersLater = isForLater(answer)
    if (!rendersLater) return answer
    firstRendered() // nothing else waits for the second program
    return await (await assistant.load()).ask(kind, what)
  } catch (err) {
    if (!(err instanceof EngineError)) throw err
    if (kind !== "render") {
      status((kind === "details" ? "No details: " : "") + err.message)
      return null
    }
    problems([err.problem])
    stale(true)
    status(err.message)
    return null
  }
}

export async function render() {
  clearTimeout(timer)
  await engine.loaded.catch(() => {}) // asked says why; the time that loading takes is not that of rendering
  const revision = newest
  const began = performance.now()
  const result = await asked("render", request(["output", "form"]))
  if (!result) return
  setResult(result)
  firstOutput ??= performance.now()
  firstRendered()
  stale(result.failed)
  environments(result)
  if (result.form || !result.failed) form.show(result.form)
  problems(result.diagnostics ?? [])
  if (!result.failed) parts(result)
  const took = performance.now() - began
  status(result.failed ? "Not rendered" : `Rendered in ${took < 10 ? took.toFixed(1) : Math.round(took)} ms` +
    (result.truncated ? "; the output is too long and was cut" : "") +
    (result.prints?.length ? `; printed: ${result.prints.slice(0, 5).join(" · ")}` : ""))
  if (revision === newest) {
    timer = setTimeout(() => details(result.failed), took > 300 ? 600 : 120)
  }
}

/** details asks for what takes longer: where lines come from, and what overlays did. */
async function details(failed) {
  const revision = newest
  const answer = await asked("details", request(failed ? ["explain"] : ["explain", "blame"]))
  if (!answer || revision !== newest) return
  assistant.prepare(editor.view.state)
  $("panel-why").replaceChildren(...cards(answer.explain, jump))
  if (failed) return
  setBlame(answer.blame)
  more()
}

/** more asks for the comparison with the pinned output, and for suggestions, if the program for that is
 * loaded. */
export async function more() {
  const revision = newest
  const want = [...pinnedOutput !== null ? ["diff"] : [], ...local || assistant.engine ? ["lint"] : []]
  if (!want.length) return
  const answer = await asked("more", {...request(want), pinned: pinnedOutput ?? undefined})
  if (!answer || revision !== newest) return
  if (want.includes("lint") && !answer.failed) problems(merged(lastResult.diagnostics ?? [], answer.diagnostics ?? []))
  showDiff(answer.diff)
}

/** merged is two lists of problems without duplicates. */
function merged(list, others) {
  const key = p => JSON.stringify([p.at, p.code, p.message])
  const known = new Set(list.map(key))
  return [...list, ...others.filter(p => !known.has(key(p)))]
}
