// What the search of the site finds. Words are compared by their stems, and mistakes in typing are forgiven; pages
// are ranked by how rare the words are that they have.
import MiniSearch from "minisearch"
import {stemmer} from "stemmer"

/** Words that say nothing about what is looked for. */
const noise = new Set("a an and are as at be by can cannot do does for from how i in into is it its me my not of on or than that the to use using want weft what when where with you your".split(" "))

/** Words that most pages are about. They count little beside other words. */
const general = new Set("carvel doc docs documentation error example guide help k8s kubernetes manual reference yaml ytt".split(" "))

/** Words that people use for the same thing. The one on the left also finds those on the right. */
const synonyms = {
  airgap: ["offline"],
  airgapped: ["offline"],
  argo: ["argocd"],
  argument: ["args"],
  array: ["list"],
  attribute: ["key"],
  autocomplete: ["completion", "editor"],
  autoscaler: ["replicas"],
  azure: ["ci"],
  became: ["become"],
  becomes: ["became"],
  beautify: ["format"],
  benchmark: ["speed"],
  binary: ["install"],
  bitbucket: ["ci"],
  bool: ["boolean"],
  brew: ["install"],
  carvel: ["ytt", "kapp"],
  chart: ["helm"],
  cicd: ["ci"],
  circleci: ["ci"],
  cm: ["configmap"],
  compare: ["comparison"],
  concatenate: ["string"],
  condition: ["conditional"],
  conditional: ["optional"],
  constraint: ["validation"],
  crash: ["error"],
  crd: ["customresourcedefinition"],
  credential: ["secret"],
  cronjob: ["kind"],
  customer: ["namespace", "instance"],
  daemonset: ["kind"],
  debug: ["troubleshooting", "origin"],
  definition: ["editor"],
  delete: ["remove"],
  deploy: ["apply"],
  dict: ["map"],
  dictionary: ["map"],
  difference: ["diff"],
  directory: ["folder"],
  disable: ["optional"],
  docker: ["image", "compose"],
  domain: ["host"],
  dotenv: ["environment", "variable"],
  download: ["install"],
  drift: ["diff"],
  drop: ["remove"],
  dump: ["print"],
  duplicate: ["twice"],
  each: ["every"],
  element: ["item"],
  else: ["conditional", "block"],
  enable: ["optional"],
  encrypt: ["secret"],
  entry: ["item"],
  enum: ["validation", "allowed"],
  env: ["environment"],
  extend: ["overlay"],
  fail: ["error"],
  fast: ["speed", "benchmark"],
  faster: ["speed", "benchmark"],
  field: ["key"],
  foreach: ["loop"],
  freeze: ["timeout"],
  generate: ["infer"],
  git: ["revision"],
  github: ["workflow", "ci"],
  gitlab: ["ci"],
  gitops: ["argocd", "ci"],
  glob: ["pattern"],
  goland: ["editor"],
  golden: ["expected"],
  golang: ["go"],
  goto: ["definition"],
  hang: ["timeout"],
  helper: ["function"],
  highlight: ["editor"],
  hover: ["editor"],
  ide: ["editor"],
  include: ["load"],
  infinite: ["timeout"],
  inherit: ["overlay"],
  inheritance: ["overlay"],
  intellij: ["editor"],
  iterable: ["null"],
  iterate: ["loop"],
  jenkins: ["ci"],
  jetbrains: ["editor"],
  jsonnet: ["starlark"],
  jump: ["definition"],
  k8s: ["kubernetes"],
  kpt: ["kustomize"],
  libsonnet: ["load"],
  macro: ["function"],
  mandatory: ["required"],
  many: ["several"],
  merge: ["overlay"],
  microservice: ["service"],
  missing: ["required"],
  mixin: ["library", "overlay"],
  mock: ["test"],
  multiline: ["block"],
  multiple: ["several"],
  needed: ["required"],
  new: ["changelog"],
  newline: ["line", "block"],
  none: ["null"],
  nonetype: ["null"],
  ns: ["namespace"],
  nvim: ["neovim"],
  object: ["map"],
  oom: ["memory"],
  parameter: ["value"],
  partial: ["function"],
  password: ["secret"],
  patch: ["overlay"],
  performance: ["speed", "benchmark"],
  pipeline: ["ci"],
  plugin: ["integration"],
  precedence: ["wins"],
  prettier: ["format"],
  pretty: ["format"],
  priority: ["wins"],
  prod: ["environment", "production"],
  production: ["environment"],
  property: ["key"],
  provenance: ["origin"],
  pycharm: ["editor"],
  range: ["loop"],
  regex: ["pattern"],
  resource: ["document"],
  restrict: ["validation"],
  reusable: ["share", "library"],
  reuse: ["share", "library"],
  rollback: ["revision"],
  slow: ["speed"],
  slower: ["speed", "benchmark"],
  snapshot: ["expected"],
  sops: ["secret"],
  split: ["per"],
  stage: ["environment"],
  staging: ["environment"],
  statefulset: ["kind"],
  stdin: ["standard"],
  subchart: ["library"],
  sublime: ["editor"],
  svc: ["service"],
  tekton: ["ci"],
  tenant: ["namespace", "instance"],
  toggle: ["optional"],
  token: ["secret"],
  trace: ["origin"],
  turn: ["become"],
  typed: ["schema"],
  types: ["schema"],
  typo: ["misspelled"],
  umbrella: ["library", "several"],
  unit: ["test"],
  update: ["change"],
  upgrade: ["update"],
  validate: ["validation"],
  var: ["variable"],
  variable: ["value"],
  vault: ["secret"],
  version: ["tag"],
  vim: ["neovim"],
  vscode: ["code", "editor"],
  whitespace: ["blank", "line"],
  wildcard: ["pattern"],
}

