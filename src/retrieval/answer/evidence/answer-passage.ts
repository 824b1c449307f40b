import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { neighbor } from '../../recall/features.ts'
import { mailSubject } from '../../recall/mail-thread.ts'
import { statedText } from '../../recall/pointing-lines.ts'
import { givenTitle, isIssue } from '../../recall/provenance.ts'
import { ownWords } from '../../recall/quote-text.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { AnswerPassage } from '../sentences/answer-sentence.ts'
import { personOfLogin } from './person-of-login.ts'

/** What exports of messages call their owner. */
export const OWNER_LABEL = /^(?:me|myself|you)$/i

/**
 * The chunks as passages whose sentences are compared with a question.
 *
 * @param userName the account's owner, whom exports of messages call `Me`
 */
export function toAnswerPassages(
  question: string,
  read: readonly ReadChunk[],
  ranking: Ranking,
  userName?: string,
): AnswerPassage[] {
  const dated = read.flatMap(({ row }) => row.at ?? []).toSorted((a, b) => a - b)
  return read.map((chunk): AnswerPassage => {
    const { row, position, passage, share } = chunk
    const subject = subjectWords(chunk)
    const title = row.kind === 'prose' ? givenTitle(chunk) : undefined
    return {
      text: ownWords(statedText(row, passage.text), row.kind === 'turn'),
      speaker: speakerOf(chunk, question, ranking, userName),
      ...(title !== undefined && { title }),
      share,
      sourceType: row.sourceType,
      isTurn: row.kind === 'turn',
      before: wordsBefore(ranking, position).union(subject),
      near: wordsNear(ranking, position).union(subject),
      headings: row.kind === 'prose' ? new Set(row.metaHashes) : subject,
      subject,
      recency: row.at === undefined || dated.length < 2 ? 0 : dated.lastIndexOf(row.at) / (dated.length - 1),
    }
  })
}

function speakerOf({ row, passage: { speaker } }: ReadChunk, question: string, { rows }: Ranking, userName?: string) {
  if (speaker === undefined) return undefined
  if (OWNER_LABEL.test(speaker)) return userName ?? speaker
  return isIssue(row.sourceType) ? (personOfLogin(speaker, question, rows, userName) ?? speaker) : speaker
}

/** Hashes of the words in the subject of a mail or the title of an issue, whose text seldom repeats what it is about. */
function subjectWords(chunk: ReadChunk): ReadonlySet<number> {
  const { row, passage } = chunk
  const isComment = row.kind === 'turn' && isIssue(row.sourceType)
  return new Set(analyze((isComment ? passage.title : mailSubject(chunk)) ?? '').map(hashTerm))
}

const NEAR = [-3, -2, -1, 1, 2, 3]

/** Words and speakers of the chunks around one, which tell whom a talk is with and about. */
function wordsNear({ rows }: Ranking, position: number): ReadonlySet<number> {
  const near = NEAR.map((distance) => rows[neighbor(rows, position, distance)])
  return new Set(near.flatMap((row) => (row === undefined ? [] : [...row.bodyHashes, ...row.metaHashes])))
}

/** Words of the two preceding chunks, which may contain the question. */
function wordsBefore({ rows }: Ranking, position: number): ReadonlySet<number> {
  const before = [-2, -1].map((distance) => rows[neighbor(rows, position, distance)])
  return new Set(before.flatMap((row) => [...(row?.bodyHashes ?? [])]))
}
