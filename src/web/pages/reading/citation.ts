import { formatFullDay } from '../../ui/formats.ts'
import { messages } from './messages.ts'

export interface CitedSource {
  readonly title: string
  /** Who says it, or wrote the item. */
  readonly person: string | null
  /** An instant, or a time in the words of the source. */
  readonly at: string | null
  readonly when: string | null
  /** Link or path of the original. */
  readonly location: string
}

/** `Jonas Weber, “Checkout weekly”, 3 March 2026, https://…`: who, where, when and the place of the original. */
export function citationText({ title, person, at, when, location }: CitedSource): string {
  const day = at === null ? when : formatFullDay(at)
  return [person, messages.quotedTitle(title), day, location].filter((part) => part !== null && part !== '').join(', ')
}
