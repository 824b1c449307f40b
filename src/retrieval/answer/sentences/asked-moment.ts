import { sentenceForm } from '../../question/languages/english-form.ts'
import type { Locale } from '../../question/languages/language.ts'

/** `What time does the party start?`: not on the 24th. */
export const ASKS_CLOCK =
  /^\W*(?:and |so )?(?:(?:at|by|from|until|till|since) )?what time (?!of\b)(?!.*\b(?:year|zone)\b)/i
/** Days and years, whose numbers are no hours. */
const DAYS =
  /\d{4}-\d\d-\d\d|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2} (?=\p{Lu}\p{Ll})|(?<=\b\p{Lu}\p{Ll}{2,8} )\d{1,2}\b(?!:)/gu
const HOURS =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|midday|mornings?|afternoons?|evenings?|lunch(?:time)?|sunset|sunrise|dawn|dusk|after (?:school|work|dinner|breakfast))\b/i
/** `Until when can I cancel?`: not when it starts. */
const ASKS_END = /^\W*(?:and |so )?(?:until|till|by) when\b/i
const SAYS_END = /\b(?:until|till|by|before|deadline|latest|to)\b/i
/** `On what weekday is the class?` */
const ASKS_WEEKDAY = /^\W*(?:and |so )?(?:on )?what weekday\b/i
const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i
/** `On what day is the meeting in December?` */
const IN_MONTH = /\bin (January|February|March|April|May|June|July|August|September|October|November|December)\b/
const MONTHS = /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g

/** Whether a text has a time of day; true in languages without spaces, whose forms are not known. */
export function holdsClock(text: string, locale: Locale | undefined): boolean {
  const english = sentenceForm(text, locale).text
  const isUnknown = english !== text && !/^[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u.test(text)
  return isUnknown || HOURS.test(english.replaceAll(DAYS, ''))
}

/** Whether a sentence has the weekday that a question in another language asks for: `donnerstags`. */
export function holdsAskedWeekday(question: string, text: string, locale: Locale | undefined): boolean {
  return locale !== undefined && ASKS_WEEKDAY.test(question) && WEEKDAY.test(sentenceForm(text, locale).text)
}

/**
 * Whether the time in a sentence may be the one that a question in another language asks for: a time of day, an end, a weekday,
 * or one in its month. True for questions in English.
 */
export function suitsAskedTime(question: string, text: string, locale: Locale | undefined): boolean {
  if (locale === undefined) return true
  const english = sentenceForm(text, locale).text
  if (ASKS_CLOCK.test(question)) return holdsClock(text, locale)
  if (ASKS_END.test(question)) return SAYS_END.test(english)
  if (ASKS_WEEKDAY.test(question)) return WEEKDAY.test(english)
  const asked = IN_MONTH.exec(question)?.[1]
  const named = english.match(MONTHS) ?? []
  return asked === undefined || named.length === 0 || named.some((month) => month === asked)
}
