import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ForgetReceipt } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatCount, formatNoun } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { ForgetReceipts } from './forget-receipts.tsx'
import { type ItemRef, itemKey } from './library-calls.ts'
import { forgetItems } from './use-item-actions.ts'

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
