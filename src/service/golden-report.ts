import type { GoldenRank } from '../store/golden/golden.ts'

/** The summary of a run, over the questions with an item. */
export interface GoldenSummary {
  readonly asked: number
  readonly foundIn5: number
  readonly foundIn10: number
  /** Mean of 1 / rank, 0 where nothing was found. */
  readonly meanReciprocalRank: number
  /** Questions without remaining items; excluded from everything else. */
  readonly withoutItem: number
}

export interface GoldenChange {
  readonly number: number
  readonly rank: GoldenRank
  /** Absent: it was not asked before. */
  readonly before?: GoldenRank
  /** `new`: cannot be compared. */
  readonly change: 'better' | 'worse' | 'same' | 'new'
}

/** Loss that is tolerated, as a share of the questions and of the mean: one question in twenty. */
const MARGIN = 0.05
/** Rounding error of a mean of quotients. */
const ROUNDING = 1e-9

export function goldenSummary(ranks: ReadonlyMap<number, GoldenRank>): GoldenSummary {
  const all = [...ranks.values()]
  const asked = all.filter((rank) => rank !== 'no item')
  const within = (place: number) => asked.filter((rank) => rank !== null && rank <= place).length
  const reciprocals = asked.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0)
  return {
    asked: asked.length,
    foundIn5: within(5),
    foundIn10: within(10),
    meanReciprocalRank: asked.length === 0 ? 0 : reciprocals / asked.length,
    withoutItem: all.length - asked.length,
  }
}

/** Question by question, in the order of their numbers. */
export function goldenChanges(
  before: ReadonlyMap<number, GoldenRank> | undefined,
  after: ReadonlyMap<number, GoldenRank>,
): GoldenChange[] {
  return [...after]
    .sort(([a], [b]) => a - b)
    .map(([number, rank]) => {
      const earlier = before?.get(number)
      if (earlier === undefined) return { number, rank, change: 'new' }
      return { number, rank, before: earlier, change: changeOf(earlier, rank) }
    })
}

/** Whether more was lost than a few ranks of a few questions; only questions of both runs count. */
export function isClearlyWorse(
  before: ReadonlyMap<number, GoldenRank>,
  after: ReadonlyMap<number, GoldenRank>,
): boolean {
  const both = [...after].filter(([number, rank]) => rank !== 'no item' && isRank(before.get(number)))
  const then = goldenSummary(new Map(both.map(([number]) => [number, before.get(number)!])))
  const now = goldenSummary(new Map(both))
  const lost = then.foundIn10 - now.foundIn10
  return lost > MARGIN * both.length || then.meanReciprocalRank - now.meanReciprocalRank > MARGIN + ROUNDING
}

function isRank(rank: GoldenRank | undefined): boolean {
  return rank !== undefined && rank !== 'no item'
}

function changeOf(before: GoldenRank, after: GoldenRank): GoldenChange['change'] {
  if (before === 'no item' || after === 'no item') return 'new'
  const [then, now] = [before ?? Number.POSITIVE_INFINITY, after ?? Number.POSITIVE_INFINITY]
  if (then === now) return 'same'
  return now < then ? 'better' : 'worse'
}
