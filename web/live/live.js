// An example that can be changed and run, with the editor and the engine of the playground. Both are loaded
// when a reader first asks for them.

import {EditorView} from "@codemirror/view"
import {arrows, h} from "../playground/src/dom.js"
import {Editor} from "../playground/src/editor.js"
import {EngineError, isForLater, WorkerEngine} from "../playground/src/engine.js"
import {pageOf} from "../playground/src/codes.js"
import {codeIn} from "../playground/src/paint.js"
import editorStyles from "../playground/editor.css"
import codeStyles from "../site/code.css"

const playground = new URL("../playground/", import.meta.url).href

/** What the second program does, and the first does not: see internal/serve/playground/other.go. */
const later = new Set(["blame", "diff", "explain", "impact", "override", "suggest"])
/** The engines that run, by the file of their program. @type {Map<string, WorkerEngine>} */
const engines = new Map()
/** @type {(text: string) => void} */
let progress = () => {}

/** execute runs weft on files and resolves with its answer, or with null if a later run of the same kind
 * replaced it. All examples of a page share two engines.
 * @param {string} kind @param {string[]} args @param {{path: string, data: string}[]} files
 * @returns {Promise<{screen?: string, failed: boolean, diagnostics?: any[]} | null>} */
export async function execute(kind, args, files) {
  const request = {args, files, want: ["screen"]}
  if (later.has(args[0])) return ask("assist.wasm", kind, request)
  const answer = await ask("weft.wasm", kind, request)
  return isForLater(answer) ? ask("assist.wasm", kind, request) : answer
}

/** ask asks a program, and loads it first.
 * @param {string} program @param {string} kind @param {object} request */
async function ask(program, kind, request) {
  const engine = engines.get(program) ?? new WorkerEngine(text => progress(text), program, "", playground)
  engines.set(program, engine)
  try {
    await engine.loaded
  } catch (err) {
    engines.delete(program) // the next run tries again
    throw err
  }
  return engine.ask(kind, request)
}

/** What a shadow root needs, which sees no styles of the page. The page allows no style elements, which the
 * editor would add to it; in a shadow root, it adds style sheets of objects. */
const styles = new CSSStyleSheet()
styles.replaceSync(codeStyles + editorStyles + `
  * { box-sizing: border-box; }
  .cm-editor { height: auto; max-height: 32rem; }
  .cm-scroller { min-height: 6rem; overflow: auto; }
  @media print { .cm-editor { max-height: none; } }
`)

/** typedOver is for text that is typed over a selection. A browser would give the new text the style of the old
 * one, as an attribute, which the page does not allow either. */
const typedOver = EditorView.domEventHandlers({
  beforeinput(e, view) {
    const {from, to, empty} = view.state.selection.main
    if (e.inputType !== "insertText" || e.isComposing || !e.data || empty || view.state.selection.ranges.length > 1) return false
    const insert = () => view.state.update(view.state.replaceSelection(e.data), {userEvent: "input.type", scrollIntoView: true})
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some(handle => handle(view, from, to, e.data, insert))) view.dispatch(insert())
    return true
  },
})

let count = 0

/** live makes a figure with a command and its output into one that runs. It changes the files.
 * @param {HTMLElement} figure @param {string[]} args @param {{path: string, data: string}[]} files */
