import { monthsAndWeekdays } from '../../../lib/calendar-names.ts'
import { remembered } from '../../../lib/remembered.ts'
import { withDatesInDigits } from './han-numerals.ts'
import type { Language, Locale } from './language.ts'
import { INITIALS, languageOf, spacedLanguages, speaksAgainst } from './language-of.ts'

/** A question or a sentence in the form in which patterns read it. */
export interface EnglishForm {
  /** With English question words, pronouns, prepositions and times; other words as they are written. */
  readonly text: string
  /** Months and weekdays as they are written, because texts of that language have them so. */
  readonly calendarWords: readonly string[]
}

/** Not a part of an identifier, an address or a file name. */
const LITERAL_OR_WORD =
  /\{([^{}]*)\}|(?<![\p{L}\p{M}\p{N}#@_]|[./:-](?<=[\p{L}\p{N}][./:-]))[\p{L}\p{M}]+(?:[-'][\p{L}\p{M}]+)*(?![\p{N}_@]|[./:][\p{L}\p{N}])/gu
const FULL_DATE = /((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})[日号號]/gu
const YEAR_AND_MONTH = /((?:19|20)\d\d)年(\d{1,2})月/gu
const MONTH_AND_DAY = /(\d{1,2})月(\d{1,2})[日号號]/gu
const MONTH = /(?<!\d)(\d{1,2})月/gu
const ASIAN_WEEKDAY =
  /(?<!每)(先週|今週|来週|上个?|這個?|这个?|本|下个?)?の?(?:([月火水木金土日])曜日?|(?:周|星期|礼拜|禮拜|週)([一二三四五六日天])(?!次|个|個|位))/gu
const WEEKDAYS = ['日天', '月一', '火二', '水三', '木四', '金五', '土六']
/** As long as a question may be; some patterns look back to the beginning. */
const LONGEST = 1_000
/** A question word without a verb that English would have behind it. */
const WITHOUT_AUXILIARY =
  /^(\W*(?:(?:since|until|from|with|by|at|to) )?(?:when|where|why|how(?: long| often| much| many \S+)?|what(?: time)?|whom?))(?= )(?! said\b)(?!.*\b(?:am|is|are|was|were|do|does|did|have|has|had|will|would|can|could|should|must|may)\b)/iu

/** A capitalized word behind an article or the like. */
const NOUN =
  /(?<=(?<!\p{L})(?:the|an?|my|our|your|his|their|no|this|every|which|how many|how much) )\p{Lu}[\p{L}\p{M}]+/gu

/** A text in German, French, Spanish, Japanese or Chinese with English words for time and grammar; any other as it is. */
export const englishForm: (text: string) => EnglishForm = remembered((text) => {
  const language = text.length <= LONGEST ? languageOf(text) : undefined
  return language === undefined ? { text, calendarWords: [] } : formIn(language, text)
})

/** What a locale is followed by in the key of a sentence. */
const LOCALE_LENGTH = 2

const assumedForm = remembered((key) => {
  const text = key.slice(LOCALE_LENGTH)
  const assumed = spacedLanguages().find(({ locale }) => locale === key.slice(0, LOCALE_LENGTH))
  if (assumed === undefined || languageOf(text) !== undefined || speaksAgainst(text, assumed)) return englishForm(text)
  return formIn(assumed, text)
})

/** As `englishForm`; a sentence that is too short to tell its language is in that of the question. */
export function sentenceForm(text: string, locale: Locale | undefined): EnglishForm {
  return locale === undefined || text.length > LONGEST ? englishForm(text) : assumedForm(`${locale}${text}`)
}

/** The language of a question that is read in another form than it was written. */
export function writtenLocale(written: string | undefined): Locale | undefined {
  return written === undefined ? undefined : languageOf(written)?.locale
}

/** A time in words, as it is and in the form of each language: `März 2026` doesn't tell its language. */
export function timeForms(text: string): readonly string[] {
  const language = languageOf(text)
  const languages = language === undefined ? spacedLanguages() : [language]
  return [text, ...languages.map((one) => formIn(one, text).text)]
}

function formIn(language: Language, text: string): EnglishForm {
  if (!language.isSpaced) {
    const dated = withAsianDays(text)
    const phrased = language.phrases.reduce((left, [pattern, english]) => left.replace(pattern, english), dated)
    return { text: oneSpaced(phrased), calendarWords: [] }
  }
  const dated = withMonthNames(text, language)
  const phrased = language.phrases.reduce((left, [pattern, english]) => left.replace(pattern, literal(english)), dated)
  const calendarWords: string[] = []
  const worded = phrased.replace(LITERAL_OR_WORD, (word, english?: string) => {
    if (english !== undefined) return english
    if (INITIALS.test(word)) return word
    const named = calendarName(word, language.locale)
    if (named !== undefined) calendarWords.push(word)
    const known = named ?? language.words.get(word.toLowerCase()) ?? word
    return known === '_' ? '' : known
  })
  const form = oneSpaced(worded).replace(WITHOUT_AUXILIARY, '$1 does')
  const named = language.capitalizesNouns ? form.replace(NOUN, (noun) => noun.toLowerCase()) : form
  return { text: named, calendarWords }
}

/** `29.10.2026` as `29 October 2026`. */
function withMonthNames(text: string, { dates = [] }: Language): string {
  return dates.reduce(
    (left, pattern) =>
      left.replace(pattern, (written: string, day: string, month: string, year: string | number | undefined) => {
        const name = MONTHS[Number(month) - 1]
        if (name === undefined || Number(day) < 1 || Number(day) > 31) return written
        return `${Number(day)} {${name}}${typeof year === 'string' ? ` ${year.length === 2 ? `20${year}` : year}` : ''}`
      }),
    text,
  )
}

/** A question in the form in which it is read, and as it was written where that is another. */
export function readableQuestion(question: string): { readonly text: string; readonly written?: string } {
  const { text } = englishForm(question)
  return text === question ? { text } : { text, written: question }
}

/** The English of a phrase in braces, so that it isn't looked up again. */
function literal(english: string): string {
  return /[{$]/.test(english) || !/\p{L}/u.test(english) ? english : `{${english}}`
}

function oneSpaced(text: string): string {
  return text.replace(/ {2,}/g, ' ').trim()
}

function withAsianDays(text: string): string {
  return withDatesInDigits(text)
    .replace(FULL_DATE, ' on $1-$2-$3 ')
    .replace(YEAR_AND_MONTH, (_, year, month) => ` in ${monthName(Number(month))} ${year} `)
    .replace(MONTH_AND_DAY, (_, month, day) => ` on ${day} ${monthName(Number(month))} `)
    .replace(MONTH, (_, month) => ` in ${monthName(Number(month))} `)
    .replace(ASIAN_WEEKDAY, (_, week = '', japanese = '', chinese = '') => {
      const day = weekdayName(WEEKDAYS.findIndex((names) => names.includes(japanese || chinese)))
      if (/^[先上]/.test(week)) return ` ${day} last week `
      if (/^[来下]/.test(week)) return ` ${day} next week `
      return week === '' ? ` on ${day} ` : ` ${day} this week `
    })
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
/** From Sunday on. */
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** @param month 1 to 12; other numbers stay numbers */
function monthName(month: number): string {
  return MONTHS[month - 1] ?? String(month)
}

/** @param weekday 0 for Sunday */
function weekdayName(weekday: number): string {
  return DAYS[weekday]!
}

/** The English name of a month or weekday of a language; of French and Spanish only in lower case, because `Julio` is a name. */
function calendarName(word: string, locale: string): string | undefined {
  const found = monthsAndWeekdays(locale).get(locale === 'de' ? word.toLowerCase() : word)
  if (found?.kind === 'month') return monthName(found.month)
  return found?.kind === 'weekday' ? weekdayName(found.weekday) : undefined
}
