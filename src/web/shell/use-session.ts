import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Session, SignedIn } from '../../app-api/wire/session.ts'
import { call, keepCsrfToken } from '../api/call.ts'

const SESSION_QUERY = {
  queryKey: ['session'],
  queryFn: async () => {
    const session = await call<Session>('/session')
    keepCsrfToken(session.csrf_token)
    return session
  },
} as const

/** Whether somebody is signed in, and who. */
export function useSession() {
  return useQuery(SESSION_QUERY)
}

/** Who is signed in; only inside the shell, which shows when somebody is. */
export function useViewer(): SignedIn {
  const { data } = useSuspenseQuery(SESSION_QUERY)
  if (!data.signed_in) throw new Error('useViewer is for pages inside the shell')
  return data
}
