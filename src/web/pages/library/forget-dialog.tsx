import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatCount, formatNoun, formatTime } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { forgetItems, type ItemRef, itemKey } from './library-calls.ts'

interface ForgetDialogProps {
  /** Empty: closed. */
  readonly items: readonly (ItemRef & { readonly title?: string; readonly connection?: string | null })[]
  readonly onClose: () => void
  /** These are gone. */
  readonly onForgotten: (refs: readonly ItemRef[]) => void
}

/** Says what will happen, forgets, and shows what proves it. */
export function ForgetDialog({ items, onClose, onForgotten }: ForgetDialogProps) {
  const forgetting = useForgetting(items)
  const { receipts, gone, isRunning, error } = forgetting
  const done = receipts.length + gone.length
  const isDone = done > 0 && !isRunning
  const close = () => {
    forgetting.stop()
    // First, because it may lead away from the page that shows this.
    onClose()
    forgetting.reset()
    if (done === 0) return
    onForgotten([...receipts, ...gone])
    // What opened this is gone with the item.
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
      title={isDone ? doneTitle(receipts, done) : `Forget ${name ?? formatNoun(items.length, 'item')}?`}
    >
      {error !== undefined && <ProblemNote error={error} />}
      {isDone && gone.length > 0 && (
        <p className="mb-4 text-sm">{formatCount(gone.length)} of them had been forgotten before.</p>
      )}
      {isDone && receipts.length > 0 && <ForgetReceipts receipts={receipts} />}
      {isRunning && (
        <div className="flex flex-col gap-2 text-sm" role="status">
          <p>
            {done} of {formatNoun(items.length, 'item')} forgotten
          </p>
          <ProgressBar label="Forgotten" value={done} most={items.length} />
        </div>
      )}
      {!isDone && !isRunning && <Consequences items={items} />}
      <DialogActions>
        <Button onClick={isRunning ? forgetting.stop : close}>{isDone ? 'Done' : isRunning ? 'Stop' : 'Cancel'}</Button>
        {!isDone && (
          <Button look="danger" busy={isRunning} onClick={forgetting.start}>
            Forget
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function doneTitle(receipts: readonly ForgetReceipt[], done: number): string {
  const isProven = receipts.every(({ questions }) => questions.every(({ found }) => !found))
  return isProven ? `${formatNoun(done, 'item')} forgotten` : 'Something came back'
}

function Consequences({ items }: Pick<ForgetDialogProps, 'items'>) {
  const connections = [...new Set(items.flatMap(({ connection }) => connection ?? []))]
  const isOne = items.length === 1
  return (
    <div className="text-soft flex flex-col gap-2 text-sm">
      <p>
        {isOne ? 'The original, its text' : 'The originals, their texts'} and every memory made from{' '}
        {isOne ? 'it' : 'them'} are deleted for good: agents can recall nothing of {isOne ? 'it' : 'them'} any more.
        This cannot be undone.
      </p>
      <p>Then recalld asks itself for some of what was said, and shows you that nothing of it comes back.</p>
      {connections.length > 0 && (
        <p>
          {connections.join(' and ')} brought {isOne ? 'it' : 'some of them'} and will not bring {isOne ? 'it' : 'them'}{' '}
          back, also when the original changes.
        </p>
      )}
    </div>
  )
}

function useForgetting(items: ForgetDialogProps['items']) {
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
      await forgetItems(left, { onReceipt, onGone, signal: controller.signal })
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

/** More are in the file that can be saved. */
const MOST_SHOWN = 20

/** What was deleted and what a search for it found, to be read, copied and kept. */
function ForgetReceipts({ receipts }: { readonly receipts: readonly ForgetReceipt[] }) {
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
        <p className="text-soft text-sm">And {formatNoun(receipts.length - MOST_SHOWN, 'further receipt')}.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={json} label="Copy as JSON" />
        <Button size="small" onClick={() => save(json)}>
          <Download aria-hidden />
          Save as JSON
        </Button>
      </div>
    </div>
  )
}

function Receipt({ receipt }: { readonly receipt: ForgetReceipt }) {
  const { questions, connection } = receipt
  const isProven = questions.every(({ found }) => !found)
  return (
    <section className="border-line rounded-card flex flex-col gap-3 border p-4 text-sm">
      <div>
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownText(receipt.title)}</bdi>
        </h3>
        <p className="text-soft">
          {sourceTitle(receipt.source)} · {formatNoun(receipt.deleted_memories, 'memory', 'memories')} and{' '}
          {formatNoun(receipt.deleted_chunks, 'passage')} deleted · {formatTime(receipt.checked_at)}
        </p>
      </div>
      {questions.length === 0 ? (
        <p className="text-soft">No text of it had been read, so there was nothing to look for.</p>
      ) : (
        <div>
          <p className={isProven ? 'text-good font-medium' : 'text-bad font-medium'}>
            {isProven
              ? `Asked for ${formatNoun(questions.length, 'thing')} that it said: nothing of it came back.`
              : 'Something of it can still be recalled: it may have been uploaded again meanwhile.'}
          </p>
          <ul className="mt-2 flex flex-col gap-1.5">
            {questions.map(({ text, found }) => (
              <li key={text} className="flex items-start gap-2">
                {found ? (
                  <CircleAlert className="text-bad mt-0.5 size-4 shrink-0" aria-label="Found" />
                ) : (
                  <CircleCheck className="text-good mt-0.5 size-4 shrink-0" aria-label="Not found" />
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
          {connection} will not bring it back by itself. To let it, run{' '}
          <code>recalld retry {connection} --forgotten</code>.
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
