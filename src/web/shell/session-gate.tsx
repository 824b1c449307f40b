import { lazy, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { ProblemNote, Skeleton } from '../ui/notices.tsx'
import { Shell } from './shell.tsx'
import { useSession } from './use-session.ts'

const SignedOutPages = lazy(async () => ({
  default: (await import('../pages/sign-in/signed-out-pages.tsx')).SignedOutPages,
}))

/** The pages for whoever is signed in; else the ways to sign in, which links that work once lead to in any case. */
export function SessionGate() {
  const { data, error, refetch } = useSession()
  const [location] = useLocation()
  const isFirstPage = location === '/'
  useEffect(() => {
    // What most people open first comes while the session is asked for, a fifth sooner. The page itself tells when it cannot.
    if (isFirstPage) import('../pages/recall/recall-page.tsx').catch(() => undefined)
  }, [isFirstPage])
  // What is shown stays while the service is away for a moment.
  if (data === undefined && error !== null)
    return (
      <main className="mx-auto max-w-xl p-8">
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </main>
    )
  if (data === undefined) return null
  if (data.signed_in && location !== '/welcome') return <Shell key={data.account.id} />
  return (
    <Suspense fallback={<Skeleton />}>
      <SignedOutPages session={data} />
    </Suspense>
  )
}
