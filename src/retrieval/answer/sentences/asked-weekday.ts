import { englishForm } from '../../question/languages/english-form.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** `on Fridays`, `every Friday`: what somebody does on that day of each week. */
const ASKED =
  /\b(?:every |each )?(mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:every|each) (mon|tues|wednes|thurs|fri|satur|sun)day\b/gi
const NAMED = /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:(tue)s?|(thu)(?:rs?)?)\b/gi
/** How much a sentence with another weekday only loses, and how much one with the day that is asked for gains. */
const OTHER_DAY = 3
const ASKED_DAY = 1.5

/** Ranks what is said of another weekday after the rest: `Declan can do Tuesday` to `Who drives on Fridays?` */
export function askedWeekdayFirst(
  sentences: readonly AnswerSentence[],
  { text, kind }: AskedQuestion,
): readonly AnswerSentence[] {
  const asked = weekdaysIn(text, ASKED)
  if (asked.size === 0 || kind === 'time') return sentences
  return sentences
    .map((sentence) => {
      const named = weekdaysIn(sentence.text, NAMED)
      if (named.size === 0) return sentence
      const isAsked = !named.isDisjointFrom(asked)
      return { ...sentence, score: sentence.score + (isAsked ? ASKED_DAY : -OTHER_DAY) }
    })
    .toSorted((a, b) => b.score - a.score)
}

/** The first two letters of each weekday. */
function weekdaysIn(written: string, pattern: RegExp): ReadonlySet<string> {
  const found = [...englishForm(written).text.matchAll(pattern)]
  return new Set(
    found.map(([day]) =>
      day
        .replace(/^(?:every|each) /i, '')
        .slice(0, 2)
        .toLowerCase(),
    ),
  )
}
