// What the search of the site finds. Words are compared by their stems, and mistakes in typing are forgiven.
// Pages are ranked by how rare the words are that they have, and by how near their title, a heading or a phrase
// of their words for the search comes to what was typed.
import {stemmer} from "stemmer"

/** Words that say nothing about what is looked for. */
const noise = new Set(`
  a am an and are as at be by can cannot could do does for from how i in into is it its me my not of
  on or our s should t than that the their them these they this those to us use using want was we weft
  were what when where will with would you your
`.trim().split(/\s+/))

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
  reuse: ["share", "library"],
  rollback: ["revision"],
  slow: ["speed"],
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

/** Words that people use for nearly the same thing. Each of them also finds the others. */
const groups = `
  add append insert inject attach
  aggregate combine concatenate join merge
  allow permit
  change modify edit update alter tweak adjust
  check validate verify validation assert
  condition conditional when
  copy duplicate clone
  create generate produce make build
  credential password token secret
  default fallback
  delete remove drop strip unset erase discard rid omit
  dictionary dict map hash object
  diff difference compare
  directory folder dir
  disable off skip
  environment env stage
  error fail failure exception problem
  exclude ignore skip leave omit
  field key property attribute
  find locate search
  list array sequence
  loop iterate foreach range each every
  manifest resource object document
  move relocate rename
  multiple several many
  optional conditional
  override overwrite replace
  parameter variable setting input argument
  print show display output
  reuse share import include load
  string text
  substitute swap replace
  upgrade bump update
`.trim().split("\n").map(line => line.trim().split(" "))

/** words returns the words of a text: names such as overlay/match-count and --data-value whole, and their parts. */
function words(text) {
  const list = []
  for (const raw of text.match(/\.?[\p{L}\p{N}@$_][\p{L}\p{N}@$_./:-]*/gu) ?? []) {
    const word = raw.replace(/[./:-]+$/, "")
    const parts = word.split(/[@$_./:-]+/).filter(part => part !== "")
    list.push(word)
    if (parts.length > 1 || parts[0] !== word) list.push(...parts)
  }
  return list
}

/** stem returns the stem of a word. Names have none. */
const stem = word => /^[a-z]+$/.test(word) ? stemmer(word) : word

const bySynonym = new Map(Object.entries(synonyms).map(([word, others]) => [stem(word), others.map(stem)]))

/** @type {Map<string, string[]>} */ const byGroup = new Map()
for (const group of groups.map(words => words.map(stem))) {
  for (const word of group) byGroup.set(word, [...byGroup.get(word) ?? [], ...group])
}

/** typed returns the words of a query. Those of a name such as commonLabels count if no page has the name, and so do
 * those of a word such as imagetag, if there are headings with them.
 * @param {string} query @param {Set<string>} known @param {Set<string>} titles */
const typed = (query, known, titles) => words(query).flatMap(word => {
  const lower = word.toLowerCase()
  if (titles.has(stem(lower))) return word
  const is = known.has(lower) || known.has(stem(lower))
  const parts = word.match(/^[a-z]+|[A-Z][a-z]+|[A-Z]{2,}|\d{2,}/g) ?? []
  if (parts.length > 1 && !is) return [word, ...parts]
  for (let i = 3; i < lower.length - 2; i++) {
    const halves = [lower.slice(0, i), lower.slice(i)]
    if (halves.every(half => titles.has(stem(half)))) return is ? [word, ...halves] : halves
  }
  return word
})

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

/** Pages for few readers, and lists of everything: they come last, unless their name was typed. */
const minor = /^(reference\/(codes|messages|json|lint-rules|command-line-changes|go-api-changes)|lint\/|changelog|help\/|contributing|architecture|releasing)/

/** How much a word counts in a part of a page, and how near a query may come to a phrase there. */
const parts = {
  title: {boost: 5, phrase: 1},
  heading: {boost: 4, phrase: 0.65},
  words: {boost: 3, phrase: 1},
  names: {boost: 2, phrase: 0.3},
  text: {boost: 1, phrase: 0},
}

/** How much words count that mean the same, that mean nearly the same, and that begin with the one typed. */
const asSynonym = 0.5, asGroup = 0.33, asPrefix = 0.4

/** A Count says how often a word is in sections, or in pages.
 * @typedef {Map<string, Map<number, number>>} Count */

/** @param {Count} counts @param {string} word @param {number} id @param {number} n */
function add(counts, word, id, n) {
  let of = counts.get(word)
  if (!of) counts.set(word, of = new Map())
  of.set(id, (of.get(id) ?? 0) + n)
}