export function live(figure, args, files) {
  const id = "live-" + ++count
  const code = figure.querySelector("pre code"), tested = code.textContent, colored = [...code.childNodes]
  const original = files.map(f => f.data)
  const pane = new Pane(id, files, {changed: () => changed(200), run: () => changed(0)})
  const command = h("input", {type: "text", class: "command", spellcheck: "false", "aria-label": "Arguments of weft"})
  command.value = line(args)
  const status = h("span", {class: "status", role: "status"})
  const caption = figure.querySelector("figcaption")
  caption.querySelector("code").hidden = true
  caption.append(h("div", {class: "line"}, h("code", {}, "weft"), command,
    h("button", {type: "button", onclick: () => changed(0)}, "Run"),
    h("button", {type: "button", onclick: () => {
      command.value = line(args)
      pane.replace(original)
      changed(0)
    }}, "Reset"), status))
  caption.after(pane.element)
  figure.classList.add("live")

  let timer = 0
  const changed = delay => {
    clearTimeout(timer)
    timer = setTimeout(run, delay)
  }
  const run = async () => {
    const began = performance.now()
    const say = (state, text) => {
      figure.dataset.state = state
      status.textContent = text
    }
    say("running", "Running…")
    progress = text => say("running", text)
    try {
      const answer = await execute(id, words(command.value), files)
      if (!answer) return
      const text = (answer.screen ?? answer.diagnostics.map(d => d.message).join("\n")).replace(/\n$/, "")
      code.replaceChildren(...text === tested ? colored : text.split("\n").flatMap(linked))
      pane.mark(answer.diagnostics ?? [])
      const what = [text === tested ? "as documented" : "changed", answer.failed && "failed"]
      say("done", [...what, Math.round(performance.now() - began) + " ms"].filter(Boolean).join(" · "))
    } catch (err) {
      if (!(err instanceof EngineError)) throw err
      pane.mark([err.problem])
      say("failed", err.message)
    }
  }
  command.addEventListener("keydown", e => { if (e.key === "Enter") changed(0) })
  command.addEventListener("input", () => changed(600))
  pane.show(first(args, files))
  pane.editor.view.focus()
  changed(0)
}

/** first is the file to show first: the last one that the command names, which most examples are
 * about. */
function first(args, files) {
  const named = args.map(arg => files.findIndex(f => f.path === arg)).filter(i => i >= 0)
  return named.at(-1) ?? 0
}

/** linked is a line of the output, with a link from the code of a message to its page, as documents have it.
 * @param {string} line @param {number} i */
function linked(line, i) {
  const start = i > 0 ? "\n" : "", at = codeIn(line)
  if (!at) return [start + line]
  const [from, to] = at, code = line.slice(from, to)
  return [start + line.slice(0, from), h("a", {href: document.body.dataset.root + pageOf(code)}, code), line.slice(to)]
}

/** Pane is an editor with a tab for each file. */
class Pane {
  /** @param {string} id @param {{path: string, data: string}[]} files
   * @param {{changed: () => void, run: () => void}} on */
  constructor(id, files, on) {
    this.files = files
    this.problems = []
    const host = h("div", {id, role: "tabpanel"})
    const root = host.attachShadow({mode: "open"})
    root.adoptedStyleSheets = [styles]
    this.tabs = files.map((f, i) => h("button", {
      type: "button", role: "tab", id: `${id}-${i}`, "aria-controls": id, onclick: () => this.show(i),
    }, f.path))
    const list = h("div", {class: "tabs", role: "tablist", "aria-label": "Files"}, this.tabs)
    arrows(list)
    this.host = host
    this.element = h("div", {class: "editor"}, list, host)
    this.editor = new Editor(root, {
      docs: document.body.dataset.root,
      extensions: () => [typedOver], moved: () => {}, run: on.run, save: on.run, problem: () => this.editor.next(),
      changed: () => {
        const f = files.find(f => f.path === this.editor.path)
        f.data = this.editor.text(f.path)
        on.changed()
      },
    })
  }

  show(at) {
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at))
      tab.tabIndex = i === at ? 0 : -1
    })
    this.host.setAttribute("aria-labelledby", this.tabs[at].id)
    this.editor.show(this.files[at].path, this.files[at].data)
    this.mark(this.problems)
  }

  /** replace gives all files other texts. */
  replace(texts) {
    this.files.forEach((f, i) => {
      f.data = texts[i]
      this.editor.replace(f.path, texts[i])
    })
  }

  /** mark shows the problems of the current file. */
  mark(problems) {
    this.problems = problems
    this.editor.mark(problems.filter(p => p.at?.file === this.editor.path && p.at.line).map(p => ({...p, fix: null})), () => {})
  }
}

/** words splits a command line at spaces, except within quotes. */
function words(line) {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(m => m[0].replace(/"([^"]*)"|'([^']*)'/g, "$1$2"))
}

/** line is a command line that words splits again. */
function line(args) {
  return args.map(arg => /[\s"']/.test(arg) ? (arg.includes("'") ? `"${arg}"` : `'${arg}'`) : arg).join(" ")
}
