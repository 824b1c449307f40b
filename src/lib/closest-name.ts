import { distance } from 'fastest-levenshtein'

/** The known name that a mistyped one most likely means; `undefined` when none is similar. */
export function closestName(typed: string, known: readonly string[]): string | undefined {
  const ranked = known.map((name) => ({ name, away: distance(typed, name) })).sort((a, b) => a.away - b.away)
  const [best] = ranked
  // Two swapped letters count as two edits. More than a third of the letters makes it another word: "detail" isn't "until".
  const allowed = Math.min(3, Math.max(1, Math.ceil(typed.length / 3)))
  return best !== undefined && best.away <= allowed ? best.name : undefined
}
