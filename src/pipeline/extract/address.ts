import type { People } from './people.ts'

const NAME_FIRST =
  /^(?:(?:hey|hi|hello|ok|okay|thanks|yes|no)[ ,]+)?@?(\p{L}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*)?)(?:\s*[,:!.–—-]+\s*|\s+)/iu

export interface Addressed {
  /** Display name of the person spoken to. */
  readonly to: string | undefined
  readonly text: string
}

/** Takes off the name a message begins with: `Ann: done`, `@ann done`, `Hey Ann, done`, when Ann is one of these people. */
export function addressOf(text: string, people: People): Addressed {
  const match = NAME_FIRST.exec(text.slice(0, 120))
  const name = match?.[1]
  const none = { to: undefined, text }
  if (!match || !name) return none
  // Two words may be a whole name, or a first name and the beginning of the sentence: `Ann Do you ...`.
  for (const called of new Set([name, name.split(' ')[0] ?? name])) {
    const to = people.called(called)
    const end = match[0].indexOf(called) + called.length
    const rest = text.slice(called === name ? match[0].length : end).trimStart()
    if (to !== undefined)
      return isAddress(text.slice(0, text.length - rest.length), rest) ? { to, text: rest || text } : none
  }
  return none
}

/** "Ann: done" and "@ann done" speak to Ann, "Ann has it" speaks of her: without a mark, what follows decides. */
function isAddress(head: string, rest: string): boolean {
  return (
    /[,:!.–—-]\s*$/.test(head) ||
    head.includes('@') ||
    /^(?:\p{Lu}|(?:you|your|can|could|do|did|does|would|will|are|were|have|please|pls|what|when|where|how|why|who|which|thanks|thank|thx)\b)/u.test(
      rest,
    )
  )
}
