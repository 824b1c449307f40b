import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { neighbor } from '../../recall/features.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadSentences } from '../evidence/read-sentences.ts'
import type { AnswerSentence } from './answer-sentence.ts'

/** `Is Femi coming to the party?`, `Can Petra make it?`, `Did Jon come to the regatta?` */
const ASKS =
  /^\W*(?:and |so |but )?(?:is|are|was|were|will|can|could|does|do|did)\s+(?<who>\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)?)\s+(?:be )?(?:come|coming|attend|attending|join|joining|make it|be there|going)\b(?<what>.*)$/iu
const GOES = '(?:come|make it|be there|attend|join|go)'
const DECLINES = new RegExp(
  `\\b(?:can['’]?t|cannot|can not|won['’]?t|not able to|unable to|(?:not|n['’]t)(?: be)?) (?:${GOES}|coming|attending|joining)\\b|\\bnot coming\\b|\\bcount me out\\b|\\bI['’]m out\\b`,
  'i',
)
const ACCEPTS =
  /\bI(?:['’]ll| will) (?:be there|come|join|attend)\b|\bcount me in\b|\bI(?:['’]m| am) (?:in\b(?=\W*$|[!.,])|coming|joining)|\bI can (?:make it|come|join)\b|\bwouldn['’]t miss it\b/i
/** Chunks before a statement that may name the occasion. */
const REACH = 8
/** Minimum share of the words of the occasion there. */
const LEAST_NAMED = 0.5

/**
 * The newest sentence by which somebody whom a question names comes to an occasion or declines: their own in the talk about
 * it, or one that says it of them; `undefined` for other questions. `I can't make it` shares no word with them.
 */
export function attendance(
  { question, sentences, passages, read }: ReadSentences,
  { rows }: Ranking,
): { readonly sentence: AnswerSentence; readonly word: 'Yes' | 'No' } | undefined {
  const { who, what = '' } = ASKS.exec(question.text)?.groups ?? {}
  if (who === undefined || !/^\p{Lu}/u.test(who)) return undefined
  const person = new Set(analyze(who))
  const occasion = new Set(analyze(what).map(hashTerm))
  const isOfOccasion = (at: number) => {
    const held = new Set<number>()
    for (let distance = -REACH; distance <= 0; distance++) {
      const row = rows[distance === 0 ? at : neighbor(rows, at, distance)]
      for (const hash of [...(row?.bodyHashes ?? []), ...(row?.metaHashes ?? [])]) held.add(hash)
    }
    return occasion.size > 0 && occasion.intersection(held).size >= LEAST_NAMED * occasion.size
  }
  const said = sentences.flatMap((sentence) => {
    const { speaker } = passages[sentence.passage]!
    const isOwn = speaker !== undefined && person.isSubsetOf(new Set(analyze(speaker)))
    const isOfThem = isOwn ? /\bI\b/.test(sentence.text) : isSubject(who, sentence.text)
    const word = DECLINES.test(sentence.text) ? 'No' : isOwn && ACCEPTS.test(sentence.text) ? 'Yes' : undefined
    const { row, position } = read[sentence.passage]!
    if (!isOfThem || word === undefined || sentence.features.isQuestion === 1 || !isOfOccasion(position)) return []
    return [{ sentence, word, at: row.at ?? 0 } as const]
  })
  return said.toSorted((a, b) => b.at - a.at)[0]
}

/** Whether a sentence says it of somebody: `Jon can't make it`. */
function isSubject(who: string, sentence: string): boolean {
  return new RegExp(`(?:^|[.,;–—]\\s|\\band |\\bbut )${who}(?:['’]s| is| can| will| won| cannot)\\b`, 'u').test(
    sentence,
  )
}
