import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import { splitEvent } from './event-text.ts'
import type { Account } from './narrative.ts'
import { listed, quotable, quoteProse } from './quoting.ts'
import type { Telling } from './telling.ts'

/** `I had a meeting "X" with A and B at P on D.`, in the tense of the day the entry was memorized. */
export function tellEvent({ passage, when, participants }: Account, telling: Telling): string {
  const { document, moments, file } = telling
  const first = passage.told[0]
  // A calendar file may hold many events, each below a heading of its own.
  const title = first?.heading?.split(HEADING_SEPARATOR).at(-1) ?? document.meta.title ?? first?.text
  const name = title ? `"${quotable(title)}"` : 'an event'
  const event = splitEvent(first?.text ?? '')
  const told = passage.told.map((chunk) => ({ ...chunk, text: splitEvent(chunk.text).description }))
  const quote = quoteProse({ ...passage, told: told.filter(({ text }) => text !== '' && text !== title) })
  const isFirst = event.when !== undefined || first?.ordinal === 0
  if (!isFirst) return `The description of ${name} in my calendar goes on: "${quote}"`
  const others = participants.filter((name) => name !== telling.file.userName)
  const isPast = when === undefined ? false : (when.end ?? when.start) < file.uploadedAt
  const verb = isPast || event.isCancelled ? 'had' : 'have'
  const what =
    others.length > 0 ? `a meeting${title ? ` ${name}` : ''} with ${listed(others)}` : `${name} in my calendar`
  const where = event.where ?? document.meta.where
  const at = where ? ` at ${where}` : ''
  const on = document.meta.when ? moments.range(document.meta.when) : (event.when ?? (when && moments.range(when)))
  const span = on?.includes(' to ') && !/\d:\d/.test(on) ? `from ${on}` : `on ${on}`
  const repeats = event.repeats ? ` It repeats ${event.repeats}.` : ''
  const cancelled = event.isCancelled ? ', which was cancelled' : ''
  const sentence = `I ${verb} ${what}${at}${on ? ` ${span}` : ''}${cancelled}.${repeats}`
  return quote === '' ? sentence : `${sentence} Its description says: "${quote}"`
}
