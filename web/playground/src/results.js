// What weft renders: the output and where its lines come from, the comparison with a pinned output, and jumps between
// input and output.

import {$, h} from "./dom.js"
import {currentPath, file, show} from "./files.js"
import {editor, output, status, suggestion, trail} from "./page.js"
import {more} from "./render.js"
import {History} from "./why.js"

/** @type {any} */
export let lastResult = null
/** @type {any} */
let lastBlame
/** @type {History | null} */
export let lineHistory = null
export let shownPart = ""
/** @type {string | null} */
export let pinnedOutput = null

/** setResult keeps a result, or forgets the last one, with the histories of its lines. */
export function setResult(result) {
  lastResult = result
  if (!result) lineHistory = null
}

export function setBlame(blame) {
  lastBlame = blame
  histories()
}

export function choosePart(name) {
  shownPart = name
  if (lastResult && !lastResult.failed) parts(lastResult)
  histories()
}

export function histories() {
  const shown = $("kind").value === "" && !suggestion.on && lastBlame
  lineHistory = shown ? new History(lastBlame, shownPart) : null
  // Histories are of canonical lines. Where the output keeps more, such as comments, they may differ.
  const text = output.text.split("\n")
  const same = (l, i) => l.text === text[i] || l.text.includes("‹secret›")
  if (lineHistory && !lineHistory.lines.every(same)) lineHistory = null
  output.stripe(lineHistory?.kinds() ?? [])
  trail.follow()
  markResults(false)
}

/** parts shows the documents, or one of the texts. */
export function parts(result) {
  const texts = result.texts ?? []
  const names = [...result.output || !texts.length ? [""] : [], ...texts.map(t => t.path)]
  if (!names.includes(shownPart)) shownPart = names[0]
  const select = $("part")
  select.hidden = names.length < 2
  const same = [...select.options].map(o => o.value).join("\n") === names.join("\n")
  if (!same) select.replaceChildren(...names.map(n => h("option", {value: n}, n || "Documents")))
  select.value = shownPart
  const text = shownPart === "" ? result.output ?? "" : texts.find(t => t.path === shownPart).data
  if (suggestion.on) return suggestion.source(text)
  output.set(text)
  $("nothing").hidden = output.text !== ""
}

export function environments(result) {
  $("env-label").hidden = !result.environments?.length
  const names = result.environments ?? []
  const select = $("env")
  if ([...select.options].map(o => o.value).join("\n") !== names.join("\n")) {
    select.replaceChildren(...names.map(n => h("option", {value: n}, n)))
  }
  select.value = result.environment ?? ""
}

export function stale(is) {
  const empty = output.text === ""
  $("stale").hidden = !is || empty
  $("nothing").hidden = !empty
  $("nothing").textContent = is ? "Nothing to show yet: there is an error."
    : "Nothing to show: no file produces a document yet."
  $("right").classList.toggle("stale", is)
}

export function jump(at) {
  if (!file(at.file)) return
  side("in")
  show(at.file)
  if (at.line) editor.go(at.line, at.column)
  else editor.view.focus()
}

/** markResults marks the lines of the output that the current line of the input took part in. */
export function markResults(scroll) {
  const lines = lineHistory && editor.path ? lineHistory.results(currentPath, editor.line) : []
  output.mark(lines, scroll)
  return lines
}

export function toOutput() {
  const lines = markResults(true)
  if (!lines.length) return status("No line of the output comes from here")
  side("out")
  view("output")
  output.go(lines[0])
}

export function view(name) {
  for (const v of ["output", "why", "diff"]) {
    $("view-" + v).setAttribute("aria-selected", String(v === name))
    $("view-" + v).tabIndex = v === name ? 0 : -1
    $("panel-" + v).hidden = v !== name
  }
}

/** side chooses a pane on phones. */
export function side(which) {
  document.body.dataset.side = which
  $("side-in").setAttribute("aria-pressed", String(which === "in"))
  $("side-out").setAttribute("aria-pressed", String(which === "out"))
}

export function pinned(text) {
  pinnedOutput = text
  $("pin").textContent = text === null ? "Pin" : "Unpin"
  $("pin").setAttribute("aria-pressed", String(text !== null))
  showDiff(undefined)
}

export function pin() {
  if (pinnedOutput !== null) {
    pinned(null)
    status("The output is no longer pinned")
    return
  }
  if ($("kind").value !== "" || shownPart !== "" || !lastResult || lastResult.failed) {
    status("Only documents as YAML can be pinned")
    return
  }
  pinned(output.text)
  status("Pinned: Diff shows what changes from now on")
  more()
}

export function showDiff(diff) {
  const panel = $("panel-diff")
  if (pinnedOutput === null) {
    panel.replaceChildren(h("p", {class: "empty"}, "Pin the output, then change something: the differences show up here."),
      h("p", {}, h("button", {type: "button", onclick: pin}, "Pin the output")))
  } else if (!diff) {
    panel.replaceChildren(h("p", {class: "empty"}, "Comparing…"))
  } else if (diff.same) {
    panel.replaceChildren(h("p", {class: "empty"}, "The output is the same as the pinned one."))
  } else {
    const lines = text => text.replace(/\n$/, "").split("\n").map(l => h("span", {class: /^(---|\+\+\+) /.test(l) ? "hunk" : {"+": "plus", "-": "minus", "@": "hunk"}[l[0]]}, l + "\n"))
    panel.replaceChildren(h("h3", {}, "By meaning"), h("pre", {tabindex: "0", "aria-label": "Differences by meaning"}, lines(diff.text)),
      h("h3", {}, "By line"), diff.patch
        ? h("pre", {tabindex: "0", "aria-label": "Differences by line"}, lines(diff.patch))
        : h("p", {class: "empty"}, "The lines are not shown, since there are secrets in them."))
  }
}
