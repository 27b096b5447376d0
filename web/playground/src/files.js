// The files of the project, in the order of their tabs, and what to render of them. Only this module changes which
// there are.

import {askName} from "./dialogs.js"
import {$, ask, h} from "./dom.js"
import {isCRLF} from "./editor.js"
import {isUnsaved} from "./local.js"
import {disk, editor, local, status, trail} from "./page.js"
import {markProblems, problemList} from "./problems.js"
import {asked, changed, request} from "./render.js"
import {markResults} from "./results.js"
import {pathProblem} from "./share.js"
import {zip} from "./zip.js"

/** @type {{path: string, data: string, crlf?: boolean, disk?: string, changedOnDisk?: boolean, newer?: string}[]} */
export let allFiles = []
export let currentPath = ""
/** What to render: undefined means what weft.yml says, or all files. @type {string[] | undefined} */
export let chosenInputs
export let chosenEnvironment = ""

/** setFiles replaces all files by those of a project. */
export function setFiles(project) {
  allFiles = project.files.map(f => ({...f, crlf: isCRLF(f.data)}))
  currentPath = ""
  chosenInputs = project.inputs
  chosenEnvironment = project.environment ?? ""
}

export function chooseEnvironment(name) { chosenEnvironment = name }

/** drop removes a file; the last one is replaced by an empty one. */
export function drop(f) {
  allFiles.splice(allFiles.indexOf(f), 1)
  editor.forget(f.path)
  if (!allFiles.length) allFiles.push({path: "app.yml", data: ""})
}

export const file = path => allFiles.find(f => f.path === path)

/** keepText copies what the editor shows to the current file, with the line ends that it had. */
export function keepText() {
  const f = file(currentPath), text = editor.text(currentPath)
  if (f && text !== undefined) f.data = f.crlf ? text.replaceAll("\n", "\r\n") : text
}

export function show(path, focus) {
  if (currentPath !== path || editor.path !== path) {
    currentPath = path
    const f = file(path)
    editor.show(path, f.data)
    if (editor.text(path) !== f.data.replaceAll("\r\n", "\n")) editor.replace(path, f.data.replaceAll("\r\n", "\n"))
  }
  tabs()
  markProblems()
  markResults(false)
  trail.light()
  if (focus) editor.view.focus()
}

export function tabs() {
  const broken = new Set(problemList.filter(p => p.severity === "error").map(p => p.at?.file))
  $("tabs").replaceChildren(...allFiles.map((f, i) => h("button", {
    role: "tab", id: "tab-" + i, "aria-controls": "editor", "aria-selected": String(f.path === currentPath),
    tabindex: f.path === currentPath ? "0" : "-1", title: f.path,
    class: [broken.has(f.path) && "broken", f.changedOnDisk && "stale", local && isUnsaved(f) && "unsaved"].filter(Boolean).join(" "),
    onclick: () => show(f.path), ondblclick: () => rename(),
  }, f.path)))
  fileList()
  const at = allFiles.findIndex(f => f.path === currentPath)
  $("editor").setAttribute("aria-labelledby", "tab-" + at)
  $("tab-" + at)?.scrollIntoView({block: "nearest", inline: "nearest"})
  disk.conflict()
}

/** How many files have tabs. More are in a list, which finds one by its first letters. */
const mostTabs = 12

function fileList() {
  const is = allFiles.length > mostTabs, select = $("files")
  select.hidden = !is
  $("tabs").hidden = is
  if (!is) return
  const names = allFiles.map(f => f.path).sort()
  if ([...select.options].map(o => o.value).join("\n") !== names.join("\n")) {
    select.replaceChildren(...names.map(n => h("option", {value: n}, n)))
  }
  select.value = currentPath
}

export async function add(path, data = "") {
  path ??= await askName("New file", freeName("new.yml"))
  if (!path) return
  put(path, data)
  show(path, true)
  changed(0)
}

/** put adds a file, or replaces its text. */
function put(path, data) {
  const f = file(path)
  if (f) {
    f.data = data
    editor.replace(path, data)
  } else {
    allFiles.push({path, data, crlf: isCRLF(data)})
  }
}

function freeName(name) {
  for (let i = 1; ; i++) {
    const free = i === 1 ? name : name.replace(/(\.\w+)?$/, `-${i}$1`)
    if (!file(free)) return free
  }
}

export async function rename() {
  const f = file(currentPath), to = await askName("Rename " + f.path, f.path)
  if (!to || to === f.path) return
  editor.rename(f.path, to)
  f.path = currentPath = to
  tabs()
  changed(0)
}

export async function remove() {
  const f = file(currentPath)
  if (f.data.trim() && await ask("Remove " + f.path + "?", h("p", {}, "Its contents are lost."), [["ok", "Remove"], ["", "Cancel"]]) !== "ok") return
  const at = allFiles.indexOf(f)
  drop(f)
  currentPath = ""
  show(allFiles[Math.min(at, allFiles.length - 1)].path)
  changed(0)
}

/** upload adds files from the user's disk. */
export async function upload(list) {
  const refused = []
  let last = ""
  for (const f of list) {
    const path = (f.webkitRelativePath || f.name).replaceAll("\\", "/")
    const data = await textOf(f)
    if (data === null || pathProblem(path)) refused.push(path)
    else put(last = path, data)
  }
  if (last) {
    show(last, true)
    changed(0)
  }
  if (!refused.length) return
  const why = "They are not text in UTF-8, larger than 4 MB, or have a path that cannot be used: "
  await ask("Some files were not added", h("p", {}, why + refused.join(", ")), [["", "Close"]])
}

/** textOf reads a file, or returns null if it cannot be shown and saved again as it is. @param {File} f */
async function textOf(f) {
  if (f.size > 4 << 20) return null
  try {
    const text = new TextDecoder("utf-8", {fatal: true}).decode(await f.arrayBuffer())
    return text.includes("\0") ? null : text
  } catch {
    return null // other bytes would become question marks
  }
}

/** apply gives files new texts, as one change of each that can be undone. */
export function apply(files) {
  for (const {path, data} of files) {
    const f = file(path), text = data.replaceAll("\r\n", "\n")
    if (f) f.data = data
    else allFiles.push({path, data, crlf: isCRLF(data)})
    editor.replace(path, text)
  }
  show(files[0].path)
  changed(0)
  status("The files are changed")
}

export function download() {
  const url = URL.createObjectURL(zip(allFiles))
  h("a", {href: url, download: "weft-playground.zip"}).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

export async function format() {
  const path = currentPath
  const answer = await asked("format", {...request(["format"]), file: path})
  if (answer?.formatted === undefined) {
    if (answer) status(answer.diagnostics[0].message)
    return
  }
  editor.replace(path, answer.formatted.replaceAll("\r\n", "\n"))
  status("Formatted " + path)
}
