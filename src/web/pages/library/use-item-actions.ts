import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ForgetReceipt, QueuedItems } from '../../../http/app/schemas/library.ts'
import { CallError, call } from '../../api/call.ts'
import { formatNoun } from '../../ui/formats.ts'
import { useTell } from '../../ui/toasts.tsx'
import { type ItemRef, itemPath } from './library-calls.ts'

/** Makes items again. */
export function useReprocess() {
  const refresh = useRefresh()
  const tell = useTell()
  return useMutation({
    mutationFn: (items: readonly ItemRef[]) =>
      call<QueuedItems>('/library/reprocess', { method: 'POST', body: { items: items.map(plain) } }),
    onSuccess: ({ queued }, items) => {
      const others = items.length - queued
      tell(
        queued === 0 ? 'These wait already' : `${formatNoun(queued, 'item')} will be processed again`,
        others > 0 && queued > 0 ? `${formatNoun(others, 'other')} waited already.` : undefined,
      )
      refresh()
    },
  })
}

/** Takes everything again that had failed. */
export function useRetryFailed() {
  const refresh = useRefresh()
  const tell = useTell()
  return useMutation({
    mutationFn: () => call<QueuedItems>('/library/retry-failed', { method: 'POST' }),
    onSuccess: ({ queued }) => {
      tell(`${formatNoun(queued, 'item')} will be processed again`)
      refresh()
    },
  })
}

export interface Forgetting {
  /** What was forgotten so far. */
  readonly onReceipt: (receipt: ForgetReceipt) => void
  /** It was gone already. */
  readonly onGone: (ref: ItemRef) => void
  readonly signal: AbortSignal
}

/** Forgets items one after another, so that each is proven. Those that are gone already are passed over. */
export async function forgetItems(refs: readonly ItemRef[], { onReceipt, onGone, signal }: Forgetting): Promise<void> {
  for (const ref of refs) {
    if (signal.aborted) return
    try {
      onReceipt(await call<ForgetReceipt>(itemPath(ref), { method: 'DELETE' }))
    } catch (error) {
      if (!(error instanceof CallError && error.status === 404)) throw error
      onGone(ref)
    }
  }
}

function useRefresh() {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: ['items'] })
}

function plain({ source, item_id }: ItemRef): ItemRef {
  return { source, item_id }
}
