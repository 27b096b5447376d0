// What the code of a message, such as yaml/anchor, leads to.

import {h} from "./dom.js"

/** aboutCode is a code as messages show it, with a link to its page. Where there are no pages, it says which
 * command prints what they say.
 * @param {string} code @param {string | null} docs the path to the documentation, or null */
export const aboutCode = (code, docs) => h("small", {class: "code-of"}, " [",
  docs === null ? code : h("a", {href: docs + pageOf(code), target: "_blank", rel: "noopener"}, code), "]",
  docs === null && [" ", h("code", {}, "weft help " + code)])

/** pageOf is the page of a code in the documentation. */
export const pageOf = code => `reference/codes/${code}.html`
