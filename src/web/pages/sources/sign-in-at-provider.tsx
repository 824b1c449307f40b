import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, LoaderCircle, LogIn } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Grant, GrantProvider, PendingGrant } from '../../../http/app/schemas/grants.ts'
import { openableAddress } from '../../../lib/markup/openable-address.ts'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import { type ClientDraft, clientRequest, NO_CLIENT, ProviderClient, ProviderServerFields } from './provider-client.tsx'
import { type SignInReturn, storeSignInReturn } from './session-drafts.ts'
import { fieldProblems, pendingQuery } from './source-calls.ts'
import { SourceProblemNote } from './source-problem.tsx'

interface SignInAtProviderProps {
  readonly provider: GrantProvider
  /** Id of the connector. */
  readonly connector: string
  /** Of the connection. */
  readonly name: string
  /** Id of the grant to renew; absent for a new one. */
  readonly account?: string
  /** The page to continue on when the browser returns. */
  readonly back: Omit<SignInReturn, 'pending'>
  readonly onGranted: (grant: Grant, notes: readonly string[]) => void
}

/** Runs one consent at a provider: in this browser, with a pasted address, or with a device code. */
export function SignInAtProvider(props: SignInAtProviderProps) {
  const { provider, onGranted } = props
  const [begun, setBegun] = useState<PendingGrant>()
  const cancel = () => {
    setBegun(undefined)
    if (begun !== undefined) void call('DELETE /grants/pending/:id', { params: { id: begun.id } })
  }
  if (begun === undefined) return <Begin {...props} onBegun={setBegun} />
  const Finish = begun.code === null ? PasteAddress : DeviceCode
  return <Finish begun={begun} provider={provider} onGranted={onGranted} onCancel={cancel} />
}

type BeginProps = SignInAtProviderProps & { readonly onBegun: (begun: PendingGrant) => void }

function Begin({ provider, connector, name, account, back, onBegun }: BeginProps) {
  const [client, setClient] = useState<ClientDraft>(NO_CLIENT)
  const [also, setAlso] = useState<readonly string[]>([])
  const begin = useMutation({
    mutationFn: async (way: 'browser' | 'paste' | 'device') => {
      const common = {
        provider: provider.id,
        connectors: [connector, ...also],
        name,
        ...clientRequest(client),
        ...(account !== undefined && { account }),
      }
      if (way === 'device') {
        return onBegun(await call('POST /grants/device', { body: common }))
      }
      const body = { ...common, paste: way === 'paste' }
      const begun = await call('POST /grants/begin', { body })
      if (begun.redirect === 'paste') return onBegun(begun)
      storeSignInReturn({ ...back, pending: begun.id })
      leaveFor(begun.url)
    },
  })
  const problems = fieldProblems(begin.error)
  const clientProps = { provider, draft: client, onDraft: setClient, problems }
  return (
    <div className="flex flex-col gap-4">
      {!provider.has_client && <ProviderClient {...clientProps} />}
      {account === undefined && <AlsoFor provider={provider} connector={connector} also={also} onAlso={setAlso} />}
      {begin.error !== null && <SourceProblemNote error={begin.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" busy={begin.isPending} onClick={() => begin.mutate('browser')}>
          <LogIn aria-hidden />
          {account === undefined ? messages.signInWith(provider.title) : messages.signInAgainWith(provider.title)}
        </Button>
        {provider.device && (
          <Button disabled={begin.isPending} onClick={() => begin.mutate('device')}>
            {messages.useCode}
          </Button>
        )}
        {provider.redirect === 'automatic' && (
          <Button look="quiet" disabled={begin.isPending} onClick={() => begin.mutate('paste')}>
            {messages.pasteAddress}
          </Button>
        )}
      </div>
      <details>
        <summary className="text-soft hover:text-ink w-fit text-sm">
          {provider.has_client ? messages.ownClientOrServer : messages.ownServer}
        </summary>
        <div className="mt-4 flex flex-col gap-5">
          {provider.has_client && <ProviderClient {...clientProps} />}
          <ProviderServerFields {...clientProps} />
        </div>
      </details>
    </div>
  )
}

function leaveFor(url: string): void {
  const address = openableAddress(url)
  if (address === undefined) throw new Error(messages.unsafeAddress)
  window.location.assign(address)
}

interface AlsoForProps {
  readonly provider: GrantProvider
  readonly connector: string
  readonly also: readonly string[]
  readonly onAlso: (also: readonly string[]) => void
}

/** Other connectors that the same consent can cover. */
function AlsoFor({ provider, connector, also, onAlso }: AlsoForProps) {
  const family = provider.families.find((one) => one.connectors.includes(connector))
  const others = (family?.connectors ?? []).filter((one) => one !== connector)
  if (others.length === 0) return null
  const toggle = (one: string) => onAlso(also.includes(one) ? also.filter((other) => other !== one) : [...also, one])
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{messages.alsoFor}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {others.map((one) => (
          <CheckBox key={one} checked={also.includes(one)} onToggle={() => toggle(one)}>
            {sourceTitle(one)}
            {family?.only_named.includes(one) && (
              <span className="text-soft text-xs">{messages.adminMayHaveToAgree}</span>
            )}
          </CheckBox>
        ))}
      </div>
    </fieldset>
  )
}

interface DeviceCodeProps {
  readonly begun: PendingGrant
  readonly provider: GrantProvider
  readonly onGranted: (grant: Grant, notes: readonly string[]) => void
  readonly onCancel: () => void
}

/** A device code to enter at the provider. An event reports when it was granted. */
function DeviceCode({ begun, provider, onGranted, onCancel }: DeviceCodeProps) {
  const { data: pending, error } = useQuery({ ...pendingQuery(begun.id), initialData: begun })
  const { state, grant, notes, problem } = pending
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once, when access was granted
  useEffect(() => {
    if (state === 'granted' && grant !== null) onGranted(grant, notes)
  }, [state])
  const failure = error ?? (state === 'failed' ? new Error(problem ?? messages.nothingGranted) : null)
  return (
    <div className="flex flex-col gap-4">
      {failure === null ? (
        <>
          <p className="text-sm">{messages.typeCode(provider.title)}</p>
          <div className="flex flex-wrap items-center gap-3">
            <code className="bg-raised rounded-lg px-4 py-2 font-mono text-xl font-semibold tracking-widest">
              {pending.code}
            </code>
            <CopyButton text={pending.code ?? ''} />
            <a
              href={openableAddress(pending.url)}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClass('secondary', 'small')}
            >
              {messages.openProvider(provider.title)}
              <ExternalLink aria-label={uiMessages.inNewTab} />
            </a>
          </div>
          <p role="status" className="text-soft flex items-center gap-2 text-sm">
            <LoaderCircle className="size-4 animate-spin" aria-hidden />
            {messages.waitingFor(provider.title)}
          </p>
        </>
      ) : (
        <SourceProblemNote error={failure} />
      )}
      <Button look="quiet" className="self-start" onClick={onCancel}>
        {failure === null ? uiMessages.cancel : uiMessages.startAgain}
      </Button>
    </div>
  )
}

