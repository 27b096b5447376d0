// The service worker: after the first visit the page needs no network. All files of one build are
// kept together, so that a page never mixes two builds. What not every visitor needs is kept when it
// is first used. `go run ./tools/web` fills in the lists.
const build = "{{build}}"
const files = "{{files}}".split(" ")
const later = "{{later}}".split(" ")

self.addEventListener("install", e => {
  e.waitUntil(caches.open("weft-" + build).then(cache =>
    cache.addAll(["./", ...files].map(file => new Request(file, {cache: "reload"})))))
})

self.addEventListener("activate", e => {
  e.waitUntil(caches.keys().then(names => Promise.all(names
    .filter(name => name.startsWith("weft-") && name !== "weft-" + build)
    .map(name => caches.delete(name)))))
})

self.addEventListener("fetch", e => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return
  e.respondWith(answer(e.request))
})

async function answer(request) {
  const cache = await caches.open("weft-" + build)
  const hit = await cache.match(request, {ignoreSearch: true})
  if (hit) return hit
  const response = await fetch(request)
  if (response.ok && later.some(name => request.url === new URL(name, location).href)) {
    await cache.put(request, response.clone()).catch(() => {}) // there may be no room for it
  }
  return response
}
