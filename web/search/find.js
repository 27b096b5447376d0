// What the search of the site finds. Words are compared by their stems, and mistakes in typing are forgiven; pages
// are ranked by how rare the words are that they have.
import MiniSearch from "minisearch"
import {stemmer} from "stemmer"

/** Words that say nothing about what is looked for. */
const noise = new Set("a an and are as at be by can do does for from how i in into is it its me my not of on or that the to use using want weft what when where with you your".split(" "))

/** Words that people use for the same thing. The one on the left also finds those on the right. */
const synonyms = {
  argo: ["argocd"],
  argument: ["args"],
  array: ["list"],
  autocomplete: ["completion", "editor"],
  benchmark: ["speed"],
  binary: ["install"],
  bitbucket: ["ci"],
  bool: ["boolean"],
  brew: ["install"],
  chart: ["helm"],
  circleci: ["ci"],
  condition: ["conditional"],
  crd: ["customresourcedefinition"],
  debug: ["troubleshooting", "origin"],
  delete: ["remove"],
  dict: ["map"],
  dictionary: ["map"],
  difference: ["diff"],
  directory: ["folder"],
  docker: ["image", "compose"],
  dotenv: ["environment", "variable"],
  download: ["install"],
  drop: ["remove"],
  duplicate: ["twice"],
  else: ["conditional", "block"],
  encrypt: ["secret"],
  enum: ["validation", "allowed"],
  env: ["environment"],
  extend: ["overlay"],
  fail: ["error"],
  fast: ["speed", "benchmark"],
  field: ["key"],
  git: ["revision"],
  github: ["workflow", "ci"],
  gitlab: ["ci"],
  gitops: ["argocd", "ci"],
  glob: ["pattern"],
  ide: ["editor"],
  inherit: ["overlay"],
  intellij: ["editor"],
  jenkins: ["ci"],
  jsonnet: ["starlark"],
  k8s: ["kubernetes"],
  kpt: ["kustomize"],
  libsonnet: ["load"],
  mandatory: ["required"],
  many: ["several"],
  merge: ["overlay"],
  microservice: ["service"],
  missing: ["required"],
  multiline: ["block"],
  multiple: ["several"],
  needed: ["required"],
  none: ["null"],
  nonetype: ["null"],
  nvim: ["neovim"],
  object: ["map"],
  parameter: ["value"],
  password: ["secret"],
  patch: ["overlay"],
  performance: ["speed", "benchmark"],
  pipeline: ["ci"],
  precedence: ["wins"],
  priority: ["wins"],
  prod: ["environment", "production"],
  production: ["environment"],
  range: ["loop"],
  regex: ["pattern"],
  resource: ["document"],
  restrict: ["validation"],
  reuse: ["share", "library"],
  slow: ["speed"],
  sops: ["secret"],
  split: ["per"],
  stage: ["environment"],
  staging: ["environment"],
  stdin: ["standard"],
  subchart: ["library"],
  turn: ["become"],
  umbrella: ["library", "several"],
  unit: ["test"],
  upgrade: ["update"],
  validate: ["validation"],
  variable: ["value"],
  vim: ["neovim"],
  vscode: ["code", "editor"],
  wildcard: ["pattern"],
}

