// Where a line of the output comes from, shown in the files: the pointer lights up the sources of a line, and
// a chosen line keeps them lit. Its history can be walked step by step.

import {$, h} from "./dom.js"

export class Trail {
  /** @param {{history: () => import("./why.js").History|null, current: () => string, show: (file: string) => void,
   *   light: (lines: number[], at: number) => void, files: (names: Set<string>) => void,
   *   jump: (at: object) => void}} page */
  constructor(page) {
    this.page = page
    this.line = 0 // of the output, if one is chosen
    this.name = "" // what it shows
    this.pointed = 0
    this.step = -1 // in the history of the chosen line
  }

  get steps() { return this.page.history()?.steps(this.pointed || this.line) ?? [] }

  /** point is for the line below the pointer; 0 means that there is none. */
  point(line) {
    if (line === this.pointed) return
    this.pointed = line
    this.light()
  }

  /** choose shows the history of a line, for as long as it is chosen. */
  choose(line) {
    if (line !== this.line) this.step = -1
    this.line = line
    this.name = this.page.history()?.name(line) ?? ""
    this.describe()
    this.light()
  }

  /** follow is for another output, in which what is chosen may be on another line, or on none. */
  follow() {
    const history = this.page.history()
    if (history && this.name && history.name(this.line) !== this.name) return this.choose(history.find(this.name))
    this.describe()
    this.light()
  }

  /** go shows a step of the history in its file. */
  go(step) {
    const steps = this.page.history()?.steps(this.line) ?? []
    if (!steps.length) return
    this.pointed = 0
    this.step = (step + steps.length) % steps.length
    this.page.show(steps[this.step].at.file)
    this.describe()
    this.light()
  }

  /** light marks the sources in the file that is shown, and the names of the other files. */
  light() {
    const {steps} = this, here = this.page.current()
    const at = this.pointed ? undefined : steps[this.step]?.at
    this.page.light(steps.filter(s => s.at.file === here).map(s => s.at.line), at?.file === here ? at.line : 0)
    this.page.files(new Set(steps.map(s => s.at.file)))
  }

  describe() {
    const about = this.line > 0 ? this.page.history()?.describe(this.line, this.page.jump) : null
    $("line").hidden = !about
    if (!about) return $("line").replaceChildren()
    const steps = this.page.history().steps(this.line), now = steps[this.step]
    const focused = document.activeElement?.id
    const button = (id, text, label, run) => h("button", {id, type: "button", class: "quiet", "aria-label": label, title: label, onclick: run}, text)
    $("line").replaceChildren(
      h("div", {class: "steps"},
        button("step-back", "◀", "Previous step", () => this.go(this.step < 0 ? -1 : this.step - 1)),
        button("step-on", "▶", "Next step", () => this.go(this.step + 1)),
        h("span", {role: "status"}, now ? `Step ${this.step + 1} of ${steps.length}: ${now.what}` : `Line ${this.line}: walk through its history`),
        h("span", {class: "grow"}),
        button("step-close", "×", "Close the history of this line", () => this.choose(0))), about)
    if (focused?.startsWith("step-")) $(focused)?.focus()
  }
}
