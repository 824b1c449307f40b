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

const MOST_CHARACTERS = 4_000

interface QuotedPassage {
  readonly text: string
  readonly speaker: string | null
}

/**
 * The text of an item with its citation, to share. A long one is cut after a passage.
 * @param passages its first ones
 * @param count how many it has
 */
export function quotedText(passages: readonly QuotedPassage[], citation: string, count: number): string {
  const parts: string[] = []
  let characters = 0
  for (const { text, speaker } of passages) {
    const part = `${speaker === null ? '' : `${speaker}: `}${text.trim()}`
    characters += part.length
    if (characters > MOST_CHARACTERS && parts.length > 0) break
    parts.push(part.length > MOST_CHARACTERS ? `${part.slice(0, MOST_CHARACTERS).toWellFormed()}…` : part)
  }
  return [...parts, ...(parts.length < count ? ['…'] : []), `— ${citation}`].join('\n\n')
}
