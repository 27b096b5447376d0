// Projects: which one is open, what is kept of the ones that were edited, and what links and examples contain.

import {$, code, h, plural} from "./dom.js"
import {add, allFiles, chosenEnvironment, chosenInputs, currentPath, file, setFiles, show} from "./files.js"
import {isUnsaved} from "./local.js"
import {editor, form, local, output, suggestion, trail} from "./page.js"
import {changed} from "./render.js"
import {pinned, setResult, side, view} from "./results.js"
import {decode} from "./share.js"
import {keep} from "./work.js"

/** @type {any[]} */
export let examples = []
export let shownExample = ""
/** What is kept of this project, and the one that was edited before it. @type {any} */
export let currentWork = null
/** @type {any} */
let workBefore = null

/** loadExamples loads the gallery. */
export async function loadExamples() {
  try {
    if (location.protocol !== "file:") examples = await (await fetch("examples.json")).json()
  } catch { /* there is one of ours */ }
  if (!examples.length) {
    examples = [{id: "quickstart", title: "Quick start", group: "Start", text: "The examples could not be loaded.", files: [{path: "app.yml", data: "hello: world\n"}]}]
  }
}

/** offerWork offers the way back to what was edited before, or no longer. */
export function offerWork(work) { workBefore = work ?? null }

/** open shows a project. What was typed into the last one is kept. */
export function open(project) {
  firstPaintEnds()
  workBefore = keepWork() ?? (project.work === workBefore?.id ? null : workBefore)
  if (suggestion.on) suggestion.toggle()
  trail.choose(0)
  editor.open(project.work, currentWork?.id)
  setFiles(project)
  shownExample = project.id ?? ""
  setResult(null)
  $("kind").value = project.format ?? ""
  form.flags = project.values ?? []
  // On a phone, the form would hide the files.
  $("values").open = project.values?.length > 0 ||
    matchMedia("(min-width: 50rem), (min-width: 40rem) and (min-height: 55rem)").matches && allFiles.some(f => f.data.includes("#@data/values-schema"))
  show(file(project.open)?.path ?? allFiles[0].path)
  if (project.output !== undefined) output.set(project.output)
  currentWork = {
    id: project.work ?? randomID(), title: project.title || titleOf(allFiles), opened: project.opened ?? snapshot(),
  }
  if (!local) {
    history.replaceState({work: currentWork.id}, "")
    own(currentWork)
  }
  $("whole").href = "index.html" + location.hash
  pinned(null)
  intro(project)
  changed(0)
}

/** firstPaintEnds removes what the page contains for the time before there are scripts. */
function firstPaintEnds() {
  document.documentElement.classList.remove("other")
  $("values").classList.remove("first-values")
  for (const e of document.querySelectorAll(".first")) e.remove()
}

/** randomID names a project. crypto.randomUUID is only there with HTTPS. */
const randomID = () => crypto.getRandomValues(new Uint32Array(4)).join("-")

const titleOf = files => files[0].path + (files.length > 1 ? ` and ${plural(files.length - 1, "more file")}` : "")

/** snapshot is all that a person may have changed, as one text. */
const snapshot = () => JSON.stringify({
  files: allFiles.map(({path, data}) => ({path, data})), inputs: chosenInputs, environment: chosenEnvironment,
  values: form.flags, format: $("kind").value,
})

let release = () => {}

/** own makes this the only tab that keeps edits under the name of a project. A tab that was duplicated, or that
 * opens what another one has open, gets a name of its own, so that neither overwrites the edits of the other.
 * The wait is for the page before a reload, which may end after this one begins. */
function own(work) {
  release()
  navigator.locks?.request("weft-" + work.id, {signal: AbortSignal.timeout(1000)},
    () => new Promise(done => { release = () => done(null) }))
    .catch(() => {
      Object.assign(work, {id: randomID(), kept: undefined})
      if (work !== currentWork) return
      history.replaceState({work: work.id}, "")
      remember()
      keepSoon()
    })
}

