// Colors what paint.js finds in the lines of an editor that are visible.

import {Decoration, ViewPlugin} from "@codemirror/view"
import {blockAfter, isText, paint} from "./paint.js"

const marks = Object.fromEntries(["code", "sign", "note", "comment", "key", "string", "number", "word", "call"].map(
  name => [name, Decoration.mark({class: "w-" + name})]))

/** blockAt is the indentation of the block of text before a line, or -1; it looks back a bit. */
function blockAt(doc, number) {
  let block = -1
  for (let n = Math.max(1, number - 200); n < number; n++) block = blockAfter(block, doc.line(n).text)
  return block
}

/** found returns the marks of the lines that are visible. */
function found(view, kind) {
  const all = [], doc = view.state.doc
  for (const {from, to} of view.visibleRanges) {
    let block = kind === "yaml" ? blockAt(doc, doc.lineAt(from).number) : -1
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at)
      at = line.to + 1
      if (line.length > 5000) continue
      const add = (what, from, to) => { if (to > from) all.push(marks[what].range(line.from + from, line.from + to)) }
      if (isText(block, line.text)) add("string", 0, line.length)
      else paint(kind, line.text, add)
      if (kind === "yaml") block = blockAfter(block, line.text)
    }
  }
  return all
}

/** colors colors a kind of file: yaml, star, or text for text templates. */
export const colors = kind => ViewPlugin.fromClass(class {
  constructor(view) { this.paint(view) }
  paint(view) { this.decorations = Decoration.set(found(view, kind), true) }
  update(u) { if (u.docChanged || u.viewportChanged) this.paint(u.view) }
}, {decorations: v => v.decorations})
