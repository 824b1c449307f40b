import type { Person } from './github-answers.ts'

/** Fenced code to its end or that of the text; code within a line. */
const CODE = /^[ \t]*(`{3,}|~{3,})[^\n`]*$(?:\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S])))?|(`+)[^\n`]{1,400}\2/
/** Matches adjacent comments separately, so that the time stays linear if the end is missing. */
const COMMENT = /<!--(?:(?!<!--)[\s\S])*?-->/
const CODE_OR_COMMENT = new RegExp(`${CODE.source}|${COMMENT.source}`, 'gm')
/** The innermost of folded sections. */
const FOLDED = /<details\b(?:(?!<details\b)[\s\S])*?<\/details>/gi

// Unicode noncharacters, which no text contains.
const HELD = /\uFDD0(\d+)\uFDD0/g
const HINT = '\uFDD1'

/** A template heading with only template text below it. */
const UNANSWERED = new RegExp(
  `^(#{1,6}) [^\\n]*\\n\\s*(?:(?:${HINT}|_No response_)\\s*)+(?=(?!\\1#)#|(?![\\s\\S]))`,
  'gm',
)
/** Addresses in the line that mail programs put above a quote; GitHub masks them. */
const MAIL_ADDRESS = /\*\*\*@\*\*\*\.\*\*\*|notifications@github\.com|@reply\.github\.com/
const QUOTED_OR_EMPTY = /^[ \t]*(?:>|$)/

/**
 * The visible text: without template hints, empty headings, quoted mail and
 * picture addresses. Code is unchanged.
 *
 * @param isBot skips folded sections, in which bots copy text such as release notes of other projects
 */
export function readableMarkdown(text: string, isBot: boolean): string {
  const unix = text.replace(/\r\n?/g, '\n')
  const held: string[] = []
  const prose = (isBot ? unix.replace(FOLDED, '') : unix).replace(CODE_OR_COMMENT, (found) =>
    found.startsWith('<!--') ? HINT : `\uFDD0${held.push(found) - 1}\uFDD0`,
  )
  return withoutAnsweredMail(prose)
    .replace(UNANSWERED, '')
    .replaceAll(HINT, '')
    .replace(/^\[\/\/\]: # [^\n]*$/gm, '')
    .replace(/!\[([^\][\n]{0,300})\]\([^()\n]{1,2000}\)/g, (_, alt: string) => picture(alt))
    .replace(/<img\b[^<>]{0,4000}>/gi, (tag) => picture(/\balt="([^"]*)"/i.exec(tag)?.[1] ?? ''))
    .replace(/<br\b[^<>]{0,100}>/gi, ' ')
    .replace(/<\/?(?:details|summary|p|div)\b[^<>]{0,400}>/gi, '\n\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(HELD, (found, at: string) => held[Number(at)] ?? found)
    .trim()
}

/** Without quoted lines at the end that begin with the head of a mail, and that head. */
function withoutAnsweredMail(text: string): string {
  const lines = text.split('\n')
  const first = lines.findLastIndex((line) => !QUOTED_OR_EMPTY.test(line)) + 1
  const quoted = lines.slice(first).find((line) => line.includes('>'))
  if (quoted === undefined) return text
  if (MAIL_ADDRESS.test(quoted)) return lines.slice(0, first).join('\n')
  const begin = lines[first - 2]?.startsWith('On ') ? first - 2 : first - 1
  const head = lines.slice(Math.max(begin, 0), first).join(' ')
  return MAIL_ADDRESS.test(head) && /:\s*$/.test(head) ? lines.slice(0, begin).join('\n') : text
}

/** GitHub names pasted pictures `image`. */
function picture(description: string): string {
  return /^(?:image)?$/i.test(description.trim()) ? '(image)' : `(image: ${description.trim()})`
}

/** `## Comment by ada at 2026-03-04T10:00:00.000Z`, the form in which a reader of the document finds who said what. */
export function spokenHeading(what: string, who: Person, at: Date): string {
  return `## ${what} by ${loginOf(who)} at ${at.toISOString()}`
}

/** GitHub's name for people who deleted their account. */
export function loginOf(person: Person): string {
  return person?.login ?? 'ghost'
}

export function isBot(person: Person): boolean {
  return person?.type === 'Bot'
}

/** Readable text of a person. Headings are escaped, so that they can't be mistaken for another person's comment. */
export function quotedMarkdown(text: string | null | undefined, who: Person): string {
  return readableMarkdown(text ?? '', isBot(who)).replace(/^(#{2,4} [^\n]{1,80} by \S)/gm, '\\$1')
}

/** Joins the parts with empty lines; skips empty parts. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}
