// The little Markdown that the language server writes: paragraphs, lists, code. It becomes elements
// and text; HTML in it stays text.

import {h} from "./dom.js"

/** markdown are the elements of a text. */
export function markdown(text) {
  const out = []
  let rest = text
  for (let fence; (fence = /^```\w*\n([\s\S]*?)\n```$/m.exec(rest));) {
    out.push(...paragraphs(rest.slice(0, fence.index)), h("pre", {}, fence[1]))
    rest = rest.slice(fence.index + fence[0].length)
  }
  return [...out, ...paragraphs(rest)]
}

const paragraphs = text => text.split(/\n{2,}/).filter(p => p.trim()).map(paragraph)

function paragraph(text) {
  const lines = text.trim().split("\n")
  const items = lines.filter(line => line.startsWith("- "))
  const words = lines.filter(line => !line.startsWith("- "))
  return [
    words.length ? h("p", {}, words.map((line, i) => [i && words[i - 1].endsWith("  ") ? h("br") : i ? " " : "", inline(line.trim())])) : null,
    items.length ? h("ul", {}, items.map(line => h("li", {}, inline(line.slice(2))))) : null,
  ]
}

/** inline are the parts of a line: code, strong text and plain text. */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(part =>
    part.startsWith("`") && part.length > 2 ? h("code", {}, part.slice(1, -1)) :
      part.startsWith("**") && part.length > 4 ? h("strong", {}, part.slice(2, -2)) : part)
}
