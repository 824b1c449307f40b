import { isCodeFence } from '../../../lib/markup/text-blocks.ts'

/** A statement of an answer, with the code below it. */
export interface AnswerPart {
  /** Without marks of citations. */
  readonly text: string
  /** Its lines, unchanged. */
  readonly code?: string
  readonly citations: readonly number[]
  /** A newer statement replaced it. */
  readonly isEarlier: boolean
}

const MARK = /\s*\[(\d{1,4})\]/g
/** How the service begins a line with what was true before. */
const EARLIER = /^Earlier:\s*/

/**
 * The statements of an answer, those that hold first. Marks without a citation stay text.
 * @param numbers of the citations
 * @param isOutdated whether a newer statement replaced what a citation quotes
 */
export function answerParts(
  response: string,
  numbers: readonly number[],
  isOutdated: (n: number) => boolean = () => false,
): readonly AnswerPart[] {
  const parts: AnswerPart[] = []
  let isCode = false
  for (const line of response.split('\n')) {
    if (isCodeFence(line)) {
      isCode = !isCode
      continue
    }
    if (isCode) {
      const { code, ...statement } = parts.pop() ?? { text: '', citations: [], isEarlier: false }
      parts.push({ ...statement, code: code === undefined ? line : `${code}\n${line}` })
      continue
    }
    const part = answerPart(line.trim(), numbers, isOutdated)
    if (part.text.trim() !== '') parts.push(part)
  }
  // An answer to a question about before consists of them.
  if (parts.every(({ isEarlier }) => isEarlier)) return parts.map((part) => ({ ...part, isEarlier: false }))
  return parts.toSorted((a, b) => Number(a.isEarlier) - Number(b.isEarlier))
}

function answerPart(line: string, numbers: readonly number[], isOutdated: (n: number) => boolean): AnswerPart {
  const citations = [...line.matchAll(MARK)].map((match) => Number(match[1])).filter((n) => numbers.includes(n))
  const text = line.replace(MARK, (mark, n: string) => (numbers.includes(Number(n)) ? '' : mark))
  const isEarlier = EARLIER.test(text) || (citations.length > 0 && citations.every(isOutdated))
  return { text: text.replace(EARLIER, ''), citations, isEarlier }
}

/** A statement that lists several things, one by one. */
export interface StatedList {
  /** `Found 7 still open in “Trip to Oslo”:`, or empty. */
  readonly opening: string
  readonly entries: readonly string[]
}

/** How the service begins a statement with the entries of a note. */
const LISTED = /^(Found [^\n]+?:) “([^\n]+)”$/
const LEAST_ENTRIES = 3
const BETWEEN_QUOTES = /(?<=”); (?=\S)/

/** The entries of a statement that would be one long line: those of a note, or the quotations of several sources. */
export function statedList(text: string): StatedList | undefined {
  const [, opening = '', words = ''] = LISTED.exec(text) ?? []
  const entries = words.split('; ')
  if (entries.length >= LEAST_ENTRIES) return { opening, entries }
  const quotes = text.split(BETWEEN_QUOTES)
  return quotes.length > 1 ? { opening: '', entries: quotes } : undefined
}
