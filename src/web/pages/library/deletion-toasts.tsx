import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { isTyping } from '../../shell/use-shortcuts.ts'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { focusPage } from '../../ui/focus.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TOASTS_ID, ToastCard } from '../../ui/toasts.tsx'
import { type Deletion, type DeletionQueue, useDeletions } from './deletion-queue.ts'
import { deletionTitle, ReceiptsDialog } from './deletion-receipts.tsx'
import { messages } from './messages.ts'

/** What is being deleted, with "Undo", on every page. */
export function DeletionToasts() {
  const { deletions, receipts, queue } = useDeletions()
  const [shown, setShown] = useState<Deletion>()
  useSentWhenLeft(queue)
  useUndoKey(queue)
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists change with each finished deletion
  useEffect(() => void queries.invalidateQueries({ queryKey: ['items', 'list'] }), [queries, receipts])
  const box = document.getElementById(TOASTS_ID)
  return (
    <>
      {box !== null &&
        createPortal(
          deletions.map((deletion) => (
            <DeletionToast key={deletion.id} deletion={deletion} queue={queue} onReceipts={() => setShown(deletion)} />
          )),
          box,
        )}
      <ReceiptsDialog
        receipts={shown?.phase.is === 'done' ? shown.phase.receipts : []}
        gone={shown?.phase.is === 'done' ? shown.phase.gone : 0}
        onClose={() => setShown(undefined)}
      />
    </>
  )
}

interface ToastProps {
  readonly deletion: Deletion
  readonly queue: DeletionQueue
  readonly onReceipts: () => void
}

function DeletionToast({ deletion, queue, onReceipts }: ToastProps) {
  const { id, phase } = deletion
  const dismiss = () => {
    if (phase.is === 'waiting') void queue.start(id)
    else queue.dismiss(id)
    focusPage()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: time stops while it is pointed at or focused
    <div
      onPointerEnter={() => queue.hold(id)}
      onPointerLeave={() => queue.release(id)}
      onFocus={() => queue.hold(id)}
      onBlur={() => queue.release(id)}
    >
      <ToastCard
        title={deletionText(deletion)}
        description={<DeletionDetail deletion={deletion} />}
        dismissLabel={phase.is === 'waiting' ? messages.deleteNow : uiMessages.dismiss}
        onDismiss={phase.is === 'running' ? undefined : dismiss}
        actions={
          <>
            {phase.is === 'waiting' && (
              <ToastButton
                onClick={() => {
                  queue.undo(id)
                  focusPage()
                }}
              >
                {uiMessages.undo}
              </ToastButton>
            )}
            {phase.is === 'failed' && (
              <ToastButton onClick={() => void queue.start(id)}>{uiMessages.tryAgain}</ToastButton>
            )}
            {phase.is === 'done' && phase.receipts.length > 0 && (
              <ToastButton
                onClick={() => {
                  onReceipts()
                  queue.dismiss(id)
                }}
              >
                {messages.showReceipts(phase.receipts.length)}
              </ToastButton>
            )}
          </>
        }
      />
    </div>
  )
}

function ToastButton(props: ButtonProps) {
  return (
    <Button
      look="quiet"
      size="small"
      className="-my-1 text-inherit! underline! hover:bg-white/15! hover:text-inherit!"
      {...props}
    />
  )
}

function DeletionDetail({ deletion: { items, phase } }: { readonly deletion: Deletion }) {
  if (phase.is === 'running' && items.length > 1)
    return (
      <div className="py-1.5">
        <ProgressBar label={messages.deleted} value={phase.done} most={items.length} />
      </div>
    )
  if (phase.is === 'failed') return phase.reason
  if (phase.is !== 'done') return null
  const questions = phase.receipts.flatMap((receipt) => receipt.questions)
  return (
    <>
      {phase.gone > 0 && <p>{messages.alreadyDeleted(phase.gone)}</p>}
      {questions.length > 0 && questions.every(({ found }) => !found) && (
        <p>{messages.checkPassed(questions.length)}</p>
      )}
    </>
  )
}

function deletionText({ items, phase }: Deletion): string {
  if (phase.is === 'done') return deletionTitle(phase.receipts, items.length)
  const [only] = items
  const what =
    items.length === 1 && only?.title !== undefined ? `“${shownText(only.title)}”` : messages.itemCount(items.length)
  return phase.is === 'failed' ? messages.notDeleted(what) : messages.deleting(what)
}

/** Phones end hidden pages without another event. */
function useSentWhenLeft(queue: DeletionQueue): void {
  useEffect(() => {
    const send = () => {
      if (document.visibilityState === 'hidden') void queue.sendNow()
    }
    document.addEventListener('visibilitychange', send)
    return () => document.removeEventListener('visibilitychange', send)
  }, [queue])
}

/** Ctrl or Cmd+Z, except where it belongs to a text. */
function useUndoKey(queue: DeletionQueue): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z') return
      if (!isTyping(event.target) && queue.undoLatest()) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [queue])
}
