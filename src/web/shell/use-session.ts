import { type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Session, SignedIn } from '../../http/app/schemas/session.ts'
import { call, setAccount, setCsrfToken } from '../api/call.ts'

const SESSION_QUERY = {
  queryKey: ['session'],
  queryFn: async ({ client }: { readonly client: QueryClient }) => {
    const session = await call('GET /session')
    const before = client.getQueryData<Session>(['session'])
    // Remove cached data of another account or person.
    if (before !== undefined && sessionAccountId(before) !== sessionAccountId(session))
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    setCsrfToken(session.csrf_token)
    setAccount(sessionAccountId(session))
    return session
  },
} as const

function sessionAccountId(session: Session): string | undefined {
  return session.signed_in ? session.account.id : undefined
}

/** Whether somebody is signed in, and who. */
export function useSession() {
  return useQuery(SESSION_QUERY)
}

/** The session of the person signed in. Only for components inside the shell. */
export function useViewer(): SignedIn {
  const { data } = useSuspenseQuery(SESSION_QUERY)
  if (!data.signed_in) throw new Error('useViewer is for pages inside the shell')
  return data
}
