import type { SourceType } from '../../../domain/source-type.ts'
import { TOOL_MARK } from '../../../lib/analyze.ts'
import type { ChunkRow, SearchIndex } from '../../../store/search/search.ts'
import { endsWithQuestion } from '../../question/question-form.ts'
import { isAgentName } from '../../recall/agent-names.ts'
import { neighbor } from '../../recall/features.ts'
import { mailReply, REPLY_SHARE } from '../../recall/mail-thread.ts'
import { isOfMail, isQuoted } from '../../recall/provenance.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import { AGENT } from '../sentences/asked-speaker.ts'

/** Characters behind a question whose replies are read. */
const MOST_BEHIND_QUESTION = 40
/** Turns between a prompt and its reply, of the agent's tools, plus one. */
const MOST_TURNS_ON = 6
const SESSIONS: ReadonlySet<SourceType> = new Set(['claude_code', 'codex', 'cursor'])

/** A reply to a question by somebody else, or by an agent to a prompt. */
export interface Reply extends ReadChunk {
  /** The position of the question. */
  readonly asking: number
  /** To a prompt that may be no question: `The report is a day off. Find out why.` */
  readonly isToPrompt?: boolean
}

/** The turns after questions by another speaker, the agents' turns after prompts, and the mails that reply to mails. */
export async function readReplies(
  found: readonly ReadChunk[],
  ranking: Ranking,
  index: SearchIndex,
): Promise<readonly Reply[]> {
  const { rows } = ranking
  const behind = found.flatMap((one) => {
    if (one.row.kind !== 'turn') return []
    const position = isPrompt(one) ? afterTools(rows, one.position) : neighbor(rows, one.position, 1)
    return rows[position]?.kind === 'turn' ? [{ one, position }] : []
  })
  const passages = await index.passages(behind.map(({ position }) => rows[position]!.chunkId))
  const turns = behind.flatMap(({ one, position }): Reply[] => {
    const row = rows[position]!
    const passage = passages.get(row.chunkId)
    if (passage === undefined || passage.speaker === one.passage.speaker) return []
    // A session that was pasted as a text has prompts, too.
    const isToPrompt = isPrompt(one) || isAgentName(passage.speaker ?? '')
    if (!isToPrompt && !asks(one)) return []
    const reply = { row, position, share: one.share * REPLY_SHARE, passage, asking: one.position }
    return [isToPrompt ? { ...reply, isToPrompt } : reply]
  })
  const answered = new Set(turns.map((turn) => turn.asking))
  const open = found.filter((one) => (isPrompt(one) || asks(one)) && !answered.has(one.position))
  const mails = await Promise.all(open.map((one) => mailReply(one, ranking, index)))
  return [...turns, ...mails.flatMap((mail, i) => (mail === undefined ? [] : [{ ...mail, asking: open[i]!.position }]))]
}

/** Whether a turn or a mail ends with a question. */
function asks({ row, passage }: Pick<ReadChunk, 'row' | 'passage'>): boolean {
  return (row.kind === 'turn' || isOfMail({ row, passage })) && endsWithQuestion(passage.text, MOST_BEHIND_QUESTION)
}

function isPrompt({ row, passage }: Pick<ReadChunk, 'row' | 'passage'>): boolean {
  return row.kind === 'turn' && SESSIONS.has(row.sourceType) && !isSpokenByAgent(passage) && !isPassedOver(row)
}

function isSpokenByAgent({ speaker = '' }: ReadChunk['passage']): boolean {
  return AGENT.test(speaker)
}

/** Position of the next turn that no tool wrote and no mail quotes, or -1. */
function afterTools(rows: readonly ChunkRow[], position: number): number {
  for (let distance = 1; distance <= MOST_TURNS_ON; distance++) {
    const at = neighbor(rows, position, distance)
    if (at < 0 || !isPassedOver(rows[at]!)) return at
  }
  return -1
}

function isPassedOver(row: ChunkRow): boolean {
  return row.metaHashes.includes(TOOL_MARK) || isQuoted(row)
}
