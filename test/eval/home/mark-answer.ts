import type { AskResult } from '../../../src/domain/results.ts'
import type { AnswerMarks } from '../answer-marks.ts'
import { firstLine, firstSentence, withoutSources } from '../answer-text.ts'
import type { OwnQuestion } from './questions.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** Kinds whose answer is more than one sentence. */
const LONG_KINDS = new Set(['list', 'period'])

/** Marks an answer to a question of an owner by the rules of README.md. */
export function markOwnAnswer(
  question: OwnQuestion,
  owner: string,
  { response, abstained = false }: AskResult,
): AnswerMarks {
  const { kind, answer, speaker, date, outdated } = question
  if (answer === undefined) return { isAnswerable: false, abstained }
  const whole = plain(withoutSources(response))
  const isLong = LONG_KINDS.has(kind)
  const first = isLong ? whole : plain(firstLine(response))
  const sentence = isLong ? whole : plain(firstSentence(response))
  const holdsAll = (text: string) => !abstained && answer.every((group) => holds(text, group))
  return {
    isAnswerable: true,
    abstained,
    right: holdsAll(whole),
    first: holdsAll(first),
    sentence: holdsAll(sentence),
    ...(speaker !== undefined && {
      speaker: !abstained && holds(first, speaker === owner ? `${speaker}|you` : speaker),
    }),
    ...(date !== undefined && { date: !abstained && holds(first, `@${date}`) }),
    ...(outdated && {
      current: holdsAll(first),
      outdated: !abstained && !holdsAll(first) && outdated.some((value) => holds(first, value)),
    }),
  }
}

/** Whether a text holds one of the forms of a group, as whole words: `five years|5 years`, `@2026-03-10|six months`. */
export function holds(text: string, group: string): boolean {
  return group.split('|').some((form) => pattern(form).test(text))
}

function pattern(form: string): RegExp {
  const words = form.startsWith('@') ? datePattern(form.slice(1)) : RegExp.escape(plain(form))
  return new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.:])(?:${words})(?![\\p{L}\\p{N}]|[.:]\\d)`, 'u')
}

/** `2026-03-10` or `03-10`: in words or figures, with that year or none. */
function datePattern(date: string): string {
  const [day, month, year] = date.split('-').reverse().map(Number) as [number, number, number | undefined]
  const name = MONTHS[month - 1]!
  const month2 = String(month).padStart(2, '0')
  const day2 = String(day).padStart(2, '0')
  const [word, suffix] = [`(?:${name}|${name.slice(0, 3)}\\.?)`, '(?:st|nd|rd|th)?']
  const otherYear = year === undefined ? '' : `(?!,? (?!${year})\\d{4})`
  return [
    `0?${day}${suffix} (?:of )?${word}(?!\\p{L})${otherYear}`,
    `${word} 0?${day}${suffix}(?!\\d)${otherYear}`,
    `${year ?? '\\d{4}'}-${month2}-${day2}`,
  ].join('|')
}

/** Lower case, straight quotes, one space for many, and `4780` for `4,780` and `4 780`. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\[\d+\]/g, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d)[, ](?=\d{3}(?!\d))/g, '')
    .trim()
}
