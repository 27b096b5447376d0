// Colors for YAML with weft's code in it. Both are found with regular expressions, over the lines
// that are visible: a grammar of YAML would be a tenth of all that the page loads, and would know
// nothing of code in comments.

import {Decoration, ViewPlugin} from "@codemirror/view"

const words = new RegExp([
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/,
  /\b(def|end|if|elif|else|for|in|not|and|or|return|load|lambda|while|True|False|None)\b/,
  /\b(\d+(?:\.\d+)?)\b/,
  /([A-Za-z_]\w*)(?=\()/,
].map(r => r.source).join("|"), "g")

const mark = name => Decoration.mark({class: "w-" + name})
const marks = {
  code: mark("code"), sign: mark("sign"), note: mark("note"), comment: mark("comment"), key: mark("key"),
  string: mark("string"), number: mark("number"),
}
const wordMarks = [null, mark("string"), mark("word"), mark("number"), mark("call")]

/** A line of YAML: indentation, key, value, comment. Quotes hide colons and hashes. */
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/.source
const keyed = new RegExp(`^(\\s*(?:[-?] +)*)((?:${quoted}|[^\\s#"'\\[{,&*!|>%@\`-][^#]*?|-[^\\s#][^#]*?)):(?=\\s|$)`)
const values = new RegExp(`(${quoted})|(?<=^|[\\s\\[,])(-?\\d[\\d._]*(?:e[+-]?\\d+)?|0x[\\da-f]+|true|false|null|~)(?=$|[\\s,\\]}])|((?:^|\\s)#.*)`, "gi")

/** startsBlock is the indentation of a line that starts a block of text, or -1. */
function startsBlock(text) {
  return /(?:^|[:-]\s+|\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$/.test(text) && !/^\s*#/.test(text) ? text.search(/\S/) : -1
}

/** blockAt is the indentation of the block that a line is in, or -1; it looks back a bit. */
function blockAt(doc, number) {
  let block = -1
  for (let n = Math.max(1, number - 200); n < number; n++) block = blockAfter(block, doc.line(n).text)
  return block
}

function blockAfter(block, text) {
  if (block >= 0 && (text.trim() === "" || text.search(/\S/) > block)) return block
  return startsBlock(text)
}

class Painter {
  constructor(view, kind) {
    this.found = []
    for (const {from, to} of view.visibleRanges) {
      let block = kind === "yaml" ? blockAt(view.state.doc, view.state.doc.lineAt(from).number) : -1
      for (let at = from; at <= to;) {
        const line = view.state.doc.lineAt(at)
        at = line.to + 1
        if (line.length > 5000) continue
        const inside = block >= 0 && (line.text.trim() === "" || line.text.search(/\S/) > block)
        if (kind === "yaml") block = blockAfter(block, line.text)
        if (inside) this.add("string", line.from, line.to)
        else this.line(line, kind)
      }
    }
  }

  add(what, from, to) {
    if (to > from) this.found.push((marks[what] ?? what).range(from, to))
  }

  line(line, kind) {
    if (kind === "text") {
      for (const m of line.text.matchAll(/\(@[=-]?(.*?)-?@\)|^\(@.*$/g)) this.code(line, m.index, m.index + m[0].length)
      return
    }
    const code = /(^|\s)#@/.exec(line.text)
    const remark = /(^|\s)#!/.exec(line.text)
    const end = code && (!remark || code.index < remark.index) ? code.index + code[1].length : line.length
    this.yaml(line, line.text.slice(0, end))
    if (end < line.length) this.code(line, end, line.length)
  }

  yaml(line, text) {
    if (/^(---|\.\.\.|%)/.test(text)) return this.add("comment", line.from, line.from + text.length)
    const key = keyed.exec(text)
    let start = 0
    if (key) {
      start = key[0].length
      this.add("key", line.from + key[1].length, line.from + start - 1)
    }
    for (const m of text.slice(start).matchAll(values)) {
      const at = line.from + start + m.index
      this.add(m[1] ? "string" : m[2] ? "number" : "comment", at, at + m[0].length)
    }
  }

  code(line, start, end) {
    const text = line.text, from = start + 2
    this.add("code", line.from + start, line.from + end)
    this.add("sign", line.from + start, line.from + from)
    const note = /^[a-z][\w-]*\/[\w-]+/.exec(text.slice(from, end))
    if (note) this.add("note", line.from + from, line.from + from + note[0].length)
    words.lastIndex = from + (note ? note[0].length : 0)
    for (let w; (w = words.exec(text)) && w.index < end;) {
      const kind = w.findIndex((group, i) => i > 0 && group !== undefined)
      this.add(wordMarks[kind], line.from + w.index, line.from + w.index + w[0].length)
    }
  }
}

/** colors colors a kind of file: yaml, or text for text templates. */
export const colors = kind => ViewPlugin.fromClass(class {
  constructor(view) { this.paint(view) }
  paint(view) { this.decorations = Decoration.set(new Painter(view, kind).found, true) }
  update(u) { if (u.docChanged || u.viewportChanged) this.paint(u.view) }
}, {decorations: v => v.decorations})
