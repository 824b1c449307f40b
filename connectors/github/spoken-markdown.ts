import type { Person } from './github-answers.ts'
import { readableMarkdown } from './readable-markdown.ts'

/** `## Comment by ada at 2026-03-04T10:00:00.000Z`, the form in which a reader of the document finds who said what. */
export function spokenHeading(what: string, who: Person, at: Date): string {
  return `## ${what} by ${loginOf(who)} at ${at.toISOString()}`
}

/** GitHub calls people who deleted their account so. */
export function loginOf(person: Person): string {
  return person?.login ?? 'ghost'
}

export function isBot(person: Person): boolean {
  return person?.type === 'Bot'
}

/** Text that somebody wrote, as it reads. A heading in it that would pass for somebody else's comment is no heading any more. */
export function quotedMarkdown(text: string | null | undefined, who: Person): string {
  return readableMarkdown(text ?? '', isBot(who)).replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
}

/** Parts with an empty line between them; empty parts are left out. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}
