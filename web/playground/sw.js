// The service worker: after the first visit the page needs no network. All files of one build are
// kept together, so that a page never mixes two builds. `go run ./tools/web` fills in the two lists.
const build = "{{build}}"
const files = "{{files}}".split(" ")

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
  e.respondWith(caches.open("weft-" + build)
    .then(cache => cache.match(e.request, {ignoreSearch: true}))
    .then(hit => hit || fetch(e.request)))
})
