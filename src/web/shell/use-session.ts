import { type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Session, SignedIn } from '../../http/app/schemas/session.ts'
import { call, keepAccount, keepCsrfToken } from '../api/call.ts'

const SESSION_QUERY = {
  queryKey: ['session'],
  queryFn: async ({ client }: { readonly client: QueryClient }) => {
    const session = await call<Session>('/session')
    const before = client.getQueryData<Session>(['session'])
    // Nothing of one account may be seen in another, nor by whoever signs in next.
    if (before !== undefined && accountOf(before) !== accountOf(session))
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    keepCsrfToken(session.csrf_token)
    keepAccount(accountOf(session))
    return session
  },
} as const

function accountOf(session: Session): string | undefined {
  return session.signed_in ? session.account.id : undefined
}

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
