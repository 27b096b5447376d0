// The few helpers that make elements. Text is always text: nothing here reads HTML.

/** $ is the element with an id, of whatever type.
 * @type {(id: string) => any} */
export const $ = id => document.getElementById(id)

/** h makes an element. Properties that start with "on" are listeners, others are attributes; a
 * value of true makes an empty attribute, and false none. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value)
  }
  element.append(...children.flat(9).filter(c => c !== null && c !== undefined && c !== false))
  return element
}

/** code is a text whose parts in backquotes are code. @param {string} text */
export const code = text => text.split(/`([^`\n]+)`/).map((part, i) => i % 2 ? h("code", {}, part) : part)

/** meta is the content of a meta element of the page. */
export const meta = name => /** @type {HTMLMetaElement} */ (document.querySelector(`meta[name=${name}]`)).content

/** plural is "1 file" or "2 files". */
export const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`

/** arrows lets the arrow keys move between the tabs of a list, as screen readers expect. */
export function arrows(list) {
  list.addEventListener("keydown", e => {
    const tabs = [...list.querySelectorAll("[role=tab]")]
    const at = tabs.indexOf(document.activeElement)
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1}[e.key]
    if (at < 0 || to === undefined) return
    e.preventDefault()
    const next = tabs[(to + tabs.length) % tabs.length]
    next.click()
    ;(document.getElementById(next.id) ?? next).focus()
  })
}

/** asked resolves the question that the dialog shows, or showed last.
 * @type {((answer: string) => void) | undefined} */
let asked

/** ask shows a dialog and resolves with the button that was chosen, or "" if it was closed.
 * @param {[string, string][]} buttons values and texts; the first is the main one */
export function ask(title, body, buttons, shown = () => {}) {
  const dialog = $("dialog")
  $("dialog-title").textContent = title
  $("dialog-body").replaceChildren(...[body].flat())
  $("dialog-buttons").replaceChildren(...buttons.map(([value, text], i) =>
    h("button", {value, class: i === 0 ? "main" : undefined, formnovalidate: i > 0}, text)))
  dialog.returnValue = ""
  dialog.showModal()
  shown()
  return new Promise(resolve => {
    // The event comes late: by then, the dialog may be open again, with another question.
    const close = () => {
      const isOpen = dialog.open
      if (!isOpen || asked !== resolve) {
        dialog.removeEventListener("close", close)
        resolve(isOpen ? "" : dialog.returnValue)
      }
    }
    asked = resolve
    dialog.addEventListener("close", close)
  })
}
