// The form for data values, from their JSON Schema. What the user sets is passed as flags are,
// and wins over all files.

import {h} from "./dom.js"

export class Form {
  /** @param {() => void} changed */
  constructor(element, count, changed) {
    this.element = element
    this.count = count
    this.changed = changed
    this.set = new Map() // what the user has set: path → YAML
    this.inputs = new Map()
    this.schema = ""
    element.addEventListener("submit", e => e.preventDefault())
  }

  /** flags are the data values that the user has set, key=YAML. */
  get flags() { return [...this.set].map(([path, text]) => `${path}=${text}`) }

  set flags(list) {
    this.set = new Map(list.filter(x => x.includes("=")).map(x => [x.slice(0, x.indexOf("=")), x.slice(x.indexOf("=") + 1)]))
    this.schema = ""
  }

  /** show shows the form of a response. What the user is typing in stays as it is. */
  show(form) {
    const properties = form?.schema?.properties
    const text = JSON.stringify(form?.schema ?? null)
    if (text !== this.schema) {
      this.schema = text
      this.inputs.clear()
      const focused = document.activeElement?.id
      this.element.replaceChildren(...properties ? this.fields(properties, "")
        : [h("p", {class: "empty"}, "There is no schema. A document with ", h("code", {}, "#@data/values-schema"),
          " declares values, and they show up here.")])
      if (focused && this.element.contains(document.getElementById(focused))) document.getElementById(focused).focus()
    }
    for (const input of this.inputs.values()) input.update(lookup(form?.values, input.keys))
    this.tell()
  }

  tell() {
    this.count.textContent = this.set.size ? `${this.set.size} set here` : ""
    for (const [path, input] of this.inputs) input.row.classList.toggle("changed", this.set.has(path))
  }

  fields(properties, prefix) {
    return Object.entries(properties).map(([key, schema]) => this.field(key, schema, prefix))
  }

  field(key, schema, prefix) {
    const title = schema.title ?? key
    if (schema.type === "object" && schema.properties) {
      return h("fieldset", {}, h("legend", {}, title), note(schema), this.fields(schema.properties, prefix + key + "."))
    }
    if (/[.=@\s]/.test(key)) return h("p", {class: "empty"}, `${title} is set in a file: its name has a special character.`)
    const path = prefix + key, id = "value-" + path
    const types = [schema.type].flat(), nullable = types.includes("null")
    const kind = types.find(t => t !== "null")
    const give = yaml => {
      if (yaml === undefined) this.set.delete(path)
      else this.set.set(path, yaml)
      this.tell()
      this.changed()
    }
    const control = schema.enum ? choice(id, schema, give)
      : kind === "boolean" ? check(id, give)
        : kind === "integer" || kind === "number" ? number(id, kind, give)
          : kind === "string" ? text(id, schema, give)
            : block(id, give)
    const none = nullable && h("input", {type: "checkbox", onchange: e => give(e.target.checked ? "null" : control.start?.())})
    const help = note(schema)
    if (help) help.id = id + "-note"
    if (help) control.element.setAttribute("aria-describedby", help.id)
    const row = h("div", {class: "field " + (kind === "boolean" ? "check" : "")},
      h("label", {for: id}, title, schema.deprecated && h("small", {}, " deprecated")),
      control.element,
      nullable && h("label", {class: "null"}, none, " null"),
      h("button", {type: "button", class: "quiet reset", "aria-label": "Reset " + title, title: "Reset", onclick: () => {
        give(undefined)
        document.getElementById(id)?.focus()
      }}, "↺"), help)
    this.inputs.set(path, {row, keys: path.split("."), update: value => {
      if (document.activeElement !== control.element && value !== undefined) control.show(value)
      if (none) {
        none.checked = value === null
        control.element.disabled = value === null
      }
    }})
    return row
  }
}

const note = schema => schema.description || schema.deprecationMessage
  ? h("small", {class: "note"}, [schema.description, schema.deprecationMessage].filter(Boolean).join(" ")) : null

function lookup(values, keys) {
  for (const key of keys) values = values?.[key]
  return values
}

function text(id, schema, give) {
  const element = h("input", {id, type: schema.writeOnly ? "password" : "text", autocomplete: "off", spellcheck: "false",
    oninput: e => give(JSON.stringify(e.target.value))})
  return {element, start: () => "\"\"", show: value => { element.value = value ?? "" }}
}

function number(id, kind, give) {
  const element = h("input", {id, type: "number", step: kind === "integer" ? "1" : "any",
    oninput: e => give(e.target.value === "" ? undefined : e.target.value)})
  return {element, start: () => "0", show: value => { element.value = value ?? "" }}
}

function check(id, give) {
  const element = h("input", {id, type: "checkbox", onchange: e => give(String(e.target.checked))})
  return {element, start: () => "false", show: value => { element.checked = value === true }}
}

function choice(id, schema, give) {
  const element = h("select", {id, onchange: e => give(e.target.value)},
    schema.enum.map(v => h("option", {value: JSON.stringify(v)}, v === null ? "null" : String(v))))
  return {element, start: () => JSON.stringify(schema.enum[0]), show: value => { element.value = JSON.stringify(value) }}
}

/** block is for lists and values of any type, as JSON, which is YAML. */
function block(id, give) {
  const element = h("textarea", {id, rows: "2", spellcheck: "false",
    oninput: e => give(e.target.value.trim() === "" ? undefined : e.target.value.replaceAll("\n", " "))})
  return {element, start: () => "[]", show: value => { element.value = JSON.stringify(value) }}
}
