import type { Answer, Citation } from './write-answer.ts'

/** The number of a source behind a quotation, and not one in it. */
const MARK = /(?<=” |: |^)\[\d{1,2}\]/g

/**
 * One answer to two questions: the first line of each, with the sources that it cites. `undefined` if neither is answered, both
 * have the same line, or an answer is a list of its own.
 *
 * @param questions as they are asked
 */
export function joinAnswers(
  [first, second]: readonly [Answer, Answer],
  questions: readonly [string, string],
): Answer | undefined {
  if (first.abstained && second.abstained) return undefined
  const parts = [first, second].map(openingOf)
  if (parts.some((part) => part === undefined)) return undefined
  const [one, other] = parts as [Opening, Opening]
  if (!first.abstained && !second.abstained && one.line === other.line) return undefined
  const lines: string[] = []
  const sources: string[] = []
  const citations: Citation[] = []
  for (const [i, answer] of [first, second].entries()) {
    if (answer.abstained) {
      lines.push(`I found no clear answer to “${questions[i]!}”`)
      continue
    }
    const { line, cited } = [one, other][i]!
    const numberOf = new Map(cited.map(({ mark }, n) => [mark, `[${citations.length + n + 1}]`]))
    lines.push(line.replace(MARK, (mark) => numberOf.get(mark) ?? mark))
    sources.push(...cited.map(({ mark, source }) => source.replace(mark, numberOf.get(mark)!)))
    citations.push(...cited.map(({ citation }) => citation))
  }
  const text = lines.join('\n')
  const notice = first.notice ?? second.notice
  return {
    response: `${text}\n\n${sources.join('\n')}`,
    text,
    abstained: false,
    citations,
    ...(notice !== undefined && { notice }),
  }
}

interface Opening {
  readonly line: string
  readonly cited: readonly { readonly mark: string; readonly source: string; readonly citation: Citation }[]
}

/** The first line of an answer and what it cites; `undefined` where that line cites nothing, as one that announces a list. */
function openingOf({ text, response, abstained, citations }: Answer): Opening | undefined {
  const [line = ''] = text.split('\n')
  const sources = response.slice(text.length).trim().split('\n')
  const marks = new Set(line.match(MARK) ?? [])
  const cited = citations.flatMap((citation, i) => {
    const mark = `[${i + 1}]`
    const source = sources.find((one) => one.startsWith(`${mark} `))
    return marks.has(mark) && source !== undefined ? [{ mark, source, citation }] : []
  })
  return abstained || cited.length > 0 ? { line, cited } : undefined
}
