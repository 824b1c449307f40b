import { spokenTurn } from '../../src/connector/spoken-turn.ts'

/** Longest turn of one person. */
const TURN_MS = 60_000
const NOBODY = 'Somebody'
const TIMES = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})\s+-->/
const SPOKEN = /^([^:\n]{1,100}):\s+(.*)$/s

interface Turn {
  readonly speaker: string
  readonly at: number
  readonly texts: string[]
}

export interface Transcript {
  readonly text: string
  /** Who spoke, each once. */
  readonly speakers: readonly string[]
}

/**
 * What was said, as turns. @param vtt WebVTT as Zoom writes it: `Ada Lovelace: Hello` in each cue, without the name where
 * the same person goes on @param begin of the recording, from which its times count
 */
export function transcriptOf(vtt: string, begin: Date): Transcript {
  const turns: Turn[] = []
  for (const cue of vtt.replace(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = cue.split('\n')
    const timed = lines.findIndex((line) => TIMES.test(line))
    const [, hours = '0', minutes, seconds, millis] = TIMES.exec(lines[timed] ?? '') ?? []
    const words = lines
      .slice(timed + 1)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (timed < 0 || words === '') continue
    const last = turns.at(-1)
    const [, named, rest = ''] = SPOKEN.exec(words) ?? []
    const speaker = named?.trim() ?? last?.speaker ?? NOBODY
    const said = named === undefined ? words : rest
    const at = begin.getTime() + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(millis)
    if (last?.speaker === speaker && at - last.at < TURN_MS) last.texts.push(said)
    else turns.push({ speaker, at, texts: [said] })
  }
  return {
    text: turns.map(({ speaker, at, texts }) => spokenTurn(speaker, new Date(at), texts.join(' '))).join('\n\n'),
    speakers: [...new Set(turns.map(({ speaker }) => speaker))].filter((name) => name !== NOBODY),
  }
}
