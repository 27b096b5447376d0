// What styles need to know before anything is shown: that scripts run, and which colors the reader
// has chosen. The playground has the same setting.
document.documentElement.classList.add("js")
try {
  document.documentElement.dataset.theme = localStorage.getItem("weft-theme") ?? ""
} catch { /* then it is as the system says */ }
