import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Grant, Grants, RevokeAnswer } from '../../../http/app/schemas/grants.ts'
import type { ConnectionDetail, Connector } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatDay } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { TokenField } from './access-step.tsx'
import { ExpiryNote } from './connection-state.tsx'
import { PagePart } from './page-parts.tsx'
import { SignInAtProvider } from './sign-in-at-provider.tsx'
import { fieldProblems, fittingGrants, GRANTS_QUERY, pathOf, useChangeConnection } from './source-calls.ts'

interface AccessPanelProps {
  readonly detail: ConnectionDetail
  readonly connector: Connector
  readonly editable: boolean
}

/** How a connection may read its source: whose access it is, how long it lasts, and how it is given anew. */
export function AccessPanel(props: AccessPanelProps) {
  const { detail, editable, connector } = props
  const isByGrant = detail.access.by === 'grant'
  const about = isByGrant
    ? `By a sign-in at ${connector.grant?.provider_title}; recalld renews it by itself.`
    : 'With a token that you made at the source.'
  return (
    <PagePart id="access">
      <Panel title="Access" about={about}>
        {isByGrant ? <ByGrant {...props} /> : <ByToken detail={detail} />}
        {editable && !isByGrant && <ReplaceToken detail={detail} connector={connector} />}
      </Panel>
    </PagePart>
  )
}

function ByToken({ detail }: Pick<AccessPanelProps, 'detail'>) {
  if (detail.expires_at === null) return null
  return (
    <div className="mb-4">
      <ExpiryNote expiresAt={detail.expires_at} always />
    </div>
  )
}

function ByGrant({ detail, connector, editable }: AccessPanelProps) {
  const { data, error, refetch } = useQuery(GRANTS_QUERY)
  const queries = useQueryClient()
  const tell = useTell()
  const [isAnew, setAnew] = useState(false)
  const grant = data?.grants.find(({ id }) => id === detail.access.grant?.id)
  const provider = data?.providers.find(({ id }) => id === connector.grant?.provider)
  const isNeeded = data !== undefined && (grant === undefined || grant.refusal !== null)
  const granted = (given: Grant, notes: readonly string[]) => {
    setAnew(false)
    void queries.invalidateQueries({ queryKey: ['sources'] })
    tell(`Signed in as ${given.title}`, notes.join(' '))
  }
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col gap-5">
      {grant === undefined ? (
        data !== undefined && <GrantSwitch detail={detail} grants={data} editable={editable} />
      ) : (
        <GrantFacts grant={grant} editable={editable} onSignIn={isNeeded ? undefined : () => setAnew(!isAnew)} />
      )}
      {editable && provider !== undefined && (isNeeded || isAnew) && (
        <SignInAtProvider
          provider={provider}
          connector={connector.id}
          name={detail.name}
          {...(grant !== undefined && { account: grant.id })}
          back={{ back: `${pathOf(detail)}#access`, connector: null }}
          onGranted={granted}
        />
      )}
    </div>
  )
}

interface GrantFactsProps {
  readonly grant: Grant
  readonly editable: boolean
  /** Absent where signing in is offered anyway. */
  readonly onSignIn: (() => void) | undefined
}

function GrantFacts({ grant, editable, onSignIn }: GrantFactsProps) {
  const [isRevoking, setRevoking] = useState(false)
  const shared = grant.connections.length
  return (
    <>
      {grant.refusal !== null && <ProblemNote error={new Error(shownText(grant.refusal))} />}
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere]">
            <bdi>{shownText(grant.title)}</bdi>
          </p>
          <p className="text-soft">
            {grant.family_title}, granted on {formatDay(grant.granted_at)}
            {shared > 1 && `; used by ${shared} connections`}
          </p>
          {grant.expires_at !== null && <ExpiryNote expiresAt={grant.expires_at} always />}
        </div>
        {editable && (
          <div className="flex flex-wrap gap-2">
            {onSignIn !== undefined && <Button onClick={onSignIn}>Sign in again</Button>}
            <Button look="danger" onClick={() => setRevoking(true)}>
              Take back
            </Button>
          </div>
        )}
      </div>
      {isRevoking && <RevokeDialog grant={grant} onClose={() => setRevoking(false)} />}
    </>
  )
}

function RevokeDialog({ grant, onClose }: { readonly grant: Grant; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const tell = useTell()
  const revoke = useMutation({
    mutationFn: () => call<RevokeAnswer>(`/grants/${encodeURIComponent(grant.id)}`, { method: 'DELETE' }),
    onSuccess: async ({ withdrawn }) => {
      await queries.invalidateQueries({ queryKey: ['sources'] })
      const rest = `Remove recalld from your account at ${grant.provider_title}, too: it could not be withdrawn there.`
      tell('The access was taken back', withdrawn ? `Also at ${grant.provider_title}.` : rest)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Take back the access of ${grant.title}?`}
      about="What was read stays. Nothing more is read with this access until somebody signs in again."
    >
      {grant.connections.length > 0 && (
        <p className="text-sm [overflow-wrap:anywhere]">These connections stop: {grant.connections.join(', ')}.</p>
      )}
      {revoke.error !== null && <ProblemNote error={revoke.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Take back
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface GrantSwitchProps {
  readonly detail: ConnectionDetail
  readonly grants: Grants
  readonly editable: boolean
}

/** Which of several grants a connection uses, where config.yaml does not say. */
function GrantSwitch({ detail, grants, editable }: GrantSwitchProps) {
  const change = useChangeConnection(detail, 'The account was chosen')
  const fitting = fittingGrants(grants, detail.connector)
  if (fitting.length === 0) return <p className="text-soft text-sm">Nobody has signed in for it yet.</p>
  return (
    <fieldset className="flex flex-col gap-2" disabled={!editable || change.isPending}>
      <legend className="mb-2 text-sm font-medium">Choose whose access it uses</legend>
      {fitting.map((grant) => (
        <RadioCard
          key={grant.id}
          name="grant"
          checked={change.isPending && change.variables.settings?.account === grant.account_setting}
          onChoose={() => change.mutate({ settings: { account: grant.account_setting } })}
          title={<bdi>{shownText(grant.title)}</bdi>}
          about={grant.refusal ?? `${grant.family_title}, granted on ${formatDay(grant.granted_at)}`}
        />
      ))}
      {change.error !== null && <ProblemNote error={change.error} />}
    </fieldset>
  )
}

/** A new token for a connection; the source is asked whether it takes it before the old one is given up. */
function ReplaceToken({ detail, connector }: { readonly detail: ConnectionDetail; readonly connector: Connector }) {
  const [isOpen, setOpen] = useState(detail.action === 'reauthorize')
  const [token, setToken] = useState('')
  const change = useChangeConnection(detail, 'The token was replaced')
  const close = () => {
    setOpen(false)
    setToken('')
    change.reset()
  }
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Replace the token</Button>
  const { token: problem, token_file: fileProblem } = fieldProblems(change.error)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ token: token.trim() }, { onSuccess: close })
      }}
    >
      <TokenField connector={connector} token={token} onToken={setToken} problem={problem ?? fileProblem} />
      {change.error !== null && problem === undefined && fileProblem === undefined && (
        <ProblemNote error={change.error} />
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" busy={change.isPending} disabled={token.trim() === ''}>
          Replace the token
        </Button>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
