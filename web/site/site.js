// What pages can do besides being read: choose colors, copy, run examples. Without this script they
// are complete all the same.
"use strict"

/** @type {(id: string) => any} */
const $ = id => document.getElementById(id)

/** copying gives every block of code a button. */
function copying() {
  if (!navigator.clipboard) return
  for (const pre of document.querySelectorAll("article pre")) {
    if (pre.closest(".scene, .idea")) continue
    const button = document.createElement("button")
    Object.assign(button, {type: "button", className: "copy", textContent: "Copy"})
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent + "\n")
        button.textContent = "Copied"
      } catch {
        button.textContent = "Not allowed"
      }
      setTimeout(() => { button.textContent = "Copy" }, 1500)
    })
    const block = document.createElement("div")
    block.className = "block"
    pre.replaceWith(block)
    block.append(pre, button)
  }
}

/** examples gives every tested example what can be done with it: to change and run it here, with what that
 * needs loaded then, or to open it in the playground. */
function examples() {
  const data = $("examples")
  if (!data || typeof WebAssembly !== "object" || location.protocol === "file:") return
  const {texts, runs} = JSON.parse(data.textContent)
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure.run"))) {
    const run = runs[figure.dataset.run], caption = figure.querySelector("figcaption")
    const files = Object.entries(run.files).map(([path, text]) => ({path, data: texts[text]}))
    if (run.live) caption.append(runner(figure, run.args, files))
    if (run.open) caption.append(openLink(run.open, files.filter(f => run.open.files.includes(f.path))))
  }
}

/** runner is a button that makes an example live. */
function runner(figure, args, files) {
  const button = document.createElement("button")
  Object.assign(button, {type: "button", className: "edit", textContent: "Edit and run"})
  button.addEventListener("click", async () => {
    button.disabled = true
    try {
      const {live} = await import("./live.js")
      live(figure, args, files)
      button.remove()
    } catch {
      button.disabled = false
      button.textContent = "Not loaded: try again"
    }
  })
  return button
}

/** openLink is a link that opens an example in the playground, as it is then. What it contains is worked out when
 * it is needed: hundreds of examples would make a page slow. */
function openLink(settings, files) {
  const link = document.createElement("a")
  const page = document.body.dataset.root + "playground/index.html"
  Object.assign(link, {href: page, className: "open", textContent: "Open in the playground"})
  const fill = async () => {
    const {encode} = await import("./share.js")
    const shown = files.map(({path, data}) => ({path: path.slice(settings.below?.length ?? 0), data}))
    link.href = page + "#" + await encode({...settings, files: shown})
  }
  for (const kind of ["pointerenter", "focus", "touchstart"]) link.addEventListener(kind, fill, {passive: true})
  link.addEventListener("click", async e => {
    if (link.hash) return
    e.preventDefault()
    await fill()
    location.href = link.href
  })
  return link
}

/** lights shows which lines of a template and its output belong together: those that the pointer is on. */
function lights() {
  const idea = document.querySelector(".idea")
  if (!idea) return
  const steps = /** @type {HTMLElement[]} */ ([...idea.querySelectorAll(".step")])
  const first = steps.filter(s => s.classList.contains("lit"))
  const from = s => (s.dataset.from ?? s.dataset.line).split(" ")
  const light = on => { for (const s of steps) s.classList.toggle("lit", on.includes(s)) }
  idea.addEventListener("pointerover", e => {
    const at = /** @type {HTMLElement} */ (/** @type {Element} */ (e.target).closest(".step"))
    if (at) light(steps.filter(s => s === at || Boolean(s.dataset.from) !== Boolean(at.dataset.from) && from(s).some(n => from(at).includes(n))))
  })
  idea.addEventListener("pointerleave", () => light(first))
}

/** tree opens the list of pages where there is room for it. */
function tree() {
  const wide = matchMedia("(min-width: 900px)")
  const set = () => { $("tree").open = wide.matches }
  wide.addEventListener("change", set)
  set()
  const current = document.querySelector(".tree [aria-current]")
  if (wide.matches && current) current.scrollIntoView({block: "nearest"})
}

weftTheme($("theme"))
copying()
examples()
lights()
tree()
