// Finds what has a color in lines of YAML with weft's code, of Starlark and of text templates. It uses patterns: a
// grammar of YAML would be a tenth of all that the page loads, and would know nothing of code in comments. The
// patterns are those of the generator of the web site, where a test compares what both find.

import grammar from "../../../tools/highlight/grammar.json" with {type: "json"}

/** @typedef {(what: string, from: number, to: number) => void} Add */

/** @type {Record<keyof typeof grammar, RegExp>} */
const rules = /** @type {any} */ (Object.fromEntries(
  Object.entries(grammar).map(([name, pattern]) => [name, new RegExp(pattern, "dg")])))

const first = (rule, text) => text.matchAll(rule).next().value
const indent = text => text.search(/\S/)

/** isText tells whether a line belongs to a block of text that a line of an indentation starts; -1 is none. */
export const isText = (block, line) => block >= 0 && (line.trim() === "" || indent(line) > block)

/** blockAfter is the indentation of the line that starts the block that the next line may belong to. */
export function blockAfter(block, line) {
  if (isText(block, line)) return block
  return first(rules.block, line) && line[indent(line)] !== "#" ? indent(line) : -1
}

/** paint adds what has a color in a line of a kind of file: yaml, star, or text for text templates.
 * @param {string} kind @param {string} line @param {Add} add */
export function paint(kind, line, add) {
  if (kind === "star") return words(line, 0, add)
  if (kind === "text") {
    for (const m of line.matchAll(rules.inserted)) code(line.slice(0, m.index + m[0].length), m.index, add)
    return
  }
  const sign = first(rules.sign, line), remark = first(rules.remark, line)
  const end = sign && !(remark && remark.index < sign.index) ? sign.indices[1][0] : line.length
  plain(line.slice(0, end), add)
  if (end < line.length) code(line, end, add)
}

/** codeIn is where a line of a message has its code: from and to; undefined if it has none.
 * @param {string} line */
export const codeIn = line => first(rules.message, line) && first(rules.about, line)?.indices[1]

/** plain adds what is in YAML without code. @param {string} text @param {Add} add */
function plain(text, add) {
  if (first(rules.marker, text)) return add("comment", 0, text.length)
  const [from, to] = first(rules.key, text)?.indices[1] ?? [0, 0]
  add("key", from, to)
  each(rules.values, ["string", "comment", "number"], text, to, (what, from, to) => {
    if (what !== "number" || first(rules.number, text.slice(from, to))) add(what, from, to)
  })
}

/** code adds what is in code that begins with a sign of two characters. @param {string} text @param {Add} add */
function code(text, at, add) {
  add("code", at, text.length)
  add("sign", at, at + 2)
  const note = at + 2 + (first(rules.note, text.slice(at + 2))?.[0].length ?? 0)
  add("note", at + 2, note)
  words(text, note, add)
}

const words = (text, at, add) => each(rules.words, ["string", "comment", "word", "number", "call"], text, at, add)

/** each adds the groups of all matches behind a place. */
function each(rule, kinds, text, at, add) {
  for (const m of text.slice(at).matchAll(rule)) {
    const group = m.findIndex((text, i) => i > 0 && text !== undefined)
    const [from, to] = m.indices[group]
    add(kinds[group - 1], at + from, at + to)
  }
}
