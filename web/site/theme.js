// What styles need to know before anything is shown: that scripts run, and which colors the reader has chosen. The
// pages and the playground share the choice, and the button that changes it.
"use strict"

document.documentElement.classList.add("js")
try {
  document.documentElement.dataset.theme = localStorage.getItem("weft-theme") ?? ""
} catch { /* then it is as the system says */ }

/** weftTheme lets a button change the colors. @param {HTMLElement} button */
// eslint-disable-next-line no-unused-vars -- scripts of the pages call it
function weftTheme(button) {
  const themes = ["", "light", "dark"], root = document.documentElement
  const show = () => {
    const now = root.dataset.theme ?? ""
    button.textContent = {"": "◐", light: "☀", dark: "☾"}[now] ?? "◐"
    button.setAttribute("aria-label", "Colors: " + (now || "as the system"))
  }
  button.addEventListener("click", () => {
    root.dataset.theme = themes[(themes.indexOf(root.dataset.theme ?? "") + 1) % 3]
    try {
      localStorage.setItem("weft-theme", root.dataset.theme)
    } catch { /* it holds for this page */ }
    show()
  })
  button.hidden = false
  show()
}
