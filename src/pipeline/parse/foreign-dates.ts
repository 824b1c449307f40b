import { monthNumber } from './month-names.ts'

export interface WrittenDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

// 2026年4月18日 | 2026년 4월 18일
const IDEOGRAPHIC = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/g
// 3. März 2026 | le 1er mai 2026 | 12 мая 2026 года | 4 de marzo de 2026
const NAMED = /(?<![\d.,:])(\d{1,2})(?:\.|º|er)?\s(?:de\s)?(\p{L}{3,12})\.?,?\s(?:de\s|del\s)?(\d{4})(?!\d)/gu

/** Full dates in languages that the English parser does not read, in the order in which they stand. */
export function foreignDates(text: string): WrittenDay[] {
  const found: { at: number; day: WrittenDay }[] = []
  for (const match of text.matchAll(IDEOGRAPHIC)) {
    found.push({ at: match.index, day: { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) } })
  }
  for (const match of text.matchAll(NAMED)) {
    const month = monthNumber(match[2] ?? '')
    if (month !== undefined)
      found.push({ at: match.index, day: { year: Number(match[3]), month, day: Number(match[1]) } })
  }
  return found
    .filter(({ day: { month, day } }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
    .toSorted((a, b) => a.at - b.at)
    .map(({ day }) => day)
}
