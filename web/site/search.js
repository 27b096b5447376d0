// The field of the search. What it finds is the work of web/search/find.js, which is loaded with an index of all
// sections when somebody searches. All of it is plain scripts, so that it also works for a site on a disk.
"use strict"

const most = 12

/** search makes the field work. @param {HTMLElement} box @param {string} root */
function search(box, root) {
  const field = box.querySelector("input")
  const list = /** @type {HTMLElement} */ (box.querySelector("[role=listbox]"))
  const found = box.querySelector("[role=status]")
  let find = null, chosen = -1

  const script = name => new Promise((resolve, reject) => {
    const e = document.createElement("script")
    e.src = root + "assets/" + name
    e.onload = resolve
    e.onerror = reject
    document.head.append(e)
  })
  const load = () => {
    if (find || box.dataset.loading) return
    box.dataset.loading = "yes"
    Promise.all([script("search-index.js"), script("find.js")]).then(() => {
      find = weftSearch.finder(weftIndex)
      show()
    }, () => {
      delete box.dataset.loading
      found.textContent = "The search could not be loaded."
    })
  }

  const show = () => {
    const query = field.value.trim()
    if (!find || query === "") return close()
    const hits = find(query, most)
    list.replaceChildren(...hits.map((hit, i) => option(hit, i, query, root)))
    if (hits.length === 0) {
      const none = document.createElement("p")
      none.textContent = "Nothing found."
      list.replaceChildren(none)
    }
    list.hidden = false
    field.setAttribute("aria-expanded", "true")
    found.textContent = hits.length === 1 ? "1 result" : hits.length + " results"
    choose(hits.length ? 0 : -1)
  }

  const close = () => {
    list.hidden = true
    field.setAttribute("aria-expanded", "false")
    field.removeAttribute("aria-activedescendant")
    chosen = -1
  }

  const choose = i => {
    const options = list.querySelectorAll("[role=option]")
    options[chosen]?.setAttribute("aria-selected", "false")
    chosen = options.length ? (i + options.length) % options.length : -1
    if (chosen < 0) return field.removeAttribute("aria-activedescendant")
    options[chosen].setAttribute("aria-selected", "true")
    options[chosen].scrollIntoView({block: "nearest"})
    field.setAttribute("aria-activedescendant", options[chosen].id)
  }

  box.hidden = false
  field.addEventListener("focus", load)
  field.addEventListener("input", show)
  field.addEventListener("keydown", e => {
    if (e.key === "Escape") {
      if (list.hidden) field.blur()
      close()
    } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      if (list.hidden) show()
      else choose(chosen + (e.key === "ArrowDown" ? 1 : -1))
      e.preventDefault()
    } else if (e.key === "Enter") {
      const option = /** @type {HTMLElement} */ (list.querySelectorAll("[role=option]")[chosen])
      if (option) location.href = option.dataset.url
      close()
      e.preventDefault()
    }
  })
  list.addEventListener("mousedown", e => e.preventDefault()) // the field keeps the focus
  list.addEventListener("click", e => {
    const option = /** @type {HTMLElement} */ (/** @type {Element} */ (e.target).closest("[role=option]"))
    if (option) location.href = option.dataset.url
    close()
  })
  field.addEventListener("blur", close)
  document.addEventListener("keydown", e => {
    const at = /** @type {HTMLElement} */ (e.composedPath()[0]) // which may be in the editor of a live example
    const typing = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault()
      field.focus()
      field.select()
    }
  })
}

function option(e, i, query, root) {
  const item = document.createElement("div")
  item.setAttribute("role", "option")
  item.setAttribute("aria-selected", "false")
  item.id = "result-" + i
  item.dataset.url = root + e.u
  const title = document.createElement("b")
  title.textContent = e.p
  item.append(title)
  if (e.h) {
    const section = document.createElement("small")
    section.textContent = "› " + e.h
    item.append(" ", section)
  }
  const text = document.createElement("span")
  text.textContent = excerpt(e.t, query)
  item.append(text)
  return item
}

/** excerpt is the part of a text around the first word of a query, in whole words. */
function excerpt(text, query) {
  const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0])
  const from = at < 60 ? 0 : text.indexOf(" ", at - 50) + 1
  const part = text.slice(from, from + 140)
  const whole = from + 140 < text.length ? part.slice(0, part.lastIndexOf(" ")) + " …" : part
  return (from > 0 ? "… " : "") + whole
}

search(document.getElementById("search"), document.body.dataset.root)
