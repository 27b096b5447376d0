// What asks people in a dialog: names of files, links to share, examples.

import {$, ask, h} from "./dom.js"
import {allFiles, chosenEnvironment, currentPath, download, file} from "./files.js"
import {editor, form, local, status} from "./page.js"
import {examples, keepWork, offerWork, open, openWork, remember} from "./projects.js"
import {encode, longLink, pathProblem} from "./share.js"
import {ago, forgetAll, recent} from "./work.js"

/** askName asks for a path until it is one, or the dialog is closed. */
export async function askName(title, name) {
  const input = h("input", {id: "name", type: "text", value: name, autocomplete: "off", spellcheck: "false", "aria-describedby": "name-problem"})
  const problem = h("p", {id: "name-problem", class: "error", role: "alert"})
  const check = () => {
    const path = input.value.trim()
    const bad = pathProblem(path) || (path !== currentPath && file(path) ? "there is such a file already" : "")
    input.setCustomValidity(bad)
    problem.textContent = bad
  }
  input.addEventListener("input", check)
  const body = [h("label", {for: "name"}, "Path, such as config/app.yml"), input, problem]
  const answer = await ask(title, body, [["ok", "OK"], ["", "Cancel"]], () => {
    input.focus()
    input.setSelectionRange(name.lastIndexOf("/") + 1, Math.max(name.lastIndexOf("."), 0))
  })
  const path = input.value.trim()
  return answer === "ok" && !pathProblem(path) ? path : ""
}

export async function share() {
  const fragment = await encode({files: allFiles, environment: chosenEnvironment, values: form.flags, format: $("kind").value})
  const link = location.origin === "null" || local ? "" : location.href.replace(/[?#].*/, "") + "#" + fragment
  const input = h("input", {id: "link", type: "text", readonly: true, value: link, "aria-label": "Link", onfocus: e => e.target.select()})
  const frame = h("input", {id: "frame", type: "text", readonly: true, onfocus: e => e.target.select(),
    value: `<iframe src="${link.replace("#", "?embed#")}" width="100%" height="480" title="weft playground"></iframe>`})
  const long = link.length > longLink
  history.replaceState(history.state, "", "#" + fragment)
  remember() // a reload finds these files, not those of a link
  const answer = await ask("Share", [
    h("p", {}, "The link has all files in it. They stay in the part behind the #, which browsers never send to a server."),
    input,
    h("label", {for: "frame"}, "To show it in a page of yours:"), frame,
    long && h("p", {class: "warning"}, `The link has ${link.length} characters. Some programs cut links above ${longLink}: a zip may be better.`),
  ].filter(Boolean), [["copy", "Copy the link"], ["zip", "Download as zip"], ["", "Close"]])
  if (answer === "zip") download()
  if (answer === "copy") status(await copy(link) ? "The link is copied" : "The link is in the address bar")
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export async function chooseExample() {
  const groups = Map.groupBy ? Map.groupBy(examples, x => x.group) : group(examples)
  const kept = await recent()
  const entry = (answer, title, text) => h("li", {}, h("button", {type: "button", onclick: () => $("dialog").close(answer)}, h("b", {}, title), h("span", {}, text)))
  const body = h("div", {class: "gallery"},
    kept.length > 0 && h("section", {id: "recent"}, h("h3", {}, "Recent"),
      h("ul", {}, kept.map(w => entry("work:" + w.id, w.title, "Edited " + ago(w.when)))),
      h("button", {type: "button", class: "quiet", onclick: () => $("dialog").close("forget")}, "Forget these")),
    [...groups].map(([name, list]) => h("section", {}, h("h3", {}, name),
      h("ul", {}, list.map(x => entry("example:" + x.id, x.title, x.text.replaceAll("`", "")))))))
  const answer = await ask("Examples", body, [["", "Close"]])
  const example = examples.find(x => "example:" + x.id === answer)
  const work = kept.find(w => "work:" + w.id === answer)
  if (answer === "forget") {
    offerWork(null)
    await forgetAll()
    status("The recent projects are forgotten")
  } else if (example || work) {
    keepWork()
    history.pushState(null, "", example ? "#example=" + example.id : location.pathname + location.search)
    if (example) open(example)
    else openWork(work)
    editor.view.focus()
  }
}

function group(list) {
  const groups = new Map()
  for (const x of list) groups.set(x.group, [...groups.get(x.group) ?? [], x])
  return groups
}
