/** Chunk ids in ascending order with a score each: what adding up the postings of several terms makes. */
export interface ScoreList {
  readonly ids: Float64Array
  readonly scores: Float64Array
}

export const EMPTY_SCORES: ScoreList = { ids: new Float64Array(0), scores: new Float64Array(0) }

/** Adds `weight` to every id of `ids` (ascending); ids that are new come in. */
export function addPostings(list: ScoreList, ids: Float64Array, weight: number): ScoreList {
  const mergedIds = new Float64Array(list.ids.length + ids.length)
  const mergedScores = new Float64Array(mergedIds.length)
  let left = 0
  let right = 0
  let length = 0
  while (left < list.ids.length || right < ids.length) {
    const a = left < list.ids.length ? list.ids[left]! : Number.POSITIVE_INFINITY
    const b = right < ids.length ? ids[right]! : Number.POSITIVE_INFINITY
    mergedIds[length] = a <= b ? a : b
    mergedScores[length] = (a <= b ? list.scores[left++]! : 0) + (b <= a ? weight : 0)
    if (b <= a) right++
    length++
  }
  return { ids: mergedIds.subarray(0, length), scores: mergedScores.subarray(0, length) }
}

/** Takes those of `ids` (ascending) in that are new, with this score; known ones keep theirs. */
export function addUnknown(list: ScoreList, ids: Float64Array, score: number): ScoreList {
  let place = 0
  const unknown = ids.filter((id) => {
    while (place < list.ids.length && list.ids[place]! < id) place++
    return list.ids[place] !== id
  })
  return addPostings(list, unknown, score)
}

/** Adds `weight` to those of `ids` (ascending) that the list holds already, in place. */
export function raiseKnown(list: ScoreList, ids: Float64Array, weight: number): void {
  let place = 0
  for (const id of ids) {
    while (place < list.ids.length && list.ids[place]! < id) place++
    if (list.ids[place] === id) list.scores[place]! += weight
  }
}

/** The n-th largest score; 0 when there are fewer. */
export function nthScore(list: ScoreList, n: number): number {
  if (list.scores.length < n) return 0
  return list.scores.slice().sort()[list.scores.length - n]!
}

/** The best by score, the newer first among equals. */
export function bestOf({ ids, scores }: ScoreList, limit: number): { chunkId: number; score: number }[] {
  const threshold = nthScore({ ids, scores }, limit)
  const places: number[] = []
  for (let place = 0; place < ids.length; place++) if (scores[place]! >= threshold) places.push(place)
  return places
    .sort((a, b) => scores[b]! - scores[a]! || ids[b]! - ids[a]!)
    .slice(0, limit)
    .map((place) => ({ chunkId: ids[place]!, score: scores[place]! }))
}
