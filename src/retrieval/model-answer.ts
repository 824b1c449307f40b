import { z } from 'zod'
import { comparable, wordsQuoted } from '../lib/find-quote.ts'

/** Characters of the sentences, without the lines that say where they are from. */
export const MOST_ANSWER_CHARACTERS = 1_000
/** Lines that say where an answer is from. */
export const MOST_CITED = 6

const SHAPE = z.object({
  abstained: z.boolean().describe('true: the passages do not answer the question'),
  answer: z.string().describe('empty when abstained'),
  citations: z.array(z.object({ n: z.int().describe('of the passage'), quote: z.string().describe('verbatim') })),
})
export type ModelAnswer = z.infer<typeof SHAPE>

interface Passage {
  readonly n: number
  readonly text: string
}

const MARK = /\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]/g
const ADDRESS = /(?:\b[a-z][a-z0-9+.-]{1,20}:)?\/\/[^\s<>"'“”()[\]]+/gi
/** Of Markdown or HTML: whoever shows the answer may fetch a picture, and its address may tell what others said. */
const LINK =
  /\]\(|^\s*\[[^\]\n]*\]:|<(?:a|audio|embed|form|iframe|image|img|link|object|picture|script|source|style|svg|video)\b/im

/**
 * What a language model may answer from these passages: sentences with marks `[n]`, where each mark has a citation, each
 * citation a passage, and each quote stands in its passage. Messages are for the model, which may repair its answer.
 */
export function modelAnswer(passages: readonly Passage[]): z.ZodType<ModelAnswer> {
  return SHAPE.superRefine((answer, context) => {
    if (answer.abstained) return
    const issues = [...citationIssues(answer, passages), ...textIssues(answer, passages)]
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path, message })
  })
}

/** Numbers of the passages that the marks name, in the order in which they are named first. */
export function marksIn(answer: string): number[] {
  return [...new Set([...answer.matchAll(MARK)].flatMap((mark) => numbersOf(mark[1] ?? '')))]
}

/** The answer with other numbers in its marks. `[2, 5]` becomes `[1][2]`. */
export function withMarks(answer: string, numberOf: (n: number) => number): string {
  return answer.replace(MARK, (_, numbers: string) =>
    numbersOf(numbers)
      .map((n) => `[${numberOf(n)}]`)
      .join(''),
  )
}

function numbersOf(marks: string): number[] {
  return marks.split(',').map(Number)
}

interface Issue {
  readonly path: (string | number)[]
  readonly message: string
}

function citationIssues({ citations }: ModelAnswer, passages: readonly Passage[]): Issue[] {
  const texts = new Map(passages.map(({ n, text }) => [n, text]))
  return citations.flatMap(({ n, quote }, i): Issue[] => {
    const text = texts.get(n)
    if (text === undefined) return [{ path: ['citations', i, 'n'], message: `there is no passage ${n}` }]
    if (wordsQuoted(text, quote) !== undefined) return []
    const message = `this does not stand in the text of passage ${n}: copy consecutive words letter by letter`
    return [{ path: ['citations', i, 'quote'], message }]
  })
}

function textIssues({ answer, citations }: ModelAnswer, passages: readonly Passage[]): Issue[] {
  const cited = new Set(citations.map(({ n }) => n))
  const marks = marksIn(answer)
  const sources = passages.map(({ text }) => comparable(text))
  const messages = [
    ...(marks.length === 0 ? ['has no mark [n]: mark what each sentence rests on, or abstain'] : []),
    ...(marks.length > MOST_CITED ? [`rests on more than ${MOST_CITED} passages: name the best`] : []),
    ...marks.filter((n) => !cited.has(n)).map((n) => `[${n}] has no citation`),
    ...(answer.length > MOST_ANSWER_CHARACTERS ? [`has more than ${MOST_ANSWER_CHARACTERS} characters`] : []),
    // A line that begins with a mark would pass for one of those that say where the answer is from.
    ...(/^\s*\[\d/m.test(answer) ? ['no line may begin with a mark'] : []),
    ...(LINK.test(answer) ? ['has a link or a picture: plain text only'] : []),
    ...(inventsAddress(answer, sources) ? ['has an address that stands in no passage: leave it out'] : []),
  ]
  return messages.map((message) => ({ path: ['answer'], message }))
}

/** Whatever a passage may have talked the model into: no address that carries away what others say. */
function inventsAddress(answer: string, sources: readonly string[]): boolean {
  const addresses = (answer.match(ADDRESS) ?? []).map((address) => comparable(address.replace(/[.,;:!?*_`]+$/, '')))
  return addresses.some((address) => !sources.some((source) => source.includes(address)))
}
