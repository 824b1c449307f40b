import { problemSentence } from '../domain/source-problems.ts'
import { SourceError } from './source-error.ts'

/** For messages: `Jira`, `your projects`. */
interface Asked {
  readonly title: string
  readonly asked: string
}

interface PageEnd<T> {
  readonly hasMore: boolean
  readonly cursor: T | null | undefined
  /** The cursor of this page; absent: it is the first. */
  readonly before: T | undefined
}

/**
 * Where a listing goes on; `undefined` at its end. A listing that breaks off must not look complete, because what it
 * lacks counts as deleted.
 * @throws SourceError `retry` when there is more but not where, or the same page again
 */
export function nextPage<T extends string>({ hasMore, cursor, before }: PageEnd<T>, about: Asked): T | undefined {
  if (!hasMore) return undefined
  if (!cursor || cursor === before) throw incompleteResponse(about)
  return cursor
}

/** The source sent less than it should have. */
export function incompleteResponse(about: Asked): SourceError {
  return new SourceError('retry', problemSentence('incomplete', { ...about }))
}