interface PasteAddressProps {
  readonly begun: PendingGrant
  readonly provider: GrantProvider
  readonly onGranted: (grant: Grant, notes: readonly string[]) => void
  readonly onCancel: () => void
}

/** For a consent that cannot redirect back here: the user pastes the final address. */
function PasteAddress({ begun, provider, onGranted, onCancel }: PasteAddressProps) {
  const [address, setAddress] = useState('')
  const finish = useMutation({
    mutationFn: async () => {
      const body = { address: address.trim() }
      const pending = await call('POST /grants/complete', { body })
      if (pending.grant === null) throw new Error(pending.problem ?? messages.nothingGranted)
      onGranted(pending.grant, pending.notes)
    },
  })
  const canFinish = address.trim() !== '' && !finish.isPending
  return (
    <div className="flex flex-col gap-4">
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-sm">
        <li>
          <a
            href={openableAddress(begun.url)}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass('secondary', 'small')}
          >
            {messages.openProvider(provider.title)}
            <ExternalLink aria-label={uiMessages.inNewTab} />
          </a>{' '}
          {messages.andAgree}
        </li>
        <li className="[overflow-wrap:anywhere]">
          {messages.browserEndsAt}{' '}
          <code className="bg-raised rounded px-1 py-0.5 font-mono text-[0.92em]">{begun.redirect_url}</code>.{' '}
          {messages.copyAddress}
        </li>
      </ol>
      <TextField
        label={messages.endAddress}
        value={address}
        onValue={setAddress}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // This can be inside the connect form, which must not be submitted yet.
          event.preventDefault()
          if (canFinish) finish.mutate()
        }}
      />
      {finish.error !== null && <SourceProblemNote error={finish.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={finish.isPending} disabled={!canFinish} onClick={() => finish.mutate()}>
          {messages.finishSignIn}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {uiMessages.cancel}
        </Button>
      </div>
    </div>
  )
}
