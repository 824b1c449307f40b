import { z } from 'zod'
import { comparable, wordsQuoted } from '../../lib/find-quote.ts'
import { type Support, unsupportedValues } from '../../lib/unsupported-values.ts'

/** A question, with when and where it is asked. */
export interface AskedOfModel {
  readonly text: string
  readonly now: Date
  /** IANA name; all times are written in it. */
  readonly timeZone: string
}

/** Characters of the sentences, without the lines that say where they are from. */
const MOST_ANSWER_CHARACTERS = 1_000
/** Citation lines below an answer. */
const MOST_CITED = 6

const SHAPE = z.object({
  abstained: z.boolean().describe('true: the passages do not answer the question'),
  answer: z.string().describe('empty when abstained'),
  citations: z.array(z.object({ n: z.int().describe('of the passage'), quote: z.string().describe('verbatim') })),
})
export type ModelAnswer = z.infer<typeof SHAPE>

/** The passages that an answer may use. */
export interface AnswerPassage extends Support {
  readonly n: number
}

const MARK = /\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]/g
const ADDRESS = /(?:\b[a-z][a-z0-9+.-]{1,20}:)?\/\/[^\s<>"'“”()[\]]+/gi
/** A picture in Markdown or HTML: a client may load it, and its address could leak what others said. */
const LINK =
  /\]\(|^\s*\[[^\]\n]*\]:|<(?:a|audio|embed|form|iframe|image|img|link|object|picture|script|source|style|svg|video)\b/im

/** An answer that is still arriving. */
const DRAFT = z.object({ abstained: z.literal(false), answer: z.string(), citations: z.unknown().optional() })
/** Up to the last sentence that is followed by something; in Japanese or Chinese, up to its full stop. */
const WHOLE_SENTENCES = /^[\s\S]*(?:[。！？](?:\s*\[[\d,\s]+\])*|[.!?…]["”’)]*(?:\s*\[[\d,\s]+\])*(?=\s))/

/**
 * What a language model may answer from these passages: sentences with marks `[n]`, where each mark has a citation, each
 * citation a passage, each quote stands in its passage, and so do numbers, days and names. Messages are for the model, which may repair its answer.
 */
export function modelAnswer(passages: readonly AnswerPassage[], asked: AskedOfModel): z.ZodType<ModelAnswer> {
  return SHAPE.superRefine((answer, context) => {
    if (answer.abstained) return
    const issues = [
      ...citationIssues(answer, passages),
      ...uncitedMarks(answer),
      ...textIssues(answer, passages, asked),
    ]
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path, message })
  })
}

/**
 * Reports the whole sentences of an answer while it arrives, as long as they have nothing that stands in no passage. Its
 * quotes come last, so that sentences may be shown before they are proved, but only as a draft.
 * @param onDraft called with all sentences so far, marks numbered by first mention
 * @returns takes what has arrived of the answer, unchecked
 */
export function draftReports(
  passages: readonly AnswerPassage[],
  asked: AskedOfModel,
  onDraft: (sentences: string) => void,
): (value: unknown) => void {
  const numbers = new Set(passages.map(({ n }) => n))
  let last = ''
  return (value) => {
    const { answer, citations } = DRAFT.safeParse(value).data ?? { answer: '' }
    const draft = citations === undefined ? (WHOLE_SENTENCES.exec(answer)?.[0] ?? '') : answer
    if (draft === '' || draft === last) return
    last = draft
    if (!marksIn(draft).every((n) => numbers.has(n))) return
    if (textIssues({ answer: draft }, passages, asked).length === 0) onDraft(plainSentences(draft))
  }
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

/** The sentences of an answer, with marks numbered by first mention. */
export function plainSentences(answer: string): string {
  const marks = marksIn(answer)
  return withMarks(answer, (n) => marks.indexOf(n) + 1)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

interface Issue {
  readonly path: (string | number)[]
  readonly message: string
}

function citationIssues({ citations }: ModelAnswer, passages: readonly AnswerPassage[]): Issue[] {
  const texts = new Map(passages.map(({ n, text }) => [n, text]))
  return citations.flatMap(({ n, quote }, i): Issue[] => {
    const text = texts.get(n)
    if (text === undefined) return [{ path: ['citations', i, 'n'], message: `there is no passage ${n}` }]
    if (wordsQuoted(text, quote) !== undefined) return []
    const message = `this does not stand in the text of passage ${n}: copy consecutive words letter by letter`
    return [{ path: ['citations', i, 'quote'], message }]
  })
}

function uncitedMarks({ answer, citations }: ModelAnswer): Issue[] {
  const cited = new Set(citations.map(({ n }) => n))
  return marksIn(answer)
    .filter((n) => !cited.has(n))
    .map((n) => ({ path: ['answer'], message: `[${n}] has no citation` }))
}

function textIssues(
  { answer }: Pick<ModelAnswer, 'answer'>,
  passages: readonly AnswerPassage[],
  asked: AskedOfModel,
): Issue[] {
  const unsupported = unsupportedValues(answer, passages, asked)
  const marks = marksIn(answer)
  const sources = passages.map(({ text }) => comparable(text))
  const messages = [
    ...(marks.length === 0 ? ['has no mark [n]: mark what each sentence rests on, or abstain'] : []),
    ...(marks.length > MOST_CITED ? [`rests on more than ${MOST_CITED} passages: name the best`] : []),
    ...(answer.length > MOST_ANSWER_CHARACTERS ? [`has more than ${MOST_ANSWER_CHARACTERS} characters`] : []),
    // A line that begins with a mark would look like a citation line.
    ...(/^\s*\[\d/m.test(answer) ? ['no line may begin with a mark'] : []),
    ...(LINK.test(answer) ? ['has a link or a picture: plain text only'] : []),
    ...(inventsAddress(answer, sources) ? ['has an address that stands in no passage: leave it out'] : []),
    ...unsupported.map((value) => `has ${JSON.stringify(value)}, which stands in no passage: leave it out, or abstain`),
  ]
  return messages.map((message) => ({ path: ['answer'], message }))
}

/** Against prompt injection: an address that is in no passage could leak what others said. */
function inventsAddress(answer: string, sources: readonly string[]): boolean {
  const addresses = (answer.match(ADDRESS) ?? []).map((address) => comparable(address.replace(/[.,;:!?*_`]+$/, '')))
  return addresses.some((address) => !sources.some((source) => source.includes(address)))
}
