import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { focusPage } from '../../ui/focus.ts'
import { formatList } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { RECENT_PROFILE } from '../people/people-calls.ts'
import { DeletionReceipts, deletionTitle } from './deletion-receipts.tsx'
import { deleteItems, type ItemRef, itemKey } from './library-calls.ts'
import { messages } from './messages.ts'

interface DeleteDialogProps {
  /** Empty: closed. */
  readonly items: readonly (ItemRef & { readonly connection?: string | null })[]
  readonly onClose: () => void
  /** Called with the deleted items. */
  readonly onForgotten: (refs: readonly ItemRef[]) => void
}

/** Confirms a deletion that is too large to be undone, deletes, and shows the receipts. */
export function DeleteDialog({ items, onClose, onForgotten }: DeleteDialogProps) {
  const deletion = useDeletion(items)
  const { receipts, gone, isRunning, error } = deletion
  const done = receipts.length + gone.length
  const isDone = done > 0 && !isRunning
  const close = () => {
    deletion.stop()
    // Close first, because the callback may navigate away.
    onClose()
    deletion.reset()
    if (done === 0) return
    onForgotten([...receipts, ...gone])
    // The button that opened this dialog is gone with the item.
    focusPage()
  }
  return (
    <Dialog
      open={items.length > 0}
      onClose={close}
      wide={isDone}
      insistent={isRunning || isDone}
      title={isDone ? deletionTitle(receipts, done) : messages.deleteTitle(messages.itemCount(items.length))}
    >
      {error !== undefined && <ProblemNote error={error} />}
      {isDone && gone.length > 0 && <p className="mb-4 text-sm">{messages.alreadyDeleted(gone.length)}</p>}
      {isDone && receipts.length > 0 && <DeletionReceipts receipts={receipts} />}
      {isRunning && (
        <div className="flex flex-col gap-2 text-sm" role="status">
          <p>{messages.deletedSoFar(done, items.length)}</p>
          <ProgressBar label={messages.deleted} value={done} most={items.length} />
        </div>
      )}
      {!isDone && !isRunning && <Consequences items={items} />}
      <DialogActions>
        <Button onClick={isRunning ? deletion.stop : close}>
          {isDone ? uiMessages.done : isRunning ? uiMessages.stop : uiMessages.cancel}
        </Button>
        {!isDone && (
          <Button look="danger" busy={isRunning} onClick={deletion.start}>
            {messages.delete}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function Consequences({ items }: Pick<DeleteDialogProps, 'items'>) {
  const connections = [...new Set(items.flatMap(({ connection }) => connection ?? []))]
  return (
    <div className="text-soft flex flex-col gap-2 text-sm">
      <p>{messages.consequences(items.length)}</p>
      <p>{messages.deletionCheck}</p>
      {connections.length > 0 && <p>{messages.notSyncedAgain(formatList(connections), items.length)}</p>}
    </div>
  )
}

function useDeletion(items: DeleteDialogProps['items']) {
  const queries = useQueryClient()
  const { account } = useViewer()
  const [receipts, setReceipts] = useState<readonly ForgetReceipt[]>([])
  const [gone, setGone] = useState<readonly ItemRef[]>([])
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const stopping = useRef<AbortController>(undefined)
  const start = async () => {
    const controller = new AbortController()
    stopping.current = controller
    setRunning(true)
    setError(undefined)
    const done = new Set([...receipts, ...gone].map(itemKey))
    const left = items.filter((item) => !done.has(itemKey(item)))
    try {
      const onReceipt = (receipt: ForgetReceipt) => setReceipts((before) => [...before, receipt])
      const onGone = (ref: ItemRef) => setGone((before) => [...before, ref])
      await deleteItems(left, { accountId: account.id, onReceipt, onGone, signal: controller.signal })
    } catch (problem) {
      setError(problem)
    } finally {
      setRunning(false)
      for (const queryKey of [['items', 'list'], RECENT_PROFILE]) void queries.invalidateQueries({ queryKey })
    }
  }
  return {
    receipts,
    gone,
    isRunning,
    error,
    start: () => void start(),
    stop: () => stopping.current?.abort(),
    reset: () => {
      setReceipts([])
      setGone([])
      setError(undefined)
    },
  }
}
