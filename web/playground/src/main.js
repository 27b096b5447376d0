// The page: files on the left, what weft makes of them on the right.

import {Assistant} from "./assist.js"
import {$, arrows, ask, h, meta, plural} from "./dom.js"
import {Editor, isCRLF} from "./editor.js"
import {EngineError, LocalEngine, WorkerEngine} from "./engine.js"
import {Form} from "./form.js"
import {isUnsaved, LocalFiles} from "./local.js"
import {Output} from "./output.js"
import {decode, encode, longLink, pathProblem} from "./share.js"
import {Suggestion} from "./suggest.js"
import {startTour} from "./tour.js"
import {Trail} from "./trail.js"
import {cards, History} from "./why.js"
import {ago, find, forgetAll, keep, recent} from "./work.js"
import {zip} from "./zip.js"

const local = meta("weft-engine") === "local"

/** What is shown. Files are in the order of their tabs. */
const state = {
  files: [], current: "", inputs: undefined, environment: "", part: "",
  pinned: null, example: "", revision: 0, result: null, problems: [], history: null,
  work: null, before: null, // what is kept of this project, and the one that was edited before it
}
let examples = []

// ---- the parts of the page

const assistant = new Assistant({
  engine: assistEngine, request: want => request(want), file: () => state.current, say: text => status(text),
})
const editor = new Editor($("editor"), {
  extensions: () => assistant.extensions(),
  changed: () => { keepText(); changed() },
  moved: () => markMade(false),
  run: () => render(),
  save: () => local ? disk.save() : share(),
  problem: () => nextProblem(),
})
const output = new Output($("output"), {
  chosen: line => { if (output.view.hasFocus && !suggestion.on) trail.choose(line) },
  pointed: line => trail.point(suggestion.on ? 0 : line),
  entered: line => { const at = state.history?.target(line); if (at) jump(at) },
  tip: line => {
    const about = suggestion.on ? null : state.history?.describe(line, jump)
    return about && h("div", {class: "tip"}, about)
  },
})
const trail = new Trail({
  history: () => state.history, current: () => state.current, show: path => { if (file(path)) show(path) }, jump,
  light: (lines, now) => { if (editor.path) editor.light(lines, now) },
  files: names => { for (const tab of $("tabs").children) tab.classList.toggle("source", names.has(tab.title)) },
})
const suggestion = new Suggestion({
  output, apply, ended: () => { if (state.result && !state.result.failed) parts(state.result); histories() },
  ask: edited => asked("suggest", {...request(["suggest"]), edited}),
  problem: () => !state.result || state.result.failed ? "The output can be edited when there are no errors"
    : state.result.truncated ? "The output is too long to be edited"
      : $("kind").value !== "" || state.part !== "" ? "Only documents as YAML can be edited" : "",
})
const form = new Form($("form"), $("values-count"), () => changed())

/** @type {any} */
const engine = local ? new LocalEngine(token()) : new WorkerEngine(text => status(text))
// Tests and curious people look at this.
Object.assign(window, {weftPlayground: {state, editor, output, engine, form, assistant, trail, suggestion}})

const disk = new LocalFiles({engine, state, editor, file: path => file(path), open, show, changed, tabs, remember, remembered, status})

