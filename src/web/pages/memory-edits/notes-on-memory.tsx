import { StickyNote, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import type { ItemMemory } from '../../../http/app/schemas/library.ts'
import type { MemoryNote } from '../../../http/app/schemas/memory-edits.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { itemPath } from '../library/library-calls.ts'
import type { MemoryEditing } from './edit-calls.ts'
import { messages } from './messages.ts'

interface NotesProps {
  readonly source: string
  readonly notes: readonly MemoryNote[]
  /** The memory is itself a note. */
  readonly noteOn: ItemMemory['note_on']
  readonly editing: MemoryEditing
}

/** The notes on a memory, each with who wrote it and a button to delete it; and for a note, what it is on. */
export function NotesOnMemory({ source, notes, noteOn, editing: { note, noted, deleteNote } }: NotesProps) {
  const processed = notes.filter(({ text }) => text !== null)
  const isProcessing = noted !== undefined && !processed.some(({ item_id }) => item_id === note.data?.item_id)
  return (
    <>
      {noteOn !== null && (
        <p className="text-soft relative z-10 w-fit text-[0.8125rem]">
          <bdi>{shownText(messages.noteOn(noteOn.by, noteOn.at))}</bdi>{' '}
          <Link href={itemPath({ source, item_id: noteOn.item_id })} className="font-medium underline">
            {messages.openNoted}
          </Link>
        </p>
      )}
      {processed.map(({ text, by, at, item_id }) => (
        <div key={item_id} className="border-line relative z-10 flex items-start justify-between gap-3 border-s-2 ps-3">
          <div className="min-w-0">
            <p className="text-ink text-sm">
              <SourceText text={text ?? ''} />
            </p>
            <p className="text-soft flex items-center gap-1.5 text-[0.8125rem]">
              <StickyNote className="size-3.5 shrink-0" aria-hidden />
              <bdi>{shownText(messages.notedBy(by, at))}</bdi>
            </p>
          </div>
          <Button
            look="quiet"
            size="small"
            busy={deleteNote.isPending && deleteNote.variables === item_id}
            onClick={() => deleteNote.mutate(item_id)}
          >
            <Trash2 aria-hidden />
            <span className="sr-only">
              {messages.deleteNote}: {shownText(text ?? '')}
            </span>
          </Button>
        </div>
      ))}
      {isProcessing && (
        <div className="border-line border-s-2 ps-3">
          <p className="text-ink text-sm">
            <SourceText text={noted} />
          </p>
          <p className="text-soft text-[0.8125rem]">{messages.processing}</p>
        </div>
      )}
      {deleteNote.error !== null && <ProblemNote error={deleteNote.error} />}
    </>
  )
}
