import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useViewer } from '../../shell/use-session.ts'
import { isTyping } from '../../shell/use-shortcuts.ts'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { focusPage } from '../../ui/focus.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TOASTS_ID, ToastCard } from '../../ui/toasts.tsx'
import { RECENT_PROFILE } from '../people/people-calls.ts'
import { type Deletion, type DeletionQueue, leftOf, useDeletions, useDeletionsOf } from './deletion-queue.ts'
import { deletionTitle, ReceiptsDialog } from './deletion-receipts.tsx'
import { messages } from './messages.ts'

/** What is being deleted, with "Undo", on every page. */
export function DeletionToasts() {
  const { account, accounts } = useViewer()
  const { receipts, queue } = useDeletions()
  const [shown, setShown] = useState<Deletion>()
  useSentWhenLeft(queue)
  useUndoKey(queue)
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change with each finished deletion
  useEffect(() => {
    for (const queryKey of [['items', 'list'], RECENT_PROFILE]) void queries.invalidateQueries({ queryKey })
  }, [queries, receipts])
  const box = document.getElementById(TOASTS_ID)
  return (
    <>
      {box !== null &&
        createPortal(
          accounts.map(({ id }) => (
            <AccountToasts key={id} accountId={id} isCurrent={id === account.id} onReceipts={setShown} />
          )),
          box,
        )}
      <ReceiptsDialog
        receipts={shown?.receipts ?? []}
        gone={shown?.gone.length ?? 0}
        onClose={() => setShown(undefined)}
      />
    </>
  )
}

interface AccountToastsProps {
  readonly accountId: string
  readonly isCurrent: boolean
  readonly onReceipts: (deletion: Deletion) => void
}

/** Of an account that was left: only what is not deleted, so that nobody believes that it is. */
function AccountToasts({ accountId, isCurrent, onReceipts }: AccountToastsProps) {
  const { deletions, queue } = useDeletionsOf(accountId)
  return deletions
    .filter(({ phase }) => isCurrent || phase.is !== 'done')
    .map((deletion) => (
      <DeletionToast key={deletion.id} deletion={deletion} queue={queue} onReceipts={() => onReceipts(deletion)} />
    ))
}

interface ToastProps {
  readonly deletion: Deletion
  readonly queue: DeletionQueue
  readonly onReceipts: () => void
}

function DeletionToast({ deletion, queue, onReceipts }: ToastProps) {
  const { id, phase, receipts } = deletion
  const reading = useTimeStopped(queue, deletion)
  const dismiss = () => {
    if (phase.is === 'waiting') void queue.start(id)
    else queue.dismiss(id)
    focusPage()
  }
  return (
    <div {...reading}>
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
            {phase.is === 'done' && receipts.length > 0 && (
              <ToastButton
                onClick={() => {
                  onReceipts()
                  queue.dismiss(id)
                }}
              >
                {messages.showReceipts(receipts.length)}
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

function DeletionDetail({ deletion }: { readonly deletion: Deletion }) {
  const { items, phase, receipts, gone } = deletion
  if (phase.is === 'running' && items.length > 1)
    return (
      <div className="py-1.5">
        <ProgressBar label={messages.deleted} value={items.length - leftOf(deletion).length} most={items.length} />
      </div>
    )
  if (phase.is === 'failed') return phase.reason
  if (phase.is !== 'done') return null
  const questions = receipts.flatMap((receipt) => receipt.questions)
  return (
    <>
      {gone.length > 0 && <p>{messages.alreadyDeleted(gone.length)}</p>}
      {questions.length > 0 && questions.every(({ found }) => !found) && (
        <p>{messages.checkPassed(questions.length)}</p>
      )}
    </>
  )
}

function deletionText(deletion: Deletion): string {
  const { items, phase, receipts } = deletion
  if (phase.is === 'done') return deletionTitle(receipts, items.length)
  const named = phase.is === 'failed' ? leftOf(deletion) : items
  const [only] = named
  const what =
    named.length === 1 && only?.title !== undefined ? `“${shownText(only.title)}”` : messages.itemCount(named.length)
  return phase.is === 'failed' ? messages.notDeleted(what) : messages.deleting(what)
}

/** Pauses the countdown while the toast is hovered or focused. */
function useTimeStopped(queue: DeletionQueue, { id, phase }: Deletion) {
  const ref = useRef<HTMLDivElement>(null)
  const isPointedAt = useRef(false)
  const update = () => {
    const isRead = isPointedAt.current || ref.current?.contains(document.activeElement)
    if (isRead) queue.hold(id)
    else queue.release(id)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a focused button may go with a phase, without an event
  useEffect(update, [phase.is])
  const point = (isPointed: boolean) => () => {
    isPointedAt.current = isPointed
    update()
  }
  return { ref, onPointerEnter: point(true), onPointerLeave: point(false), onFocus: update, onBlur: update }
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
