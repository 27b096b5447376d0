// The editor of the files. One view shows one file at a time; each file keeps its own state, with
// its own undo history. So do the files of the last few projects.

import {closeBrackets, closeBracketsKeymap} from "@codemirror/autocomplete"
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands"
import {bracketMatching, indentUnit} from "@codemirror/language"
import {lintGutter, nextDiagnostic, setDiagnostics} from "@codemirror/lint"
import {highlightSelectionMatches, searchKeymap} from "@codemirror/search"
import {Compartment, EditorSelection, EditorState, RangeSet, StateEffect, StateField} from "@codemirror/state"
import {Decoration, drawSelection, EditorView, gutterLineClass, GutterMarker, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers} from "@codemirror/view"
import {aboutCode} from "./codes.js"
import {h} from "./dom.js"
import {colors} from "./highlight.js"

/** What is lit: the sources of a line of the output, and the one that its history is at. */
/** @type {import("@codemirror/state").StateEffectType<any>} */
const setLit = StateEffect.define()
const lit = StateField.define({
  create: () => Decoration.none,
  update(set, tr) {
    for (const e of tr.effects) if (e.is(setLit)) return e.value
    return tr.docChanged ? set.map(tr.changes) : set
  },
  provide: field => [EditorView.decorations.from(field), gutterLineClass.from(field, arrows)],
})
const litLine = Decoration.line({class: "lit"}), litNow = Decoration.line({class: "lit now"})

/** arrow is an arrow beside a line, where its problems would be: see editor.css. */
const arrow = new class extends GutterMarker { elementClass = "lit" }()

/** arrows has an arrow for each line that is lit. */
function arrows(lines) {
  const list = []
  for (const i = lines.iter(); i.value; i.next()) list.push(arrow.range(i.from))
  return RangeSet.of(list)
}

/** How many projects keep the states of their files, besides the one that is open. */
const mostKept = 10

/** What depends on the path of a file, which may get another one. */
const ofPath = new Compartment()

export class Editor {
  /** @param {{docs: string | null, changed: () => void, moved: () => void, run: () => void, save: () => void,
   *   problem: () => void, extensions: () => any[]}} on */
  constructor(parent, on) {
    this.on = on
    this.states = new Map()
    this.projects = new Map() // the states of projects that were open, by their names
    this.path = ""
    this.view = new EditorView({parent, state: EditorState.create({})})
  }

  extensionsOf(path) {
    const kind = path.endsWith(".star") ? "star" : /\.(ya?ml|json)$/.test(path) ? "yaml" : "text"
    return [
      colors(kind),
      EditorView.contentAttributes.of({"aria-label": "Contents of " + path, spellcheck: "false", tabindex: "0"}),
    ]
  }

  extensions(path) {
    return [
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(),
      bracketMatching(), closeBrackets(), indentUnit.of("  "), highlightSelectionMatches(),
      ofPath.of(this.extensionsOf(path)), lintGutter(), lit, this.on.extensions(),
      EditorState.languageData.of(() => [{commentTokens: {line: "#!"}}]),
      keymap.of([
        {key: "Mod-Enter", run: () => (this.on.run(), true)},
        {key: "Mod-s", run: () => (this.on.save(), true)},
        {key: "F8", run: () => (this.on.problem(), true)},
        ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap,
      ]),
      EditorView.updateListener.of(update => {
        if (update.docChanged) this.on.changed()
        if (update.selectionSet || update.docChanged) this.on.moved()
      }),
    ]
  }

  /** show shows a file; the text is used if it is shown for the first time. */
  show(path, text) {
    if (this.path) this.states.set(this.path, this.view.state)
    this.path = path
    this.view.setState(this.states.get(path) ??
      EditorState.create({doc: text, extensions: this.extensions(path)}))
  }

  /** text is the text of a file as it is now; undefined if it was never shown. */
  text(path) {
    return (path === this.path ? this.view.state : this.states.get(path))?.doc.toString()
  }

