const MONTH_LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** What a word goes on with; Japanese and Chinese write no space before another script. */
const WORD = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}]'
/** Words as short as this must stand whole: `ill` is not in `illness`. */
const SHORT = 3

/**
 * Whether a text holds a labelled fact: `Rosa + moved|postponed + @2026-03-18`. All parts joined by ` + ` have to stand in
 * it, of those joined by `|` one; a part begins at the beginning of a word and may end inside of one (`promis`). `@` names
 * a day or a month, in any way to write it, with or without the year.
 */
export function holdsFact(text: string, fact: string): boolean {
  return fact.split(' + ').every((part) => part.split('|').some((one) => holdsPart(text, one.trim())))
}

function holdsPart(text: string, part: string): boolean {
  if (part.startsWith('@')) return namesDay(text, part.slice(1))
  if (UNSPACED.test(part)) return text.includes(part)
  const end = part.length <= SHORT ? `(?!${WORD})` : ''
  return new RegExp(`(?<!${WORD})${RegExp.escape(plain(part))}${end}`, 'iu').test(plain(text))
}

/** Whether a day (`2026-03-18`) or month (`2026-03`) is named in a text. */
export function namesDay(text: string, day: string): boolean {
  return dayPattern(day).test(plain(text))
}

/** A day or month in words of some languages, in figures, or in ISO 8601. */
export function dayPattern(day: string): RegExp {
  const [year = '', month = '', date] = day.split('-')
  const words = `(?:${monthNames(Number(month)).map(RegExp.escape).join('|')})`
  if (date === undefined)
    return new RegExp(`${year}-${month}|(?<!\\p{L})${words}(?!\\p{L})|(?<!\\d)${Number(month)}月`, 'iu')
  const d = `0?${Number(date)}`
  const m = `0?${Number(month)}`
  // A range names its first day without the month: `20-22 May`, `7 and 8 September`.
  const range = '(?: ?(?:[-–/,&]|and|to|und|bis|et|au|y|al) ?\\d{1,2}(?:st|nd|rd|th|\\.)?)?'
  return new RegExp(
    [
      day,
      `(?<!\\d)${d}(?:st|nd|rd|th|er|\\.)?${range} (?:of |de )?${words}(?!\\p{L})`,
      `(?<!\\p{L})${words} (?:\\d{1,2} ?(?:[-–]|and|to) ?)?${d}(?:st|nd|rd|th)?(?!\\d)`,
      `(?<!\\d)${m}月${d}[日号]?(?!\\d)`,
      `(?<!\\d)${d}[./]${m}[./](?:${year}|${year.slice(2)})?(?!\\d)`,
    ].join('|'),
    'iu',
  )
}

const names = new Map<number, readonly string[]>()

/** Long and short names of a month, longest first. */
function monthNames(month: number): readonly string[] {
  const known = names.get(month)
  if (known) return known
  const found = new Set<string>()
  for (const locale of MONTH_LOCALES) {
    for (const form of ['long', 'short'] as const) {
      const name = new Intl.DateTimeFormat(locale, { month: form, timeZone: 'UTC' }).format(
        Date.UTC(2026, month - 1, 15),
      )
      found.add(name.replace(/\.$/, '').toLowerCase())
    }
  }
  const sorted = [...found].toSorted((a, b) => b.length - a.length)
  names.set(month, sorted)
  return sorted
}

/** One kind of apostrophe and of space. */
function plain(text: string): string {
  return text.replace(/[’‘]/g, "'").replace(/\s+/g, ' ')
}
