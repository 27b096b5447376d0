// What people type is kept in the database of their browser, so that neither another example nor a
// closed tab throws it away. It never leaves the browser.

/** How many projects are kept: the last ones that were edited. */
const mostKept = 20

let opened
/** database is the database of the browser, or null if there is none, as in some private windows. */
function database() {
  opened ??= new Promise(resolve => {
    try {
      const request = indexedDB.open("weft-playground", 1)
      request.onupgradeneeded = () => request.result.createObjectStore("work", {keyPath: "id"})
      request.onsuccess = () => resolve(request.result)
      request.onerror = request.onblocked = () => resolve(null)
    } catch {
      resolve(null)
    }
  })
  return opened
}

/** transaction runs one request on the kept projects, and resolves with its result, or with undefined
 * if it fails: what cannot be kept must not stop anybody. */
async function transaction(mode, run) {
  const db = await database()
  if (!db) return undefined
  return new Promise(resolve => {
    try {
      const t = db.transaction("work", mode), request = run(t.objectStore("work"))
      t.oncomplete = () => resolve(request?.result)
      t.onerror = t.onabort = () => resolve(undefined)
    } catch {
      resolve(undefined)
    }
  })
}

/** Work is a project that was edited: {id, title, when, project}. */
export const keep = async work => {
  await transaction("readwrite", store => store.put(work))
  const old = (await recent()).slice(mostKept)
  if (old.length) await transaction("readwrite", store => { for (const w of old) store.delete(w.id) })
}

/** recent lists what is kept, the latest first. */
export const recent = async () =>
  (await transaction("readonly", store => store.getAll()) ?? []).sort((a, b) => b.when - a.when)

export const find = id => transaction("readonly", store => store.get(id))

export const forgetAll = () => transaction("readwrite", store => store.clear())

/** ago says how long ago something was. */
export function ago(when, now = Date.now()) {
  const minutes = Math.round((now - when) / 60000)
  if (minutes < 1) return "just now"
  if (minutes < 60) return minutes + (minutes === 1 ? " minute ago" : " minutes ago")
  const hours = Math.round(minutes / 60)
  if (hours < 48) return hours + (hours === 1 ? " hour ago" : " hours ago")
  return new Date(when).toLocaleDateString()
}
