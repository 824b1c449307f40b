import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Grant, Grants } from '../../../http/app/schemas/grants.ts'
import type { ConnectionDetail, Connector } from '../../../http/app/schemas/sources.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { TokenField } from './access-step.tsx'
import { ExpiryNote } from './connection-state.tsx'
import { messages } from './messages.ts'
import { PagePart } from './page-parts.tsx'
import { SignInAtProvider } from './sign-in-at-provider.tsx'
import { connectionPath, fieldProblems, fittingGrants, GRANTS_QUERY, useChangeConnection } from './source-calls.ts'
import { SourceProblemNote, statedProblem } from './source-problem.tsx'

interface AccessPanelProps {
  readonly detail: ConnectionDetail
  readonly connector: Connector
  readonly editable: boolean
}

/** A connection's access: its owner, expiry and renewal. */
export function AccessPanel(props: AccessPanelProps) {
  const { detail, editable, connector } = props
  const isByGrant = detail.access.by === 'grant'
  const about = isByGrant ? messages.accessBySignIn(connector.grant?.provider_title ?? '') : messages.accessByToken
  // Without an account, the panel asks for one.
  const isGranted = !isByGrant || detail.access.grant !== null
  return (
    <PagePart id="access">
      <Panel title={messages.stepAccess} {...(isGranted && { about })}>
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
  const toast = useToast()
  const [isRenewing, setRenewing] = useState(false)
  const grant = data?.grants.find(({ id }) => id === detail.access.grant?.id)
  const provider = data?.providers.find(({ id }) => id === connector.grant?.provider)
  const isNeeded = data !== undefined && (grant === undefined || grant.refusal !== null)
  const granted = (given: Grant, notes: readonly string[]) => {
    setRenewing(false)
    void queries.invalidateQueries({ queryKey: ['sources'] })
    toast(messages.signedInAs(given.title), notes.join(' '))
  }
  if (error !== null) return <SourceProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col gap-5">
      {grant === undefined ? (
        data !== undefined && <GrantSwitch detail={detail} grants={data} editable={editable} />
      ) : (
        <GrantFacts
          grant={grant}
          editable={editable}
          onSignIn={isNeeded ? undefined : () => setRenewing(!isRenewing)}
        />
      )}
      {editable && provider !== undefined && (isNeeded || isRenewing) && (
        <SignInAtProvider
          provider={provider}
          connector={connector.id}
          name={detail.name}
          {...(grant !== undefined && { account: grant.id })}
          back={{ back: `${connectionPath(detail)}#access`, connector: null }}
          onGranted={granted}
        />
      )}
    </div>
  )
}

interface GrantFactsProps {
  readonly grant: Grant
  readonly editable: boolean
  /** Absent if sign-in is already shown. */
  readonly onSignIn: (() => void) | undefined
}

function GrantFacts({ grant, editable, onSignIn }: GrantFactsProps) {
  const [isRevoking, setRevoking] = useState(false)
  const shared = grant.connections.length
  return (
    <>
      {grant.refusal !== null && <SourceProblemNote error={new Error(shownText(grant.refusal))} />}
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere]">
            <bdi>{shownText(grant.title)}</bdi>
          </p>
          <p className="text-soft">
            {messages.grantedOn(grant.family_title, grant.granted_at)}
            {shared > 1 && messages.usedByConnections(shared)}
          </p>
          {grant.expires_at !== null && <ExpiryNote expiresAt={grant.expires_at} always />}
        </div>
        {editable && (
          <div className="flex flex-wrap gap-2">
            {onSignIn !== undefined && <Button onClick={onSignIn}>{messages.signInAgain}</Button>}
            <Button look="danger" onClick={() => setRevoking(true)}>
              {messages.revoke}
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
  const toast = useToast()
  const revoke = useMutation({
    mutationFn: () => call('DELETE /grants/:id', { params: { id: grant.id } }),
    onSuccess: async ({ withdrawn }) => {
      await refetchShown(queries, ['sources'])
      const rest = messages.revokedHereOnly(grant.provider_title)
      toast(messages.revokedToast, withdrawn ? messages.revokedAtProvider(grant.provider_title) : rest)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={messages.revokeTitle(grant.title)} about={messages.revokeAbout}>
      {grant.connections.length > 0 && (
        <p className="text-sm [overflow-wrap:anywhere]">{messages.connectionsStop(grant.connections.join(', '))}</p>
      )}
      {revoke.error !== null && <SourceProblemNote error={revoke.error} />}
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          {messages.revoke}
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

/** Chooses a grant if config.yaml names none. */
function GrantSwitch({ detail, grants, editable }: GrantSwitchProps) {
  const change = useChangeConnection(detail, messages.accountChanged)
  const fitting = fittingGrants(grants, detail.connector)
  if (fitting.length === 0) return <p className="text-soft text-sm">{messages.nobodySignedIn}</p>
  return (
    <fieldset className="flex flex-col gap-2" disabled={!editable || change.isPending}>
      <legend className="mb-2 text-sm font-medium">{messages.accountToUse}</legend>
      {fitting.map((grant) => (
        <RadioCard
          key={grant.id}
          name="grant"
          checked={change.isPending && change.variables.settings?.account === grant.account_setting}
          onChoose={() => change.mutate({ settings: { account: grant.account_setting } })}
          title={<bdi>{shownText(grant.title)}</bdi>}
          about={
            (grant.refusal && statedProblem(grant.refusal)) ?? messages.grantedOn(grant.family_title, grant.granted_at)
          }
        />
      ))}
      {change.error !== null && <SourceProblemNote error={change.error} />}
    </fieldset>
  )
}

/** Replaces the token. The source checks the new one before the old one is dropped. */
function ReplaceToken({ detail, connector }: { readonly detail: ConnectionDetail; readonly connector: Connector }) {
  const [isOpen, setOpen] = useState(detail.action === 'reauthorize')
  const [token, setToken] = useState('')
  const change = useChangeConnection(detail, messages.tokenReplaced)
  const close = () => {
    setOpen(false)
    setToken('')
    change.reset()
  }
  if (!isOpen) return <Button onClick={() => setOpen(true)}>{messages.replaceToken}</Button>
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
        <SourceProblemNote error={change.error} />
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" busy={change.isPending} disabled={token.trim() === ''}>
          {messages.replaceToken}
        </Button>
        <Button look="quiet" onClick={close}>
          {uiMessages.cancel}
        </Button>
      </div>
    </form>
  )
}
