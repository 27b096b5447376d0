// Where lines come from, and what overlays did, in words. Places are buttons that lead to them.

import {h, plural} from "./dom.js"

/** place reads app.yml:8:3; flags and variables have no place. */
export function place(text) {
  const m = /^(.*):(\d+):(\d+)$/.exec(text ?? "")
  return m ? {file: m[1], line: Number(m[2]), column: Number(m[3])} : null
}

/** History knows where each line of the output comes from. */
export class History {
  /** @param {object} data what weft.Blamed.WriteLines writes
   * @param {string} part "" for the documents, or the path of a text */
  constructor(data, part) {
    this.data = data
    this.lines = []
    this.absent = []
    for (const line of data.lines) {
      if ((line.file ?? "") !== part) continue
      if (line.line) this.lines[line.line - 1] = line
      else if (line.absent) this.absent.push({after: this.lines.length, ...line.absent})
    }
  }

  node(line) {
    const found = this.lines[line - 1]
    return found?.node === undefined ? null : this.data.nodes[found.node]
  }

  /** name is what a line shows, such as Deployment/hello spec.replicas, or "" if it belongs to no value. */
  name(line) {
    const node = this.node(line)
    return node ? [node.object, node.name].filter(Boolean).join("  ") : ""
  }

  /** find returns the line that shows what has a name, or 0. */
  find(name) { return this.lines.findIndex((_, i) => this.name(i + 1) === name) + 1 }

  /** events are what produced a line, the last one first. */
  events(line) {
    const node = this.node(line)
    if (node) return [...node.history].reverse()
    const event = this.lines[line - 1]?.made
    return event ? [event] : []
  }

  /** kinds are what is striped beside lines. */
  kinds() {
    return Array.from(this.lines, (_, i) => {
      const [last] = this.events(i + 1)
      if (!last) return ""
      if (last.op !== "set") return "overlay"
      return last.values?.length ? "value" : ""
    })
  }

  /** target is the place of the last writer of a line. */
  target(line) { return place(this.events(line)[0]?.at) }

  /** steps are the places that a line comes from, in the order in which they took part: values and what
   * replaced them, then the template, calls and conditions, then overlays. */
  steps(line) {
    const steps = [], node = this.node(line)
    const add = (text, what) => { const at = place(text); if (at) steps.push({at, what}) }
    for (const e of [...this.events(line)].reverse()) {
      for (const name of e.values ?? []) {
        for (const l of this.data.values[name] ?? []) add(l.at, `${name}: ${JSON.stringify(l.value)}, ${layers[l.layer] ?? l.layer}`)
      }
      for (const c of e.calls ?? []) add(c, "called here")
      add(e.at, `${verbs[e.op] ?? e.op} here` + (e.value === undefined ? "" : `: ${short(JSON.stringify(e.value))}`))
    }
    for (const w of node?.when ?? []) add(w.at, `because of this ${w.kind}`)
    return steps.filter((s, i) => steps.findIndex(o => o.at.file === s.at.file && o.at.line === s.at.line) === i)
  }

  /** results are the lines of the output that a line of a file took part in. */
  results(file, line) {
    const here = text => { const p = place(text); return p && p.file === file && p.line === line }
    const values = new Set(Object.entries(this.data.values)
      .filter(([, layers]) => layers.some(l => here(l.at))).map(([name]) => name))
    const found = []
    this.lines.forEach((_, i) => {
      const events = this.events(i + 1), when = this.node(i + 1)?.when ?? []
      if (events.some(e => here(e.at) || here(e.by) || e.calls?.some(here) || e.values?.some(v => values.has(v))) ||
        when.some(w => here(w.at))) found.push(i + 1)
    })
    return found
  }

  /** describe says where a line comes from. */
  describe(line, jump) {
    const events = this.events(line), node = this.node(line)
    if (!events.length) return null
    const names = [...new Set(events.flatMap(e => e.values ?? []))]
    return h("div", {class: "history"},
      node && h("h3", {}, this.name(line)),
      h("ol", {}, events.map(e => h("li", {}, this.event(e, jump)))),
      (node?.when ?? []).map(w => h("p", {}, `because of the ${w.kind} at `, link(w.at, jump),
        w.values?.length ? ", which reads " + w.values.join(", ") : "")),
      names.length > 0 && h("dl", {}, names.map(name => [
        h("dt", {}, name),
        [...this.data.values[name] ?? []].reverse().map((l, i) =>
          h("dd", {}, i > 0 && "over ", h("code", {}, JSON.stringify(l.value)), " — ", layers[l.layer] ?? l.layer, " ",
            link(l.at, jump))),
      ])))
  }

  event(e, jump) {
    const verb = verbs[e.op] ?? e.op
    return [
      e.value !== undefined && [h("code", {}, JSON.stringify(e.value)), " "], verb, " at ", link(e.at, jump),
      e.how && e.values?.length ? `, ${e.how} ` + (e.how.endsWith("from") ? "" : "from ") + e.values.join(", ") : null,
      (e.calls ?? []).map(c => [", called at ", link(c, jump)]),
    ]
  }
}

const verbs = {set: "written", merge: "changed", add: "added", override: "overridden"}

const layers = {
  schema: "default of the schema", document: "data values", project: "weft.yml", file: "values file",
  flag: "Values form", env: "variable", library: "library", template: "template",
}

/** link is a place as a button that leads to it, or as text if nobody can go there. */
function link(text, jump) {
  const p = place(text)
  if (!p) return text ?? ""
  return h("button", {type: "button", class: "ref", onclick: () => jump(p)}, `${p.file}:${p.line}`)
}

/** cards are what overlays did, one card for each. */
export function cards(steps, jump) {
  if (!steps?.length) {
    return [h("p", {class: "empty"}, "There are no overlays. Overlays are documents with ",
      h("code", {}, "#@overlay/match"), " that change other documents; this tab shows what each of them does."),
    h("p", {class: "empty"}, "To see where a line of the output comes from, click it, or move the pointer over it.")]
  }
  return steps.map(step => card(step, jump))
}

function card(step, jump) {
  const at = p => h("button", {type: "button", class: "ref", onclick: () => jump(p)}, `${p.file}:${p.line}`)
  const target = step.matched.length
    ? ["matched ", step.matched.slice(0, 20).map((m, i) => [i > 0 && ", ", m.name ? m.name + " " : "", at(m.at)])]
    : ["matched nothing"]
  return h("article", {class: step.changes.length ? "" : "idle"},
    h("h3", {}, "Overlay ", at(step.overlay), " ", h("small", {}, plural(step.changes.length, "change"))),
    h("p", {}, target),
    step.changes.length > 0 && h("ul", {}, step.changes.slice(0, 200).map(c => change(c, at))),
    step.skipped?.length > 0 && h("details", {}, h("summary", {}, `${plural(step.skipped.length, "document")} not matched`),
      h("ul", {}, step.skipped.slice(0, 50).map(s => h("li", {}, s.name ? s.name + " " : "", s.at && at(s.at), s.reason ? ": " + s.reason : "")))))
}

function change(c, at) {
  const value = v => h("code", {}, short(JSON.stringify(v)))
  const what = {
    added: () => ["added ", value(c.new)],
    removed: () => ["removed ", value(c.old)],
    changed: () => [value(c.old), " → ", value(c.new)],
  }[c.kind]
  return h("li", {class: c.kind}, h("b", {}, c.path || "the document"), " ", what ? what() : c.kind, " ", c.at && at(c.at))
}

const short = text => text === undefined ? "" : text.length > 120 ? text.slice(0, 120) + "…" : text
