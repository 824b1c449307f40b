/** Languages, besides English, in which written-out months are recognized. */
const DATE_LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl', 'cs', 'ru', 'uk', 'tr']

let monthNumbers: ReadonlyMap<string, number> | undefined

/** Number of a month, 1 to 12, by its lower-case name in one of the languages, in the form used after a day. */
export function monthNumber(name: string): number | undefined {
  monthNumbers ??= collectMonths()
  return monthNumbers.get((name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase())
}

export function isMonthName(word: string): boolean {
  return monthNumber(word) !== undefined
}

/** From the runtime's locale data, on first use. English wins over other languages. */
function collectMonths(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const locale of DATE_LOCALES) {
    for (const options of [
      { day: 'numeric', month: 'long' },
      { day: 'numeric', month: 'short' },
      { month: 'long' },
    ] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(new Date(Date.UTC(2026, month - 1, 15)))
        const name =
          parts
            .find(({ type }) => type === 'month')
            ?.value.toLowerCase()
            .replace(/\.$/, '') ?? ''
        if (/^\p{L}{3,}$/u.test(name) && !found.has(name)) found.set(name, month)
      }
    }
  }
  return found
}

let weekdayNames: ReadonlyMap<string, number | undefined> | undefined

/** Whether the word is a weekday, in full or abbreviated, in one of the supported languages. */
export function isWeekdayName(word: string): boolean {
  weekdayNames ??= collectWeekdays()
  return weekdayNames.has(word.toLowerCase())
}

/** 0 for Sunday to 6 for Saturday, by a name in full or abbreviated; `undefined` if languages mean different days by it. */
export function weekdayNamed(word: string): number | undefined {
  weekdayNames ??= collectWeekdays()
  return weekdayNames.get(word.toLowerCase())
}

/** From the runtime's locale data, on first use. */
function collectWeekdays(): ReadonlyMap<string, number | undefined> {
  const found = new Map<string, number | undefined>([
    ['tues', 2],
    ['thur', 4],
    ['thurs', 4],
  ])
  for (const locale of DATE_LOCALES) {
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
      for (let day = 0; day < 7; day++) {
        // 4 January 2026 was a Sunday.
        const name = format
          .format(new Date(Date.UTC(2026, 0, 4 + day)))
          .toLowerCase()
          .replace(/\.$/, '')
        found.set(name, found.has(name) && found.get(name) !== day ? undefined : day)
      }
    }
  }
  return found
}

/** The meaning of a calendar word. */
export type CalendarWord =
  | { readonly kind: 'month'; readonly month: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  /** Offset in days from the reference day. */
  | { readonly kind: 'relative'; readonly days: number }

const WEEKDAY_LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'ru']
/** Russian declines them after a preposition, and the runtime only has the nominative. */
const DECLINED_WEEKDAYS: Readonly<Record<string, number>> = {
  воскресенья: 0,
  понедельника: 1,
  вторника: 2,
  среду: 3,
  среды: 3,
  четверга: 4,
  пятницу: 5,
  пятницы: 5,
  субботу: 6,
  субботы: 6,
}
const RELATIVE: Readonly<Record<string, number>> = {
  ...{ today: 0, tonight: 0, yesterday: -1, tomorrow: 1, tmrw: 1, tmr: 1 },
  ...{ heute: 0, gestern: -1, vorgestern: -2, morgen: 1, übermorgen: 2 },
  ...{ "aujourd'hui": 0, hier: -1, demain: 1 },
  ...{ hoy: 0, ayer: -1, anteayer: -2, mañana: 1 },
  ...{ hoje: 0, ontem: -1, amanhã: 1 },
  ...{ oggi: 0, ieri: -1, domani: 1 },
  ...{ vandaag: 0, gisteren: -1, overmorgen: 2 },
  ...{ сегодня: 0, вчера: -1, позавчера: -2, завтра: 1, послезавтра: 2 },
}
/** Months that are ordinary words in lower case. */
const ALSO_WORDS = new Set(['may', 'march', 'mars', 'sept'])
/** Shorter month names are words of other languages: `out`, `set`, `ago`. */
const SHORT_MONTHS = new Set('jan feb mar apr may jun jul aug sep oct nov dec mai mär okt dez'.split(' '))

let words: ReadonlyMap<string, CalendarWord> | undefined
let pattern: RegExp | undefined

/** By the written word; the first letter may be a capital. */
export function calendarWord(word: string): CalendarWord | undefined {
  words ??= collectWords()
  return words.get(word)
}

/** A calendar word and its position in a text. */
interface FoundWord {
  readonly at: number
  readonly written: string
  readonly word: CalendarWord
}

/** The calendar words of a text. One combined search takes half the time of looking up each word. */
export function calendarWordsIn(text: string): FoundWord[] {
  words ??= collectWords()
  pattern ??= new RegExp([...words.keys()].toSorted((a, b) => b.length - a.length).join('|'), 'g')
  const found: FoundWord[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [written] = match
    const word = words.get(written)
    const isWhole = !isLetter(text.charAt(match.index - 1)) && !isLetter(text.charAt(match.index + written.length))
    if (word && isWhole) found.push({ at: match.index, written, word })
    else pattern.lastIndex = match.index + 1
  }
  return found
}

function isLetter(character: string): boolean {
  return /^\p{L}/u.test(character)
}

/** Number of a month by its name, if the name is recognizable without a year. */
export function monthNamed(name: string): number | undefined {
  const lower = name.toLowerCase()
  if (name === lower && ALSO_WORDS.has(lower)) return undefined
  return lower.length > 3 || SHORT_MONTHS.has(lower) ? monthNumber(lower) : undefined
}

function collectWords(): ReadonlyMap<string, CalendarWord> {
  const found = new Map<string, CalendarWord>()
  const add = (name: string, word: CalendarWord) => {
    const capital = name.charAt(0).toUpperCase() + name.slice(1)
    for (const form of ALSO_WORDS.has(name) ? [capital] : [name, capital]) if (!found.has(form)) found.set(form, word)
  }
  for (const locale of WEEKDAY_LOCALES) for (const [name, word] of monthsAndWeekdays(locale)) add(name, word)
  for (const [name, weekday] of Object.entries(DECLINED_WEEKDAYS)) add(name, { kind: 'weekday', weekday })
  for (const [name, days] of Object.entries(RELATIVE)) add(name, { kind: 'relative', days })
  return found
}

const byLocale = new Map<string, ReadonlyMap<string, CalendarWord>>()

/** The months and weekdays of one language by their names in lower case, in full. */
export function monthsAndWeekdays(locale: string): ReadonlyMap<string, CalendarWord> {
  const known = byLocale.get(locale)
  if (known !== undefined) return known
  const found = new Map<string, CalendarWord>()
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  // 4 January 2026 was a Sunday.
  for (let i = 0; i < 7; i++)
    found.set(weekdays.format(Date.UTC(2026, 0, 4 + i)).toLowerCase(), { kind: 'weekday', weekday: i })
  for (let i = 0; i < 12; i++)
    found.set(months.format(Date.UTC(2026, i, 15)).toLowerCase(), { kind: 'month', month: i + 1 })
  byLocale.set(locale, found)
  return found
}
