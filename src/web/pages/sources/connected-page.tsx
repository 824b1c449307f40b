import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { PendingGrant } from '../../../http/app/schemas/grants.ts'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState, Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { dropSignInReturn, keepDraft, keptDraft, type SignInReturn, signInReturn } from './session-drafts.ts'

/** Where the browser comes back to from a provider: finishes the consent, says what came of it, and goes on. */
export function ConnectedPage() {
  const [, navigate] = useLocation()
  const [to] = useState(signInReturn)
  const [address] = useState(() => new URL(`/app/connected${window.location.search}`, window.location.href).href)
  // What the provider answered is good for one use and has no place in the history.
  useEffect(() => navigate('/sources/connected', { replace: true }), [navigate])
  return (
    <Page title="Signing in">
      {new URL(address).searchParams.has('state') ? (
        <Outcome address={address} to={to} />
      ) : (
        <>
          <ProblemNote error={new Error('No sign-in is under way here. Begin once more.')} />
          <GoOn back={to?.back} label="Back" />
        </>
      )}
    </Page>
  )
}

interface OutcomeProps {
  readonly address: string
  readonly to: SignInReturn | undefined
}

function Outcome({ address, to }: OutcomeProps) {
  const queries = useQueryClient()
  // Kept like an answer: it is asked for once, however often the page is drawn.
  const { data, error } = useQuery({
    queryKey: ['granting', address],
    queryFn: () => call<PendingGrant>('/grants/complete', { method: 'POST', body: { address } }),
    retry: false,
  })
  const grant = data?.grant ?? null
  useEffect(() => {
    if (grant === null) return
    void queries.invalidateQueries({ queryKey: ['sources'] })
    const draft = to?.connector == null ? undefined : keptDraft(to.connector)
    if (draft !== undefined && to?.connector != null && to.pending === data?.id)
      keepDraft(to.connector, { ...draft, way: 'grant', grantId: grant.id })
  }, [data, grant, queries, to])
  if (error === null && data === undefined) return <Skeleton lines={3} label="Finishing the sign-in" />
  if (grant === null)
    return (
      <>
        <ProblemNote error={error ?? new Error(data?.problem ?? 'Nothing was granted. Begin once more.')} />
        <GoOn back={to?.back} label="Back, to try again" />
      </>
    )
  return (
    <>
      <EmptyState
        icon={<CircleCheck className="text-good" aria-hidden />}
        title={`Signed in at ${grant.provider_title}`}
        actions={<GoOn back={to?.back} label={to?.connector == null ? 'Go on' : 'Go on connecting'} />}
      >
        <p>
          recalld may now read as <bdi>{shownText(grant.title)}</bdi> ({grant.family_title}).
        </p>
      </EmptyState>
      {data?.notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
    </>
  )
}

function GoOn({ back = '/sources', label }: { readonly back?: string | undefined; readonly label: string }) {
  const [, navigate] = useLocation()
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <Button
        look="primary"
        onClick={() => {
          dropSignInReturn()
          navigate(back)
        }}
      >
        {label}
      </Button>
      {back !== '/sources' && (
        <Link href="/sources" className={buttonClass('quiet')}>
          All sources
        </Link>
      )}
    </div>
  )
}
