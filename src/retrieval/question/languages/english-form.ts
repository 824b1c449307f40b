import { type CalendarWord, calendarWord } from '../../../lib/calendar-names.ts'
import { remembered } from '../../../lib/remembered.ts'
import { languageOf } from './language-of.ts'

/** A question or a sentence in the form in which patterns read it. */
export interface EnglishForm {
  /** With English question words, pronouns, prepositions and times; other words as they are written. */
  readonly text: string
  /** Months and weekdays as they are written, because texts of that language have them so. */
  readonly calendarWords: readonly string[]
}

const KEPT_OR_WORD = /\{([^{}]*)\}|[\p{L}\p{M}]+(?:[-'][\p{L}\p{M}]+)*/gu
const FULL_DATE = /((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})[日号號]/gu
const YEAR_AND_MONTH = /((?:19|20)\d\d)年(\d{1,2})月/gu
const MONTH_AND_DAY = /(\d{1,2})月(\d{1,2})[日号號]/gu
const MONTH = /(?<!\d)(\d{1,2})月/gu
const ASIAN_WEEKDAY =
  /(先週|今週|来週|上个?|這個?|这个?|本|下个?)?の?(?:([月火水木金土日])曜日?|(?:周|星期|礼拜|禮拜|週)([一二三四五六日天]))/gu
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
  if (language === undefined) return { text, calendarWords: [] }
  if (!language.isSpaced) {
    const dated = withAsianDays(text)
    const phrased = language.phrases.reduce((left, [pattern, english]) => left.replace(pattern, english), dated)
    return { text: oneSpaced(phrased), calendarWords: [] }
  }
  const phrased = language.phrases.reduce((left, [pattern, english]) => left.replace(pattern, kept(english)), text)
  const calendarWords: string[] = []
  const worded = phrased.replace(KEPT_OR_WORD, (word, english?: string) => {
    if (english !== undefined) return english
    const day = calendarWord(word)
    if (day !== undefined && day.kind !== 'relative') calendarWords.push(word)
    const known = language.words.get(word.toLowerCase())
    if (known !== undefined) return known === '_' ? '' : known
    return englishDay(day) ?? word
  })
  const form = oneSpaced(worded).replace(WITHOUT_AUXILIARY, '$1 does')
  const named = language.capitalizesNouns ? form.replace(NOUN, (noun) => noun.toLowerCase()) : form
  return { text: named, calendarWords }
})

/** A question in the form in which it is read, and as it was written where that is another. */
export function questionForm(question: string): { readonly text: string; readonly written?: string } {
  const { text } = englishForm(question)
  return text === question ? { text } : { text, written: question }
}

/** The English of a phrase in braces, so that it isn't looked up again. */
function kept(english: string): string {
  return english.includes('$') || !/\p{L}/u.test(english) ? english : `{${english}}`
}

function oneSpaced(text: string): string {
  return text.replace(/ {2,}/g, ' ').trim()
}

/** The English name of a month, of a weekday or of a day near today. */
function englishDay(found: CalendarWord | undefined): string | undefined {
  if (found?.kind === 'month') return monthName(found.month)
  if (found?.kind === 'weekday') return weekdayName(found.weekday)
  if (found?.kind !== 'relative') return undefined
  return { '-2': '2 days ago', '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[String(found.days)]
}

function withAsianDays(text: string): string {
  return text
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

/** @param month 1 to 12 */
function monthName(month: number): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1, 1))
}

/** @param weekday 0 for Sunday */
function weekdayName(weekday: number): string {
  // 4 January 2026 was a Sunday.
  return new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + weekday))
}
