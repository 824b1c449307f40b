import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Session } from '../../../http/app/schemas/session.ts'
import { call, setAccount, setCsrfToken } from '../../api/call.ts'

/**
 * Signs in: the call returns the new session, and the app follows.
 * @param enter called with a fresh CSRF token, however long the page was open
 */
export function useEnter<Input>(
  enter: (input: Input) => Promise<Session>,
  onEntered?: () => void,
): UseMutationResult<Session, Error, Input> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => {
      setCsrfToken((await call('GET /session')).csrf_token)
      return enter(input)
    },
    onSuccess: (session) => {
      setCsrfToken(session.csrf_token)
      setAccount(session.signed_in ? session.account.id : undefined)
      // Remove cached data of a previous person.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      queries.setQueryData(['session'], session)
      onEntered?.()
    },
    gcTime: 0,
  })
}
