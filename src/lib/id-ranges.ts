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

/** What is in both. Absent ranges: everything. @param first, second ascending, without overlap */
export function sharedRanges(first: readonly IdRange[], second: readonly IdRange[] = [EVERYTHING]): IdRange[] {
  const shared: IdRange[] = []
  let [a, b] = [0, 0]
  while (a < first.length && b < second.length) {
    const [one, other] = [first[a]!, second[b]!]
    const range = { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) }
    if (range.first <= range.last) shared.push(range)
    if (one.last < other.last) a++
    else b++
  }
  return shared
}

const EVERYTHING: IdRange = { first: 0, last: Number.MAX_SAFE_INTEGER }
