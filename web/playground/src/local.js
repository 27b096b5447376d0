// The page of `weft playground`: files of this machine, which others may change, too.

import {$, h} from "./dom.js"
import {isCRLF} from "./editor.js"
import {allFiles, currentPath, drop, file, show, tabs} from "./files.js"
import {editor, status} from "./page.js"
import {open, remember, remembered} from "./projects.js"
import {changed} from "./render.js"

/** isUnsaved reports whether a file differs from the one on disk. */
export const isUnsaved = f => f.data !== f.disk

export class LocalFiles {
  /** @param {import("./engine.js").LocalEngine} engine */
  constructor(engine) {
    this.engine = engine
  }

  async open() {
    const project = await this.engine.post("files", {})
    $("save").hidden = !project.write
    $("version").textContent = project.version
    open({...project, files: this.unsavedOver(project.files.map(f => ({...f, disk: f.data}))), intro: project.write
      ? "These are your files. Save with `Ctrl-S`." : "These are your files. Changes stay on this page; start `weft playground --write` to save them."})
    this.follow(project.revision)
  }

  /** unsavedOver puts what was not saved before a reload over the files on disk. */
  unsavedOver(files) {
    for (const {path, data, disk} of remembered()?.unsaved ?? []) {
      const f = files.find(f => f.path === path)
      if (!f) files.push({path, data})
      else if (f.disk === disk) f.data = data
      else if (f.disk !== data) Object.assign(f, {data, changedOnDisk: true, newer: f.disk, disk})
    }
    return files
  }

  /** follow takes over what changes on disk, unless it was changed here, too. A server that does not
   * answer is asked again, less and less often. */
  async follow(revision) {
    const soonest = 1000, latest = 30_000
    for (let pause = soonest; ;) {
      let news
      try {
        news = await this.engine.post("wait", {revision})
      } catch (err) {
        status(`${err.message} Trying again…`)
        await new Promise(resolve => setTimeout(resolve, pause))
        pause = Math.min(2 * pause, latest)
        continue
      }
      if (pause > soonest) status("weft playground answers again")
      pause = soonest
      if (news.revision === revision) continue
      revision = news.revision
      this.takeOver(news.files)
    }
  }

  /** takeOver shows files as they are on disk now. */
  takeOver(files) {
    for (const f of files) {
      const mine = file(f.path)
      if (!mine) allFiles.push({...f, disk: f.data, crlf: isCRLF(f.data)})
      else if (!isUnsaved(mine) || mine.data === f.data) {
        Object.assign(mine, {data: f.data, disk: f.data, crlf: isCRLF(f.data), changedOnDisk: false})
        editor.replace(f.path, f.data.replaceAll("\r\n", "\n"))
      } else if (f.data !== mine.disk) {
        Object.assign(mine, {changedOnDisk: true, newer: f.data})
      }
    }
    const names = new Set(files.map(f => f.path))
    for (const f of [...allFiles]) {
      if (f.disk === undefined || names.has(f.path)) continue
      if (isUnsaved(f)) {
        Object.assign(f, {changedOnDisk: true, newer: undefined})
      } else {
        drop(f)
      }
    }
    if (!file(currentPath)) show(allFiles[0].path)
    changed(0)
  }

  /** conflict says, for as long as it is so, that the current file was changed on disk, too. */
  conflict() {
    const f = file(currentPath), is = f?.changedOnDisk === true
    $("conflict").hidden = !is
    if (!is) return $("conflict").replaceChildren()
    const settle = change => () => {
      Object.assign(f, change, {changedOnDisk: false, newer: undefined})
      editor.replace(f.path, f.data.replaceAll("\r\n", "\n"))
      changed(0)
    }
    const gone = f.newer === undefined
    $("conflict").replaceChildren(f.path + (gone ? " was deleted on disk, and changed here. " : " has changed on disk, and here, too. "),
      h("button", {type: "button", onclick: settle({disk: f.newer})}, "Keep mine"), " ",
      !gone && h("button", {type: "button", onclick: settle({data: f.newer, disk: f.newer})}, "Take the file's") || "")
  }

  async save() {
    const f = file(currentPath), data = f.data
    if (f.changedOnDisk) return status(f.path + " has changed on disk: choose above which text to keep")
    try {
      await this.engine.post("save", {path: f.path, data, old: f.disk ?? null})
      f.disk = data
      tabs()
      remember()
      status("Saved " + f.path)
    } catch (err) {
      status(err.message)
    }
  }
}
