import type { ItemRef } from '../../src/connector/connector.ts'
import type { NamedPart } from '../../src/connector/source-item-id.ts'
import { githubItemId, type RepositorySource } from './repository-source.ts'

/** Comments per document. Long threads are split, so that a new comment does not change earlier documents. */
const SEGMENT_COMMENTS = 60

/** The documents of a thread, at least one. */
export function segmentRefs(
  source: RepositorySource,
  part: NamedPart,
  { title, comments }: { readonly title: string; readonly comments: number },
): (ItemRef & { readonly title: string })[] {
  return Array.from({ length: Math.max(1, Math.ceil(comments / SEGMENT_COMMENTS)) }, (_, segment) => ({
    sourceType: 'github',
    itemId: githubItemId(
      source,
      part,
      ...(segment === 0 ? [] : [{ name: 's', value: String(segment).padStart(4, '0') }]),
    ),
    title: segment === 0 ? title : `${title} (comments from ${segment * SEGMENT_COMMENTS + 1})`,
  }))
}

export function ofSegment<T>(comments: readonly T[], segment: number): readonly T[] {
  return comments.slice(segment * SEGMENT_COMMENTS, (segment + 1) * SEGMENT_COMMENTS)
}
