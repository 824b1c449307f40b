import type { AscendingPage, Stamped } from './ascending-pages.ts'

/** Comments of a whole repository, by the number of what they were written on. */
export interface CommentWindow<T> {
  /** Every comment was read. */
  readonly complete: boolean
  of(number: number): readonly T[]
  /** Numbers with a comment that changed at or after this. */
  changedSince(time: Date): readonly number[]
  readonly tail: AscendingPage<T>['tail']
}

/**
 * Reads a listing of comments to its end, or gives up when it has more pages than it may have: then what is not there has to
 * be asked for one by one.
 */
export async function commentWindow<T extends Stamped>(
  pages: AsyncIterable<AscendingPage<T>>,
  numberOf: (comment: T) => number,
  mostPages: number,
): Promise<CommentWindow<T>> {
  const byNumber = new Map<number, Map<number, T>>()
  let tail: AscendingPage<T>['tail']
  let complete = false
  let read = 0
  for await (const page of pages) {
    if ((page.pages ?? 0) > mostPages) break
    for (const comment of page.items) {
      const number = numberOf(comment)
      const comments = byNumber.get(number) ?? new Map<number, T>()
      // The later version, when it was edited meanwhile.
      byNumber.set(number, comments.set(comment.id, comment))
    }
    read += 1
    tail = page.tail
    complete = page.isLast
    if (read >= mostPages) break
  }
  const of = (number: number) => [...(byNumber.get(number)?.values() ?? [])]
  const changedSince = (time: Date) =>
    [...byNumber].filter(([, comments]) => (lastChange([...comments.values()]) ?? 0) >= time).map(([number]) => number)
  return { complete, of, changedSince, tail }
}

export function lastChange(comments: readonly Stamped[]): Date | undefined {
  if (comments.length === 0) return undefined
  return new Date(comments.reduce((last, { updated_at }) => Math.max(last, updated_at.getTime()), 0))
}
