import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, LoaderCircle, LogIn } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Grant, GrantProvider, PendingGrant } from '../../../http/app/schemas/grants.ts'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { openableAddress } from '../../ui/safe-link.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { type ClientDraft, clientAndPlace, NO_CLIENT, ProviderClient, ProviderPlaceFields } from './provider-client.tsx'
import { keepSignInReturn, type SignInReturn } from './session-drafts.ts'
import { fieldProblems, pendingQuery } from './source-calls.ts'

interface SignInAtProviderProps {
  readonly provider: GrantProvider
  /** What it is to serve. */
  readonly connector: string
  /** Of the connection. */
  readonly name: string
  /** Id of the grant that is given anew; absent for a new one. */
  readonly account?: string
  /** Where to go on when the browser comes back. */
  readonly back: Omit<SignInReturn, 'pending'>
  readonly onGranted: (grant: Grant, notes: readonly string[]) => void
}

/** Leads through one consent at a provider: in this browser, with an address that is pasted, or with a code. */
export function SignInAtProvider(props: SignInAtProviderProps) {
  const { provider, onGranted } = props
  const [begun, setBegun] = useState<PendingGrant>()
  const cancel = () => {
    setBegun(undefined)
    if (begun !== undefined) void call(`/grants/pending/${encodeURIComponent(begun.id)}`, { method: 'DELETE' })
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
        ...clientAndPlace(client),
        ...(account !== undefined && { account }),
      }
      if (way === 'device') {
        return onBegun(await call<PendingGrant>('/grants/device', { method: 'POST', body: common }))
      }
      const body = { ...common, paste: way === 'paste' }
      const begun = await call<PendingGrant>('/grants/begin', { method: 'POST', body })
      if (begun.redirect === 'paste') return onBegun(begun)
      keepSignInReturn({ ...back, pending: begun.id })
      leaveFor(begun.url)
    },
  })
  const problems = fieldProblems(begin.error)
  const clientProps = { provider, draft: client, onDraft: setClient, problems }
  return (
    <div className="flex flex-col gap-4">
      {!provider.has_client && <ProviderClient {...clientProps} />}
      {account === undefined && <AlsoFor provider={provider} connector={connector} also={also} onAlso={setAlso} />}
      {begin.error !== null && <ProblemNote error={begin.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" busy={begin.isPending} onClick={() => begin.mutate('browser')}>
          <LogIn aria-hidden />
          {account === undefined ? `Sign in at ${provider.title}` : `Sign in again at ${provider.title}`}
        </Button>
        {provider.device && (
          <Button disabled={begin.isPending} onClick={() => begin.mutate('device')}>
            Use a code instead
          </Button>
        )}
        {provider.redirect === 'automatic' && (
          <Button look="quiet" disabled={begin.isPending} onClick={() => begin.mutate('paste')}>
            Paste the address instead
          </Button>
        )}
      </div>
      <details>
        <summary className="text-soft hover:text-ink w-fit text-sm">
          {provider.has_client ? 'Another OAuth client, or a server of your own' : 'A server of your own'}
        </summary>
        <div className="mt-4 flex flex-col gap-5">
          {provider.has_client && <ProviderClient {...clientProps} />}
          <ProviderPlaceFields {...clientProps} />
        </div>
      </details>
    </div>
  )
}

function leaveFor(url: string): void {
  const address = openableAddress(url)
  if (address === undefined) throw new Error('The provider gave an address that a browser must not open.')
  window.location.assign(address)
}

interface AlsoForProps {
  readonly provider: GrantProvider
  readonly connector: string
  readonly also: readonly string[]
  readonly onAlso: (also: readonly string[]) => void
}

/** What else the same consent may serve, so that the person signs in once for all of it. */
function AlsoFor({ provider, connector, also, onAlso }: AlsoForProps) {
  const family = provider.families.find((one) => one.connectors.includes(connector))
  const others = (family?.connectors ?? []).filter((one) => one !== connector)
  if (others.length === 0) return null
  const toggle = (one: string) => onAlso(also.includes(one) ? also.filter((other) => other !== one) : [...also, one])
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Sign in once for more of it</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {others.map((one) => (
          <CheckBox key={one} checked={also.includes(one)} onToggle={() => toggle(one)}>
            {sourceTitle(one)}
            {family?.only_named.includes(one) && (
              <span className="text-soft text-xs">(an administrator may have to agree)</span>
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

/** A code that the person types at the provider, on any machine; an event tells when that was done. */
function DeviceCode({ begun, provider, onGranted, onCancel }: DeviceCodeProps) {
  const { data: pending, error } = useQuery({ ...pendingQuery(begun.id), initialData: begun })
  const { state, grant, notes, problem } = pending
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once, when it was granted
  useEffect(() => {
    if (state === 'granted' && grant !== null) onGranted(grant, notes)
  }, [state])
  const failure = error ?? (state === 'failed' ? new Error(problem ?? 'Nothing was granted. Begin once more.') : null)
  return (
    <div className="flex flex-col gap-4">
      {failure === null ? (
        <>
          <p className="text-sm">Open {provider.title} on any machine and type this code there:</p>
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
              Open {provider.title}
              <ExternalLink aria-label="in a new tab" />
            </a>
          </div>
          <p role="status" className="text-soft flex items-center gap-2 text-sm">
            <LoaderCircle className="size-4 animate-spin" aria-hidden />
            Waiting for {provider.title}
          </p>
        </>
      ) : (
        <ProblemNote error={failure} />
      )}
      <Button look="quiet" className="self-start" onClick={onCancel}>
        {failure === null ? 'Cancel' : 'Begin once more'}
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

/** For a consent after which the browser cannot come back here: the person pastes the address that it ended at. */
function PasteAddress({ begun, provider, onGranted, onCancel }: PasteAddressProps) {
  const [address, setAddress] = useState('')
  const finish = useMutation({
    mutationFn: async () => {
      const body = { address: address.trim() }
      const pending = await call<PendingGrant>('/grants/complete', { method: 'POST', body })
      if (pending.grant === null) throw new Error(pending.problem ?? 'Nothing was granted. Begin once more.')
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
            Open {provider.title}
            <ExternalLink aria-label="in a new tab" />
          </a>{' '}
          and agree there.
        </li>
        <li className="[overflow-wrap:anywhere]">
          The browser then ends at a page that cannot be shown; its address begins with{' '}
          <code className="bg-raised rounded px-1 py-0.5 font-mono text-[0.92em]">{begun.redirect_url}</code>. Copy the
          whole address and paste it here.
        </li>
      </ol>
      <TextField
        label="Address the browser ended at"
        value={address}
        onValue={setAddress}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // It may stand in the form of a connection, which is not to be sent yet.
          event.preventDefault()
          if (canFinish) finish.mutate()
        }}
      />
      {finish.error !== null && <ProblemNote error={finish.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={finish.isPending} disabled={!canFinish} onClick={() => finish.mutate()}>
          Finish signing in
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
