import { describe, expect, it } from 'vitest'
import { analyze, hashTerm, SELF_MARK } from '../../../src/lib/analyze.ts'
import { createQueryTerm } from '../../../src/retrieval/question/query-terms.ts'
import type { ScoringQuery } from '../../../src/retrieval/question/scoring-query.ts'
import { explainMix } from '../../../src/retrieval/recall/explain-recall.ts'
import { computeFeatures, inReadingOrder, measureRows, mixFeatures } from '../../../src/retrieval/recall/features.ts'
import { type MixedRanking, NAMED_SOURCE_BOOST } from '../../../src/retrieval/recall/rank-chunks.ts'
import { WEIGHTS, weightsFor } from '../../../src/retrieval/recall/weights.ts'
import type { ChunkRow } from '../../../src/store/search/search.ts'

const DAY_MS = 86_400_000
const VECTOR = Int8Array.of(90, 90)

function row(text: string, more: Partial<ChunkRow> & { meta?: string } = {}): ChunkRow {
  const { meta = '', ...rest } = more
  return {
    chunkId: 1,
    itemKey: 1,
    itemId: 'item',
    sourceType: 'text',
    ordinal: 0,
    kind: 'turn',
    at: undefined,
    bodyHashes: Uint32Array.from(analyze(text), hashTerm),
    metaHashes: Uint32Array.from(analyze(meta), hashTerm),
    tokens: new Uint16Array(0),
    vector: new Int8Array(0),
    spaceId: 'space',
    ...rest,
  }
}

function query(text: string, more: Partial<ScoringQuery> = {}): ScoringQuery {
  const terms = [...new Set(analyze(text))].map((term) => createQueryTerm(term, 1_000, 10))
  const rest = {
    tokens: undefined,
    vector: new Float32Array(0),
    spaceId: 'space',
    range: undefined,
    answerHashes: undefined,
    breadth: 'fact' as const,
  }
  return { terms, ...rest, ...more }
}

/** Scores of rows in the order given. */
function scores(asked: ScoringQuery, rows: readonly ChunkRow[]): number[] {
  const ordered = inReadingOrder(rows)
  const weights = weightsFor(WEIGHTS, asked.breadth)
  const features = computeFeatures(asked, ordered, measureRows(asked, ordered, undefined, weights), weights)
  const mixed = mixFeatures(ordered, features, weights)
  return rows.map((one) => mixed[ordered.indexOf(one)]!)
}

describe('scoring', () => {
  it('ranks the chunk with more of the words higher', () => {
    const [both, one, none] = scores(query('copper kettle'), [
      row('the copper kettle whistles', { itemKey: 1 }),
      row('a copper roof in rain', { itemKey: 2 }),
      row('nothing of the kind', { itemKey: 3 }),
    ])
    expect(both!).toBeGreaterThan(one!)
    expect(one!).toBeGreaterThan(none!)
  })

  it('lets the turn after the words of the question profit from them, but not a turn of another item', () => {
    const rows = [
      row('which kettle is made of copper', { itemKey: 1, ordinal: 0 }),
      row('grandmother gave that one away', { itemKey: 1, ordinal: 1 }),
      row('grandmother gave that one away', { itemKey: 2, ordinal: 1 }),
    ]
    const [, beside, elsewhere] = scores(query('copper kettle'), rows)
    expect(beside!).toBeGreaterThan(elsewhere!)
  })

  it('prefers the speaker whom the question names', () => {
    const rows = [
      row('bought the copper kettle', { itemKey: 1, meta: 'Ann' }),
      row('bought the copper kettle', { itemKey: 2, meta: 'Ben' }),
    ]
    const [ann, ben] = scores(query('copper kettle of Ben'), rows)
    expect(ben!).toBeGreaterThan(ann!)
  })

  it('prefers what was told in the time asked for, or in the week after it', () => {
    const range = { since: 10 * DAY_MS, until: 11 * DAY_MS, words: new Set<number>() }
    const rows = [10, 13, 30].map((day) => row('copper kettle', { itemKey: day, at: day * DAY_MS }))
    const [inside, after, later] = scores(query('copper kettle', { range }), rows)
    expect(inside!).toBeGreaterThan(after!)
    expect(after!).toBeGreaterThan(later!)
  })

  it('never compares vectors of different spaces', () => {
    const vector = Float32Array.of(1, 0)
    const same = row('unrelated', { itemKey: 1, vector: Int8Array.of(127, 0) })
    const other = row('unrelated', { itemKey: 2, vector: Int8Array.of(127, 0), spaceId: 'other' })
    const [near, far] = scores(query('kettle', { vector }), [same, other])
    expect(near!).toBeGreaterThan(far!)
  })

  it('gives the same whatever the order in which rows arrive', () => {
    const rows = [
      row('copper kettle', { ordinal: 0 }),
      row('the kettle', { ordinal: 1 }),
      row('copper', { ordinal: 2 }),
    ]
    const forwards = scores(query('copper kettle'), rows)
    expect(scores(query('copper kettle'), rows.toReversed()).toReversed()).toEqual(forwards)
  })

  it('prefers a turn in the midst of good ones where a stretch of talk is asked for', () => {
    const alone = row('the copper kettle and its price', { itemKey: 1, ordinal: 0 })
    const among = ['the kettle', 'copper kettle and its price', 'the price of copper'].map((text, ordinal) =>
      row(text, { itemKey: 2, ordinal }),
    )
    const [single, , midst] = scores(query('copper kettle price', { breadth: 'stretch' }), [alone, ...among])
    expect(midst!).toBeGreaterThan(single!)
  })

  it('prefers what the person asked about tells of themselves', () => {
    const mark = (marked: boolean) =>
      Uint32Array.from([...analyze('Ann').map(hashTerm), ...(marked ? [SELF_MARK] : [])])
    const rows = [false, true].map((marked, itemKey) => row('painted a kettle', { itemKey, metaHashes: mark(marked) }))
    const [other, self] = scores(query('kettle of Ann'), rows)
    expect(self!).toBeGreaterThan(other!)
    const [unasked, alsoUnasked] = scores(query('kettle'), rows)
    expect(alsoUnasked!).toBe(unasked!)
  })

  it('has a mark for turns about oneself that no term has', () => {
    expect(SELF_MARK).toBe(hashTerm(' self'))
    expect(analyze(' self ')).not.toContain(' self')
  })
})