  /** replace gives a file another text, as one change that can be undone. */
  replace(path, text) {
    const state = path === this.path ? this.view.state : this.states.get(path)
    if (!state || state.doc.toString() === text) return
    this.update(path, {changes: difference(state.doc.toString(), text)})
  }

  /** update changes the state of a file. */
  update(path, spec) {
    if (path === this.path) this.view.dispatch(spec)
    else if (this.states.has(path)) this.states.set(path, this.states.get(path).update(spec).state)
  }

  rename(from, to) {
    this.update(from, {effects: ofPath.reconfigure(this.extensionsOf(to))})
    if (this.states.has(from)) this.states.set(to, this.states.get(from))
    this.states.delete(from)
    if (this.path === from) this.path = to
  }

  forget(path) {
    this.states.delete(path)
    if (path === this.path) this.path = ""
  }

  /** open is for the files of another project. Those of the last one are kept by its name: who returns to it can
   * still undo what was typed there. */
  open(project, last) {
    if (this.path) this.states.set(this.path, this.view.state)
    this.path = ""
    this.projects.set(last, this.states)
    if (this.projects.size > mostKept) this.projects.delete(this.projects.keys().next().value)
    this.states = this.projects.get(project) ?? new Map()
    this.projects.delete(project)
  }

  /** offset is where a line and column are, both from 1; what is not there any more is near. */
  offset(line, column) {
    const doc = this.view.state.doc
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines))
    return Math.min(at.from + Math.max(column, 1) - 1, at.to)
  }

  /** go puts the cursor at a place. */
  go(line, column, focus = true) {
    const at = this.offset(line, column)
    this.view.dispatch({
      selection: EditorSelection.cursor(at),
      effects: EditorView.scrollIntoView(at, {y: "center"}),
    })
    if (focus) this.view.focus()
  }

  /** light marks lines of the current file, and one of them more, which is scrolled to. */
  light(lines, now) {
    const {doc} = this.view.state
    const known = [...new Set(lines)].filter(n => n <= doc.lines).sort((a, b) => a - b)
    if (!this.view.state.field(lit, false)) return
    const effects = [setLit.of(Decoration.set(known.map(n => (n === now ? litNow : litLine).range(doc.line(n).from))))]
    if (now && known.includes(now)) effects.push(EditorView.scrollIntoView(doc.line(now).from, {y: "center"}))
    this.view.dispatch({effects})
  }

  get line() { return this.view.state.doc.lineAt(this.view.state.selection.main.head).number }

  /** mark shows the problems of the current file. */
  mark(problems, fix) {
    this.view.dispatch(setDiagnostics(this.view.state, problems.map(p => {
      const from = this.offset(p.at.line, p.at.column)
      return {
        from, to: this.end(from, p.at), severity: p.severity,
        message: p.message + (p.hint ? "\nhint: " + p.hint : ""),
        renderMessage: () => h("span", {}, p.message, p.code && aboutCode(p.code, this.on.docs), p.hint && "\nhint: " + p.hint),
        actions: p.fix ? [{name: p.fix.title, apply: () => fix(p)}] : [],
      }
    }).sort((a, b) => a.from - b.from)))
  }

  /** end is where a mark ends. Some problems are a point, for which the word there is marked. */
  end(from, at) {
    const doc = this.view.state.doc, line = doc.lineAt(from)
    const to = at.endLine ? this.offset(at.endLine, at.endColumn) : from
    if (to > from) return to
    const word = /^[\w./-]+/.exec(doc.sliceString(from, line.to))
    return Math.min(from + (word ? word[0].length : 1), line.to)
  }

  next() { nextDiagnostic(this.view) }
}

/** isCRLF reports whether all lines of a text end with CRLF. */
export const isCRLF = text => /\r\n/.test(text) && !/[^\r]\n/.test(text)

/** difference is the change between two texts, without what they begin and end with alike, so that
 * the cursor stays where it is. */
function difference(a, b) {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return {from: start, to: a.length - end, insert: b.slice(start, b.length - end)}
}
