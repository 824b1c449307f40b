import { Eye, EyeOff, Pencil, Pin, PinOff, StickyNote, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ItemMemory } from '../../../http/app/schemas/library.ts'
import type { MadeEdit, MemoryNote } from '../../../http/app/schemas/memory-edits.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { itemPath } from '../library/library-calls.ts'
import type { MemoryEditing } from './edit-calls.ts'
import { EditForm } from './edit-form.tsx'
import { messages } from './messages.ts'
import { NotesOnMemory } from './notes-on-memory.tsx'

interface EditNotesProps {
  readonly source: string
  /** Without a text, the memory is itself the correction. */
  readonly correction: (MadeEdit & { readonly text?: string | null }) | null
  readonly pin: MadeEdit | null
  /** Absent: it is not. */
  readonly hidden?: MadeEdit | null
  readonly corrects?: ItemMemory['corrects']
  readonly notes: readonly MemoryNote[]
  readonly note_on: ItemMemory['note_on']
  readonly editing: MemoryEditing
}

/** Who corrected, pinned and hid a memory, with the text that replaces it and the notes on it. */
export function EditNotes({
  source,
  correction,
  pin,
  hidden = null,
  corrects = null,
  notes,
  note_on,
  editing,
}: EditNotesProps) {
  const { saved, pin: pinning } = editing
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
      <NotesOnMemory source={source} notes={notes} noteOn={note_on} editing={editing} />
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
  readonly isNote: boolean
  readonly editing: MemoryEditing
}

/** Buttons to correct, annotate, pin and hide a memory. */
export function EditActions({
  text,
  isCorrected,
  isPinned,
  isHidden = false,
  onlyPin = false,
  isNote,
  editing,
}: EditActionsProps) {
  const { undo, pin, hide } = editing
  const [open, setOpen] = useState<'correct' | 'note'>()
  const buttons = { correct: useRef<HTMLButtonElement>(null), note: useRef<HTMLButtonElement>(null) }
  const opener = open && buttons[open]
  useEffect(() => (opener ? () => focusIfLost(opener.current) : undefined), [opener])
  const error = undo.error ?? pin.error ?? hide.error
  if (open !== undefined) {
    return <OpenForm kind={open} text={text} editing={editing} onClose={() => setOpen(undefined)} />
  }
  return (
    <div className="relative flex flex-col gap-2">
      <div className="-ml-2.5 flex flex-wrap gap-x-1">
        {!onlyPin && (
          <Button ref={buttons.correct} look="quiet" size="small" onClick={() => setOpen('correct')}>
            <Pencil aria-hidden />
            {messages.correct}
          </Button>
        )}
        {!onlyPin && !isNote && (
          <Button ref={buttons.note} look="quiet" size="small" onClick={() => setOpen('note')}>
            <StickyNote aria-hidden />
            {messages.note}
          </Button>
        )}
        <PinAndHide isPinned={isPinned} isHidden={isHidden} editing={editing} />
        {isCorrected && !onlyPin && (
          <Button
            look="quiet"
            size="small"
            busy={undo.isPending}
            onClick={() => undo.mutate(undefined, { onSuccess: () => focusIfLost(buttons.correct.current) })}
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

interface OpenFormProps extends Pick<EditActionsProps, 'text' | 'editing'> {
  readonly kind: 'correct' | 'note'
  readonly onClose: () => void
}

function OpenForm({ kind, text, editing, onClose }: OpenFormProps) {
  const { [kind]: saving } = editing
  const send = useSendOnce(saving)
  const isNote = kind === 'note'
  return (
    <div className="relative">
      <EditForm
        label={isNote ? messages.noteLabel : messages.correctionLabel}
        about={isNote ? messages.noteAbout : messages.correctionAbout}
        text={isNote ? '' : text}
        isSaving={saving.isPending}
        error={saving.error}
        onSave={(saved) => send(saved, { onSuccess: onClose })}
        onCancel={() => {
          saving.reset()
          onClose()
        }}
      />
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