describe('neighbors within two turns of a hit', () => {
  const HIT = 'the copper kettle from the market whistles'
  const LONG =
    'it has been on the shelf beside the old radio since my uncle moved to the coast last year with both of his dogs'
  /** A chat of the hit in the middle, and one other turn at a distance from it. */
  const chat = (distance: number, text: string) =>
    [-2, -1, 0, 1, 2].map((at) =>
      row(at === 0 ? HIT : at === distance ? text : 'oh nice', { itemKey: 1, ordinal: at + 2 }),
    )
  const asked = (breadth: 'fact' | 'stretch') => query('copper kettle market handle', { breadth })
  const cases = (['fact', 'stretch'] as const).flatMap((breadth) =>
    [-2, -1, 1, 2].map((distance) => [distance, breadth] as const),
  )

  it.each(cases)(
    'stay clearly below it without words of their own, however long: %i, for a %s',
    (distance, breadth) => {
      const found = scores(asked(breadth), chat(distance, LONG))
      expect(found[2 + distance]!).toBeLessThan(0.75 * found[2]!)
    },
  )

  it.each(cases)(
    'compete on their own words, which count clearly more than the same words in the hit: %i, for a %s',
    (distance, breadth) => {
      const scoreOf = (text: string, hit: string) => {
        const rows = chat(distance, text)
        rows[2] = row(hit, { itemKey: 1, ordinal: 2 })
        // Scores are relative to the best row of all.
        const best = row('copper kettle market handle', { itemKey: 2 })
        return scores(asked(breadth), [...rows, best])[2 + distance]!
      }
      const [nothing, own] = ['we should really fix it soon', 'we should really fix the handle']
      const before = scoreOf(nothing, HIT)
      const byHit = scoreOf(nothing, `${HIT} and has no handle`) - before
      const byOwn = scoreOf(own, HIT) - before
      expect(byHit).toBeGreaterThan(0)
      expect(byHit).toBeLessThan((2 / 3) * byOwn)
    },
  )
})

describe('what a score is made of', () => {
  const rows = [
    row('Mara: the copper kettle whistles', { ordinal: 0, meta: 'Mara', at: Date.UTC(2026, 4, 8), vector: VECTOR }),
    row('it is old', { ordinal: 1, chunkId: 2, meta: 'Ben', vector: VECTOR }),
    row('I bought the kettle in May', { ordinal: 2, chunkId: 3, meta: 'Mara', kind: 'prose' }),
    row('a roof of copper', { itemKey: 2, chunkId: 4, sourceType: 'email' }),
    row('nothing of the kind', { itemKey: 3, chunkId: 5 }),
  ]

  it.each(['fact', 'stretch'] as const)('adds up to what the mix gave, for a %s', (breadth) => {
    const asked = query('when did Mara buy the copper kettle', {
      breadth,
      vector: new Float32Array([1, 0]),
      range: { since: Date.UTC(2026, 4, 1), until: Date.UTC(2026, 5, 1), words: new Set() },
      answerHashes: new Set([hashTerm('mai'), hashTerm('old')]),
    })
    const weights = weightsFor(WEIGHTS, breadth)
    const raw = measureRows(asked, rows, undefined, weights)
    const features = computeFeatures(asked, rows, raw, weights)
    const scores = mixFeatures(rows, features, weights)
    scores[3]! *= NAMED_SOURCE_BOOST
    const ranking: MixedRanking = {
      query: {
        ...asked,
        time: undefined,
        filters: { sources: ['email'], isRequired: false, person: undefined, rest: '' },
        isTimeOnly: false,
        isKnown: true,
        people: [],
        text: 'when did Mara buy the copper kettle',
        isEncoded: false,
      },
      rows,
      features,
      ranked: [],
      isNoise: false,
      relevance: 1,
      applied: {},
      corrected: [],
      edits: [],
      mix: { raw, weights, scores, unedited: scores },
    }
    const partsOf = explainMix(ranking)
    for (const place of rows.keys()) {
      const parts = Object.values(partsOf(place))
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(scores[place]!, 5)
    }
    expect(partsOf(0).words).toBeGreaterThan(0)
    expect(partsOf(0).names).toBeGreaterThan(0)
    expect(partsOf(0).time).toBeGreaterThan(0)
    expect(partsOf(1).words).toBe(0)
    expect(partsOf(1).around).toBeGreaterThan(0)
    expect(partsOf(3).source).toBeGreaterThan(0)
    expect(partsOf(0).source).toBe(0)
  })
})
