// The service worker: after the first visit the page needs no network. All files of one build are
// kept together, so that a page never mixes two builds: the server is asked whether what the page
// has loaded is the newest. What not every visitor needs is kept when it is first used.
// `go run ./tools/web` fills in the lists.
const build = "{{build}}"
const files = "{{files}}".split(" ")
const later = "{{later}}".split(" ")

// All pages of a host share their caches, and a host may have several versions of this page.
const place = `weft ${new URL(".", location).pathname} `
const name = place + build

self.addEventListener("install", e => {
  e.waitUntil(caches.open(name).then(cache =>
    cache.addAll(["./", ...files].map(file => new Request(file, {cache: "no-cache"})))))
})

self.addEventListener("activate", e => {
  e.waitUntil(caches.keys().then(names => Promise.all(names
    .filter(old => old.startsWith(place) && old !== name)
    .map(old => caches.delete(old)))).then(() => self.clients.claim())) // also of the page that is open
})

self.addEventListener("fetch", e => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return
  e.respondWith(answer(e.request))
})

/** plain returns an answer as if nothing had redirected to it: browsers refuse others as pages. Many servers
 * redirect index.html to its folder. */
const plain = r => r.redirected ? new Response(r.body, {status: r.status, headers: r.headers}) : r

async function answer(request) {
  const cache = await caches.open(name)
  const hit = await cache.match(request, {ignoreSearch: true})
  if (hit) return plain(hit)
  const response = await fetch(request)
  if (response.ok && later.some(file => request.url === new URL(file, location).href)) {
    await cache.put(request, response.clone()).catch(() => {}) // there may be no room for it
  }
  return response
}
