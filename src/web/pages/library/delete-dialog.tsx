import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatList } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { deleteItems, type ItemRef, itemKey } from './library-calls.ts'
import { messages } from './messages.ts'

interface DeleteDialogProps {
  /** Empty: closed. */
  readonly items: readonly (ItemRef & { readonly title?: string; readonly connection?: string | null })[]
  readonly onClose: () => void
  /** Called with the deleted items. */
  readonly onForgotten: (refs: readonly ItemRef[]) => void
}

/** Confirms a deletion, deletes, and shows the receipts. */
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
    setTimeout(() => document.getElementById('page')?.focus())
  }
  const [only] = items
  const name = items.length === 1 && only?.title !== undefined ? `“${shownText(only.title)}”` : undefined
  return (
    <Dialog
      open={items.length > 0}
      onClose={close}
      wide={isDone}
      insistent={isRunning || isDone}
      title={isDone ? deletionTitle(receipts, done) : messages.deleteTitle(name ?? messages.itemCount(items.length))}
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

function deletionTitle(receipts: readonly ForgetReceipt[], done: number): string {
  const isVerified = receipts.every(({ questions }) => questions.every(({ found }) => !found))
  return isVerified ? messages.itemsDeleted(done) : messages.stillFound
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
      await deleteItems(left, { onReceipt, onGone, signal: controller.signal })
    } catch (problem) {
      setError(problem)
    } finally {
      setRunning(false)
      void queries.invalidateQueries({ queryKey: ['items', 'list'] })
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

/** Most receipts shown; the file has all. */
const MOST_SHOWN = 20

/** Deletion receipts with the searches that verified them, to copy or save. */
function DeletionReceipts({ receipts }: { readonly receipts: readonly ForgetReceipt[] }) {
  const json = JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, null, 2)
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex max-h-[55dvh] flex-col gap-4 overflow-y-auto">
        {receipts.slice(0, MOST_SHOWN).map((receipt) => (
          <li key={`${receipt.source}/${receipt.item_id}`}>
            <Receipt receipt={receipt} />
          </li>
        ))}
      </ul>
      {receipts.length > MOST_SHOWN && (
        <p className="text-soft text-sm">{messages.moreReceipts(receipts.length - MOST_SHOWN)}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={json} label={messages.copyJson} />
        <Button size="small" onClick={() => save(json)}>
          <Download aria-hidden />
          {messages.saveJson}
        </Button>
      </div>
    </div>
  )
}

function Receipt({ receipt }: { readonly receipt: ForgetReceipt }) {
  const { questions, connection } = receipt
  const isVerified = questions.every(({ found }) => !found)
  return (
    <section className="border-line rounded-card flex flex-col gap-3 border p-4 text-sm">
      <div>
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownText(receipt.title)}</bdi>
        </h3>
        <p className="text-soft">
          {messages.receiptFacts(
            sourceTitle(receipt.source),
            receipt.deleted_memories,
            receipt.deleted_chunks,
            receipt.checked_at,
          )}
        </p>
      </div>
      {questions.length === 0 ? (
        <p className="text-soft">{messages.nothingToCheck}</p>
      ) : (
        <div>
          <p className={isVerified ? 'text-good font-medium' : 'text-bad font-medium'}>
            {isVerified ? messages.checkPassed(questions.length) : messages.checkFailed}
          </p>
          <ul className="mt-2 flex flex-col gap-1.5">
            {questions.map(({ text, found }) => (
              <li key={text} className="flex items-start gap-2">
                {found ? (
                  <CircleAlert className="text-bad mt-0.5 size-4 shrink-0" aria-label={messages.found} />
                ) : (
                  <CircleCheck className="text-good mt-0.5 size-4 shrink-0" aria-label={messages.notFound} />
                )}
                <span className="text-soft min-w-0">
                  <SourceText text={text} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {connection !== null && (
        <p className="text-soft">
          {messages.noResync(connection)} <code>recalld retry {connection} --forgotten</code>.
        </p>
      )}
    </section>
  )
}

function save(json: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'recalld-receipt.json'
  link.click()
  URL.revokeObjectURL(url)
}
