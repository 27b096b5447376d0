// Completion and hover in the editor. The answers are those of the language server
// (internal/serve/playground/assist), which is in a second program: it is loaded when the user first
// types, points or asks, and never before the first output is there.

import {acceptCompletion, autocompletion, completionKeymap, completionStatus, pickedCompletion, startCompletion} from "@codemirror/autocomplete"
import {Prec, StateEffect, StateField} from "@codemirror/state"
import {closeHoverTooltips, hoverTooltip, keymap, showTooltip} from "@codemirror/view"
import {h} from "./dom.js"
import {EngineError} from "./engine.js"
import {markdown} from "./markdown.js"

/** What kinds of items are called here; the numbers are those of the protocol. */
const kinds = {
  3: "function", 5: "property", 6: "variable", 9: "namespace", 10: "property", 12: "constant",
  14: "keyword", 17: "text",
}

export class Assistant {
  /** @param {{engine: () => Promise<object>, request: (want: string[]) => object,
   *   file: () => string, say: (text: string) => void}} on */
  constructor(on) {
    this.on = on
    this.engine = null
    this.failed = false
  }

  /** ask resolves with an answer about a place, or with null if there is none. What goes wrong is
   * told to who has asked for it, and to nobody who only types. */
  async ask(want, state, at, explicit) {
    if (this.failed && !explicit) return null
    const line = state.doc.lineAt(at)
    const file = this.on.file()
    try {
      const engine = await this.load()
      const answer = await engine.ask(want, {
        ...this.on.request([want]), file, line: line.number - 1, character: at - line.from,
      })
      if (answer?.problem && explicit) this.on.say(answer.problem)
      this.failed = false
      return file === this.on.file() ? answer : null
    } catch (err) {
      if (!(err instanceof EngineError)) throw err
      this.failed = this.engine === null
      if (explicit) this.on.say(err.message)
      return null
    }
  }

  /** load resolves with the engine. If it cannot be loaded, the next call tries again. */
  async load() {
    this.engine ??= this.on.engine()
    try {
      return await this.engine
    } catch (err) {
      this.engine = null
      throw err
    }
  }

  /** prepare has the files looked at while nobody waits, if anybody has asked before. */
  prepare(state) {
    if (this.engine && !this.failed) this.ask("prepare", state, 0, false)
  }

  extensions() {
    return [
      autocompletion({
        override: [context => this.complete(context)], activateOnTypingDelay: 10, icons: false,
      }),
      hoverTooltip((view, at) => this.hover(view.state, at, false), {hoverTime: 350}),
      asked,
      Prec.high(keymap.of([
        {key: "Tab", run: acceptCompletion},
        {key: "Mod-i", run: view => (this.tell(view), true)},
        {key: "Escape", run: view => {
          const is = view.state.field(asked) !== null && completionStatus(view.state) === null
          if (is) view.dispatch({effects: setAsked.of(null)})
          return is
        }},
        ...completionKeymap,
      ])),
    ]
  }

  /** complete is a source of completions. */
  async complete(context) {
    const answer = await this.ask("complete", context.state, context.pos, context.explicit)
    const items = answer?.items ?? []
    if (context.aborted) return null
    if (!items.length) {
      if (context.explicit && answer && !answer.problem) this.on.say("Nothing is known that can be written here")
      return null
    }
    const doc = context.state.doc
    const starts = items.map(item => offset(doc, item.textEdit.range.start))
    const from = Math.min(...starts)
    return {
      from, options: items.map((item, i) => option(doc, item, from, starts[i])), validFor: /^[\w-]*$/,
    }
  }

  /** hover is a tooltip about what stands at a place; null if nothing is known of it, and undefined if
   * there is no answer. */
  async hover(state, at, explicit) {
    const answer = await this.ask("hover", state, at, explicit)
    if (!answer || answer.problem) return undefined
    if (!answer.hover) return null
    const {contents, range} = answer.hover
    const body = h("div", {class: "tip about", role: "tooltip"}, markdown(contents.value))
    return {
      pos: range ? offset(state.doc, range.start) : at, end: range ? offset(state.doc, range.end) : at,
      above: true, text: [...body.children].map(part => part.textContent).join(" · "), create: () => ({dom: body}),
    }
  }

  /** tell shows what stands at the cursor, for who has no mouse, and reads it to who sees nothing. */
  async tell(view) {
    const {state} = view
    const tip = await this.hover(state, state.selection.main.head, true)
    if (tip === undefined || view.state.doc !== state.doc) return
    view.dispatch({effects: [closeHoverTooltips, setAsked.of(tip)]})
    this.on.say(tip ? tip.text : "Nothing is known of what stands here")
  }
}

/** asked is the tooltip that was asked for with the keyboard. It goes when the cursor moves.
 * @type {import("@codemirror/state").StateEffectType<any>} */
const setAsked = StateEffect.define()
const asked = StateField.define({
  create: () => null,
  update(tip, tr) {
    for (const e of tr.effects) if (e.is(setAsked)) return e.value
    return tr.docChanged || tr.selection ? null : tip
  },
  provide: field => showTooltip.from(field),
})

/** offset is where a position of the protocol is. */
function offset(doc, {line, character}) {
  const at = doc.line(Math.min(line + 1, doc.lines))
  return Math.min(at.from + character, at.to)
}

/** option is an item of the protocol for the editor. Items may stand in place of more or less of the
 * text before the cursor, and those of a list must all begin at one place. */
function option(doc, item, from, start) {
  const more = (item.additionalTextEdits ?? []).map(e => ({
    from: offset(doc, e.range.start), to: offset(doc, e.range.end), insert: e.newText,
  }))
  return {
    label: doc.sliceString(from, start) + (item.filterText ?? item.label), displayLabel: item.label,
    sortText: item.sortText, detail: item.detail, type: kinds[item.kind],
    info: item.documentation ? () => h("div", {class: "about"}, markdown(item.documentation.value)) : undefined,
    apply: (view, completion, _, to) => {
      const changes = view.state.changes([...more, {from: start, to, insert: item.textEdit.newText}])
      view.dispatch({
        changes, selection: {anchor: changes.mapPos(to, 1)}, scrollIntoView: true,
        annotations: pickedCompletion.of(completion), userEvent: "input.complete",
      })
      if (/[./]$/.test(item.textEdit.newText)) startCompletion(view) // there is more to choose
    },
  }
}
