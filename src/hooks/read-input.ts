import type { Readable } from 'node:stream'

/** A host writes at once, or something is wrong. */
const PATIENCE_MS = 1_000
/** Prompts hold pasted files; what is longer is answered with nothing. */
const MOST_BYTES = 4_000_000

/** What a host writes to standard input, whole; empty when it is too long, or doesn't end in time. */
export async function readInput(
  stream: Readable,
  { patienceMs = PATIENCE_MS, mostBytes = MOST_BYTES }: { patienceMs?: number; mostBytes?: number } = {},
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => stream.destroy(), patienceMs)
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > mostBytes) return ''
      chunks.push(bytes)
    }
    return stream.destroyed && !stream.readableEnded ? '' : Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    // The stream was destroyed by the timer, or the host went away.
    if (error instanceof Error) return ''
    throw error
  } finally {
    clearTimeout(timer)
    stream.destroy()
  }
}
