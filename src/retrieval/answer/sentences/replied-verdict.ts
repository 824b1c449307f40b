import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { withVerbs } from '../../question/irregular-verbs.ts'
import { neighbor } from '../../recall/features.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadSentences } from '../evidence/read-sentences.ts'
import { type AnswerSentence, contentTerms } from './answer-sentence.ts'

const SAYS_NO = /^\W*(?:no|nope|nah|not yet|not (?:really|at all|any ?more|now|this year)|never)\b/i
const SAYS_YES = /^\W*(?:yes|yep|yeah|yup|of course|sure|absolutely|definitely|certainly|will do)\b/i
const ASKS_BROKEN = /\b(?:broken|damaged|leaking|leaky|stuck|jammed|out of order)\b/i
const SAYS_MENDED =
  /^\W*(?:(?:I|we|he|she|they)(?:['’]ve| have| had)? |it(?:['’]s| is| was| has been) )?(?:just |already )?(?:fixed|repaired|mended|replaced)\b/i
/** A question for yes or no, also at the end of a turn. */
const ASKS_WHETHER =
  /(?:^|[.,!;:–—]\s+)(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should)\b[^.!?]*\?\W*$/i
/** `Can we replace it?`, `Yes` says nothing of how it is. */
const MODAL = /\b(?:can|could|would|should)\b/i
const NEGATED = /\b(?:not|never|no)\b|n['’]t\b/i
/** Minimum share of a question in the one that was replied to, for the same question or a similar one. */
const LEAST_OWN = { same: 0.6, similar: 0.3 }
/** The same with the sentences around it. */
const LEAST_AROUND = 0.6

/**
 * Somebody else's question for the same yes or no, and the reply to it: `Will you appeal?`, `No, I haven't the energy`.
 * The reply shares no words with the question.
 */
export function repliedVerdict(
  { question, sentences, passages, read }: ReadSentences,
  { rows }: Ranking,
  likeness: keyof typeof LEAST_OWN,
): { readonly sentence: AnswerSentence; readonly word: 'Yes' | 'No' } | undefined {
  if (question.kind !== 'yes-no' || NEGATED.test(question.text)) return undefined
  const content = contentTerms(question.terms, question.people)
  const total = content.reduce((sum, { weight }) => sum + weight, 0)
  const share = (held: ReadonlySet<number>) =>
    content.reduce((sum, { hash, weight }) => sum + (held.has(hash) ? weight : 0), 0) / (total || 1)
  for (const sentence of sentences) {
    const asking = passages[sentence.passage]!
    const { position, row } = read[sentence.passage]!
    if (MODAL.test(sentence.text) && !MODAL.test(question.text)) continue
    if (row.kind !== 'turn' || !ASKS_WHETHER.test(sentence.text) || NEGATED.test(sentence.text)) continue
    const at = neighbor(rows, position, 1)
    const reply = at < 0 ? -1 : read.findIndex((one) => one.position === at)
    if (reply < 0 || passages[reply]!.speaker === asking.speaker) continue
    const own = new Set(analyze(withVerbs(sentence.text)).map(hashTerm))
    const around = own
      .union(asking.before)
      .union(new Set(analyze(`${asking.text} ${asking.speaker} ${passages[reply]!.speaker}`).map(hashTerm)))
    if (share(own) < LEAST_OWN[likeness] || share(around) < LEAST_AROUND) continue
    if (![...question.names].every((name) => around.has(hashTerm(name)))) continue
    const word = repliedWord(passages[reply]!.text, question.text)
    if (word !== undefined) return { sentence, word }
  }
  return undefined
}

/** The verdict of a reply to a yes-no question: `Not yet` is No, as `Fixed it` is to `Is it still broken?` */
export function repliedWord(reply: string, question: string): 'Yes' | 'No' | undefined {
  if (SAYS_NO.test(reply) || (ASKS_BROKEN.test(question) && SAYS_MENDED.test(reply))) return 'No'
  return SAYS_YES.test(reply) ? 'Yes' : undefined
}
