/** What an amount measures. */
export type Dimension = 'length' | 'duration' | 'weight' | 'speed' | 'money'

/** An amount in the base unit of its dimension: metres, seconds, grams, kilometres per hour; of money in its currency. */
interface Amount {
  readonly dimension: Dimension
  readonly value: number
  /** Amounts of different currencies are not compared. */
  readonly unit: string
}

const METRES: Readonly<Record<string, number>> = {
  km: 1000,
  kilometre: 1000,
  kilometer: 1000,
  m: 1,
  metre: 1,
  meter: 1,
  cm: 0.01,
  centimetre: 0.01,
  centimeter: 0.01,
  mm: 0.001,
  mile: 1609.344,
  mi: 1609.344,
  yard: 0.9144,
  ft: 0.3048,
  foot: 0.3048,
  feet: 0.3048,
  inch: 0.0254,
  inche: 0.0254,
}
const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  h: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  year: 31_557_600,
}
const GRAMS: Readonly<Record<string, number>> = {
  g: 1,
  gram: 1,
  kg: 1000,
  kilo: 1000,
  kilogram: 1000,
  t: 1_000_000,
  ton: 1_000_000,
  tonne: 1_000_000,
  lb: 453.592,
  pound: 453.592,
  oz: 28.35,
  ounce: 28.35,
}
const SPEEDS: Readonly<Record<string, number>> = { 'km/h': 1, kmh: 1, mph: 1.609344, 'm/s': 3.6 }
const CURRENCIES: Readonly<Record<string, string>> = {
  euro: '€',
  eur: '€',
  dollar: '$',
  usd: '$',
  gbp: '£',
  chf: 'CHF',
}
const UNITS: readonly (readonly [Dimension, Readonly<Record<string, number>>])[] = [
  ['speed', SPEEDS],
  ['length', METRES],
  ['duration', SECONDS],
  ['weight', GRAMS],
]
const NUMBER = '\\d+(?:,\\d{3})*(?:\\.\\d+)?'
const AMOUNT = new RegExp(`(?<![\\p{L}\\d.,:])([€$£])? ?(${NUMBER})[ -]?(km/h|m/s|[€$£]|\\p{L}+)?`, 'gu')

/** The amounts with a unit in a text, in order. */
export function amountsIn(text: string): readonly Amount[] {
  return [...text.matchAll(AMOUNT)].flatMap(([, sign, digits = '', word = '']): Amount[] => {
    const value = Number(digits.replaceAll(',', ''))
    const unit = word.toLowerCase().replace(/(?<=\p{L}{2})s$/u, '')
    const currency = sign ?? CURRENCIES[unit] ?? (/^[€$£]$/.test(word) ? word : undefined)
    if (currency !== undefined) return [{ dimension: 'money', value, unit: currency }]
    const found = UNITS.find(([, units]) => Object.hasOwn(units, unit))
    return found === undefined ? [] : [{ dimension: found[0], value: value * found[1][unit]!, unit: '' }]
  })
}

const MEASURES = 'far|wide|tall|deep|thick|broad|heavy|fast'
const ASKS_MEASURE = new RegExp(`\\bhow (${MEASURES})\\b`, 'i')
const ASKS_EXTENT = /\bhow long (?:is|are|was|were)(?= (?:the|my|our|your|his|her|their|this|that|a) (?!\p{L}*ing\b))/iu
const DIMENSIONS: Readonly<Record<string, readonly Dimension[]>> = {
  heavy: ['weight'],
  fast: ['speed', 'duration'],
}

/** The dimensions of what `how wide` asks for; `undefined` for a question without a word of measure. */
export function askedMeasure(question: string): readonly Dimension[] | undefined {
  const word = ASKS_MEASURE.exec(question)?.[1]?.toLowerCase()
  if (word !== undefined) return DIMENSIONS[word] ?? ['length']
  return ASKS_EXTENT.test(question) ? ['length', 'duration'] : undefined
}

const MOST =
  'longest|farthest|furthest|tallest|highest|deepest|widest|biggest|largest|heaviest|fastest|most expensive|dearest'
const LEAST = 'shortest|smallest|lowest|narrowest|lightest|cheapest|least expensive|slowest'
const EXTREME = new RegExp(`\\b(?:(${MOST})|(${LEAST}))\\b`, 'i')
const OF_ANY = /biggest|largest|smallest|highest|lowest/
const OF_EXTREME: readonly (readonly [RegExp, readonly Dimension[]])[] = [
  [/expensive|cheapest|dearest/, ['money']],
  [/farthest|furthest|tallest|deepest|widest|narrowest/, ['length']],
  [/heaviest|lightest/, ['weight']],
  [/fastest|slowest/, ['speed', 'duration']],
  [/longest|shortest/, ['length', 'duration']],
  [/./, ['money', 'length', 'weight', 'duration']],
]

/** Which amount of several a question asks for. */
interface AskedExtreme {
  /** `longest` */
  readonly word: string
  readonly isMost: boolean
  /** The preferred dimension first. */
  readonly dimensions: readonly Dimension[]
}

export function askedExtreme(question: string): AskedExtreme | undefined {
  const found = EXTREME.exec(question)
  if (found === null) return undefined
  const word = found[0].toLowerCase()
  const [, dimensions = []] = OF_EXTREME.find(([pattern]) => pattern.test(word)) ?? []
  return { word, isMost: found[1] !== undefined, dimensions }
}

const LAST_TIME = /\b(?:the )?(?:last|latest|most recent) time\b|\b(?:most recently|latest|last)\W*$/i

/** Whether the newest of several amounts is asked for. */
export function asksLastAmount(question: string): boolean {
  return askedMeasure(question) !== undefined && LAST_TIME.test(question)
}

/** Whether several amounts have to be read to answer a question. */
export function comparesAmounts(question: string): boolean {
  return askedExtreme(question) !== undefined || asksLastAmount(question)
}

/** A question without the words of measure, which its answer has a unit for. */
export function withoutMeasure(question: string): string {
  const { word } = askedExtreme(question) ?? {}
  // The biggest challenge has no amount.
  if (word !== undefined) return OF_ANY.test(word) ? question : question.replace(EXTREME, ' ')
  if (askedMeasure(question) === undefined) return question
  return question.replace(ASKS_MEASURE, 'how').replace(ASKS_EXTENT, 'is').replace(LAST_TIME, ' ')
}
