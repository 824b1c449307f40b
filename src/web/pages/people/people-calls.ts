import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SubjectList } from '../../../http/app/schemas/subjects.ts'
import { call } from '../../api/call.ts'

/** More are found by typing more of the name. */
const MOST_FOUND = 50
/** Of the people and projects of the first page. */
export const RECENT_PROFILE = ['recent profile']
/** How long the people and projects of the first page are kept. */
const RECENT_MS = 60_000

export type SubjectKind = SubjectList['kind']

/** People with this text in a name, those in most memories first. */
export function useFoundPeople(text: string) {
  return useQuery({
    queryKey: ['items', 'subjects', 'person', 'named', text],
    queryFn: ({ signal }) =>
      call('GET /subjects/:kind', { params: { kind: 'person' }, query: { name: text, limit: MOST_FOUND }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** People, projects or places, those in most memories first. */
export function useSubjects(kind: SubjectKind, limit: number, isWanted = true) {
  return useQuery({
    queryKey: ['items', 'subjects', kind, limit],
    queryFn: ({ signal }) => call('GET /subjects/:kind', { params: { kind }, query: { limit }, signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
}

/** The profile of one of them. */
export function useSubject(kind: SubjectKind, name: string) {
  return useQuery({
    queryKey: ['items', 'subject', kind, name],
    queryFn: ({ signal }) => call('GET /subjects/:kind/:name', { params: { kind, name }, signal }),
  })
}

/** The profile of the owner. */
export function useProfile() {
  return useQuery({ queryKey: ['items', 'profile'], queryFn: ({ signal }) => call('GET /profile', { signal }) })
}

/** The same for the first page. Syncs don't refresh it: it looks at thousands of memories. */
export function useRecentProfile() {
  return useQuery({
    queryKey: RECENT_PROFILE,
    queryFn: ({ signal }) => call('GET /profile', { signal }),
    staleTime: RECENT_MS,
  })
}

/** Below /people. */
export function subjectPath(kind: SubjectKind, name: string): string {
  return `/people/${kind}/${encodeURIComponent(name)}`
}
