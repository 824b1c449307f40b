import type { QaRow, SearchIndex } from '../../../store/search/search.ts'
import { buildHistory, type History } from '../../recall/history.ts'
import { mailsBehind } from '../../recall/mail-thread.ts'
import { withOwnCorrections } from '../../recall/memory-edits.ts'
import type { Folded } from '../../recall/near-duplicates.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import { chunkStatement, type ReadChunk, readChunks } from '../../recall/read-chunks.ts'
import { findUpdates, type Update } from '../../recall/superseded.ts'
import { saysChanged } from './changed-appointment.ts'
import { closestParts } from './closest-parts.ts'
import type { Evidence, Source } from './evidence.ts'
import { matchingPair } from './matching-pair.ts'
import { readReplies } from './read-replies.ts'
import { MOST_READ } from './read-sentences.ts'

/** Minimum agreement with a stored question to show its answer without other passages. */
const SAME_WORDS = 0.85
/** Number of best chunks whose replies are read. */
const ANSWERED = 5
/** Number of chunks searched for newer statements. */
const COMPARED = 40
/** Least share of the question in one of two statements, as a share of that in the other. */
const BOTH_ASKED = 0.5

/** The best passages, with the stored pair and the replacements among their statements. */
export async function readEvidence(ranking: Ranking, index: SearchIndex, timeZone: string): Promise<Evidence> {
  const size = { size: COMPARED, least: 0, timeZone }
  const { folded: found } = await readChunks(ranking.ranked.slice(0, COMPARED), size, index)
  const history = await readHistory(found, ranking, index, timeZone)
  const read = found.map(({ one }) => one)
  const asking = read.slice(0, ANSWERED)
  const [pair, replies, parts, behind] = await Promise.all([
    pairedSource(ranking, history, index),
    readReplies(asking, ranking, index),
    closestParts(read.slice(0, MOST_READ), read, ranking, index),
    Promise.all(asking.map((one) => mailsBehind(one, ranking, index))),
  ])
  const changes = behind.flat().filter(({ passage }) => saysChanged(passage.text))
  return { ranking, ...pair, found, replies, parts, changes, history }
}

/** The stored pair with the same question, unless its answer was corrected or replaced. */
async function pairedSource(
  ranking: Ranking,
  history: History<number>,
  index: SearchIndex,
): Promise<Pick<Evidence, 'paired' | 'isSettled'>> {
  const matching = await matchingPair(ranking, index)
  if (matching === undefined) return { paired: [], isSettled: false }
  const { pair, agreement } = matching
  const isCorrected = ranking.corrected.some(({ older }) => older === pair.chunkId)
  const isReplaced = isCorrected || history.currentOf(pair.chunkId) !== undefined
  const paired = isReplaced ? [] : pairSource(pair, ranking)
  return { paired, isSettled: paired.length > 0 && agreement >= SAME_WORDS }
}

/** What replaced what among the statements of the chunks, by their sentences or by the owner's corrections. */
async function readHistory(
  found: readonly Folded<ReadChunk>[],
  ranking: Ranking,
  index: SearchIndex,
  timeZone: string,
): Promise<History<number>> {
  const chunks = new Map(found.map(({ one }) => [one.row.chunkId, one]))
  const statements = found.map(({ one }) => chunkStatement(one))
  const stated = await findUpdates(statements, index, timeZone)
  const asked = stated.filter((update) => areBothAsked(update, chunks, ranking))
  const updates = withOwnCorrections(asked, ranking.corrected, found)
  return buildHistory(
    updates.map((update) => ({ ...update, at: update.correctedAt ?? chunks.get(update.newer)!.row.at ?? 0 })),
  )
}

/** Whether a question is about both statements: what one of a passage's sentences replaces leaves its others as they are. */
function areBothAsked(
  { newer, older }: Update,
  chunks: ReadonlyMap<number, ReadChunk>,
  { features: { coverage, contextCoverage } }: Ranking,
): boolean {
  const asked = [newer, older].map((id) => {
    const { row, position } = chunks.get(id)!
    // Beside a part of a document, another one is about something else; a message is about what was said before it.
    return (row.kind === 'prose' ? coverage : contextCoverage)[position]!
  })
  return Math.min(...asked) >= BOTH_ASKED * Math.max(...asked)
}

function pairSource({ chunkId, answer }: QaRow, { rows }: Ranking): Source[] {
  const position = rows.findIndex((row) => row.chunkId === chunkId)
  return position < 0 ? [] : [{ row: rows[position]!, position, answer }]
}
