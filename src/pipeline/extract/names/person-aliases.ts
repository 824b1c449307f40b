import { withoutTitle } from './person-names.ts'

const ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const HONORIFIC = /(?<=.)(?:さん|ちゃん|くん|君|様|氏|先生|老师|老師|女士|小姐|님|씨)$/u
/** "Aunt Ruth" of one family is not the Ruth of another. */
const KIN_TITLE =
  /^(?:Aunt|Auntie|Uncle|Grandma|Grandpa|Tante|Onkel|Oma|Opa|Abuel[ao]|T[íi][ao]|Famil\p{L}+|Sister|Father) /u

/** A name normalized for comparison: lower case, without accents, with one kind of space. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[._\s]+/g, ' ')
    .trim()
}

/** Whether a name is written in Chinese characters, kana or Hangul, where the family name comes first. */
export function isAsianName(name: string): boolean {
  return ASIAN.test(name)
}

/** One name to compare for `佐藤 健二` and `佐藤健二`, and for `Prof. Maas` and `Maas`. */
export function personKey(name: string): string {
  const key = foldName(withoutTitle(name))
  return ASIAN.test(key) ? key.replaceAll(' ', '').replace(HONORIFIC, '') : key
}

/**
 * Whether an alias may be part of a full name: `Maas` or `Prof. Maas` for `Ingeborg Maas`, `佐藤さん` for `佐藤 健二`. The
 * caller checks that it is unique.
 */
export function isPartOfName(called: string, fullName: string): boolean {
  if (KIN_TITLE.test(called)) return false
  const [part, whole] = [personKey(called), personKey(fullName)]
  if (part === '') return false
  if (part === whole) return true
  if (ASIAN.test(part)) return isAsianPart(part, fullName, whole)
  const words = whole.split(' ')
  return part.split(' ').every((word) => words.includes(word))
}

/** A family or given name; without a space between them, the first character is the family name. */
function isAsianPart(part: string, fullName: string, whole: string): boolean {
  const names = foldName(fullName).split(' ')
  return names.length > 1 ? names.includes(part) : whole.length >= 3 && part.length >= 2 && whole.slice(1) === part
}

/** Whether a handle is derived from a name: `mkrall`, `m-krall` or `martin.krall` for Martin Krall. */
export function isHandleOf(handle: string, fullName: string): boolean {
  if (/\s/.test(handle) || ASIAN.test(handle)) return false
  const names = foldName(fullName).split(' ')
  const [given = '', family = ''] = [names[0], names.at(-1)]
  if (names.length < 2 || family.length < 3 || given === '') return false
  const bare = foldName(handle.replace(/^@/, ''))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/\d{1,4}$/, '')
  const forms = [given.charAt(0) + family, given + family, family + given, family + given.charAt(0)]
  return forms.includes(bare)
}
