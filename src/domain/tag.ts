import { AppError } from './errors.ts'

/** Maximum tags of an item. */
export const MOST_TAGS = 20
export const TAG_MAX_CHARACTERS = 40

/** Invisible characters would make two tags look the same; Persian, Indic scripts and emoji need joiners between others. */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}|(?<![^\s\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\s\u200c\u200d])/u

/** The form in which tags are compared: without case, and composed and decomposed letters alike. */
export function foldTag(tag: string): string {
  return tag.normalize('NFC').toLowerCase().normalize('NFC')
}

/**
 * A tag as it is stored and shown, without spaces around it.
 * @throws AppError `invalid` that names the field
 */
export function checkedTag(given: string, field: string): string {
  const tag = given.toWellFormed().normalize('NFC').replace(/\s+/gu, ' ').trim()
  const characters = [...tag].length
  if (characters === 0) throw invalidTag(field, 'must not be blank. Name a tag.')
  if (characters > TAG_MAX_CHARACTERS) {
    throw invalidTag(field, `must be at most ${TAG_MAX_CHARACTERS} characters. Shorten the tag.`)
  }
  if (UNSEEN.test(tag)) throw invalidTag(field, 'must not contain invisible characters. Type the tag again.')
  return tag
}

/** Tags that are given together: each once, as written first. */
export function checkedTags(given: readonly string[], field: string): string[] {
  const byFolded = new Map<string, string>()
  for (const tag of given.map((one) => checkedTag(one, field))) {
    if (!byFolded.has(foldTag(tag))) byFolded.set(foldTag(tag), tag)
  }
  return [...byFolded.values()]
}

function invalidTag(field: string, problem: string): AppError {
  return new AppError('invalid', `${field} ${problem}`, { field })
}
