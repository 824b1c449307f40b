import { closestSources, MOST_CLOSEST } from './closest-passages.ts'
import type { Decision } from './decide-answer.ts'
import { type Evidence, replacedTime, type Source } from './evidence/evidence.ts'
import { BEHIND } from './evidence/matching-pair.ts'
import { furtherSources, MOST_FURTHER, otherVersion, SPARE } from './further-sources.ts'
import { furtherOfTime } from './sentences/timed-records.ts'

/** Minimum score of a further quoted passage, relative to the best one. */
const QUOTED_SHARE = 0.75

/** What an answer may quote, those of the first line first. */
interface QuotedSources {
  readonly sources: readonly Source[]
  /** How many of them are in the first line. */
  readonly leads: number
  /** How many are shown beside those; the rest stand in for repeats. */
  readonly further: number
}

/** The sources of the first line with a few beside it, each chunk once; without an answer, the closest ones. */
export function quotedSources(decision: Decision, evidence: Evidence): QuotedSources {
  const { kind, leading, note } = decision
  const { paired } = evidence
  const beside = besideSources(decision, evidence).filter((source) => !isOfPair(source, paired))
  // Beside a guide, other documents would only distract.
  const others = note?.kind === 'guide' ? beside.filter((source) => isOfItem(source, note.sources[0])) : beside
  const quoted = oncePerChunk([...paired, ...others])
  if (kind === 'none') {
    const leads = paired.length > 0 ? 1 : Math.min(1, leading.length)
    return { sources: quoted.slice(0, MOST_CLOSEST + SPARE), leads, further: MOST_CLOSEST - leads }
  }
  const leads = paired.length > 0 ? 1 : leading.length
  return { sources: quoted.slice(0, leads + MOST_FURTHER + SPARE), leads, further: MOST_FURTHER }
}

/** All but the stored pair, best first. */
function besideSources({ kind, leading, read }: Decision, evidence: Evidence): readonly Source[] {
  const { isSettled, paired } = evidence
  if (isSettled) return []
  const version = leading.length === 1 ? otherVersion(leading[0], read) : undefined
  const first = version === undefined ? leading : [...leading, version]
  const close = closeSources(evidence)
  if (kind === 'none') return closestSources([...first, ...close], read)
  if (paired.length > 0) return [...first, ...close]
  return [...first, ...furtherSources(evidence, read, leading), ...furtherOfTime(evidence, leading), ...close]
}

/** Chunks nearly as good as the best; replaced ones give way to the current statement. */
function closeSources(evidence: Evidence): Source[] {
  const { found, history } = evidence
  const chunks = new Map(found.map(({ one }) => [one.row.chunkId, one]))
  const close = found.flatMap(({ one: { row, share } }) => (share >= QUOTED_SHARE ? [row.chunkId] : []))
  return [...new Set(close.map((id) => history.currentOf(id) ?? id))].map((id): Source => {
    const { row, position } = chunks.get(id)!
    return { row, position, ...replacedTime(id, evidence) }
  })
}

function isOfItem({ row }: Source, of: Source): boolean {
  return row.itemKey === of.row.itemKey
}

/** Whether a source is the answer of a stored pair, or the question above it. */
function isOfPair({ row, position }: Source, paired: readonly Source[]): boolean {
  return paired.some(
    (source) =>
      source.row.itemKey === row.itemKey && position <= source.position && position >= source.position - BEHIND,
  )
}

function oncePerChunk(sources: readonly Source[]): Source[] {
  return sources.filter(({ row }, i) => sources.findIndex((other) => other.row.chunkId === row.chunkId) === i)
}
