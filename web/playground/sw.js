// The service worker: after the first visit the page needs no network. All files of one build are
// kept together, so that a page never mixes two builds: the server is asked whether what the page
// has loaded is the newest. What not every visitor needs is kept when it is first used, or when the page is idle.
// `go run ./tools/web` fills in the lists.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
const build = "{{build}}"
const files = "{{files}}".split(" ")
const later = "{{later}}".split(" ")

// All pages of a host share their caches, and a host may have several versions of this page.
const place = `weft ${new URL(".", location.href).pathname} `
const cacheName = place + build

worker.addEventListener("install", e => {
  e.waitUntil(caches.open(cacheName).then(cache =>
    cache.addAll(["./", ...files].map(file => new Request(file, {cache: "no-cache"})))))
})

worker.addEventListener("activate", e => {
  e.waitUntil(caches.keys().then(names => Promise.all(names
    .filter(old => old.startsWith(place) && old !== cacheName)
    .map(old => caches.delete(old)))).then(() => worker.clients.claim())) // also of the page that is open
})

// The page asks to keep what it may need later, while nobody waits for it.
worker.addEventListener("message", e => e.waitUntil(keep(e.data.file, e.data.integrity).catch(() => {}))) // a convenience

async function keep(file, integrity) {
  const cache = await caches.open(cacheName)
  if (later.includes(file) && !await cache.match(file)) await cache.add(new Request(file, {integrity}))
}

worker.addEventListener("fetch", e => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return
  e.respondWith(answer(e.request))
})

/** plain returns an answer as if nothing had redirected to it: browsers refuse others as pages. Many servers
 * redirect index.html to its folder. */
const plain = r => r.redirected ? new Response(r.body, {status: r.status, headers: r.headers}) : r

async function answer(request) {
  const cache = await caches.open(cacheName)
  const hit = await cache.match(request, {ignoreSearch: true})
  if (hit) return plain(hit)
  const response = await fetch(request)
  if (response.ok && later.some(file => request.url === new URL(file, location.href).href)) {
    await cache.put(request, response.clone()).catch(() => {}) // there may be no room for it
  }
  return response
}