let keeping

/** keepSoon keeps what was edited, after a pause. */
export function keepSoon() {
  clearTimeout(keeping)
  keeping = setTimeout(keepWork, 300)
}

/** keepWork keeps what was edited, and returns it; null if nothing was. */
export function keepWork() {
  clearTimeout(keeping)
  if (local || !currentWork) return null
  const text = snapshot()
  if (text === currentWork.opened) return null
  const work = {
    id: currentWork.id, title: currentWork.title, when: Date.now(), opened: currentWork.opened,
    project: {...JSON.parse(text), open: currentPath},
  }
  if (text !== currentWork.kept) {
    currentWork.kept = text
    keep(work)
  }
  return work
}

/** openWork shows what was kept. */
export const openWork = w => open({...w.project, work: w.id, title: w.title, opened: w.opened, intro: ""})

/** openLink shows what the address says, and reports whether it says anything.
 * @returns {Promise<any>} */
export async function openLink() {
  const fragment = location.hash.slice(1)
  if (fragment === "" || fragment === "editor") return false
  const example = examples.find(x => "example=" + x.id === fragment)
  if (example) {
    open(example)
    return true
  }
  try {
    open({...await decode(fragment), intro: "These files come from a link."})
    return true
  } catch (err) {
    return {problem: "This link cannot be opened: " + err.message + "."}
  }
}

/** remember keeps the files for a reload of this tab: of a project on disk those that are not saved. */
export function remember() {
  const data = local
    ? {unsaved: allFiles.filter(isUnsaved).map(({path, data, disk}) => ({path, data, disk}))}
    : {project: snapshot(), open: currentPath, work: currentWork?.id, title: currentWork?.title, opened: currentWork?.opened, hash: location.hash}
  try {
    const text = JSON.stringify(data)
    if (text.length < 4 << 20) sessionStorage.setItem("weft-work", text)
  } catch { /* it is full, or not allowed */ }
}

export function remembered() {
  try {
    const data = JSON.parse(sessionStorage.getItem("weft-work"))
    if (local) return data
    return data?.project && data.hash === location.hash ? {...data, ...JSON.parse(data.project), intro: ""} : null
  } catch {
    return null
  }
}

function intro(project) {
  const text = project.intro ?? project.text
  $("intro").hidden = !text
  $("intro-text").replaceChildren(...code(text ?? ""))
  $("chips").replaceChildren(...project.id === "quickstart" ? chips() : [], ...workBefore ? [back(workBefore)] : [])
  if (workBefore) $("intro").hidden = false
}

const chip = (text, run) => h("button", {type: "button", class: "chip", onclick: run}, text)

/** back leads to what was edited before. */
const back = work => chip("Back to your edits of " + work.title, () => {
  history.pushState(null, "", location.pathname + location.search)
  openWork(work)
})

function chips() {
  const edit = (path, from, to) => {
    show(path)
    editor.replace(path, editor.text(path).replace(from, to))
  }
  // What was broken is whole again for what the others show.
  const mend = () => {
    if (/\.replica\n/.test(file("app.yml")?.data)) edit("app.yml", ".replica\n", ".replicas\n")
  }
  return [
    chip("Break it", () => {
      edit("app.yml", "data.values.replicas", "data.values.replica")
      side("in")
    }),
    chip("Override it", () => {
      mend()
      if (!file("production.yml")) {
        if (output.text !== "") pinned(output.text)
        add("production.yml", `#@ load("@ytt:overlay", "overlay")

#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
metadata:
  labels:
    #@overlay/match missing_ok=True
    stage: production
spec:
  replicas: 5
`)
      }
      view("diff")
      side("out")
    }),
    chip("Explain it", () => {
      mend()
      view("output")
      side("out")
      const at = output.text.split("\n").findIndex(l => l.includes("replicas:"))
      if (at >= 0) output.go(at + 1)
    }),
  ]
}
