import type { FittedWeights } from '../../../src/retrieval/recall/weights.ts'
import type { Example } from './gather.ts'
import { figures, PROFILES, type Profile, profileOf, replaced, searchWeights, weightsOf } from './search-weights.ts'
import { START_WEIGHTS } from './start-weights.ts'

export interface Fitted {
  readonly weights: FittedWeights
  /** By set, those that the other sets gave. */
  readonly leftOut: Readonly<Record<string, FittedWeights>>
}

/** Finds the weights of each profile on all sets, and on all but one for each, which judges them. */
export function fitScoring(examples: readonly Example[], report: (line: string) => void): Fitted {
  const byProfile = Map.groupBy(
    examples.filter(({ role }) => role === 'answerable'),
    profileOf,
  )
  const answerable = [...byProfile.values()].flat()
  const fitOn = (some: readonly Profile[], start: FittedWeights, isUsed: (example: Example) => boolean) =>
    some.reduce((weights, profile) => {
      const from = replaced(weights, profile, weightsOf(START_WEIGHTS, profile))
      return searchWeights((byProfile.get(profile) ?? []).filter(isUsed), from, profile)
    }, start)
  const weights = fitOn(PROFILES, START_WEIGHTS, () => true)
  for (const profile of PROFILES) report(`${profile}: ${JSON.stringify(weightsOf(weights, profile))}`)
  const leftOut: Record<string, FittedWeights> = {}
  for (const name of new Set(answerable.map(({ set }) => set))) {
    const held = answerable.filter(({ set }) => set === name)
    // The other profiles have not seen the set.
    const own = PROFILES.filter((profile) => byProfile.get(profile)?.some(({ set }) => set === name))
    const others = fitOn(own, weights, ({ set }) => set !== name)
    leftOut[name] = others
    report(figuresLine(`${name} (start)`, held, START_WEIGHTS))
    report(figuresLine(`${name} (fitted on the others)`, held, others))
    report(figuresLine(`${name} (fitted on all)`, held, weights))
  }
  return { weights, leftOut }
}

function figuresLine(name: string, some: readonly Example[], tried: FittedWeights): string {
  const { recall10, recall40, hit1 } = figures(some, tried)
  return `${name}: recall@10 ${recall10.toFixed(1)}, recall@40 ${recall40.toFixed(1)}, hit@1 ${hit1.toFixed(1)}`
}
