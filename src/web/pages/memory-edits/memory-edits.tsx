import { Eye, EyeOff, Pencil, Pin, PinOff, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ItemMemory } from '../../../http/app/schemas/library.ts'
import type { MadeEdit } from '../../../http/app/schemas/memory-edits.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { itemPath } from '../library/library-calls.ts'
import { CorrectionForm } from './correction-form.tsx'
import type { MemoryEditing } from './edit-calls.ts'
import { messages } from './messages.ts'

interface EditNotesProps {
  readonly source: string
  /** Without a text, the memory is itself the correction. */
  readonly correction: (MadeEdit & { readonly text?: string | null }) | null
  readonly pin: MadeEdit | null
  /** Absent: it is not. */
  readonly hidden?: MadeEdit | null
  readonly corrects?: ItemMemory['corrects']
  readonly editing: MemoryEditing
}

/** Who corrected, pinned and hid a memory, with the text that replaces it. */
export function EditNotes({
  source,
  correction,
  pin,
  hidden = null,
  corrects = null,
  editing: { saved, pin: pinning },
}: EditNotesProps) {
  const text = saved ?? correction?.text
  const isPinned = pinning.isPending ? pinning.variables : pin !== null
  return (
    <div className="flex flex-col gap-1.5 empty:hidden" aria-live="polite">
      {(correction !== null || saved !== undefined) && (
        <div className="bg-good-soft w-fit rounded-lg px-3 py-1.5 text-[0.8125rem]">
          {text != null && (
            <p className="text-ink mb-0.5 text-sm">
              <SourceText text={text} />
            </p>
          )}
          <p className="text-good flex items-center gap-1.5">
            <Pencil className="size-3.5 shrink-0" aria-hidden />
            {correction === null || saved !== undefined ? (
              messages.processing
            ) : (
              <bdi>{shownText(messages.corrected(correction.by, correction.at))}</bdi>
            )}
          </p>
        </div>
      )}
      {corrects !== null && (
        <p className="text-good relative w-fit text-[0.8125rem]">
          <bdi>{shownText(messages.corrects(corrects.by, corrects.at))}</bdi>{' '}
          <Link href={itemPath({ source, item_id: corrects.item_id })} className="font-medium underline">
            {messages.openCorrected}
          </Link>
        </p>
      )}
      {isPinned && pin !== null && (
        <p className="text-accent flex items-center gap-1.5 text-[0.8125rem]">
          <Pin className="size-3.5 shrink-0" aria-hidden />
          <bdi>{shownText(messages.pinned(pin.by, pin.at))}</bdi>
        </p>
      )}
      {hidden !== null && (
        <p className="text-soft flex flex-wrap items-center gap-1.5 text-[0.8125rem]">
          <Badge>{messages.hidden}</Badge>
          <bdi>{shownText(messages.hiddenBy(hidden.by, hidden.at))}</bdi>
        </p>
      )}
    </div>
  )
}

interface EditActionsProps {
  /** The text of the memory. */
  readonly text: string
  readonly isCorrected: boolean
  readonly isPinned: boolean
  readonly isHidden?: boolean
  /** A correction is edited at the memory that it corrects. */
  readonly onlyPin?: boolean
  readonly editing: MemoryEditing
}

/** Buttons to correct, pin and hide a memory. */
export function EditActions({
  text,
  isCorrected,
  isPinned,
  isHidden = false,
  onlyPin = false,
  editing,
}: EditActionsProps) {
  const { correct, undo, pin, hide } = editing
  const [isOpen, setOpen] = useState(false)
  const correctButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  useEffect(() => (isOpen ? () => focusIfLost(correctButton.current) : undefined), [isOpen])
  const error = undo.error ?? pin.error ?? hide.error
  if (isOpen) {
    return (
      <div className="relative">
        <CorrectionForm
          text={text}
          isSaving={correct.isPending}
          error={correct.error}
          onSave={(corrected) => correct.mutate(corrected, { onSuccess: close })}
          onCancel={() => {
            correct.reset()
            close()
          }}
        />
      </div>
    )
  }
  return (
    <div className="relative flex flex-col gap-2">
      <div className="-ml-2.5 flex flex-wrap gap-x-1">
        {!onlyPin && (
          <Button ref={correctButton} look="quiet" size="small" onClick={() => setOpen(true)}>
            <Pencil aria-hidden />
            {messages.correct}
          </Button>
        )}
        <PinAndHide isPinned={isPinned} isHidden={isHidden} editing={editing} />
        {isCorrected && !onlyPin && (
          <Button
            look="quiet"
            size="small"
            busy={undo.isPending}
            onClick={() => undo.mutate(undefined, { onSuccess: () => focusIfLost(correctButton.current) })}
          >
            <Undo2 aria-hidden />
            {messages.undoCorrection}
          </Button>
        )}
      </div>
      {error !== null && <ProblemNote error={error} />}
    </div>
  )
}

function PinAndHide({
  isPinned,
  isHidden = false,
  editing: { pin, hide },
}: Pick<EditActionsProps, 'isPinned' | 'isHidden' | 'editing'>) {
  const shownPinned = pin.isPending ? pin.variables : isPinned
  return (
    <>
      <Button look="quiet" size="small" onClick={() => !pin.isPending && pin.mutate(!shownPinned)}>
        {shownPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
        {shownPinned ? messages.unpin : messages.pin}
      </Button>
      <Button look="quiet" size="small" onClick={() => !hide.isPending && hide.mutate(!isHidden)}>
        {isHidden ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
        {isHidden ? messages.showAgain : messages.hide}
      </Button>
    </>
  )
}
