import { address, CallError, callError, sessionHeaders } from '../../api/call.ts'
import { uiMessages } from '../../ui/messages.ts'

/**
 * Uploads a note as an item of its own, dated now.
 * @returns its item id
 * @throws CallError with a message for the user
 */
export async function saveNote(text: string, now: Date): Promise<string> {
  const form = new FormData()
  const name = `note-${now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[T:]/g, '-')}.md`
  form.set('source_type', 'text')
  form.set('file', new File([`---\ndate: ${now.toISOString()}\n---\n\n${text}\n`], name, { type: 'text/markdown' }))
  const response = await fetch(address('/library/upload'), {
    method: 'POST',
    headers: sessionHeaders(),
    body: form,
  }).catch(() => {
    throw new CallError(0, uiMessages.serverUnreachable)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw callError(response.status, answer)
  if (typeof answer !== 'object' || answer === null || !('item_id' in answer)) throw callError(response.status, answer)
  return String(answer.item_id)
}
