// Links with all files in their fragment: a digit for the version of the format, then JSON,
// deflated, in base64url. Browsers do not send fragments to servers.

/** What a link may have, checked before it is inflated and while it is. */
const longestLink = 2_000_000
const largestProject = 8 << 20
/** Chat programs cut longer links. */
export const longLink = 2000

const version = "1"

/** encode makes a fragment of a project. */
export async function encode({files, environment, values, format}) {
  const data = {f: files.map(f => [f.path, f.data])}
  if (environment) data.e = environment
  if (values?.length) data.v = values
  if (format) data.o = format
  const deflated = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"))
  return version + base64url(new Uint8Array(await new Response(deflated).arrayBuffer()))
}

/** decode reads a fragment that anybody may have written. It throws an Error with words for people. */
export async function decode(fragment) {
  if (fragment.length > longestLink) throw new Error("the link is too long")
  if (fragment[0] !== version) {
    throw new Error(/^\d/.test(fragment) ? "the link is of a newer playground" : "the link is damaged")
  }
  return project(await inflate(bytes(fragment.slice(1))))
}

/** project checks what the JSON of a link says. */
function project(text) {
  let data
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error("the link is damaged")
  }
  const isText = x => typeof x === "string"
  const ok = data !== null && typeof data === "object" && Array.isArray(data.f) && data.f.length <= 1000 &&
    data.f.every(f => Array.isArray(f) && f.length === 2 && f.every(isText)) &&
    (data.e === undefined || isText(data.e)) && (data.o === undefined || isText(data.o)) &&
    (data.v === undefined || Array.isArray(data.v) && data.v.length <= 1000 && data.v.every(isText))
  if (!ok || data.f.length === 0) throw new Error("the link has no files")
  const seen = new Set()
  for (const [path] of data.f) {
    const problem = pathProblem(path)
    if (problem) throw new Error("a file of the link has a bad name: " + problem)
    if (seen.has(path)) throw new Error(`the link has two files '${path}'`)
    seen.add(path)
  }
  return {
    files: data.f.map(([path, text]) => ({path, data: text})),
    environment: data.e ?? "", values: data.v ?? [], format: ["json", "pos"].includes(data.o) ? data.o : "",
  }
}

/** pathProblem says what is wrong with the path of a file, or "". */
export function pathProblem(path) {
  if (!path) return "the name is empty"
  if (path.length > 300) return "the name is longer than 300 characters"
  // eslint-disable-next-line no-control-regex
  if (/[\\:\x00-\x1f]/.test(path)) return "names have no backslashes, colons or control characters"
  if (path.split("/").some(part => part === "" || part === "." || part === "..")) {
    return "use a relative path with forward slashes, such as config/app.yml"
  }
  return ""
}

function bytes(text) {
  let binary
  try {
    binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  } catch {
    throw new Error("the link is damaged")
  }
  return Uint8Array.from(binary, c => c.charCodeAt(0))
}

/** inflate stops as soon as there is too much: a few bytes can inflate to gigabytes. */
async function inflate(data) {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader()
  const decoder = new TextDecoder("utf-8", {fatal: true})
  let text = "", size = 0
  try {
    for (;;) {
      const {done, value} = await reader.read()
      if (done) return text + decoder.decode()
      size += value.length
      if (size > largestProject) break
      text += decoder.decode(value, {stream: true})
    }
  } catch {
    throw new Error("the link is damaged")
  }
  reader.cancel().catch(() => {})
  throw new Error("the files of the link are too large")
}

function base64url(data) {
  let binary = ""
  for (let i = 0; i < data.length; i += 0x8000) binary += String.fromCharCode(...data.subarray(i, i + 0x8000))
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}
