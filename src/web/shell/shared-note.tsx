import { useLocation, useSearchParams } from 'wouter'
import { NoteDialog } from './note-dialog.tsx'

/** What another app shared with this one, as a note that can be changed before it is saved. */
export function SharedNote() {
  const [params] = useSearchParams()
  const [, go] = useLocation()
  const shared = ['title', 'text', 'url'].map((name) => params.get(name)?.trim() ?? '').filter((text) => text !== '')
  // Some apps name the address in the text too.
  const parts = shared.filter((text, index) => !shared.slice(0, index).some((before) => before.includes(text)))
  return <NoteDialog initial={parts.join('\n\n')} onClose={() => go('/', { replace: true })} />
}
