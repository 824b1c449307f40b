import { spokenTurn } from '../../src/connector/spoken-turn.ts'

/** Longest turn of one person. */
const TURN_MS = 60_000
const NOBODY = 'Somebody'
const TIMES = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})\s+-->/
const SPOKEN = /^([^:\n]{1,100}):\s+(.*)$/s

interface Cue {
  /** Since the recording began, in milliseconds. */
  readonly after: number
  readonly words: string
}

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
  const cues = cuesOf(vtt)
  const isSpeaker = speakersOf(cues)
  for (const { after, words } of cues) {
    const last = turns.at(-1)
    const [, before = '', rest = ''] = SPOKEN.exec(words) ?? []
    const isNamed = isSpeaker(before)
    const speaker = isNamed ? before.trim() : (last?.speaker ?? NOBODY)
    const said = isNamed ? rest : words
    const at = begin.getTime() + after
    if (last?.speaker === speaker && at - last.at < TURN_MS) last.texts.push(said)
    else turns.push({ speaker, at, texts: [said] })
  }
  return {
    text: turns.map(({ speaker, at, texts }) => spokenTurn(speaker, new Date(at), texts.join(' '))).join('\n\n'),
    speakers: [...new Set(turns.map(({ speaker }) => speaker))].filter((name) => name !== NOBODY),
  }
}

function cuesOf(vtt: string): Cue[] {
  return vtt
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((cue) => {
      const lines = cue.split('\n')
      const timed = lines.findIndex((line) => TIMES.test(line))
      const [, hours = '0', minutes, seconds, millis] = TIMES.exec(lines[timed] ?? '') ?? []
      const text = lines.slice(timed + 1).join(' ')
      const words = text.replace(/\s+/g, ' ').trim()
      const after = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(millis)
      return timed < 0 || words === '' ? [] : [{ after, words }]
    })
}

/** Tells names before a colon from words: names stand there again and again, or have no word in lower case. */
function speakersOf(cues: readonly Cue[]): (before: string) => boolean {
  const befores = cues.flatMap(({ words }) => SPOKEN.exec(words)?.[1] ?? [])
  const counts = Map.groupBy(befores, (before) => before)
  const isProper = (before: string) => before.split(' ').every((word) => !/^\p{Ll}/u.test(word))
  return (before) => before !== '' && ((counts.get(before)?.length ?? 0) > 1 || isProper(before))
}
