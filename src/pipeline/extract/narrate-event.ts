import type { Account } from './narrative.ts'
import { listed, quotable, quoteProse } from './quoting.ts'
import type { Telling } from './telling.ts'

/** `I had a meeting "X" with A and B at P on D.`, in the tense of the day the entry was memorized. */
export function tellEvent({ passage, when, isFirst }: Account, telling: Telling): string {
  const { document, people, moments, file } = telling
  const { title, where } = document.meta
  const name = title ? `"${quotable(title)}"` : 'an event'
  const quote = passage.told.some((chunk) => chunk.text !== title) ? quoteProse(passage) : ''
  if (!isFirst) return `The notes of my meeting ${name} say: "${quote}"`
  const others = people.everybody.filter((person) => person !== file.userName)
  const isPast = when === undefined ? false : (when.end ?? when.start) < file.uploadedAt
  const verb = isPast ? 'had' : 'have'
  const what =
    others.length > 0 ? `a meeting${title ? ` ${name}` : ''} with ${listed(others)}` : `${name} in my calendar`
  const at = where ? ` at ${where}` : ''
  const on = when ? ` on ${moments.range(when)}` : ''
  const told = `I ${verb} ${what}${at}${on}.`
  return quote === '' ? told : `${told} Its description says: "${quote}"`
}
