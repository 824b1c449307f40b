import type { AskResult } from '../../../src/domain/results.ts'
import type { AnswerMarks } from '../answer-marks.ts'
import { firstLine, firstSentence, withoutSources } from '../answer-text.ts'
import type { OwnQuestion } from './questions.ts'

/** English, German, French, Spanish. */
const MONTHS = [
  'january januar janvier enero',
  'february februar février febrero',
  'march märz mars marzo',
  'april avril abril',
  'may mai mayo',
  'june juni juin junio',
  'july juli juillet julio',
  'august août agosto',
  'september septembre septiembre',
  'october oktober octobre octubre',
  'november novembre noviembre',
  'december dezember décembre diciembre',
].map((names) => names.split(' '))
/** A letter or figure next to which a word goes on; Chinese and Japanese letters stand next to any word. */
const WORD_PART = '[[\\p{L}\\p{N}]--[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}]]'
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
  return new RegExp(`(?<!${WORD_PART}|\\d[.:])(?:${words})(?!${WORD_PART}|[.:]\\d)`, 'v')
}

/** `2026-03-10` or `03-10`: in words or figures of the languages of the lives, with that year or none. */
function datePattern(date: string): string {
  const [day, month, year] = date.split('-').reverse().map(Number) as [number, number, number | undefined]
  const month2 = String(month).padStart(2, '0')
  const day2 = String(day).padStart(2, '0')
  const names = MONTHS[month - 1]!.flatMap((name) => [name, `${name.slice(0, 3)}\\.?`])
  const [word, suffix] = [`(?:${names.join('|')})`, '(?:st|nd|rd|th|er|\\.)?']
  const otherYear = year === undefined ? '' : `(?!,? (?:del? )?(?!${year})\\d{4})`
  const anyYear = year ?? '\\d{4}'
  return [
    `0?${day}${suffix} (?:of |de )?${word}(?!\\p{L})${otherYear}`,
    `${word} 0?${day}${suffix}(?!\\d)${otherYear}`,
    `${anyYear}-${month2}-${day2}`,
    `0?${day}\\.0?${month}\\.${anyYear}`,
    `0?${day}/0?${month}/${anyYear}`,
    `(?:${anyYear}年|(?<!年))0?${month}月0?${day}[日号]`,
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
