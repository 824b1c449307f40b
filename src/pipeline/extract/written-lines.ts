import { isBrokenByWriter } from '../../lib/broken-lines.ts'

/**
 * Adds a blank line after each line that its writer ended, as in a list without marks. A program breaks a line only if
 * the next word doesn't fit.
 */
export function withWrittenLines(text: string): string {
  if (!text.includes('\n')) return text
  return text.replace(/(?:^|(?<=\n[ \t]*\n))(?:[^\S\n]*\S[^\n]*(?:\n|$)){2,}/g, (paragraph) =>
    isBrokenByWriter(paragraph.trimEnd().split('\n')) ? `${paragraph.trimEnd().split('\n').join('\n\n')}\n` : paragraph,
  )
}

/** `- [x] order the chairs` as `- order the chairs (done)`, because a checkbox isn't readable within a sentence. */
export function withCheckedAsDone(text: string): string {
  return text.includes('[') ? text.replace(CHECKED, '$1$2 (done)') : text
}
const CHECKED = /^(\s*(?:[-*+]\s+)?)\[[xX]\]\s+(\S[^\n]{0,300}?)[.\s]*$/gm

/** Lines that begin with a time are entries of a list, and a line with a day is its title. */
export function withEntriesApart(text: string): string {
  return /\n\d{1,2}[:.h]\d\d\b/.test(text) ? text.replace(/\n(?=\d{1,2}[:.h]\d\d\b)/g, '\n\n') : text
}
