import { analyze } from '../../src/lib/analyze.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const NUMBERS = new Map(
  'one two three four five six seven eight nine ten'.split(' ').map((word, i) => [word, String(i + 1)] as const),
)
/** `07.01.2024`, the day first. */
const NUMERIC_DATE = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g
/** Of the words of a gold answer. */
const LEAST_SHARE = 0.6

/** Whether a text holds three fifths of the words of a gold answer, numbers and months in whatever form. */
export function isRightAnswer(gold: string, text: string): boolean {
  const wanted = answerWords(gold)
  if (wanted.size === 0) return false
  const held = answerWords(text)
  return [...wanted].filter((word) => held.has(word)).length / wanted.size >= LEAST_SHARE
}

function answerWords(text: string): ReadonlySet<string> {
  let plain = text
    .toLowerCase()
    .replace(NUMERIC_DATE, (date, day: string, month: string, year: string) => {
      const name = MONTHS[Number(month) - 1]
      return name === undefined ? date : `${Number(day)} ${name} ${year}`
    })
    .replace(/\b0?(\d+)(?:st|nd|rd|th)\b/g, '$1')
    .replace(/\b0(\d)(?=,? \p{L})/gu, '$1')
  for (const month of MONTHS) {
    plain = plain.replace(new RegExp(`\\b${month.slice(0, 3)}(?:${month.slice(3)}|\\.)?(?=\\b|\\s|,)`, 'g'), month)
  }
  return new Set(analyze(plain).map((word) => NUMBERS.get(word) ?? word))
}
