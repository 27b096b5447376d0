// A zip archive of text files, stored without compression.

const table = Uint32Array.from({length: 256}, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1
  return n
})

function crc32(data) {
  let crc = -1
  for (const byte of data) crc = table[(crc ^ byte) & 255] ^ crc >>> 8
  return ~crc >>> 0
}

/** zip returns the files as a Blob. */
export function zip(files) {
  const encoder = new TextEncoder()
  const parts = [], directory = []
  let offset = 0
  for (const {path, data} of files) {
    const name = encoder.encode(path), content = encoder.encode(data)
    // version 2.0, names in UTF-8, stored, the first day that zip knows
    const head = [20, 0x0800, 0, 0, 0x21]
    const sizes = [crc32(content), content.length, content.length]
    const local = record(0x04034b50, head, sizes, [name.length, 0])
    parts.push(local, name, content)
    directory.push(record(0x02014b50, [20, ...head], sizes, [name.length, 0, 0, 0, 0], [0, offset]), name)
    offset += local.length + name.length + content.length
  }
  const size = directory.reduce((n, part) => n + part.length, 0)
  const end = record(0x06054b50, [0, 0, files.length, files.length], [size, offset], [0])
  return new Blob([...parts, ...directory, end], {type: "application/zip"})
}

/** record is a signature, and then by turns numbers of 16 and of 32 bits. */
function record(signature, ...groups) {
  const size = 4 + groups.reduce((n, g, i) => n + g.length * (i % 2 ? 4 : 2), 0)
  const view = new DataView(new ArrayBuffer(size))
  view.setUint32(0, signature, true)
  let at = 4
  groups.forEach((group, i) => {
    for (const n of group) {
      if (i % 2) view.setUint32(at, n, true)
      else view.setUint16(at, n, true)
      at += i % 2 ? 4 : 2
    }
  })
  return new Uint8Array(view.buffer)
}
