import { analyze, hashTerm } from '../../lib/analyze.ts'
import type { ChunkRow, SearchIndex } from '../../store/search/search.ts'
import { isOfMail } from './provenance.ts'
import type { Ranking } from './rank-chunks.ts'
import type { ReadChunk } from './read-chunks.ts'

/** `Re: `, `AW: `, `Fwd: ` */
const REPLY_MARK = /^(?:\s*(?:re|aw|antw|sv|fwd?|wg)\s*(?:\[\d+\])?:)+\s*/i
/** How long after a question a mail with its subject is its reply. */
const REPLIED_WITHIN_MS = 30 * 86_400_000
/** Number of mails behind a question whose subjects are read. */
const MOST_BEHIND = 5
/** A reply gets this share of its question's score. */
export const REPLY_SHARE = 0.9

/** The subject of a mail, the same for its replies; `undefined` for anything else. */
export function mailSubject(one: Pick<ReadChunk, 'row' | 'passage'>): string | undefined {
  const { title } = one.passage
  return isOfMail(one) && title !== undefined ? title.replace(REPLY_MARK, '').trim().toLowerCase() : undefined
}

/** The first mail of somebody else with the subject of a mail that asks, if it is an item of its own. */
export async function mailReply(
  asking: ReadChunk,
  ranking: Ranking,
  index: SearchIndex,
): Promise<ReadChunk | undefined> {
  const behind = await mailsBehind(asking, ranking, index)
  return behind.find(({ passage }) => passage.speaker !== asking.passage.speaker)
}

/** The next mails with the subject of a mail, oldest first, that are items of their own. */
export async function mailsBehind(first: ReadChunk, { rows }: Ranking, index: SearchIndex): Promise<ReadChunk[]> {
  const subject = mailSubject(first)
  const { at } = first.row
  if (subject === undefined || at === undefined) return []
  const words = analyze(subject).map(hashTerm)
  const isBehind = ({ kind, itemKey, at: sentAt, metaHashes }: ChunkRow) =>
    kind === 'prose' &&
    itemKey !== first.row.itemKey &&
    sentAt !== undefined &&
    sentAt > at &&
    sentAt < at + REPLIED_WITHIN_MS &&
    words.every((word) => metaHashes.includes(word))
  const behind = [...rows.keys()]
    .filter((position) => isBehind(rows[position]!))
    .toSorted((a, b) => rows[a]!.at! - rows[b]!.at!)
    .slice(0, MOST_BEHIND)
  const passages = await index.passages(behind.map((position) => rows[position]!.chunkId))
  const read = behind.flatMap((position): ReadChunk[] => {
    const row = rows[position]!
    const passage = passages.get(row.chunkId)
    return passage === undefined ? [] : [{ row, position, share: first.share * REPLY_SHARE, passage }]
  })
  return read.filter((one) => mailSubject(one) === subject)
}
