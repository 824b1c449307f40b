/** `[1] “Noise on the terrace”, email, 26 May 2026`: where a quotation is from. */
const SOURCE_LINE = /^\[\d+\] .*$/gm
/** A full stop behind these ends no sentence. */
const ABBREVIATION = /(?:\b(?:Dr|Mr|Mrs|Ms|St|No|vs|e\.g|i\.e|approx)|\b\p{Lu})\.$/u
const SENTENCE_END = /[.!?…]["”’)]*(?:\s*\[\d+\])*(?=\s+(?:[“"(\p{Lu}\d-])|\s*$)|[。！？]["”’)」』]*/gu

/** What an answer says, without the list of its sources. */
export function withoutSources(response: string): string {
  return response.replaceAll(SOURCE_LINE, '').trim()
}

/** What stands behind the number of a quotation: `[1] (“tomorrow” is 14 February 2026)`. */
const REMARK = /\[\d+\] (\([^)\n]*\))/

/** The first line of an answer: who said it and when, the quotation, and a remark on its dates. */
export function firstLine(response: string): string {
  return withoutSources(response).split('\n')[0] ?? ''
}

/** The first line up to the end of its first sentence, also within a quotation, with the remark on its dates. */
export function firstSentence(response: string): string {
  const line = firstLine(response)
  const remark = REMARK.exec(line)?.[1] ?? ''
  for (const { index, 0: end } of line.matchAll(SENTENCE_END)) {
    const sentence = line.slice(0, index + end.length)
    if (!ABBREVIATION.test(line.slice(0, index + 1)))
      return sentence.includes(remark) ? sentence : `${sentence} ${remark}`
  }
  return line
}
