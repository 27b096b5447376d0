// The page: files on the left, what weft makes of them on the right. This module connects what people do with what
// the others know.

// The parts come first: the modules that they use are then complete before the parts exist.
import {assistant, assistProgram, disk, editor, engine, form, local, output, save, status, suggestion, trail} from "./page.js"
import {chooseExample, copy, share} from "./dialogs.js"
import {$, arrows, meta} from "./dom.js"
import {
  add, allFiles, chooseEnvironment, currentPath, download, format, remove, rename, show, upload,
} from "./files.js"
import {isUnsaved} from "./local.js"
import {nextProblem, problemList, problems, showProblems} from "./problems.js"
import {
  currentWork, examples, keepWork, loadExamples, offerWork, open, openLink, openWork, remembered, shownExample,
} from "./projects.js"
import {changed, firstOutput, rendered} from "./render.js"
import {choosePart, lastResult, lineHistory, pin, side, toOutput, view} from "./results.js"
import {startTour} from "./tour.js"
import {find, recent} from "./work.js"

function closeMenu() { $("menu").open = false }

const clicks = {
  "examples-button": chooseExample, "tour-button": () => startTour({view, examples, open, close: () => editor.view.focus()}),
  "share-button": share, "intro-close": () => { $("intro").hidden = true },
  add: () => add(), rename, remove, format, save: () => disk.save(), zip: download, upload: () => $("upload-input").click(), pin, edit: () => status(suggestion.toggle()),
  copy: async () => status(await copy(output.text) ? "The output is copied" : "The browser does not allow copying"),
  "side-in": () => side("in"), "side-out": () => side("out"),
  "view-output": () => view("output"), "view-why": () => view("why"), "view-diff": () => view("diff"),
  "problems-button": () => {
    $("problems-button").dataset.asked = "yes"
    showProblems($("problems").hidden)
  },
}
for (const [id, run] of Object.entries(clicks)) $(id).addEventListener("click", () => { closeMenu(); run() })
arrows($("tabs"))
arrows($("views"))
$("upload-input").addEventListener("change", () => { upload([...$("upload-input").files]); $("upload-input").value = "" })
$("files").addEventListener("change", () => show($("files").value))
$("env").addEventListener("change", () => { chooseEnvironment($("env").value); changed(0) })
$("kind").addEventListener("change", () => changed(0))
$("part").addEventListener("change", () => choosePart($("part").value))
document.addEventListener("dragover", e => e.preventDefault())
document.addEventListener("drop", e => {
  e.preventDefault()
  upload([...e.dataTransfer.files])
})
document.addEventListener("keydown", e => {
  if (e.key === "F8") { e.preventDefault(); nextProblem() }
  if (e.key === "Escape") closeMenu()
  if ((e.ctrlKey || e.metaKey) && e.key === "s") { e.preventDefault(); if (!$("dialog").open) save() }
  if (e.altKey && e.key === "Enter" && editor.view.hasFocus) { e.preventDefault(); toOutput() }
}, true)
window.addEventListener("popstate", async e => {
  const kept = e.state?.work && (keepWork(), await find(e.state.work))
  if (kept) return openWork(kept)
  const opened = await openLink()
  if (opened === false && !local) open(examples[0])
  if (opened.problem) status(opened.problem)
})
window.onbeforeunload = e => { if (local && allFiles.some(isUnsaved)) e.preventDefault() }
document.addEventListener("visibilitychange", () => { if (document.hidden) keepWork() })
window.addEventListener("pagehide", keepWork)
grip()
weftTheme($("theme-button"))
side("in")
view("output")
start()

/** grip lets the mouse and the arrow keys move the line between the panes. */
function grip() {
  const line = $("grip"), main = document.querySelector("main")
  const set = percent => {
    percent = Math.min(80, Math.max(20, percent))
    line.setAttribute("aria-valuenow", String(Math.round(percent)))
    main.style.setProperty("--left", percent + "%")
  }
  line.addEventListener("pointerdown", e => {
    line.setPointerCapture(e.pointerId)
    line.onpointermove = m => set((m.clientX - main.offsetLeft) / main.offsetWidth * 100)
  })
  line.addEventListener("pointerup", () => { line.onpointermove = null })
  line.addEventListener("keydown", e => {
    const step = {ArrowLeft: -2, ArrowRight: 2}[e.key]
    if (step) set(Number(line.getAttribute("aria-valuenow")) + step)
  })
}

async function start() {
  if (local) {
    $("share-button").textContent = "Download"
    $("share-button").addEventListener("click", e => { e.stopImmediatePropagation(); download() }, true)
    try {
      $("examples-button").hidden = $("tour-button").hidden = true
      await disk.open()
    } catch (err) {
      status(err.message)
      problems([{severity: "error", message: err.message}])
    }
    return
  }
  await loadExamples()
  const work = remembered()
  if (!work) offerWork((await recent())[0])
  const opened = work ? (open(work), true) : await openLink()
  if (opened !== true) open(examples[0])
  if (opened.problem) {
    $("intro-text").textContent = opened.problem
    $("intro").hidden = false
    $("intro").classList.add("error")
    $("chips").replaceChildren()
  }
  engine.loaded.then(offline, () => {})
}

/** offline keeps the page for visits without a network: at once what it has loaded, and completion when there is
 * nothing else to do, unless the visitor saves data. */
async function offline() {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return
  navigator.serviceWorker.register("sw.js").catch(() => {}) // it is a convenience
  const {active} = await navigator.serviceWorker.ready
  await rendered
  if (/** @type {any} */ (navigator).connection?.saveData) return
  const idle = window.requestIdleCallback ?? setTimeout
  setTimeout(() => idle(() => active.postMessage({file: assistProgram, integrity: meta("weft-assist")})), 1000)
}

// Tests and curious people look at this.
Object.assign(window, {weftPlayground: {
  editor, output, engine, form, assistant, trail, suggestion,
  state: {
    get files() { return allFiles }, get current() { return currentPath }, get example() { return shownExample },
    get result() { return lastResult }, get problems() { return problemList }, get history() { return lineHistory },
    get work() { return currentWork }, get firstOutput() { return firstOutput },
  },
}})