/** words returns the words of a text: names such as overlay/match-count and --data-value whole, and their parts. */
function words(text) {
  const list = []
  for (const raw of text.match(/\.?[\p{L}\p{N}@$_][\p{L}\p{N}@$_./:-]*/gu) ?? []) {
    const word = raw.replace(/[./:-]+$/, "").replace(/\.yaml$/i, ".yml")
    const parts = word.split(/[@$_./:-]+/).filter(part => part !== "")
    list.push(word)
    if (parts.length > 1 || parts[0] !== word) list.push(...parts)
  }
  return list
}

/** stem returns the stem of a word. Names have none. */
const stem = word => /^[a-z]+$/.test(word) ? stemmer(word) : word

/** compared returns what is compared of a word: its stem, and the word itself, as mistakes are made in words. */
function compared(word) {
  const lower = word.toLowerCase()
  return noise.has(lower) ? null : [...new Set([stem(lower), lower])]
}

/** meant returns what is compared of a word that was typed. If no page has the word, nor one that begins with it, it
 * stands for the words that are typed nearly like it.
 * @param {string} word @param {Words} known */
function meant(word, known) {
  const own = compared(word)
  if (!own || own.some(term => bySynonym.has(term))) return own
  return [...own, ...known.near(word.toLowerCase())]
}

/** related returns what is meant by a word, and the stems of its synonyms. @param {string} word @param {Words} known */
function related(word, known) {
  const own = meant(word, known)
  return own && [...own, ...own.flatMap(term => bySynonym.get(term) ?? [])]
}

/** stems returns the stems of the words of a phrase. @param {string} phrase @returns {string[]} */
const stems = phrase => words(phrase).map(word => word.toLowerCase()).filter(word => !noise.has(word)).map(stem)

/** shared returns the part of a phrase and of what was asked for that both have: 1 if they are the same. Of two words
 * that mean the same word of the phrase, one counts.
 * @param {string[]} phrase @param {string[][]} asked */
function shared(phrase, asked) {
  const ofQuery = asked.filter(terms => terms.some(term => phrase.includes(term))).length
  const ofPhrase = phrase.filter(word => asked.some(terms => terms.includes(word))).length
  return Math.min(ofQuery, ofPhrase) ** 2 / (phrase.length * asked.length)
}

