import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ActivityActors, ActivityKind, ActivityPage } from '../../../http/app/schemas/activity.ts'
import { call } from '../../api/call.ts'

export interface ActivityFilter {
  /** Absent: all. */
  readonly kinds: readonly ActivityKind[] | undefined
  /** As the service names them: `key`, `person:person_1`. */
  readonly actor: string | undefined
}

/** What happened, newest first, as many pages as were looked at. */
export function useActivity({ kinds, actor }: ActivityFilter) {
  return useInfiniteQuery({
    queryKey: ['activity', 'page', kinds, actor],
    queryFn: ({ pageParam, signal }) =>
      call<ActivityPage>('/activity', { query: { before: pageParam, kinds: kinds?.join(), actor }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  })
}

export function useActors() {
  return useQuery({ queryKey: ['activity', 'actors'], queryFn: () => call<ActivityActors>('/activity/actors') })
}
