import type { SearchIndex } from '../../../store/search/search.ts'
import { neighbor } from '../../recall/features.ts'
import { isIssue, isMail } from '../../recall/provenance.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { Turn } from '../evidence/turns-after.ts'
import { AGENT } from '../sentences/asked-speaker.ts'

/** A stretch of a conversation between people. */
export interface Talk {
  readonly turns: readonly Turn[]
  /** Of its best turn: see `RankedChunk`. */
  readonly share: number
}

/** Chunks, best first, whose conversations are read. */
const MOST_HITS = 24
/** A pause after which a conversation is another one. */
const LONG_PAUSE_MS = 3 * 3_600_000
/** The same where enough turns stand before and after it. */
const PAUSE_MS = 10 * 60_000
const FEWEST_TURNS = 3

/** The conversations of people that the best chunks are of, as far as ranking read them. */
export async function readTalks({ rows, ranked }: Ranking, index: SearchIndex): Promise<readonly Talk[]> {
  const hits = ranked.slice(0, MOST_HITS).filter(({ position }) => isOfChat(rows[position]!))
  const shares = new Map(hits.map(({ position, share }) => [position, share]))
  const runs = new Map(hits.map(({ position }) => runAround(rows, position)).map((run) => [run[0]!, run]))
  const parts = [...runs.values()].flatMap((run) => splitByPauses(run, rows))
  const found = parts.filter((part) => part.some((position) => shares.has(position)))
  const passages = await index.passages(found.flat().map((position) => rows[position]!.chunkId))
  return found.flatMap((part): Talk[] => {
    const turns = part.flatMap((position): Turn[] => {
      const passage = passages.get(rows[position]!.chunkId)
      return passage === undefined ? [] : [{ position, passage }]
    })
    return isOfPeople(turns) ? [{ turns, share: Math.max(...part.map((position) => shares.get(position) ?? 0)) }] : []
  })
}

function isOfChat({ kind, sourceType }: Ranking['rows'][number]): boolean {
  return kind === 'turn' && !isMail(sourceType) && !isIssue(sourceType)
}

/** Whether several speak, none of them an agent. */
function isOfPeople(turns: readonly Turn[]): boolean {
  const speakers = new Set(turns.map(({ passage }) => passage.speaker ?? ''))
  return speakers.size > 1 && ![...speakers].some((speaker) => speaker === '' || AGENT.test(speaker))
}

/** Positions of a turn and of those before and after it. */
function runAround(rows: Ranking['rows'], position: number): number[] {
  let start = position
  while (neighbor(rows, start, -1) >= 0) start--
  const run: number[] = []
  for (let at = start; at >= 0; at = neighbor(rows, at, 1)) run.push(at)
  return run
}

function splitByPauses(run: readonly number[], rows: Ranking['rows']): number[][] {
  const parts: number[][] = [[]]
  let last: number | undefined
  for (const [i, position] of run.entries()) {
    const part = parts.at(-1)!
    const { at } = rows[position]!
    const pause = at === undefined || last === undefined ? 0 : at - last
    last = at ?? last
    const isBetweenTalks = part.length >= FEWEST_TURNS && run.length - i >= FEWEST_TURNS
    if (pause > LONG_PAUSE_MS || (pause > PAUSE_MS && isBetweenTalks)) parts.push([position])
    else part.push(position)
  }
  return parts
}
