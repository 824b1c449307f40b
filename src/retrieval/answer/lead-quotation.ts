/** A sentence of a passage that the first line of an answer quotes. */
export interface LeadSentence {
  readonly text: string
  /** Index in the sentences of its passage. */
  readonly position: number
}

/** Behind anything else, the next sentence of the passage began on a line of its own. */
const ENDS_SENTENCE = /[.!?…:;,。！？：；，]["'”’)\]]*$/

/** One quotation in the order of the passage: `A. B.`, `An item; another item`, or `A. … D.` where sentences are left out. */
export function quotationText(sentences: readonly LeadSentence[]): string {
  return runsOf(sentences)
    .map(({ text, isNext }, i) => (i === 0 ? text : `${isNext ? ';' : ' …'} ${text}`))
    .join('')
}

/** The same sentences as in the passage, one line for each unbroken stretch. */
export function quotedLines(sentences: readonly LeadSentence[]): string {
  return runsOf(sentences)
    .map(({ text }) => text)
    .join('\n')
}

/** The first sentences that have at most so many characters together. */
export function fittingSentences(sentences: readonly LeadSentence[], most: number): readonly LeadSentence[] {
  let characters = 0
  return sentences.filter(({ text }) => {
    characters += text.length
    return characters <= most
  })
}

interface Run {
  readonly text: string
  /** Whether it directly follows the previous run. */
  readonly isNext: boolean
}

function runsOf(sentences: readonly LeadSentence[]): Run[] {
  const runs: Run[] = []
  let last = Number.NaN
  for (const { text, position } of sentences.toSorted((a, b) => a.position - b.position)) {
    const isNext = position === last + 1
    const before = runs.at(-1)
    if (before !== undefined && isNext && ENDS_SENTENCE.test(before.text))
      runs[runs.length - 1] = { ...before, text: `${before.text} ${text}` }
    else runs.push({ text, isNext })
    last = position
  }
  return runs
}
