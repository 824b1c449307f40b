import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useSendOnce } from '../api/use-send-once.ts'
import { useWarmUp } from '../api/use-warm-up.ts'
import { saveNote } from '../pages/library/save-note.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { INPUT_CLASS } from '../ui/field.tsx'
import { uiMessages } from '../ui/messages.ts'
import { ProblemNote } from '../ui/notices.tsx'
import { useToast } from '../ui/toasts.tsx'

const MOST_CHARACTERS = 20_000

/** Writes a note into the memory. */
export function NoteDialog({ initial = '', onClose }: { readonly initial?: string; readonly onClose: () => void }) {
  useWarmUp()
  const [text, setText] = useState(initial)
  const queries = useQueryClient()
  const toast = useToast()
  const save = useMutation({
    mutationFn: () => saveNote(text.trim(), new Date()),
    onSuccess: () => {
      toast(uiMessages.noteSaved)
      void queries.invalidateQueries({ queryKey: ['items'] })
      onClose()
    },
  })
  const send = useSendOnce(save)
  const submit = () => text.trim() !== '' && send()
  return (
    <Dialog open onClose={onClose} title={uiMessages.newNote} insistent={text.trim() !== ''}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="flex flex-col gap-3"
      >
        <textarea
          autoFocus
          aria-label={uiMessages.noteText}
          placeholder={uiMessages.noteHint}
          value={text}
          rows={6}
          maxLength={MOST_CHARACTERS}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && submit()}
          className={`${INPUT_CLASS} min-h-32 py-2`}
        />
        {save.error !== null && <ProblemNote error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button look="primary" type="submit" busy={save.isPending} disabled={text.trim() === ''}>
            {uiMessages.saveNote}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** What another app shared with this one, as a note that can be changed before it is saved. */
export function SharedNote() {
  const [params] = useSearchParams()
  const [, go] = useLocation()
  const shared = ['title', 'text', 'url'].map((name) => params.get(name)?.trim() ?? '').filter((text) => text !== '')
  // Some apps name the address in the text too.
  const parts = shared.filter((text, index) => !shared.slice(0, index).some((before) => before.includes(text)))
  return <NoteDialog initial={parts.join('\n\n')} onClose={() => go('/', { replace: true })} />
}
