import { useQuery } from '@tanstack/react-query'
import { ExternalLink, LoaderCircle } from 'lucide-react'
import { useEffect } from 'react'
import type { Grant, GrantProvider, PendingGrant } from '../../../http/app/schemas/grants.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { openableAddress } from '../../ui/safe-link.tsx'
import { pendingQuery } from './source-calls.ts'

export interface DeviceCodeProps {
  readonly begun: PendingGrant
  readonly provider: GrantProvider
  readonly onGranted: (grant: Grant, notes: readonly string[]) => void
  readonly onCancel: () => void
}

/** A code that the person types at the provider, on any machine; an event tells when that was done. */
export function DeviceCode({ begun, provider, onGranted, onCancel }: DeviceCodeProps) {
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
