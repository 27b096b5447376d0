// What is wrong with the files: the list of problems, and their marks in the editor.

import {aboutCode} from "./codes.js"
import {$, code, h, plural} from "./dom.js"
import {currentPath, file, show, tabs} from "./files.js"
import {docs, editor, status} from "./page.js"
import {jump} from "./results.js"

/** @type {any[]} */
export let problemList = []

export function problems(list) {
  problemList = list
  const count = kind => list.filter(p => p.severity === kind).length
  const button = $("problems-button")
  const words = [[count("error"), "error"], [count("warning"), "warning"], [count("info"), "suggestion"]]
    .filter(([n]) => n > 0).map(([n, word]) => plural(n, word)).join(", ")
  button.hidden = list.length === 0
  button.textContent = words
  button.className = "quiet " + (count("error") ? "error" : count("warning") ? "warning" : "info")
  if (count("error") > 0) showProblems(true)
  else if (list.length === 0) showProblems(false)
  else if (!button.dataset.asked) showProblems(false)
  $("problems").replaceChildren(...list.map(problem))
  tabs()
  markProblems()
}

export function showProblems(is) {
  $("problems").hidden = !is
  $("problems-button").setAttribute("aria-expanded", String(is))
}

/** reference leads to a place, or to a file of which no line is known. */
const reference = (at, ...numbers) => at?.line || at && file(at.file)
  ? h("button", {type: "button", class: "ref", onclick: () => jump(at)}, [at.file, ...numbers].filter(Boolean).join(":")) : null

function problem(p) {
  return h("div", {class: "problem " + p.severity},
    h("span", {class: "sign"}, {error: "Error", warning: "Warning"}[p.severity] ?? "Suggestion"), " ",
    reference(p.at, p.at?.line, p.at?.column), " ",
    h("span", {class: "message"}, code(p.message)), p.code && aboutCode(p.code, docs),
    p.hint && h("p", {}, "hint: ", code(p.hint)),
    (p.related ?? []).map(r => h("p", {}, code(r.message), " ", reference(r.at, r.at?.line))),
    p.fix && h("p", {}, h("button", {type: "button", class: "fix", onclick: () => fix(p)}, "Fix: " + p.fix.title)))
}

export function markProblems() {
  if (!editor.path) return
  editor.mark(problemList.filter(p => p.at?.file === currentPath && p.at.line), fix)
}

/** fix makes the edits of a fix, the last one first, so that places stay right. */
function fix(p) {
  const edits = [...p.fix.edits].sort((a, b) => b.at.line - a.at.line || b.at.column - a.at.column)
  for (const e of edits) {
    if (!file(e.at.file)) continue
    show(e.at.file)
    editor.view.dispatch({changes: {
      from: editor.offset(e.at.line, e.at.column), to: editor.offset(e.at.endLine, e.at.endColumn), insert: e.text,
    }})
  }
  editor.view.focus()
}

let problemAt = -1

export function nextProblem() {
  const list = problemList.filter(p => file(p.at?.file))
  if (!list.length) return status("There are no problems")
  problemAt = (problemAt + 1) % list.length
  jump(list[problemAt].at)
  status(list[problemAt].message)
}
