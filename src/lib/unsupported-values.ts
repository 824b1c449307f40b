import { casual } from 'chrono-node'
import { analyze } from './analyze.ts'
import { zoneOffsetMinutes } from './clock.ts'

/** The evidence for an answer. */
export interface Support {
  readonly text: string
  /** Title, speaker and other fields. */
  readonly head?: string
  readonly at?: Date
}

interface Asked {
  readonly text: string
  readonly now: Date
  readonly timeZone: string
}

const MARKS = /\[\d{1,4}(?:\s*,\s*\d{1,4})*\]/g
const NUMBER = /\d[\d.,:]*\d|\d/g
/** Capitalized within a sentence. */
const NAME = /(?<=[\p{L}\p{N},;:)”"’'] )["“(]?\p{Lu}[\p{L}\p{M}\p{N}]+/gu
const NO_NAME = /^(?:I|Yes|No|The|A|An|On|In|At|It|He|She|They|We|You|Your)$/u

/**
 * Values of an answer that are neither in the question nor in its evidence: numbers, days and names. A day may have
 * other words in the evidence: `Friday` said on 9 May is 15 May. The number of marks may be counted.
 */
export function unsupportedValues(answer: string, sources: readonly Support[], asked: Asked): string[] {
  const plain = answer.replaceAll(MARKS, ' ')
  const known = sources.map(({ text, head = '' }) => `${head}\n${text}`)
  const text = [asked.text, ...known].join('\n')
  const days = new Set([
    ...sources.flatMap((source) => daysIn(source.text, source.at ?? asked.now, asked.timeZone)),
    ...sources.flatMap(({ at }) => (at === undefined ? [] : [dayKey(at, asked.timeZone)])),
    ...daysIn(asked.text, asked.now, asked.timeZone),
  ])
  const told = casual.parse(plain, reference(asked.now, asked.timeZone)).filter(({ start }) => start.isCertain('day'))
  const wrongDays = told.filter(({ start }) => !days.has(key(start.get('month'), start.get('day'))))
  const rest = told.reduce((left, { text: day }) => left.replace(day, ' '), plain)
  const numbers = new Set(text.match(NUMBER)?.map(plainNumber))
  const counted = String(new Set(answer.match(MARKS)).size)
  const wrongNumbers = (rest.match(NUMBER) ?? []).filter(
    (number) => number !== counted && !numbers.has(plainNumber(number)),
  )
  // `PLAT` of `PLAT-1432` is one of several parts of a term.
  const words = new Set([...analyze(text), ...(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])])
  const wrongNames = (rest.match(NAME) ?? [])
    .map((name) => name.replace(/^["“(]/, ''))
    .filter(
      (name) =>
        !NO_NAME.test(name) && !words.has(name.toLowerCase()) && !analyze(name).every((term) => words.has(term)),
    )
  return [...new Set([...wrongDays.map(({ text: day }) => day), ...wrongNumbers, ...wrongNames])]
}

function plainNumber(number: string): string {
  return number.replace(/[.,:]$/, '').replaceAll(',', '')
}

function daysIn(text: string, at: Date, timeZone: string): string[] {
  const from = reference(at, timeZone)
  return [{}, { forwardDate: true }].flatMap((option) =>
    casual
      .parse(text, from, option)
      .flatMap(({ start, end }) => [start, ...(end ? [end] : [])])
      .map((one) => key(one.get('month'), one.get('day'))),
  )
}

function reference(instant: Date, timeZone: string) {
  return { instant, timezone: zoneOffsetMinutes(instant, timeZone) }
}

function dayKey(at: Date, timeZone: string): string {
  const wall = new Date(at.getTime() + zoneOffsetMinutes(at, timeZone) * 60_000)
  return key(wall.getUTCMonth() + 1, wall.getUTCDate())
}

function key(month: number | null, day: number | null): string {
  return `${month}-${day}`
}
