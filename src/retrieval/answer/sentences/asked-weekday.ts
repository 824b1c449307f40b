import { englishForm } from '../../question/languages/english-form.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof DAYS)[number]
const WEEKDAY = /\b(mon|tue|wed|thu|fri|sat|sun)(?:(?:s|nes|rs|ur)?days?|s|nes|rs|r)?\b/gi
/** `sun`, `sat`, `wed` and `mon` are words of their own unless they are written as names of days. */
const SHORT = /^(?:mon|wed|sat|sun|fri|thus|fris|mons|sats|suns|weds)$/
/** How much a sentence with another weekday only loses, and how much one with the day that is asked for gains. */
const OTHER_DAY = 3
const ASKED_DAY = 1.5

/** Ranks what is said of another weekday behind the rest: `Declan can do Tuesday` to `Who drives on Fridays?` */
export function askedWeekdayFirst(
  sentences: readonly AnswerSentence[],
  { text, kind }: AskedQuestion,
): readonly AnswerSentence[] {
  const asked = weekdaysIn(text)
  if (asked.size === 0 || kind === 'time') return sentences
  return sentences
    .map((sentence) => {
      const named = weekdaysIn(sentence.text)
      if (named.size === 0) return sentence
      const isAsked = !named.isDisjointFrom(asked)
      return { ...sentence, score: sentence.score + (isAsked ? ASKED_DAY : -OTHER_DAY) }
    })
    .toSorted((a, b) => b.score - a.score)
}

function weekdaysIn(written: string): ReadonlySet<Weekday> {
  const found = [...englishForm(written).text.matchAll(WEEKDAY)].filter(([word]) => !SHORT.test(word))
  return new Set(found.map(([, day = '']) => day.toLowerCase() as Weekday))
}
