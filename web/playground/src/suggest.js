// The output can be edited: weft finds the change of the files that produces it, and one button makes it.

import {$, code, h} from "./dom.js"

export class Suggestion {
  /** @param {{output: import("./output.js").Output, ask: (edited: string) => Promise<object|null>,
   *   apply: (files: {path: string, data: string}[]) => void, problem: () => string, began: () => void, ended: () => void}} page */
  constructor(page) {
    this.page = page
    this.on = false
  }

  /** toggle starts editing, or ends it without a change. */
  toggle() {
    if (this.on) return this.end()
    const problem = this.page.problem()
    if (problem) return problem
    this.on = true
    this.before = this.page.output.text
    this.page.output.edit(true, () => this.changed())
    this.page.began()
    this.show(h("p", {}, "Change the output: weft finds the change of your files that produces it."))
    return ""
  }

  end() {
    clearTimeout(this.timer)
    this.on = false
    this.page.output.edit(false)
    this.page.output.set(this.before)
    this.show()
    this.page.ended()
    return ""
  }

  /** source is for files that change meanwhile: they now produce another output. */
  source(text) {
    if (text === this.before) return
    this.before = text
    this.changed()
  }

  /** changed asks for a suggestion, soon. */
  changed() {
    if (!this.on) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.ask(), 500)
  }

  async ask() {
    const edited = this.page.output.text
    if (edited === this.before) return this.show(h("p", {}, "Nothing is changed yet."))
    this.show(h("p", {}, "Looking for the change of your files…"))
    const answer = await this.page.ask(edited)
    if (!this.on || !answer || edited !== this.page.output.text) return
    const {suggested} = answer
    if (!suggested) {
      const [first] = answer.diagnostics ?? []
      const at = first?.at?.line ? `line ${first.at.line}: ` : ""
      return this.show(h("p", {class: "error"}, at, code(first?.message ?? "There is no suggestion.")))
    }
    const files = suggested.files ?? []
    this.show(h("pre", {tabindex: "0", "aria-label": "Suggested change"}, suggested.text), files.length > 0 &&
      h("button", {id: "apply", type: "button", class: "main", onclick: () => this.apply(files)},
        "Apply to " + files.map(f => f.path).join(", ")))
  }

  apply(files) {
    this.before = this.page.output.text // what the files produce now
    this.end()
    this.page.apply(files)
  }

  show(...parts) {
    $("edit").textContent = this.on ? "Done" : "Edit"
    $("edit").setAttribute("aria-pressed", String(this.on))
    $("suggestion").hidden = !this.on
    $("suggestion").replaceChildren(...parts.filter(Boolean))
  }
}
