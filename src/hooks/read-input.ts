import type { Readable } from 'node:stream'

/** Hosts write immediately, so a longer wait means that something is wrong. */
const PATIENCE_MS = 1_000
/** Prompts can contain pasted files. Longer input is ignored. */
const MOST_BYTES = 4_000_000

/** Everything that a host writes to standard input; empty if it is too long or doesn't end in time. */
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
    // The timer destroyed the stream, or the host exited.
    if (error instanceof Error) return ''
    throw error
  } finally {
    clearTimeout(timer)
    stream.destroy()
  }
}
