/** From here on the probability that the best result is relevant speaks for it. */
const STRONG = 0.75
/** Below it, a result shares words with the question, but is rarely what was meant. */
const WEAK = 0.2

/** What a score is worth saying; nothing in between. */
export function matchStrength(score: number): 'strong' | 'weak' | undefined {
  if (score >= STRONG) return 'strong'
  return score < WEAK ? 'weak' : undefined
}
