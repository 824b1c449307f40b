import type { Participant, TranscriptEntry } from './meet-api.ts'

const SEGMENT_MS = 30 * 60_000
/** Longest turn of one person. */
const TURN_MS = 60_000
const NOBODY = 'Somebody'

interface Turn {
  readonly speaker: string
  readonly at: Date | undefined
  readonly texts: string[]
}

/** Half hours from the start of the transcript. Changing this rule would split every transcript differently. */
export function segmentCount(begin: Date | undefined, end: Date | undefined): number {
  const length = (end?.getTime() ?? 0) - (begin?.getTime() ?? 0)
  return begin === undefined || end === undefined ? 1 : Math.max(1, Math.ceil(length / SEGMENT_MS))
}

export function segmentStart(begin: Date, at: number): Date {
  return new Date(begin.getTime() + at * SEGMENT_MS)
}

/** `undefined` when nothing was said in that half hour. */
export function transcriptText(
  entries: readonly TranscriptEntry[],
  participants: readonly Participant[],
  { begin, count, at }: { readonly begin: Date | undefined; readonly count: number; readonly at: number },
): string | undefined {
  const names = new Map(participants.map(({ name, shown }) => [name, shown]))
  const turns: Turn[] = []
  let segment = 0
  for (const { participant, text, startTime } of entries) {
    // An entry without a time follows the previous one.
    if (startTime !== undefined && begin !== undefined) {
      segment = Math.floor((startTime.getTime() - begin.getTime()) / SEGMENT_MS)
      segment = Math.min(Math.max(segment, 0), count - 1)
    }
    const said = text?.replace(/\s+/g, ' ').trim() ?? ''
    if (segment !== at || said === '') continue
    const speaker = turnName(names.get(participant ?? ''))
    const last = turns.at(-1)
    const passed = (startTime?.getTime() ?? 0) - (last?.at?.getTime() ?? 0)
    if (last?.speaker === speaker && passed < TURN_MS) last.texts.push(said)
    else turns.push({ speaker, at: startTime, texts: [said] })
  }
  return turns.length === 0 ? undefined : turns.map(turnText).join('\n\n')
}

function turnText({ speaker, at, texts }: Turn): string {
  const time = at === undefined ? '' : ` [${at.toISOString().slice(0, 16).replace('T', ' ')} UTC]`
  return `${speaker}${time}: ${texts.join(' ')}`
}

/** As the format of a turn requires: at most five words of letters and digits, beginning with a letter. */
function turnName(name: string | undefined): string {
  const words = (name ?? '')
    .replace(/[^\p{L}\p{M}\p{N}._'’&-]+/gu, ' ')
    .trim()
    .split(' ')
  const text = words
    .slice(0, 5)
    .map((word) => [...word].slice(0, 40).join(''))
    .join(' ')
  if (text === '') return NOBODY
  return /^\p{L}/u.test(text) ? text : `Caller ${text}`.split(' ').slice(0, 5).join(' ')
}
