const NEWLINE = 10

/** A line as received. */
export interface ByteLine {
  /** Without its line end; `undefined` when it was longer than allowed. */
  readonly bytes: Uint8Array | undefined
  /** Its first byte, counted from the start of the stream. */
  readonly start: number
  /** The first byte of the next line. */
  readonly end: number
  /** `false`: the stream ended before the line did. */
  readonly isWhole: boolean
}

/**
 * The lines of a stream, grouped by chunk. Buffers at most one line.
 * @param longest in bytes; longer lines are dropped
 */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<ByteLine[]> {
  let start = 0
  let end = 0
  let parts: Uint8Array[] = []
  const line = (isWhole: boolean): ByteLine => {
    const bytes = end - start - (isWhole ? 1 : 0) > longest ? undefined : Buffer.concat(parts)
    const made = { bytes, start, end, isWhole }
    start = end
    parts = []
    return made
  }
  for await (const chunk of chunks) {
    const lines: ByteLine[] = []
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, at)
      const stop = newline < 0 ? chunk.length : newline
      end += stop - at
      if (end - start <= longest) parts.push(chunk.subarray(at, stop))
      else parts = []
      at = stop
      if (newline < 0) break
      at += 1
      end += 1
      lines.push(line(true))
    }
    if (lines.length > 0) yield lines
  }
  if (end > start) yield [line(false)]
}
