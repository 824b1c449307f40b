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
  if (!match || !name) return { to: undefined, text }
  const whole = people.called(name)
  if (whole) return { to: whole, text: text.slice(match[0].length) || text }
  // Two capitalised words may be a first name and the beginning of the sentence: `Ann Do you ...`.
  const first = name.split(' ')[0] ?? name
  const to = first === name ? undefined : people.called(first)
  return to ? { to, text: text.slice(match[0].indexOf(first) + first.length).trimStart() } : { to: undefined, text }
}
