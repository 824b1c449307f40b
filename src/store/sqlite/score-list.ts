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

/** Adds `weight` to those of `ids` (ascending) that the list holds already, in place. */
export function raiseKnown(list: ScoreList, ids: Float64Array, weight: number): void {
  let left = 0
  for (const id of ids) {
    while (left < list.ids.length && list.ids[left]! < id) left++
    if (list.ids[left] === id) list.scores[left]! += weight
  }
}

/** The best by score, the newer first among equals. */
export function bestOf(list: ScoreList, limit: number): { chunkId: number; score: number }[] {
  const order = Array.from(list.ids.keys())
  const { ids, scores } = list
  if (order.length > limit * 4) {
    const threshold = nthLargest(scores, limit)
    const kept = order.filter((place) => scores[place]! >= threshold)
    return pick(kept)
  }
  return pick(order)

  function pick(places: number[]) {
    return places
      .sort((a, b) => scores[b]! - scores[a]! || ids[b]! - ids[a]!)
      .slice(0, limit)
      .map((place) => ({ chunkId: ids[place]!, score: scores[place]! }))
  }
}

function nthLargest(scores: Float64Array, n: number): number {
  const sorted = scores.slice().sort()
  return sorted[Math.max(0, sorted.length - n)]!
}
