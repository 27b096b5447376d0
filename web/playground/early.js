// Runs before the page is parsed.

// The page contains the quick start. If the visitor will see something else, it is not shown.
try {
  if (location.hash || sessionStorage.getItem("weft-work")) document.documentElement.classList.add("other")
} catch { /* then the quick start is shown first */ }

// In a frame of another page, there is only the editor and the output.
if (new URLSearchParams(location.search).has("embed")) document.documentElement.classList.add("embed")

// weft is loaded while the rest of the page is. Without scripts, it is not needed.
if (/** @type {HTMLMetaElement} */ (document.querySelector("meta[name=weft-engine]")).content === "wasm" && location.protocol !== "file:") {
  const link = document.createElement("link")
  Object.assign(link, {rel: "preload", as: "fetch", href: "weft.wasm", crossOrigin: "anonymous"})
  document.head.append(link)
}
