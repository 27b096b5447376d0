// The output: an editor, so that very large outputs are no problem, and the keyboard and search work as
// everywhere. It can be changed only while the user edits the output. Lines show where they come from.

import {defaultKeymap, history, historyKeymap} from "@codemirror/commands"
import {highlightSelectionMatches, search, searchKeymap} from "@codemirror/search"
import {Compartment, EditorSelection, EditorState, RangeSet, StateEffect, StateField} from "@codemirror/state"
import {Decoration, drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, hoverTooltip, keymap, lineNumbers} from "@codemirror/view"
import {colors} from "./highlight.js"

class Stripe extends GutterMarker {
  constructor(kind, title) { super(); this.kind = kind; this.title = title }
  eq(other) { return other.kind === this.kind && other.title === this.title }
  toDOM() {
    const e = document.createElement("div")
    e.className = "stripe " + this.kind
    e.title = this.title
    return e
  }
}

const stripes = {
  value: new Stripe("value", "from a data value"),
  overlay: new Stripe("overlay", "set by an overlay or override"),
}

/** @type {import("@codemirror/state").StateEffectType<any>} */
const setStripes = StateEffect.define()
const stripeField = StateField.define({
  create: () => RangeSet.empty,
  update(set, tr) {
    for (const e of tr.effects) if (e.is(setStripes)) return e.value
    return tr.docChanged ? RangeSet.empty : set
  },
})

/** @type {import("@codemirror/state").StateEffectType<any>} */
const setResults = StateEffect.define()
const resultLine = Decoration.line({class: "result"})
const resultField = StateField.define({
  create: () => Decoration.none,
  update(set, tr) {
    for (const e of tr.effects) if (e.is(setResults)) return e.value
    return tr.docChanged ? Decoration.none : set
  },
  provide: field => EditorView.decorations.from(field),
})

const attributes = more => EditorView.contentAttributes.of({"aria-label": "Output", spellcheck: "false", tabindex: "0", ...more})

const editable = [attributes(), history(), keymap.of(historyKeymap)]

const readOnly = (on, output) => [
  EditorState.readOnly.of(true), attributes({"aria-readonly": "true"}),
  keymap.of([{key: "Enter", run: () => (on.entered(output.line), true)}]),
]

export class Output {
  /** @param {{chosen: (line: number) => void, entered: (line: number) => void,
   *   tip: (line: number) => HTMLElement|null, pointed: (line: number) => void}} on */
  constructor(parent, on) {
    this.mode = new Compartment()
    this.view = new EditorView({parent, state: EditorState.create({
      extensions: [
        this.mode.of(readOnly(on, this)), lineNumbers(), drawSelection(), highlightActiveLine(), colors("yaml"),
        highlightSelectionMatches(), search({top: true}), stripeField, resultField,
        gutter({class: "stripes", markers: view => view.state.field(stripeField)}),
        keymap.of([...defaultKeymap, ...searchKeymap]),
        EditorView.domEventHandlers({
          mousemove(e, view) {
            const at = view.posAtCoords({x: e.clientX, y: e.clientY})
            on.pointed(at === null ? 0 : view.state.doc.lineAt(at).number)
          },
          mouseleave: () => on.pointed(0),
        }),
        hoverTooltip((view, pos) => {
          const line = view.state.doc.lineAt(pos)
          const dom = on.tip(line.number)
          return dom && {pos: line.from, end: line.to, above: false, create: () => ({dom})}
        }, {hoverTime: 250}),
        EditorView.updateListener.of(update => {
          if (update.selectionSet && !update.docChanged) on.chosen(this.line)
          if (update.docChanged) this.edited?.()
        }),
      ],
    })})
    this.on = on
  }

  /** edit lets the user change the output, or not. */
  edit(is, changed = null) {
    this.edited = changed
    this.view.dispatch({effects: this.mode.reconfigure(is ? editable : readOnly(this.on, this))})
    if (is) this.view.focus()
  }

  get line() { return this.view.state.doc.lineAt(this.view.state.selection.main.head).number }
  get text() { return this.view.state.doc.toString() }

  set(text) {
    const old = this.view.state.doc
    if (old.toString() === text) return
    const line = Math.min(this.line, text.split("\n").length)
    this.view.dispatch({changes: {from: 0, to: old.length, insert: text}})
    this.view.dispatch({selection: EditorSelection.cursor(this.view.state.doc.line(line).from)})
  }

  /** stripe marks lines: kinds[i] is the kind of line i+1. */
  stripe(kinds) {
    const doc = this.view.state.doc, ranges = []
    kinds.slice(0, doc.lines).forEach((kind, i) => {
      if (stripes[kind]) ranges.push(stripes[kind].range(doc.line(i + 1).from))
    })
    this.view.dispatch({effects: setStripes.of(RangeSet.of(ranges))})
  }

  /** mark marks the lines that a place of the input produced, and shows the first. */
  mark(lines, scroll) {
    const doc = this.view.state.doc
    const found = lines.filter(n => n <= doc.lines).map(n => doc.line(n).from)
    const effects = [setResults.of(Decoration.set(found.map(at => resultLine.range(at)), true))]
    if (scroll && found.length) effects.push(EditorView.scrollIntoView(found[0], {y: "center"}))
    this.view.dispatch({effects})
  }

  go(line) {
    const at = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines)).from
    this.view.focus() // first: what is shown of a line depends on it
    this.view.dispatch({selection: EditorSelection.cursor(at), effects: EditorView.scrollIntoView(at, {y: "center"})})
  }
}
