import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { EmptyState, Note, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { dropSignInReturn, type SignInReturn, storeDraft, storedDraft, storedSignInReturn } from './session-drafts.ts'
import { SourceProblemNote } from './source-problem.tsx'

/** The redirect target of providers: finishes the consent and continues. */
export function ConnectedPage() {
  const [, navigate] = useLocation()
  const [to] = useState(storedSignInReturn)
  const [address] = useState(() => new URL(`/app/connected${window.location.search}`, window.location.href).href)
  // Remove the provider's one-time answer from the history.
  useEffect(() => navigate('/sources/connected', { replace: true }), [navigate])
  return (
    <Page title={messages.signingIn}>
      {new URL(address).searchParams.has('state') ? (
        <Outcome address={address} to={to} />
      ) : (
        <>
          <SourceProblemNote error={new Error(messages.noSignIn)} />
          <ContinueButtons back={to?.back} label={uiMessages.back} />
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
  // As a query, so that it runs once across renders.
  const { data, error } = useQuery({
    queryKey: ['granting', address],
    queryFn: () => call('POST /grants/complete', { body: { address } }),
    retry: false,
  })
  const grant = data?.grant ?? null
  useEffect(() => {
    if (grant === null) return
    void queries.invalidateQueries({ queryKey: ['sources'] })
    const draft = to?.connector == null ? undefined : storedDraft(to.connector)
    if (draft !== undefined && to?.connector != null && to.pending === data?.id)
      storeDraft(to.connector, { ...draft, way: 'grant', grantId: grant.id })
  }, [data, grant, queries, to])
  if (error === null && data === undefined) return <Skeleton lines={3} label={messages.finishingSignIn} />
  if (grant === null)
    return (
      <>
        <SourceProblemNote error={error ?? new Error(data?.problem ?? messages.nothingGranted)} />
        <ContinueButtons back={to?.back} label={uiMessages.tryAgain} />
      </>
    )
  return (
    <>
      <EmptyState
        icon={<CircleCheck className="text-good" aria-hidden />}
        title={messages.signedInWith(grant.provider_title)}
        actions={
          <ContinueButtons
            back={to?.back}
            label={to?.connector == null ? uiMessages.continue : messages.continueConnecting}
          />
        }
      >
        <p>
          {messages.connectedAccount} <bdi>{shownText(grant.title)}</bdi> ({grant.family_title}).
        </p>
      </EmptyState>
      {data?.notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
    </>
  )
}

function ContinueButtons({ back = '/sources', label }: { readonly back?: string | undefined; readonly label: string }) {
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
          {messages.allSources}
        </Link>
      )}
    </div>
  )
}
