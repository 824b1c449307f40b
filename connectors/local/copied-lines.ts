import { readSessionLines, type SessionLine } from './session-lines.ts'

/** Bytes of lines that another session had first: from, to (exclusive); in order. */
export type CopiedRanges = readonly (readonly [number, number])[]

/** A locator holds at most 4,000 characters. What a session took over is one range, two with a line of its own between. */
const MOST_RANGES = 50

type LineId = (line: SessionLine) => string | undefined

/** Names of the lines that a session did not take over. */
export async function* ownIds(
  path: string,
  copied: CopiedRanges,
  lineId: LineId,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const line of readSessionLines(path, 0, signal, { broken: 0, tooLong: 0 })) {
    const id = lineId(line)
    const isCopied = copied.some(([from, to]) => line.offset >= from && line.offset < to)
    if (id !== undefined && !isCopied) yield id
  }
}

/** The lines of a session that are `taken` already; its others are added to them. */
export async function copiedRanges(
  path: string,
  taken: Set<string>,
  lineId: LineId,
  signal: AbortSignal,
): Promise<[number, number][]> {
  const ranges: [number, number][] = []
  const own = new Set<string>()
  let isOpen = false
  for await (const line of readSessionLines(path, 0, signal, { broken: 0, tooLong: 0 })) {
    const id = lineId(line)
    if (id === undefined) continue
    const last = ranges.at(-1)
    if (!taken.has(id)) {
      own.add(id)
      isOpen = false
    } else if (isOpen && last) last[1] = line.end
    else if (ranges.length < MOST_RANGES) {
      ranges.push([line.offset, line.end])
      isOpen = true
    }
  }
  for (const id of own) taken.add(id)
  return ranges
}
