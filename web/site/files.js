// Files in memory, with the functions of Node's fs that Go programs call. Callbacks are called at
// once.

const codes = {
  O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536,
}
const directory = 0o40755, regular = 0o100644

class MemoryFiles {
  /** @param {{path: string, data: string}[]} files @param {string} input is the file on standard input */
  constructor(files, input) {
    this.constants = codes
    this.numbers = 0
    this.top = this.folder()
    this.cwd = "/work"
    for (const dir of ["work", "tmp", "home"]) this.top.entries.set(dir, this.folder())
    this.screen = this.file() // standard output and standard error, in the order of writing
    const screen = {node: this.screen, append: true}
    this.opened = new Map([[0, {node: this.file()}], [1, screen], [2, screen]])
    const bytes = new TextEncoder()
    for (const {path, data} of files) {
      this.put(path, bytes.encode(data))
      if (path === input) this.opened.get(0).node = this.find(path).node
    }
    this.process = {
      getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], pid: 1, ppid: 0,
      umask: () => 0o022, cwd: () => this.cwd, chdir: dir => { this.cwd = this.absolute(dir) },
    }
    // Go opens, reads and closes through these names; what is not here does not exist.
    for (const name of ["link", "symlink", "chown", "fchown", "lchown"]) {
      this[name] = (...args) => args.at(-1)(failure("ENOSYS"))
    }
  }

  folder() { return {mode: directory, number: ++this.numbers, time: Date.now(), entries: new Map()} }
  file() { return {mode: regular, number: ++this.numbers, time: Date.now(), data: new Uint8Array(0), size: 0} }

  /** put makes a file and the folders that it is in. */
  put(path, data) {
    const names = this.absolute(path).split("/").filter(Boolean), last = names.pop()
    let at = this.top
    for (const name of names) {
      if (!at.entries.has(name)) at.entries.set(name, this.folder())
      at = at.entries.get(name)
    }
    at.entries.set(last, Object.assign(this.file(), {data, size: data.length}))
  }

  /** printed is what a terminal would show. */
  printed() {
    const {data, size} = this.screen
    return new TextDecoder().decode(data.subarray(0, size))
  }

  absolute(path) {
    const names = []
    for (const name of (path.startsWith("/") ? path : this.cwd + "/" + path).split("/")) {
      if (name === "..") names.pop()
      else if (name !== "" && name !== ".") names.push(name)
    }
    return "/" + names.join("/")
  }

  /** find returns the node of a path, the folder that it is in, and its name there. */
  find(path) {
    const names = this.absolute(path).split("/").filter(Boolean)
    let parent = null, node = this.top, name = ""
    for (const [i, next] of names.entries()) {
      if (!node) throw failure("ENOENT")
      if (!node.entries) throw failure("ENOTDIR")
      parent = node
      name = next
      node = node.entries.get(next)
      if (!node && i < names.length - 1) throw failure("ENOENT")
    }
    return {parent, node, name}
  }

  existing(path) {
    const at = this.find(path)
    if (!at.node) throw failure("ENOENT")
    return at
  }

  handle(fd) {
    const h = this.opened.get(fd)
    if (!h) throw failure("EBADF")
    return h
  }

  // ---- what Go calls

  open(path, flags, mode, callback) {
    answer(callback, () => {
      let {parent, node, name} = this.find(path)
      if (node && flags & codes.O_CREAT && flags & codes.O_EXCL) throw failure("EEXIST")
      if (!node) {
        if (!(flags & codes.O_CREAT)) throw failure("ENOENT")
        node = this.file()
        parent.entries.set(name, node)
      }
      if (node.entries && flags & 3) throw failure("EISDIR")
      if (!node.entries && flags & codes.O_DIRECTORY) throw failure("ENOTDIR")
      if (flags & codes.O_TRUNC && !node.entries) node.size = 0
      let fd = 3
      while (this.opened.has(fd)) fd++
      this.opened.set(fd, {node, at: 0, append: Boolean(flags & codes.O_APPEND)})
      return fd
    })
  }

  close(fd, callback) {
    answer(callback, () => {
      this.handle(fd)
      if (fd > 2) this.opened.delete(fd)
    })
  }

  read(fd, buffer, offset, length, position, callback) {
    answer(callback, () => {
      const h = this.handle(fd)
      if (h.node.entries) throw failure("EISDIR")
      const from = position ?? h.at ?? 0, n = Math.max(0, Math.min(length, h.node.size - from))
      buffer.set(h.node.data.subarray(from, from + n), offset)
      if (position === null) h.at = from + n
      return n
    })
  }

  write(fd, buffer, offset, length, position, callback) {
    answer(callback, () => this.append(fd, buffer.subarray(offset, offset + length), position))
  }

  /** The runtime writes its last words without a callback. */
  writeSync(fd, buffer) { return this.append(fd, buffer, null) }

  append(fd, bytes, position) {
    const h = this.handle(fd), node = h.node
    const from = h.append ? node.size : position ?? h.at ?? 0, end = from + bytes.length
    if (end > node.data.length) {
      const larger = new Uint8Array(Math.max(end, node.data.length * 2, 256))
      larger.set(node.data.subarray(0, node.size))
      node.data = larger
    }
    node.data.set(bytes, from)
    node.size = Math.max(node.size, end)
    node.time = Date.now()
    if (position === null && !h.append) h.at = end
    return bytes.length
  }

  stat(path, callback) { answer(callback, () => description(this.existing(path).node)) }
  lstat(path, callback) { this.stat(path, callback) }
  fstat(fd, callback) { answer(callback, () => description(this.handle(fd).node)) }
  readlink(path, callback) {
    answer(callback, () => {
      this.existing(path)
      throw failure("EINVAL")
    })
  }

  readdir(path, callback) {
    answer(callback, () => {
      const {node} = this.existing(path)
      if (!node.entries) throw failure("ENOTDIR")
      return [...node.entries.keys()].sort()
    })
  }

  mkdir(path, mode, callback) {
    answer(callback, () => {
      const {parent, node, name} = this.find(path)
      if (node) throw failure("EEXIST")
      parent.entries.set(name, this.folder())
    })
  }

  unlink(path, callback) {
    answer(callback, () => {
      const {parent, node, name} = this.existing(path)
      if (node.entries) throw failure("EISDIR")
      parent.entries.delete(name)
    })
  }

  rmdir(path, callback) {
    answer(callback, () => {
      const {parent, node, name} = this.existing(path)
      if (!node.entries) throw failure("ENOTDIR")
      if (node.entries.size > 0 || !parent) throw failure("ENOTEMPTY")
      parent.entries.delete(name)
    })
  }

  rename(from, to, callback) {
    answer(callback, () => {
      const old = this.existing(from), next = this.find(to)
      if (next.node?.entries && !old.node.entries) throw failure("EISDIR")
      if (next.node?.entries?.size) throw failure("ENOTEMPTY")
      old.parent.entries.delete(old.name)
      next.parent.entries.set(next.name, old.node)
    })
  }

  ftruncate(fd, length, callback) { answer(callback, () => this.resize(this.handle(fd).node, length)) }
  truncate(path, length, callback) { answer(callback, () => this.resize(this.existing(path).node, length)) }

  resize(node, length) {
    const data = new Uint8Array(length)
    data.set(node.data.subarray(0, Math.min(node.size, length)))
    Object.assign(node, {data, size: length})
  }

  chmod(path, mode, callback) {
    answer(callback, () => {
      const {node} = this.existing(path)
      node.mode = node.mode & ~0o777 | mode & 0o777
    })
  }

  fchmod(fd, mode, callback) {
    answer(callback, () => {
      const {node} = this.handle(fd)
      node.mode = node.mode & ~0o777 | mode & 0o777
    })
  }

  utimes(path, accessed, modified, callback) {
    answer(callback, () => { this.existing(path).node.time = modified * 1000 })
  }

  fsync(fd, callback) { answer(callback, () => { this.handle(fd) }) }
}

function description(node) {
  const size = node.size ?? 0, time = node.time
  return {
    dev: 1, ino: node.number, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
    blocks: Math.ceil(size / 512), atimeMs: time, mtimeMs: time, ctimeMs: time, isDirectory: () => Boolean(node.entries),
  }
}

/** failure is an error as Go reads it. */
function failure(code) { return Object.assign(new Error(code), {code}) }

/** answer calls a callback with what a function returns, or with what it throws. */
function answer(callback, make) {
  let result
  try {
    result = make()
  } catch (err) {
    if (!err.code) throw err
    callback(err)
    return
  }
  callback(null, result)
}

self.MemoryFiles = MemoryFiles
