import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SubjectList } from '../../../http/app/schemas/subjects.ts'
import { call } from '../../api/call.ts'

export type SubjectKind = SubjectList['kind']

/** People, projects or places, those in most memories first. */
export function useSubjects(kind: SubjectKind, limit: number, isWanted = true) {
  return useQuery({
    queryKey: ['items', 'subjects', kind, limit],
    queryFn: ({ signal }) => call('GET /subjects/:kind', { params: { kind }, query: { limit }, signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
}

/** What memories say of one of them. */
export function useSubject(kind: SubjectKind, name: string) {
  return useQuery({
    queryKey: ['items', 'subject', kind, name],
    queryFn: ({ signal }) => call('GET /subjects/:kind/:name', { params: { kind, name }, signal }),
  })
}

/** What is known of the owner. */
export function useProfile() {
  return useQuery({ queryKey: ['items', 'profile'], queryFn: ({ signal }) => call('GET /profile', { signal }) })
}

/** Below /people. */
export function subjectPath(kind: SubjectKind, name: string): string {
  return `/people/${kind}/${encodeURIComponent(name)}`
}
