/** Both ends included. */
interface IdRange {
  readonly first: number
  readonly last: number
}

/** @param ranges ascending, without overlap */
export function isWithin(id: number, ranges: readonly IdRange[]): boolean {
  let [from, to] = [0, ranges.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (ranges[middle]!.last < id) from = middle + 1
    else to = middle
  }
  return from < ranges.length && ranges[from]!.first <= id
}
