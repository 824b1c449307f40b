const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

/** The file holds no JSON array. */
export class NoJsonArray extends Error {}

/**
 * The objects of a JSON array, one at a time, so that a file of gigabytes needs the memory of one of them.
 *
 * @param longest in bytes; longer ones are `undefined`
 * @throws NoJsonArray when it does not begin like one; SyntaxError when an object is no JSON
 */
export async function* jsonElements(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<unknown> {
  const scan = { depth: 0, isInString: false, isEscaped: false }
  let parts: Uint8Array[] = []
  let length = 0
  let isBegun = false
  for await (const chunk of chunks) {
    let start = scan.depth > 1 ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (!isBegun && !SPACE.has(byte) && !isByteOrderMark(byte)) {
        if (byte !== 0x5b) throw new NoJsonArray()
        isBegun = true
      }
      const depth = scan.depth
      step(scan, byte)
      if (depth === 1 && scan.depth === 2) start = at
      if (depth === 2 && scan.depth === 1) {
        parts.push(chunk.subarray(start, at + 1))
        length += at + 1 - start
        yield length > longest ? undefined : JSON.parse(Buffer.concat(parts).toString())
        parts = []
        length = 0
        start = -1
      }
    }
    if (start >= 0) {
      length += chunk.length - start
      // Of an object that is too long, only its end matters.
      if (length <= longest) parts.push(Buffer.from(chunk.subarray(start)))
      else parts = []
    }
  }
  if (!isBegun || scan.depth > 0) throw new NoJsonArray()
}

function isByteOrderMark(byte: number): boolean {
  return byte === 0xef || byte === 0xbb || byte === 0xbf
}

function step(scan: { depth: number; isInString: boolean; isEscaped: boolean }, byte: number): void {
  if (scan.isInString) {
    if (scan.isEscaped) scan.isEscaped = false
    else if (byte === BACKSLASH) scan.isEscaped = true
    else if (byte === QUOTE) scan.isInString = false
  } else if (byte === QUOTE) scan.isInString = true
  else if (OPENING.has(byte)) scan.depth++
  else if (CLOSING.has(byte)) scan.depth--
}