/** An Index has the words of all pages.
 * @typedef {{u: string, p: string, h?: string, t: string, n?: string, w?: string}} Entry */
class Index {
  /** @type {{url: string, minor: boolean}[]} */ pages = []
  /** @type {number[]} the page of each section */ pageOf = []
  /** @type {Count} */ inPages = new Map()
  /** @type {Count} */ inSections = new Map()
  /** @type {Count} the phrases that have a word */ inPhrases = new Map()
  /** @type {{page: number, section: number, stems: string[], most: number}[]} titles, headings, names, and
   * phrases of the words for the search */ phrases = []
  /** @type {Map<string, string>} words as they are written, and their stems */ forms = new Map()
  /** @type {Set<string>} words and stems */ known = new Set()
  /** @type {Set<string>} stems of the words of titles and headings */ titles = new Set()
  /** @type {Map<string, string[]>} */ nearly = new Map()
  /** @type {Map<string, number>} */ rarity = new Map()

  /** @param {Entry[]} entries */
  constructor(entries) {
    const lengths = entries.map(e => words(e.t).length)
    const mean = lengths.reduce((a, b) => a + b, 0) / entries.length
    entries.forEach((e, section) => {
      const url = e.u.replace(/#.*/, "")
      if (this.pages.at(-1)?.url !== url) this.pages.push({url, minor: minor.test(url)})
      this.pageOf[section] = this.pages.length - 1
      const title = e.h ?? e.p
      for (const word of words(title)) this.titles.add(stem(word.toLowerCase()))
      this.part(section, e.h ? parts.heading : parts.title, title, [title])
      this.part(section, parts.words, e.w ?? "", e.w?.split(", ") ?? [])
      this.part(section, parts.names, e.n ?? "", e.n?.split(" ") ?? [])
      // Long lists, which have every word, come after what is about the words.
      this.part(section, parts.text, e.t, [], 0.25 + 0.75 * lengths[section] / mean)
    })
    this.known = new Set([...this.forms.keys(), ...this.forms.values()])
  }

  /** part adds a part of a section, whose phrases are those that a query may come near to.
   * @param {number} section @param {{boost: number, phrase: number}} of @param {string} text
   * @param {string[]} phrases @param {number} [long] */
  part(section, of, text, phrases, long = 1) {
    const page = this.pageOf[section]
    for (const word of this.said(text)) {
      add(this.inSections, word, section, of.boost / long)
      add(this.inPages, word, page, of.boost / long)
    }
    for (const phrase of phrases) {
      const stems = [...new Set(this.said(phrase))]
      if (stems.length > 0) this.phrases.push({page, section, stems, most: of.phrase})
      for (const word of stems) add(this.inPhrases, word, this.phrases.length - 1, 1)
    }
  }

  /** said returns the stems of the words of a text. @param {string} text */
  said(text) {
    const stems = []
    for (const word of words(text)) {
      const lower = word.toLowerCase()
      if (noise.has(lower)) continue
      let to = this.forms.get(lower)
      if (to === undefined) this.forms.set(lower, to = stem(lower))
      stems.push(to)
    }
    return stems
  }

  /** rare returns how much a word says: much if few pages have it. @param {string} word @returns {number} */
  rare(word) {
    let rare = this.rarity.get(word)
    if (rare === undefined) {
      const n = this.inPages.get(word)?.size ?? 0
      rare = Math.sqrt(Math.log(1 + (this.pages.length - n + 0.5) / (n + 0.5)))
      this.rarity.set(word, rare)
    }
    return rare
  }

  /** near returns the stems of the words with the fewest mistakes between them and a word that no page has: one
   * in short words, two in others. If a page has a word that begins with it, it is no mistake.
   * @param {string} word @returns {string[]} */
  near(word) {
    let best = this.nearly.get(word)
    if (best) return best
    best = []
    let most = word.length < 4 ? 0 : word.length < 6 ? 1 : 2
    if (!/^\p{L}+$/u.test(word)) most = 0
    for (const [form, to] of most > 0 ? this.forms : []) {
      if (form.startsWith(word)) {
        best = []
        break
      }
      if (Math.abs(form.length - word.length) > most) continue
      const n = mistakes(word, form, most)
      if (n > most) continue
      if (n < most) best = []
      most = n
      best.push(to)
    }
    this.nearly.set(word, best)
    return best
  }

  /** meant returns the stems that a typed word stands for, and how much each of them counts.
   * @param {string} word @returns {Map<string, number>} */
  meant(word) {
    const lower = word.toLowerCase(), own = stem(lower), all = new Map()
    if (noise.has(lower)) return all
    const put = (other, counts) => {
      if (this.inPages.has(other)) all.set(other, Math.max(counts, all.get(other) ?? 0))
    }
    const unknown = !this.known.has(lower) && !this.known.has(own) && !bySynonym.has(own)
    for (const it of unknown ? [own, ...this.near(lower)] : [own]) {
      put(it, 1)
      for (const other of bySynonym.get(it) ?? []) put(other, asSynonym)
      for (const other of byGroup.get(it) ?? []) put(other, asGroup)
    }
    for (const [form, to] of lower.length > 2 ? this.forms : []) {
      if (form.startsWith(lower) && to !== own) {
        put(to, asPrefix * lower.length / (lower.length + 0.3 * (form.length - lower.length)))
      }
    }
    return all
  }
}

/**
 * finder returns a function that returns the sections to show for a query, best first, at most one of a page.
 * @param {Entry[]} entries
 */
export function finder(entries) {
  const index = new Index(entries)
  return (query, most) => {
    const exact = query.trim().toLowerCase()
    const is = name => name?.toLowerCase() === exact
    const asked = [...new Set(typed(query, index.known, index.titles))].map(word => index.meant(word))
      .filter(stems => stems.size > 0).map(stems => {
        const terms = [...stems].map(([word, counts]) => {
          const rare = index.rare(word)
          return {word, rare, says: counts * rare}
        })
        return {terms, says: Math.max(...terms.map(term => term.says))}
      })
    const all = asked.reduce((sum, {says}) => sum + says, 0)

    /** score returns how well pages or sections fit. One that has all the words is better than one that has one
     * of them often. @param {Count} counts @returns {Map<number, number>} */
    const score = counts => {
      const fits = new Map()
      for (const {terms, says} of asked) {
        const best = new Map()
        for (const {word, says} of terms) {
          for (const [id, n] of counts.get(word)) {
            best.set(id, Math.max(best.get(id) ?? 0, says * n / (n + 1.4)))
          }
        }
        for (const [id, fit] of best) {
          const before = fits.get(id) ?? {fit: 0, has: 0}
          fits.set(id, {fit: before.fit + fit, has: before.has + says})
        }
      }
      return new Map([...fits].map(([id, {fit, has}]) => [id, fit * (has / all) ** 1.2]))
    }

    /** phrases returns the phrase of each page that is nearest to the query: 1 if it is the query. */
    const phrases = () => {
      const shared = new Map()
      for (const {terms, says} of asked) {
        const best = new Map()
        for (const term of terms) {
          for (const n of index.inPhrases.get(term.word)?.keys() ?? []) {
            if (term.says > (best.get(n)?.says ?? 0)) best.set(n, term)
          }
        }
        for (const [n, term] of best) {
          const before = shared.get(n) ?? {query: 0, phrase: 0}
          const query = before.query + says * term.says / term.rare
          shared.set(n, {query, phrase: before.phrase + term.says})
        }
      }
      const nearest = new Map()
      for (const [n, {query, phrase}] of shared) {
        const {page, section, stems, most} = index.phrases[n]
        let whole = 0
        for (const word of stems) whole += index.rare(word)
        const near = most * query / all * Math.min(1, phrase / whole)
        if (near > (nearest.get(page)?.near ?? 0)) nearest.set(page, {near, section})
      }
      return nearest
    }

    const best = new Map() // section of a page
    for (const [section, fit] of score(index.inSections)) {
      const e = entries[section], page = index.pageOf[section]
      const named = is(e.h) ? 0.7 : is(e.p) && !e.h || e.n?.split(" ").some(is) ? 1 : 0
      const whole = fit * (e.h ? 1 : 1.3) + named * all
      if (whole > (best.get(page)?.fit ?? -1)) best.set(page, {section, fit: whole, named})
    }
    const nearest = phrases()
    const ranked = [...score(index.inPages)].map(([page, fit]) => {
      const {section, fit: part, named} = best.get(page)
      const {near, section: there} = nearest.get(page) ?? {near: 0, section}
      const typed = named || near > 0.9
      return {
        section: near > 0.6 && !named ? there : section,
        score: (0.4 * fit + part + 1.25 * all * near ** 1.2) * (index.pages[page].minor && !typed ? 0.3 : 1),
      }
    })
    return ranked.sort((a, b) => b.score - a.score).slice(0, most).map(hit => entries[hit.section])
  }
}
