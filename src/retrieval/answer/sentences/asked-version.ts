import { holdsKind } from '../../question/answer-kind.ts'
import type { History } from '../../recall/history.ts'
import { askedStatement, REPLACES } from '../../recall/newest-statement.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import { saysChanged } from '../evidence/changed-appointment.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

interface AskedSentences {
  readonly read: readonly ReadChunk[]
  readonly newest: History<number>
  readonly question: AskedQuestion
}

/** Starts with the best sentence of the requested statement: the newest, the one before, or the first. */
export function askedFirst(
  sentences: readonly AnswerSentence[],
  { read, newest, question }: AskedSentences,
  { history }: { readonly history: History<number> },
): readonly AnswerSentence[] {
  const [best] = sentences
  if (best === undefined) return sentences
  const chunkOf = ({ passage }: AnswerSentence) => read[passage]!.row.chunkId
  const own = chunkOf(best)
  const current = newest.currentOf(own) ?? history.currentOf(own) ?? own
  const older = [...newest.replacedBy(current), ...history.replacedBy(current)]
  const asked = askedStatement(question.text)
  const wanted = asked === 'original' ? older.at(-1) : asked === 'before' ? older[0] : newest.currentOf(own)
  const stated = sentences.filter((sentence) => chunkOf(sentence) === wanted && sentence.features.isQuestion === 0)
  const moving =
    question.kind === 'time'
      ? stated.find(({ text }) => saysChanged(text) || (holdsKind('time', text, 0) && REPLACES.test(text)))
      : undefined
  const first = moving ?? stated[0]
  if (first === undefined) return sentences
  return [{ ...first, score: best.score }, ...sentences.filter((sentence) => sentence !== first)]
}
