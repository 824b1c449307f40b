import type { RefinableChunk, RefinableItem } from '../../domain/refinement.ts'
import { analyze } from '../../lib/analyze.ts'
import { findRelativeDays } from '../../lib/dates/named-days.ts'
import { createMomentText } from '../../lib/dates/zoned-time.ts'
import { unsupportedValues } from '../../lib/unsupported-values.ts'

/** `unsupported`: says what the source does not; `third_person`: speaks of the owner by name. */
export type NarrativeFault = 'unsupported' | 'third_person'

/** The passages behind a narrative, and what else is known of their source. */
export interface NarrativeSource {
  readonly item: Pick<RefinableItem, 'userName' | 'timeZone' | 'uploadedAt' | 'title' | 'sourceType'>
  /** The passages of its evidence and their neighbors. */
  readonly chunks: readonly RefinableChunk[]
  /** What the rules found of the same passages: time, place, participants. */
  readonly known: readonly string[]
}

/** Minimum share of a sentence's words in its passages; retellings add their own words. */
const SUPPORTED = 0.6
/** Sentences with fewer words of content are not judged by their words. */
const LEAST_TERMS = 3
/** Narrative words that are not in the source. */
const TELLING = new Set(
  analyze(
    'said say told tell asked ask answered answer promised promise agreed agree decided decide discussed discuss mentioned mention ' +
      'noted note wrote write read planned plan suggested suggest proposed propose offered offer explained explain confirmed confirm ' +
      'reported report remembered remember remembers meeting conversation message thread chat call mail document note because also who which ' +
      'sagte fragte schrieb erzählte versprach dit demandé écrit promis dijo preguntó escribió prometió',
  ),
)

/**
 * Why a narrative of a language model is refused; `undefined` if its sentences are in the source and in the first
 * person.
 */
export function narrativeFault(narrative: string, source: NarrativeSource): NarrativeFault | undefined {
  if (isThirdPerson(narrative, source)) return 'third_person'
  return isSupported(narrative, source) ? undefined : 'unsupported'
}

/** Whether numbers, days and names of a text are in its source, whatever its other words. */
export function hasOnlyKnownValues(text: string, { item, chunks, known }: NarrativeSource): boolean {
  const { userName, title = '', sourceType, timeZone, uploadedAt } = item
  const sources = chunks.map(({ text: said, speaker = '', heading = '', at }) => ({
    text: said,
    head: `${speaker}\n${heading}`,
    ...(at && { at }),
  }))
  const now = chunks.find(({ at }) => at)?.at ?? uploadedAt
  const asked = { text: [userName, title, sourceType, ...known].join('\n'), now, timeZone }
  return unsupportedValues(text, sources, asked).length === 0
}

function isSupported(narrative: string, source: NarrativeSource): boolean {
  if (!hasOnlyKnownValues(narrative, source)) return false
  const { item, chunks, known } = source
  const written = [item.userName, item.title ?? '', ...known, ...chunks.flatMap(chunkWords)].join('\n')
  const held = new Set(analyze(written))
  return narrative.split(/(?<=[.!?。！？])\s+/u).every((sentence) => {
    const terms = [...new Set(analyze(sentence))].filter((term) => !TELLING.has(term))
    const there = terms.filter((term) => held.has(term))
    return terms.length < LEAST_TERMS || there.length >= terms.length * SUPPORTED
  })
}

function chunkWords({ text, speaker = '', heading = '' }: RefinableChunk): string[] {
  return [speaker, heading, text]
}

/** The owner by name or as "the user", outside of quotation marks. */
function isThirdPerson(narrative: string, { item: { userName }, chunks }: NarrativeSource): boolean {
  const told = narrative.replace(/["“„«「『][^"”“»」』]*["”“»」』]/gu, ' ')
  if (/\bthe (?:user|account owner)\b/i.test(told)) return true
  const [first = ''] = userName.split(/\s+/)
  const isShared = chunks.some(
    ({ speaker }) => speaker?.includes(' ') && speaker !== userName && speaker.split(/\s+/)[0] === first,
  )
  return [userName, ...(isShared || first.length < 2 ? [] : [first])].some((name) => {
    return name !== '' && new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`, 'u').test(told)
  })
}

/** Days by their distance as in the source, with the day that they mean: `tomorrow (5 March 2026)`. */
export function withResolvedDays(narrative: string, { item: { timeZone }, chunks }: NarrativeSource): string {
  const moments = createMomentText(timeZone)
  const days = new Map<string, string>()
  for (const { text, at } of chunks) {
    if (at === undefined) continue
    for (const { from, to, day } of findRelativeDays(text, { at, timeZone }))
      days.set(text.slice(from, to).toLowerCase(), moments.day(day))
  }
  let resolved = narrative
  for (const [words, day] of days) {
    const at = resolved.toLowerCase().indexOf(words)
    const end = at + words.length
    if (at < 0 || isNamedNext(resolved.slice(end), day) || resolved.includes(day)) continue
    resolved = `${resolved.slice(0, end)} (${day})${resolved.slice(end)}`
  }
  return resolved
}

/** `Friday, 6 March 2026` and `tomorrow (2026-03-06)` name the day already. */
function isNamedNext(after: string, day: string): boolean {
  return /^[\s,(]{0,3}(?:the |den |le |el )?\d/u.test(after) || after.startsWith(` ${day}`)
}