/** words returns the words of a text: names such as overlay/match-count and --data-value whole, and their parts. */
function words(text) {
  const list = []
  for (const raw of text.match(/[\p{L}\p{N}@$_][\p{L}\p{N}@$_./:-]*/gu) ?? []) {
    const word = raw.replace(/[./:-]+$/, "")
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

/** related returns what is compared of a word that was typed, and the stems of its synonyms. If no page has the
 * word, two of its letters may have been typed in the wrong order.
 * @param {string} word @param {Set<string>} known */
function related(word, known) {
  const own = compared(word)
  if (!own) return null
  const other = own.some(term => known.has(term)) ? [] : swapped(word.toLowerCase()).map(stem).filter(term => known.has(term))
  return [...own, ...other, ...[own[0], ...other].flatMap(term => bySynonym.get(term) ?? [])]
}

/** typed returns the words of a query. Those of a name such as commonLabels count if no page has the name, and so do
 * those of a word such as imagetag, if there are headings with them.
 * @param {string} query @param {Set<string>} known @param {Set<string>} titles */
const typed = (query, known, titles) => words(query).flatMap(word => {
  const lower = word.toLowerCase()
  if (titles.has(stem(lower))) return word
  const is = known.has(lower) || known.has(stem(lower))
  const parts = word.match(/^[a-z]+|[A-Z][a-z]+/g) ?? []
  if (parts.length > 1 && !is) return [word, ...parts]
  for (let i = 3; i < lower.length - 2; i++) {
    const halves = [lower.slice(0, i), lower.slice(i)]
    if (halves.every(half => titles.has(stem(half)))) return is ? [word, ...halves] : halves
  }
  return word
})

/** swapped returns a word with each two neighbors swapped. */
const swapped = word => Array.from({length: word.length - 1}, (_, i) =>
  word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2))

const bySynonym = new Map(Object.entries(synonyms).map(([word, others]) => [stem(word), others.map(stem)]))

/** Pages for few readers, and lists of everything: they come last, unless their name was typed. */
const minor = /^(reference\/(codes|messages|json|lint-rules|command-line-changes|go-api-changes)|lint\/|changelog|help\/|contributing|architecture|releasing)/

/**
 * finder returns a function that returns the sections to show for a query, best first, at most one of a page.
 * @param {{u: string, p: string, h?: string, t: string, n?: string}[]} entries
 */
export function finder(entries) {
  const known = new Set(), titles = new Set(entries.flatMap(e => words(e.h ?? e.p)).map(word => stem(word.toLowerCase())))
  const index = new MiniSearch({
    fields: ["heading", "page", "names", "text"],
    tokenize: words,
    processTerm: word => {
      const terms = compared(word)
      terms?.forEach(term => known.add(term))
      return terms
    },
    searchOptions: {
      tokenize: query => typed(query, known, titles),
      processTerm: word => related(word, known),
      boost: {heading: 4, page: 5, names: 3, text: 1},
      prefix: term => term.length > 2,
      fuzzy: term => term.length > 3 && !known.has(term) && !/[\W\d]/.test(term) ? 0.25 : false,
      weights: {prefix: 0.4, fuzzy: 0.25},
      bm25: {k: 1.2, b: 0.8, d: 0}, // long lists, which have every word, come after what is about the words
      boostDocument: id => (minor.test(entries[id].u) ? 0.3 : 1) * (entries[id].h ? 1 : 1.8),
    },
  })
  index.addAll(entries.map((e, id) => ({id, heading: e.h ?? "", page: e.p, names: e.n ?? "", text: e.t})))
  return (query, most) => {
    const exact = query.trim().toLowerCase()
    const pages = new Map()
    const asked = typed(query, known, titles).map(word => related(word, known)).filter(terms => terms !== null)
    for (const {id, score, queryTerms} of index.search(query)) {
      const e = entries[id], page = e.u.replace(/#.*/, "")
      const named = [e.h, e.p, ...e.n?.split(" ") ?? []].some(name => name?.toLowerCase() === exact)
      // A section that has all the words is better than one that has one of them often.
      const has = asked.filter(terms => terms.some(term => queryTerms.includes(term))).length
      const whole = score * has * (named ? 4 : 1)
      const best = pages.get(page)
      if (!best) pages.set(page, {e, score: whole, others: 0})
      else if (whole > best.score) pages.set(page, {e, score: whole, others: best.others + best.score})
      else best.others += whole
    }
    // What else a page has counts a little: it may be about all this.
    const rank = page => page.score + 0.1 * Math.min(page.others, 2 * page.score)
    return [...pages.values()].sort((a, b) => rank(b) - rank(a)).slice(0, most).map(hit => hit.e)
  }
}
