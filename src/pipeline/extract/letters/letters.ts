import { isSalutation, SIGN_OFF } from '../salience.ts'

/** A letter within a note or a document. */
export interface Letter {
  /** The name below `Kind regards`. */
  readonly from: string
  /** What stands between salutation and sign-off. */
  readonly text: string
}

/** Lines above a salutation: letterhead, address, date, subject. */
const MOST_ABOVE = 14
const LONGEST_LINE = 60
const FORMAL =
  /^(?:dear|sehr geehrte|liebe|verehrte|madame|monsieur|ch[eè]re?s?|estimad[oa]|querid[oa]|apreciad[oa]|.{1,8}(?:様|先生|经理)|尊敬的)/iu
const NAME = /^(?:\p{Lu}[\p{L}.'’-]*\.? ?){1,5}$/u

/** The letter that a text is, with its writer; without its letterhead and the card below. */
export function readLetter(text: string): Letter | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const begin = lines.slice(0, MOST_ABOVE).findIndex((line) => FORMAL.test(line) && isSalutation(line))
  if (begin < 0) return undefined
  const end = lines.findLastIndex((line) => line.length < LONGEST_LINE && SIGN_OFF.test(line))
  if (end <= begin) return undefined
  const from = lines.slice(end + 1).find((line) => line !== '')
  if (from === undefined || from.length > LONGEST_LINE || !NAME.test(from)) return undefined
  const body = lines
    .slice(begin + 1, end)
    .join('\n')
    .trim()
  // German goes on in lower case after the salutation.
  return { from, text: body.charAt(0).toUpperCase() + body.slice(1) }
}
