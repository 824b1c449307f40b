import type { SourceType } from '../domain/source-type.ts'
import { analyze } from '../lib/analyze.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Embedder } from '../models/model.ts'
import type { SearchIndex } from '../store/search/search.ts'
import { answerHashesFor } from './answer-words.ts'
import { breadthOf } from './breadth.ts'
import type { ScoringQuery } from './features.ts'
import { findNamedSources } from './named-sources.ts'
import { createQueryTerm, type QueryTerm, weighTokens } from './query-terms.ts'
import type { Rerank } from './rerank-chunks.ts'
import type { FittedWeights } from './scoring-weights.ts'
import { findTimeExpression, type TimeExpression } from './time-expression.ts'

/** A question, read: what to search for, when and where. */
export interface UnderstoodQuery extends ScoringQuery {
  readonly time: TimeExpression | undefined
  /** Sources the question names as the place to look; empty when it names none. */
  readonly namedSources: readonly SourceType[]
  /** See `EmbeddedQuestion`. */
  readonly notice?: string
}

/** Embeds a question in the space that questions are asked in. */
export type EmbedQuestion = (text: string, signal?: AbortSignal) => Promise<EmbeddedQuestion>

export interface EmbeddedQuestion extends Pick<ScoringQuery, 'vector' | 'spaceId' | 'cosineScale'> {
  /** Why it is another space than the person chose; a sentence. */
  readonly notice?: string
}

export interface QueryContext {
  readonly index: SearchIndex
  /** The built-in one, whose tokens are matched in any case. */
  readonly embedder: Embedder
  /** Absent: the built-in embedder does. */
  readonly embedQuestion?: EmbedQuestion
  /** Absent: the order is that of the built-in mix. */
  readonly rerank?: Rerank
  readonly signal?: AbortSignal
  /** Only what this person says or takes part in: see `isNamed`. */
  readonly person?: string
  /** Absent: those of the product. */
  readonly weights?: FittedWeights
  readonly telemetry?: Telemetry
  readonly now: Date
  /** IANA time zone of the asker. */
  readonly timeZone: string
}

/** Trust in a word that is spelt like an unknown one, closest first. */
const SPELLING_TRUST = [0.7, 0.4] as const
/** A question is at most 1,000 characters; scripts without spaces make a term of nearly each. */
const MOST_TERMS = 64

export async function understandQuery(text: string, context: QueryContext): Promise<UnderstoodQuery> {
  const { index, embedder, now, timeZone, signal } = context
  const time = findTimeExpression(text, now, timeZone)
  // Words of a relative time ("last week") are about now; those of a date may stand in the text or in its date.
  const searched = time?.isRelative ? time.rest : text
  const names = [...new Set(analyze(searched))].slice(0, MOST_TERMS)
  const [{ chunks, frequencies }, embedded] = await Promise.all([
    index.termStatistics(names),
    (context.embedQuestion ?? embedBuiltIn(embedder))(searched, signal),
  ])
  const known = names.map((name) => createQueryTerm(name, chunks, frequencies.get(name) ?? 0))
  const terms = await correctSpelling(known, index)
  return {
    terms,
    tokens: embedder.tokens && weighTokens(searched, embedder.tokens, known),
    ...embedded,
    range: time && { since: time.since?.getTime() ?? -Infinity, until: time.until?.getTime() ?? Infinity },
    answerHashes: answerHashesFor(text),
    breadth: breadthOf(text, names.length),
    time,
    namedSources: findNamedSources(text),
  }
}

/** Questions in the space of the built-in model. */
export function embedBuiltIn(embedder: Embedder): EmbedQuestion {
  return async (text) => {
    const [vector] = await embedder.embed([text])
    return { vector: vector!, spaceId: embedder.space.id }
  }
}

/** Puts indexed words that are spelt alike in the place of words that occur nowhere. */
async function correctSpelling(terms: readonly QueryTerm[], index: SearchIndex): Promise<QueryTerm[]> {
  const corrected = await Promise.all(
    terms.map(async (term) => {
      if (term.frequency > 0) return [term]
      const similar = await index.similarTerms(term.term, SPELLING_TRUST.length)
      if (similar.length === 0) return [term]
      const { chunks, frequencies } = await index.termStatistics(similar)
      return similar.map((name, i): QueryTerm => {
        return { ...createQueryTerm(name, chunks, frequencies.get(name) ?? 0, SPELLING_TRUST[i]), typed: term.term }
      })
    }),
  )
  const byTerm = new Map<string, QueryTerm>()
  for (const term of corrected.flat()) if (!byTerm.has(term.term)) byTerm.set(term.term, term)
  return [...byTerm.values()]
}
