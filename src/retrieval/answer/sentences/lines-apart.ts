import { isBrokenByWriter } from '../../../lib/broken-lines.ts'
import { plainText } from '../../../lib/sentences.ts'

/** What shows where a line ends in a sentence. */
const SHOWN_BY = { before: 24, behind: 12 }
const MARKED_END = /[.!?…:;,。！？：；，(–—-]["'”’)\]]*$/
/** A clause that the next line goes on with. */
const UNFINISHED =
  /(?<!\p{L})(?:is|are|was|were|am|be|has|have|had|will|would|can|could|should|must|not|that|which|who|than|as|ist|sind|war|hat|haben|wird|nicht|dass|est|sont|a|ont|que|qui|es|son|está|ha)$/iu
/** `ginger 2 tsp` and `vinegar: 1 litre` begin an entry in lower case; `because the kitchen orders` does not. */
const CONTINUES = /^\p{Ll}(?!.{0,24}[\d:])/u

/**
 * A sentence in which lines that its writer ended are separated: `1 kg feijoas; 500 g onions`. Without marks they would run together.
 * @param text the passage of the sentence
 */
export function linesApart(sentence: string, text: string): string {
  let apart = sentence
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) {
    const lines = paragraph.split('\n')
    if (lines.length < 2 || !isBrokenByWriter(lines)) continue
    for (const [i, line] of lines.slice(0, -1).entries()) {
      const end = plainText(line).slice(-SHOWN_BY.before)
      const next = plainText(lines[i + 1]!)
      const start = next.slice(0, SHOWN_BY.behind)
      if (end === '' || start === '' || MARKED_END.test(end) || UNFINISHED.test(end) || CONTINUES.test(next)) continue
      apart = apart.replace(`${end} ${start}`, () => `${end}; ${start}`)
    }
  }
  return apart
}