/** assistEngine is the engine of the assistant. Nothing of it is loaded before the first output. */
async function assistEngine() {
  if (local) return new LocalEngine(engine.token, "assist")
  await rendered
  const made = new WorkerEngine(() => {}, "assist.wasm", meta("weft-assist"))
  await made.loaded
  return made
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

// ---- files

const file = path => state.files.find(f => f.path === path)

/** keepText copies what the editor shows to the current file, with the line ends that it had. */
function keepText() {
  const f = file(state.current), text = editor.text(state.current)
  if (f && text !== undefined) f.data = f.crlf ? text.replaceAll("\n", "\r\n") : text
}

/** open shows a project. What was typed into the last one is kept. */
function open(project) {
  firstPaintEnds()
  state.before = keepWork() ?? (project.work === state.before?.id ? null : state.before)
  if (suggestion.on) suggestion.toggle()
  trail.choose(0)
  editor.clear()
  state.files = project.files.map(f => ({...f, crlf: isCRLF(f.data)}))
  state.environment = project.environment ?? ""
  state.inputs = project.inputs
  state.example = project.id ?? ""
  state.history = null
  state.result = null
  $("kind").value = project.format ?? ""
  form.flags = project.values ?? []
  // On a phone, the form would hide the files.
  $("values").open = project.values?.length > 0 ||
    matchMedia("(min-width: 50rem)").matches && state.files.some(f => f.data.includes("#@data/values-schema"))
  show(file(project.open)?.path ?? state.files[0].path)
  if (project.output !== undefined) output.set(project.output)
  state.work = {
    id: project.work ?? crypto.randomUUID(), title: project.title || titleOf(state.files), opened: project.opened ?? snapshot(),
  }
  if (!local) history.replaceState({work: state.work.id}, "")
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

const titleOf = files => files[0].path + (files.length > 1 ? ` and ${plural(files.length - 1, "more file")}` : "")

/** snapshot is all that a person may have changed, as one text. */
const snapshot = () => JSON.stringify({
  files: state.files.map(({path, data}) => ({path, data})), inputs: state.inputs, environment: state.environment,
  values: form.flags, format: $("kind").value,
})

let keeping
/** keepWork keeps what was edited, and returns it; null if nothing was. */
function keepWork() {
  clearTimeout(keeping)
  if (local || !state.work) return null
  const text = snapshot()
  if (text === state.work.opened) return null
  const work = {
    id: state.work.id, title: state.work.title, when: Date.now(), opened: state.work.opened,
    project: {...JSON.parse(text), open: state.current},
  }
  if (text !== state.work.kept) {
    state.work.kept = text
    keep(work)
  }
  return work
}

/** openWork shows what was kept. */
const openWork = w => open({...w.project, work: w.id, title: w.title, opened: w.opened, intro: ""})

function show(path, focus) {
  if (state.current !== path || editor.path !== path) {
    state.current = path
    const f = file(path)
    editor.show(path, f.data)
    if (editor.text(path) !== f.data.replaceAll("\r\n", "\n")) editor.replace(path, f.data.replaceAll("\r\n", "\n"))
  }
  tabs()
  markProblems()
  markMade(false)
  trail.light()
  if (focus) editor.view.focus()
}

function tabs() {
  const broken = new Set(state.problems.filter(p => p.severity === "error").map(p => p.at?.file))
  $("tabs").replaceChildren(...state.files.map((f, i) => h("button", {
    role: "tab", id: "tab-" + i, "aria-controls": "editor", "aria-selected": String(f.path === state.current),
    tabindex: f.path === state.current ? "0" : "-1", title: f.path,
    class: [broken.has(f.path) && "broken", f.changedOnDisk && "stale", local && isUnsaved(f) && "unsaved"].filter(Boolean).join(" "),
    onclick: () => show(f.path), ondblclick: () => rename(),
  }, f.path)))
  fileList()
  const at = state.files.findIndex(f => f.path === state.current)
  $("editor").setAttribute("aria-labelledby", "tab-" + at)
  $("tab-" + at)?.scrollIntoView({block: "nearest", inline: "nearest"})
  disk.conflict()
}

/** How many files have tabs. More are in a list, which finds one by its first letters. */
const mostTabs = 12

function fileList() {
  const is = state.files.length > mostTabs, select = $("files")
  select.hidden = !is
  $("tabs").hidden = is
  if (!is) return
  const names = state.files.map(f => f.path).sort()
  if ([...select.options].map(o => o.value).join("\n") !== names.join("\n")) {
    select.replaceChildren(...names.map(n => h("option", {value: n}, n)))
  }
  select.value = state.current
}

async function add(path, data = "") {
  path ??= await askName("New file", freeName("new.yml"))
  if (!path) return
  if (file(path)) {
    file(path).data = data
    editor.replace(path, data)
  } else {
    state.files.push({path, data, crlf: isCRLF(data)})
  }
  show(path, true)
  changed(0)
}

function freeName(name) {
  for (let i = 1; ; i++) {
    const free = i === 1 ? name : name.replace(/(\.\w+)?$/, `-${i}$1`)
    if (!file(free)) return free
  }
}

async function rename() {
  const f = file(state.current), to = await askName("Rename " + f.path, f.path)
  if (!to || to === f.path) return
  editor.rename(f.path, to)
  f.path = state.current = to
  tabs()
  changed(0)
}

/** askName asks for a path until it is one, or the dialog is closed. */
async function askName(title, name) {
  const input = h("input", {id: "name", type: "text", value: name, autocomplete: "off", spellcheck: "false", "aria-describedby": "name-problem"})
  const problem = h("p", {id: "name-problem", class: "error", role: "alert"})
  const check = () => {
    const path = input.value.trim()
    const bad = pathProblem(path) || (path !== state.current && file(path) ? "there is such a file already" : "")
    input.setCustomValidity(bad)
    problem.textContent = bad
  }
  input.addEventListener("input", check)
  const body = [h("label", {for: "name"}, "Path, such as config/app.yml"), input, problem]
  const answer = await ask(title, body, [["ok", "OK"], ["", "Cancel"]], () => {
    input.focus()
    input.setSelectionRange(name.lastIndexOf("/") + 1, Math.max(name.lastIndexOf("."), 0))
  })
  const path = input.value.trim()
  return answer === "ok" && !pathProblem(path) ? path : ""
}

async function remove() {
  const f = file(state.current)
  if (f.data.trim() && await ask("Remove " + f.path + "?", h("p", {}, "Its contents are lost."), [["ok", "Remove"], ["", "Cancel"]]) !== "ok") return
  const at = state.files.indexOf(f)
  state.files.splice(at, 1)
  editor.forget(f.path)
  if (!state.files.length) state.files.push({path: "app.yml", data: ""})
  state.current = ""
  show(state.files[Math.min(at, state.files.length - 1)].path)
  changed(0)
}

/** upload adds files from the user's disk. */
async function upload(list) {
  const refused = []
  for (const f of list) {
    const path = (f.webkitRelativePath || f.name).replaceAll("\\", "/")
    const data = f.size <= 4 << 20 ? await f.text() : null
    if (data === null || data.includes("\0") || pathProblem(path)) refused.push(path)
    else await add(path, data)
  }
  if (!refused.length) return
  const why = "They are not text, larger than 4 MB, or have a path that cannot be used: "
  await ask("Some files were not added", h("p", {}, why + refused.join(", ")), [["", "Close"]])
}

/** apply gives files new texts, as one change of each that can be undone. */
function apply(files) {
  for (const {path, data} of files) {
    const f = file(path), text = data.replaceAll("\r\n", "\n")
    if (f) f.data = data
    else state.files.push({path, data, crlf: isCRLF(data)})
    editor.replace(path, text)
  }
  show(files[0].path)
  changed(0)
  status("The files are changed")
}

function download() {
  const url = URL.createObjectURL(zip(state.files))
  h("a", {href: url, download: "weft-playground.zip"}).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

async function format() {
  const path = state.current
  const answer = await asked("format", {...request(["format"]), file: path})
  if (answer?.formatted === undefined) {
    if (answer) status(answer.diagnostics[0].message)
    return
  }
  editor.replace(path, answer.formatted.replaceAll("\r\n", "\n"))
  status("Formatted " + path)
}

// ---- rendering

let timer, firstRendered
/** rendered is when there is a first result. */
const rendered = new Promise(resolve => { firstRendered = resolve })
/** changed renders soon. */
function changed(delay = 60) {
  state.revision++
  if (local) tabs()
  remember()
  clearTimeout(keeping)
  keeping = setTimeout(keepWork, 300)
  clearTimeout(timer)
  timer = setTimeout(render, delay)
}

function request(want) {
  return {
    files: state.files.map(({path, data}) => ({path, data})), inputs: state.inputs,
    environment: state.environment, values: form.flags, format: $("kind").value, want,
  }
}

/** What the program answers that is loaded when it is first needed, together with completion. */
const later = ["more", "format", "suggest"]

/** asked asks the engine; what goes wrong with the engine itself is shown. Without details, the output
 * is still right. */
async function asked(kind, what) {
  try {
    return await (later.includes(kind) && !local ? await assistant.load() : engine).ask(kind, what)
  } catch (err) {
    if (!(err instanceof EngineError)) throw err
    if (kind !== "render") {
      status((kind === "details" ? "No details: " : "") + err.message)
      return null
    }
    problems([{severity: "error", message: err.message, at: {}}])
    stale(true)
    status(err.message)
    return null
  }
}

async function render() {
  clearTimeout(timer)
  const revision = state.revision
  const began = performance.now()
  const result = await asked("render", request(["output", "form"]))
  if (!result) return
  state.result = result
  state.firstOutput ??= performance.now()
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
  if (revision === state.revision) {
    timer = setTimeout(() => details(result.failed), took > 300 ? 600 : 120)
  }
}

/** details asks for what takes longer: where lines come from, and what overlays did. */
async function details(failed) {
  const revision = state.revision
  const answer = await asked("details", request(failed ? ["explain"] : ["explain", "blame"]))
  if (!answer || revision !== state.revision) return
  assistant.prepare(editor.view.state)
  $("panel-why").replaceChildren(...cards(answer.explain, jump))
  if (failed) return
  state.blame = answer.blame
  histories()
  more()
}

/** more asks for the comparison with the pinned output, and for suggestions, if the program for that is
 * loaded. */
async function more() {
  const revision = state.revision
  const want = [...state.pinned !== null ? ["diff"] : [], ...local || assistant.engine ? ["lint"] : []]
  if (!want.length) return
  const answer = await asked("more", {...request(want), pinned: state.pinned ?? undefined})
  if (!answer || revision !== state.revision) return
  if (want.includes("lint") && !answer.failed) problems(merged(state.result.diagnostics ?? [], answer.diagnostics ?? []))
  showDiff(answer.diff)
}

/** merged is two lists of problems without duplicates. */
function merged(list, others) {
  const key = p => JSON.stringify([p.at, p.code, p.message])
  const known = new Set(list.map(key))
  return [...list, ...others.filter(p => !known.has(key(p)))]
}

function histories() {
  const shown = $("kind").value === "" && !suggestion.on && state.blame
  state.history = shown ? new History(state.blame, state.part) : null
  // Histories are of canonical lines. Where the output keeps more, such as comments, they may differ.
  const text = output.text.split("\n")
  const same = (l, i) => l.text === text[i] || l.text.includes("‹secret›")
  if (state.history && !state.history.lines.every(same)) state.history = null
  output.stripe(state.history?.kinds() ?? [])
  trail.choose(trail.line)
  markMade(false)
}

/** parts shows the documents, or one of the texts. */
function parts(result) {
  const texts = result.texts ?? []
  const names = [...result.output || !texts.length ? [""] : [], ...texts.map(t => t.path)]
  if (!names.includes(state.part)) state.part = names[0]
  const select = $("part")
  select.hidden = names.length < 2
  const same = [...select.options].map(o => o.value).join("\n") === names.join("\n")
  if (!same) select.replaceChildren(...names.map(n => h("option", {value: n}, n || "Documents")))
  select.value = state.part
  const text = state.part === "" ? result.output ?? "" : texts.find(t => t.path === state.part).data
  if (suggestion.on) return suggestion.source(text)
  output.set(text)
  $("nothing").hidden = output.text !== ""
}

function environments(result) {
  $("env-label").hidden = !result.environments?.length
  const names = result.environments ?? []
  const select = $("env")
  if ([...select.options].map(o => o.value).join("\n") !== names.join("\n")) {
    select.replaceChildren(...names.map(n => h("option", {value: n}, n)))
  }
  select.value = result.environment ?? ""
}

function stale(is) {
  $("stale").hidden = !is || output.text === ""
  $("right").classList.toggle("stale", is)
}

function status(text) {
  if ($("status").textContent !== text) $("status").textContent = text
}

// ---- problems

function problems(list) {
  state.problems = list
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

function showProblems(is) {
  $("problems").hidden = !is
  $("problems-button").setAttribute("aria-expanded", String(is))
}

function problem(p) {
  const at = p.at?.line ? h("button", {type: "button", class: "ref", onclick: () => jump(p.at)}, `${p.at.file}:${p.at.line}:${p.at.column}`) : null
  return h("div", {class: "problem " + p.severity},
    h("span", {class: "sign"}, {error: "Error", warning: "Warning"}[p.severity] ?? "Suggestion"), " ", at, " ",
    h("span", {class: "message"}, p.message), p.code && h("small", {}, " [", aboutCode(p.code), "]"),
    p.hint && h("p", {}, "hint: " + p.hint),
    (p.related ?? []).map(r => h("p", {}, r.message, " ", r.at?.line && h("button", {type: "button", class: "ref", onclick: () => jump(r.at)}, `${r.at.file}:${r.at.line}`))),
    p.fix && h("p", {}, h("button", {type: "button", class: "fix", onclick: () => fix(p)}, "Fix: " + p.fix.title)))
}

/** aboutCode is a code, with a link to its page where the playground is part of the site. */
function aboutCode(code) {
  const content = meta("weft-docs")
  return content ? h("a", {href: `${content}reference/codes/${code}.html`, target: "_blank", rel: "noopener"}, code) : code
}

function markProblems() {
  if (!editor.path) return
  editor.mark(state.problems.filter(p => p.at?.file === state.current && p.at.line), fix)
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
function nextProblem() {
  const list = state.problems.filter(p => p.at?.line && file(p.at.file))
  if (!list.length) return status("There are no problems")
  problemAt = (problemAt + 1) % list.length
  jump(list[problemAt].at)
  status(list[problemAt].message)
}

// ---- jumps between output and input

function jump(at) {
  if (!file(at.file)) return
  side("in")
  show(at.file)
  editor.go(at.line, at.column)
}

/** markMade marks the lines of the output that the current line of the input took part in. */
function markMade(scroll) {
  const lines = state.history && editor.path ? state.history.made(state.current, editor.line) : []
  output.mark(lines, scroll)
  return lines
}

function toOutput() {
  const lines = markMade(true)
  if (!lines.length) return status("No line of the output comes from here")
  side("out")
  view("output")
  output.go(lines[0])
}

// ---- tabs of the results

function view(name) {
  for (const v of ["output", "why", "diff"]) {
    $("view-" + v).setAttribute("aria-selected", String(v === name))
    $("view-" + v).tabIndex = v === name ? 0 : -1
    $("panel-" + v).hidden = v !== name
  }
}

/** side chooses a pane on phones. */
function side(which) {
  document.body.dataset.side = which
  $("side-in").setAttribute("aria-pressed", String(which === "in"))
  $("side-out").setAttribute("aria-pressed", String(which === "out"))
}

function pinned(text) {
  state.pinned = text
  $("pin").textContent = text === null ? "Pin" : "Unpin"
  $("pin").setAttribute("aria-pressed", String(text !== null))
  showDiff(undefined)
}

function pin() {
  if (state.pinned !== null) {
    pinned(null)
    status("The output is no longer pinned")
    return
  }
  if ($("kind").value !== "" || state.part !== "" || !state.result || state.result.failed) {
    status("Only documents as YAML can be pinned")
    return
  }
  pinned(output.text)
  status("Pinned: Diff shows what changes from now on")
  more()
}

function showDiff(diff) {
  const panel = $("panel-diff")
  if (state.pinned === null) {
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

// ---- sharing

async function share() {
  const fragment = await encode({files: state.files, environment: state.environment, values: form.flags, format: $("kind").value})
  const link = location.origin === "null" || local ? "" : location.href.replace(/[?#].*/, "") + "#" + fragment
  const input = h("input", {id: "link", type: "text", readonly: true, value: link, "aria-label": "Link", onfocus: e => e.target.select()})
  const frame = h("input", {id: "frame", type: "text", readonly: true, onfocus: e => e.target.select(),
    value: `<iframe src="${link.replace("#", "?embed#")}" width="100%" height="480" title="weft playground"></iframe>`})
  const long = link.length > longLink
  history.replaceState(history.state, "", "#" + fragment)
  const answer = await ask("Share", [
    h("p", {}, "The link has all files in it. They stay in the part behind the #, which browsers never send to a server."),
    input,
    h("label", {for: "frame"}, "To show it in a page of yours:"), frame,
    long && h("p", {class: "warning"}, `The link has ${link.length} characters. Some programs cut links above ${longLink}: a zip may be better.`),
  ].filter(Boolean), [["copy", "Copy the link"], ["zip", "Download as zip"], ["", "Close"]])
  if (answer === "zip") download()
  if (answer === "copy") status(await copy(link) ? "The link is copied" : "The link is in the address bar")
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** openLink shows what the address says, and reports whether it says anything.
 * @returns {Promise<any>} */
async function openLink() {
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
function remember() {
  const data = local
    ? {unsaved: state.files.filter(isUnsaved).map(({path, data, disk}) => ({path, data, disk}))}
    : {project: snapshot(), open: state.current, work: state.work?.id, title: state.work?.title, opened: state.work?.opened, hash: location.hash}
  try {
    const text = JSON.stringify(data)
    if (text.length < 4 << 20) sessionStorage.setItem("weft-work", text)
  } catch { /* it is full, or not allowed */ }
}

function remembered() {
  try {
    const data = JSON.parse(sessionStorage.getItem("weft-work"))
    if (local) return data
    return data?.project && data.hash === location.hash ? {...data, ...JSON.parse(data.project), intro: ""} : null
  } catch {
    return null
  }
}

// ---- introduction, examples and tour

function intro(project) {
  const text = project.intro ?? project.text
  $("intro").hidden = !text
  $("intro-text").replaceChildren(...code(text ?? ""))
  $("chips").replaceChildren(...project.id === "quickstart" ? chips() : [], ...state.before ? [back(state.before)] : [])
  if (state.before) $("intro").hidden = false
}

const chip = (text, run) => h("button", {type: "button", class: "chip", onclick: run}, text)

/** back leads to what was edited before. */
const back = work => chip("Back to your edits of " + work.title, () => {
  history.pushState(null, "", location.pathname + location.search)
  openWork(work)
})

/** code is a text whose parts in backquotes are code. */
const code = text => text.split("`").map((part, i) => i % 2 ? h("code", {}, part) : part)

function chips() {
  const edit = (path, from, to) => {
    show(path)
    editor.replace(path, editor.text(path).replace(from, to))
  }
  return [
    chip("Break it", () => {
      edit("app.yml", "data.values.replicas", "data.values.replica")
      side("in")
    }),
    chip("Override it", () => {
      if (!file("production.yml")) {
        if (state.result && !state.result.failed) pinned(output.text)
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
      view("output")
      side("out")
      const at = output.text.split("\n").findIndex(l => l.includes("replicas:"))
      if (at >= 0) output.go(at + 1)
    }),
  ]
}

async function chooseExample() {
  const groups = Map.groupBy ? Map.groupBy(examples, x => x.group) : group(examples)
  const kept = await recent()
  const entry = (answer, title, text) => h("li", {}, h("button", {type: "button", onclick: () => $("dialog").close(answer)}, h("b", {}, title), h("span", {}, text)))
  const body = h("div", {class: "gallery"},
    kept.length > 0 && h("section", {id: "recent"}, h("h3", {}, "Recent"),
      h("ul", {}, kept.map(w => entry("work:" + w.id, w.title, "Edited " + ago(w.when)))),
      h("button", {type: "button", class: "quiet", onclick: () => $("dialog").close("forget")}, "Forget these")),
    [...groups].map(([name, list]) => h("section", {}, h("h3", {}, name),
      h("ul", {}, list.map(x => entry("example:" + x.id, x.title, x.text.replaceAll("`", "")))))))
  const answer = await ask("Examples", body, [["", "Close"]])
  const example = examples.find(x => "example:" + x.id === answer)
  const work = kept.find(w => "work:" + w.id === answer)
  if (answer === "forget") {
    state.before = null
    await forgetAll()
    status("The recent projects are forgotten")
  } else if (example || work) {
    keepWork()
    history.pushState(null, "", example ? "#example=" + example.id : location.pathname + location.search)
    if (example) open(example)
    else openWork(work)
    editor.view.focus()
  }
}

function group(list) {
  const groups = new Map()
  for (const x of list) groups.set(x.group, [...groups.get(x.group) ?? [], x])
  return groups
}

function theme(next) {
  const themes = ["", "light", "dark"]
  let now = ""
  try {
    now = localStorage.getItem("weft-theme") ?? ""
    if (next) {
      now = themes[(themes.indexOf(now) + 1) % 3]
      localStorage.setItem("weft-theme", now)
    }
  } catch { /* then it is as the system says */ }
  document.documentElement.dataset.theme = now
  $("theme-button").textContent = {"": "◐", light: "☀", dark: "☾"}[now] ?? "◐"
  $("theme-button").setAttribute("aria-label", "Colors: " + (now || "as the system"))
}

// ---- wiring

function closeMenu() { $("menu").open = false }
const clicks = {
  "examples-button": chooseExample, "tour-button": () => startTour({view, examples, open, close: () => editor.view.focus()}),
  "share-button": share, "theme-button": () => theme(true), "intro-close": () => { $("intro").hidden = true },
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
$("env").addEventListener("change", () => { state.environment = $("env").value; changed(0) })
$("kind").addEventListener("change", () => changed(0))
$("part").addEventListener("change", () => {
  state.part = $("part").value
  if (state.result && !state.result.failed) parts(state.result)
  histories()
})
document.addEventListener("dragover", e => e.preventDefault())
document.addEventListener("drop", e => {
  e.preventDefault()
  upload([...e.dataTransfer.files])
})
document.addEventListener("keydown", e => {
  if (e.key === "F8") { e.preventDefault(); nextProblem() }
  if (e.key === "Escape") closeMenu()
  if ((e.ctrlKey || e.metaKey) && e.key === "s") { e.preventDefault(); if (!$("dialog").open) local ? disk.save() : share() }
  if (e.altKey && e.key === "Enter" && editor.view.hasFocus) { e.preventDefault(); toOutput() }
}, true)
window.addEventListener("popstate", async e => {
  const kept = e.state?.work && (keepWork(), await find(e.state.work))
  if (kept) return openWork(kept)
  const opened = await openLink()
  if (opened === false && !local) open(examples[0])
  if (opened.problem) status(opened.problem)
})
window.onbeforeunload = e => { if (local && state.files.some(isUnsaved)) e.preventDefault() }
document.addEventListener("visibilitychange", () => { if (document.hidden) keepWork() })
window.addEventListener("pagehide", keepWork)
grip()
theme(false)
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
      examples = []
      $("examples-button").hidden = $("tour-button").hidden = true
      await disk.open()
    } catch (err) {
      status(err.message)
      problems([{severity: "error", message: err.message, at: {}}])
    }
    return
  }
  try {
    if (location.protocol !== "file:") examples = await (await fetch("examples.json")).json()
  } catch { /* there is one of ours */ }
  if (!examples.length) {
    examples = [{id: "quickstart", title: "Quick start", group: "Start", text: "The examples could not be loaded.", files: [{path: "app.yml", data: "hello: world\n"}]}]
  }
  const work = remembered()
  if (!work) state.before = (await recent())[0] ?? null
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

/** offline keeps the page for visits without a network. */
function offline() {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return
  navigator.serviceWorker.register("sw.js").catch(() => {}) // it is a convenience
}
