/** First and last days of the parts of a month; parts overlap, because people name them roughly. */
const PARTS: readonly (readonly [words: RegExp, firstDay: number, lastDay: number])[] = [
  [/^first\s+day/i, 1, 1],
  [/^first\s+week/i, 1, 8],
  [/^second\s+week/i, 8, 15],
  [/^third\s/i, 15, 22],
  [/^fourth\s/i, 22, 29],
  [/^last\s+day/i, 31, 31],
  [/^last\s/i, 22, 31],
  [/^early\W+to/i, 1, 22],
  [/^(?:early|beginning|start)/i, 1, 12],
  [/^first/i, 1, 16],
  [/^mid\W+to/i, 9, 31],
  [/^mid/i, 9, 22],
  [/^second/i, 15, 31],
  [/^(?:late|end)/i, 19, 31],
]
const PART =
  '(?:(?:early[\\s-]+to[\\s-]+mid|mid[\\s-]+to[\\s-]+(?:late|end)|early|mid|late)[\\s-]+|(?:beginning|start|middle|end|(?:first|second)\\s+half|(?:first|last|(?:second|third|fourth)(?=\\s+week))\\s+(?:day|week|weekend))\\s+of\\s+)'
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const PART_OF_MONTH = new RegExp(`\\b${PART}(?=${MONTH}\\b)`, 'gi')
const AT_END = new RegExp(`\\b${PART}$`, 'i')

/** A part of the month that a question names. */
export interface PartOfMonth {
  /** Where its words begin. */
  readonly index: number
  /** At most 31, whatever month it is. */
  readonly firstDay: number
  /** At most 31, whatever month it is. */
  readonly lastDay: number
}

/** The text with `in` before its months instead of a part of them, so that they can be parsed; as long as before. */
export function withWholeMonths(text: string): string {
  return text.replace(PART_OF_MONTH, (words) => 'in '.padStart(words.length))
}

/** `mid-` before the month at `index`; `undefined` where the whole month is meant. */
export function partOfMonth(text: string, index: number): PartOfMonth | undefined {
  const found = AT_END.exec(text.slice(0, index))
  const part = found && PARTS.find(([words]) => words.test(found[0]))
  return part ? { index: found.index, firstDay: part[1], lastDay: part[2] } : undefined
}
