// The guided tour: eight steps, each on an example, in a box beside the page.

import {$, code, h} from "./dom.js"

const steps = [
  {title: "Plain YAML is where it starts", open: "plain", text: "Whatever is YAML goes through weft as it is. The output on the right is what `weft -f .` prints."},
  {title: "Data values", open: "values", text: "Code follows `#@`. This template reads `data.values`, which the schema declares with types and defaults. Change `replicas` in the form below the editor: the output follows."},
  {title: "Conditions and loops", open: "loops", text: "`if` and `for` wrap YAML, and `end` closes them. Add a name to the list in `values.yml`."},
  {title: "Functions", open: "functions", text: "A function can return YAML. Both documents use the same labels, so they never drift apart."},
  {title: "Mistakes", open: "mistake", text: "This example has a typing mistake. The message says where, and what was probably meant: press F8, and use the fix."},
  {title: "Overlays", open: "overlay", text: "An overlay patches YAML you don't own. It says what it matches, and what it changes there. The tab Why shows what each overlay did.", view: "why"},
  {title: "Where does this line come from?", open: "overlay", text: "Move the pointer over a line of the output, or put the cursor there: you see who wrote it, which values it has, and who set those. Enter leads to the place.", view: "output"},
  {title: "Environments", open: "environments", text: "A `weft.yml` describes a project and its environments. Choose another one above the output. That's all: share what you make with the button Share."},
]

/** startTour shows the first step.
 * @param {{open: (project: object) => void, view: (name: string) => void, examples: any[], close: () => void}} page */
export function startTour(page) {
  const box = $("tour")
  let at = 0
  const go = to => {
    at = to
    const step = steps[at]
    const example = page.examples.find(x => x.id === step.open)
    if (example) page.open({...example, intro: ""})
    page.view(step.view ?? "output")
    box.replaceChildren(
      h("p", {class: "count"}, `Step ${at + 1} of ${steps.length}`),
      h("h2", {id: "tour-title", tabindex: "-1"}, step.title),
      h("p", {}, code(step.text)),
      h("div", {class: "buttons"},
        h("button", {type: "button", disabled: at === 0, onclick: () => go(at - 1)}, "Back"),
        at < steps.length - 1
          ? h("button", {type: "button", class: "main", onclick: () => go(at + 1)}, "Next")
          : h("button", {type: "button", class: "main", onclick: () => box.close()}, "Done"),
        h("span", {class: "grow"}),
        h("button", {type: "button", class: "quiet", onclick: () => box.close()}, "End the tour")))
    $("tour-title").focus()
  }
  if (!box.open) box.show()
  box.onclose = page.close
  box.onkeydown = e => { if (e.key === "Escape") box.close() }
  go(0)
}
