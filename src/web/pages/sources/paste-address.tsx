import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Grant, GrantProvider, PendingGrant } from '../../../http/app/schemas/grants.ts'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { openableAddress } from '../../ui/safe-link.tsx'

export interface PasteAddressProps {
  readonly begun: PendingGrant
  readonly provider: GrantProvider
  readonly onGranted: (grant: Grant, notes: readonly string[]) => void
  readonly onCancel: () => void
}

/** For a consent after which the browser cannot come back here: the person pastes the address that it ended at. */
export function PasteAddress({ begun, provider, onGranted, onCancel }: PasteAddressProps) {
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
