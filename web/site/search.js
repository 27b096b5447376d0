// The search: an index of all sections, loaded when somebody searches, and looked through here. All
// of it is plain scripts, so that it also works for a site on a disk.
"use strict"

const most = 12

/** search makes the field work. @param {HTMLElement} box @param {string} root */
function search(box, root) {
  const field = box.querySelector("input"), list = box.querySelector("[role=listbox]")
  const found = box.querySelector("[role=status]")
  let entries = null, chosen = -1

  const load = () => {
    if (entries || box.dataset.loading) return
    box.dataset.loading = "yes"
    const script = document.createElement("script")
    script.src = root + "assets/search-index.js"
    script.onload = () => {
      entries = window.weftIndex.map(e => ({...e, title: (e.h ?? e.p).toLowerCase(), page: e.p.toLowerCase(), text: e.t.toLowerCase(), names: (e.n ?? "").toLowerCase()}))
      show()
    }
    script.onerror = () => {
      delete box.dataset.loading
      found.textContent = "The search could not be loaded."
    }
    document.head.append(script)
  }

  const show = () => {
    const query = field.value.trim().toLowerCase()
    if (!entries || query === "") return close()
    const hits = find(entries, query)
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
      const option = list.querySelectorAll("[role=option]")[chosen]
      if (option) location.href = option.dataset.url
      close()
      e.preventDefault()
    }
  })
  list.addEventListener("mousedown", e => e.preventDefault()) // the field keeps the focus
  list.addEventListener("click", e => {
    const option = e.target.closest("[role=option]")
    if (option) location.href = option.dataset.url
    close()
  })
  field.addEventListener("blur", close)
  document.addEventListener("keydown", e => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault()
      field.focus()
      field.select()
    }
  })
}

/** find returns the sections that have all words of a query, best first. */
function find(entries, query) {
  const words = query.split(/\s+/)
  const hits = []
  for (const e of entries) {
    let score = 0
    for (const word of words) {
      const s = scoreOf(e, word)
      if (s === 0) {
        score = 0
        break
      }
      score += s
    }
    if (score === 0) continue
    if (e.title === query) score += 100
    if (!e.h) score += 4 // a whole page is a better answer than its tenth section
    hits.push({e, score})
  }
  hits.sort((a, b) => b.score - a.score)
  return hits.slice(0, most).map(hit => hit.e)
}

function scoreOf(e, word) {
  const inTitle = starts(e.title, word), inPage = starts(e.page, word)
  let score = inTitle * 20 + inPage * 8 + starts(e.names, word) * 12
  const at = e.text.indexOf(word)
  if (at >= 0) score += starts(e.text, word) ? 4 : 1
  if (!score && e.title.includes(word)) score = 6
  return score
}

/** starts is 1 if a word of a text begins with something, 2 if it is that word, else 0. */
function starts(text, word) {
  let best = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1])) continue
    const after = text[at + word.length]
    if (after === undefined || !/[\p{L}\p{N}]/u.test(after)) return 2
    best = 1
  }
  return best
}

function option(e, i, query, root) {
  const item = document.createElement("div")
  item.setAttribute("role", "option")
  item.setAttribute("aria-selected", "false")
  item.id = "result-" + i
  item.dataset.url = root + e.u
  const title = document.createElement("b")
  title.textContent = e.h ?? e.p
  item.append(title)
  if (e.h) {
    const page = document.createElement("small")
    page.textContent = e.p
    item.append(" ", page)
  }
  const text = document.createElement("span")
  text.textContent = excerpt(e.t, query)
  item.append(text)
  return item
}

/** excerpt is the part of a text around the first word of a query. */
function excerpt(text, query) {
  const at = text.toLowerCase().indexOf(query.split(/\s+/)[0])
  const from = at < 60 ? 0 : text.indexOf(" ", at - 50) + 1
  return (from > 0 ? "… " : "") + text.slice(from, from + 140)
}

search(document.getElementById("search"), document.body.dataset.root)