/** flat returns a text without quotes, which differ where it is quoted. @param {string} text */
const flat = text => text.toLowerCase().replace(/['"`‘’“”]/g, "").replace(/\s+/g, " ").trim()

/** Message is a message that a page is about. */
class Message {
  /** @param {Entry} page @param {string} text with "…" for what it inserts */
  constructor(page, text) {
    this.page = page
    this.parts = flat(text).split("…").map(part => part.trim()).filter(part => part !== "")
    this.length = this.parts.join("").length
    this.inserts = text.includes("…")
  }

  /** isIn reports whether a flat text has all parts of the message, in their order, and something that it inserts.
   * @param {string} text */
  isIn(text) {
    if (this.inserts && text.length <= this.length + this.parts.length) return false
    let from = 0
    return this.parts.every(part => {
      const at = text.indexOf(part, from)
      from = at + part.length
      return at >= 0
    })
  }
}

/** pasted returns the pages about the message that a query has. Of several, the longest one is meant, and a short one
 * only if it is most of the query. A question without any signs may have the words of a short message by chance.
 * @param {string} query @param {Message[]} all */
function pasted(query, all) {
  const text = flat(query), question = /^[\p{L}\p{N}\s-]*$/u.test(query)
  const found = all.filter(message => message.isIn(text) &&
    (!question || message.length >= 24 || (message.length >= 0.6 * text.length && text.startsWith(message.parts[0]))))
  const most = Math.max(...found.map(message => message.length))
  if (most < 12 && most < text.length / 2) return []
  return [...new Set(found.filter(message => message.length === most).map(message => message.page))]
}

/** Words are all words of the pages, as they are compared. */
class Words extends Set {
  /** @type {Map<string, string[]>} */ found = new Map()

  /** near returns the words with the fewest mistakes between them and a word that no page has: one in short words,
   * two in others. @param {string} word @returns {string[]} */
  near(word) {
    let best = this.found.get(word)
    if (best) return best
    best = []
    let most = word.length < 4 ? 0 : word.length < 6 ? 1 : 2
    if (!/^\p{L}+$/u.test(word)) most = 0
    for (const other of most > 0 ? this : []) {
      if (other.startsWith(word)) return this.found.set(word, []), []
      if (Math.abs(other.length - word.length) > most) continue
      const n = mistakes(word, other, most)
      if (n > most) continue
      if (n < most) best = []
      most = n
      best.push(other)
    }
    best = [...new Set(best.map(stem))]
    this.found.set(word, best)
    return best
  }
}

/** mistakes returns how many letters are missing, added, wrong or swapped with the next one in a word, or more than
 * most. @param {string} a @param {string} b @param {number} most */
function mistakes(a, b, most) {
  let before = [], last = Array.from({length: b.length + 1}, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + Number(a[i - 1] !== b[j - 1]))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length]
}

/** typed returns the words of a query. Those of a name such as commonLabels count if no page has the name, and so do
 * those of a word such as imagetag, if there are headings with them, and the beginning of a name such as .Values.port.
 * @param {string} query @param {Set<string>} known @param {Set<string>} titles */
const typed = (query, known, titles) => words(query).flatMap(word => {
  const lower = word.toLowerCase()
  if (titles.has(stem(lower))) return word
  const is = known.has(lower) || known.has(stem(lower))
  for (let dot = lower.lastIndexOf("."); dot > 0 && !is; dot = lower.lastIndexOf(".", dot - 1)) {
    if (known.has(lower.slice(0, dot))) return [word, lower.slice(0, dot)]
  }
  const parts = word.match(/^[a-z]+|[A-Z][a-z]+|[A-Z]{2,}|\d{2,}/g) ?? []
  if (parts.length > 1 && !is) return [word, ...parts]
  for (let i = 3; i < lower.length - 2; i++) {
    const halves = [lower.slice(0, i), lower.slice(i)]
    if (halves.every(half => titles.has(stem(half)))) return is ? [word, ...halves] : halves
  }
  return word
})

const bySynonym = new Map(Object.entries(synonyms).map(([word, others]) => [stem(word), others.map(stem)]))

/** Pages for few readers, and lists of everything: they come last, unless their name was typed. */
const minor = /^(reference\/(codes|messages|json|lint-rules|command-line-changes|go-api-changes)|lint\/|changelog|help\/|contributing|architecture|releasing)/

/** @typedef {{u: string, p: string, h?: string, t: string, n?: string, w?: string, m?: string[]}} Entry */

/**
 * finder returns a function that returns the sections to show for a query, best first, at most one of a page.
 * @param {Entry[]} entries
 */
export function finder(entries) {
  const known = new Words(), titles = new Set(entries.flatMap(e => words(e.h ?? e.p)).map(word => stem(word.toLowerCase())))
  const times = new Map()
  for (const {h} of entries) times.set(h, (times.get(h) ?? 0) + 1)
  /** heading returns the heading of a section. One that many pages have, such as "How it works", says nothing.
   * @param {Entry} e */
  const heading = e => e.h && times.get(e.h) > 10 ? "" : e.h
  const index = new MiniSearch({
    fields: ["heading", "page", "names", "words", "text"],
    tokenize: words,
    processTerm: word => {
      const terms = compared(word)
      terms?.forEach(term => known.add(term))
      return terms
    },
    searchOptions: {
      tokenize: query => typed(query, known, titles),
      processTerm: word => related(word, known),
      boost: {heading: 4, page: 5, names: 3, words: 3, text: 1},
      prefix: term => term.length > 2,
      weights: {prefix: 0.4, fuzzy: 0},
      bm25: {k: 1.2, b: 0.8, d: 0}, // long lists, which have every word, come after what is about the words
      boostDocument: id => (minor.test(entries[id].u) ? 0.3 : 1) * (entries[id].h ? 1 : 1.5),
    },
  })
  const phrases = entries.map(e => [heading(e) ?? e.p, ...e.w?.split(", ") ?? []].map(stems).filter(list => list.length > 0))
  index.addAll(entries.map((e, id) => ({id, heading: heading(e) ?? "", page: e.p, names: e.n ?? "", words: [e.w, ...e.m ?? []].join(" "), text: e.t})))
  const messages = entries.flatMap(e => e.m?.map(text => new Message(e, text)) ?? [])
  return (query, most) => {
    const exact = query.trim().toLowerCase()
    const pages = new Map()
    const spoken = typed(query, known, titles)
    const own = new Set(spoken.flatMap(word => meant(word, known) ?? []))
    const special = spoken.filter(word => !general.has(word.toLowerCase()) && !noise.has(word.toLowerCase()))
    const meaning = words => words.map(word => related(word, known)).filter(terms => terms !== null)
    const all = meaning(spoken), asked = special.length > 0 ? meaning(special) : all
    // A word that has a stem is found twice, and would count more than a name.
    const form = term => stem(term) === term ? 1 : 0.25
    const weight = term => form(term) * (special.length > 0 && general.has(term) ? 0.3 : own.has(term) ? 1 : 0.7)
    for (const {id, score, queryTerms} of index.search(query, {boostTerm: weight})) {
      const e = entries[id], page = e.u.replace(/#.*/, "")
      const named = [e.h, e.p, ...e.n?.split(" ") ?? []].some(name => name?.toLowerCase() === exact)
      // A section that has all the words is better than one that has one of them often.
      const has = asked.filter(terms => terms.some(term => queryTerms.includes(term))).length
      // A heading or a phrase of its search words that says the same comes before one that has the words, too.
      const near = Math.max(0, ...phrases[id].flatMap(phrase => [shared(phrase, all), shared(phrase, asked)]))
      const whole = score * has ** 1.5 * (named ? 4 : 1) * (1 + 4 * near ** 2)
      const best = pages.get(page)
      if (!best) pages.set(page, {e, score: whole, others: 0})
      else if (whole > best.score) pages.set(page, {e, score: whole, others: best.others + best.score})
      else best.others += whole
    }
    // What else a page has counts a little: it may be about all this.
    const rank = page => page.score + 0.1 * Math.min(page.others, 2 * page.score)
    const first = pasted(query, messages)
    for (const e of first) pages.delete(e.u)
    return [...first, ...[...pages.values()].sort((a, b) => rank(b) - rank(a)).map(hit => hit.e)].slice(0, most)
  }
}
