import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import type { Grant, GrantProvider, PendingGrant } from '../../../http/app/schemas/grants.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { openableAddress } from '../../ui/safe-link.tsx'
import { AlsoFor } from './also-for.tsx'
import { DeviceCode } from './device-code.tsx'
import { fieldProblems } from './field-problems.ts'
import { PasteAddress } from './paste-address.tsx'
import { type ClientDraft, clientAndPlace, NO_CLIENT, ProviderClient, ProviderPlaceFields } from './provider-client.tsx'
import { keepSignInReturn, type SignInReturn } from './sign-in-return.ts'

export interface SignInAtProviderProps {
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
