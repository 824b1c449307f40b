/** `## Comment by ada at 2026-03-04T10:00:00.000Z`, the form in which a reader of the document finds who said what. */
export function spokenHeading(what: string, who: { readonly login: string } | null | undefined, at: Date): string {
  return `## ${what} by ${loginOf(who)} at ${at.toISOString()}`
}

/** GitHub calls people who deleted their account so. */
export function loginOf(person: { readonly login: string } | null | undefined): string {
  return person?.login ?? 'ghost'
}

/** Text that somebody wrote, with unix line ends. A heading in it that would pass for somebody else's comment is no heading any more. */
export function quotedMarkdown(text: string | null | undefined): string {
  return (text ?? '')
    .replace(/\r\n?/g, '\n')
    .trim()
    .replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
}

/** Parts with an empty line between them; empty parts are left out. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}
