import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { type Comparison, compareStores } from './compare-stores.ts'
import { copyTable, type Move } from './copy-table.ts'
import { indexChunks } from './index-chunks.ts'
import { beginProgress, endProgress, PROGRESS_TABLE, readProgress } from './move-progress.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'
import type { Side } from './side.ts'

export type MoveStep = 'copying' | 'indexing' | 'comparing'

export interface MoveRequest {
  readonly source: Side
  readonly target: Side
  /** Nothing is copied. */
  readonly verifyOnly?: boolean
  /** Nobody but a move writes the target: it is complete when it holds something and no move is under way. */
  readonly isDraft?: boolean
  /** @param rows of all that the step goes through */
  onStep?(step: MoveStep, rows: number): void
  onRows?(rows: number): void
}

export interface MoveReport {
  readonly tables: readonly Comparison[]
  /** Chunks whose words are other ones than before, because an older version had indexed them. */
  readonly otherTerms: number
}

/**
 * Moves everything that one database holds into one of the other engine, or goes on with that; compares both, and gives the
 * target free only if they are the same. Nothing in the source changes.
 *
 * @throws AppError `conflict` when the target holds something else; it is unchanged then
 */
export async function moveStore(request: MoveRequest): Promise<MoveReport> {
  const { source, target, verifyOnly = false, isDraft = false, onStep, onRows = () => undefined } = request
  const file = source.engine.carriesAccount ? target : source
  const tables = await movedTables(file.db)
  const numbered = tables.filter(({ isNumbered }) => isNumbered).map(({ name }) => name)
  const numbers = await source.lastNumbers(numbered)
  const counts = await countRows(source, tables)
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let otherTerms = 0
  const copies = !verifyOnly && (await begins(target, tables, isDraft))
  if (copies) {
    const move: Move = { source, target, progress: await readProgress(target), onRows }
    onStep?.('copying', all)
    for (const table of tables) await copyTable(move, table)
    await target.commit(() => target.continueAfter(numbers))
    onStep?.('indexing', counts.get('chunk') ?? 0)
    const chunk = tables.find(({ name }) => name === 'chunk')
    if (chunk !== undefined) ({ otherTerms } = await indexChunks(move, chunk))
  }
  onStep?.('comparing', 2 * all)
  const compared = await compareStores({ source, target }, tables, numbers, onRows)
  if (copies && compared.every(({ isSame }) => isSame)) await target.commit(() => endProgress(target))
  return { tables: compared, otherTerms }
}

/** Made by whoever opens a database, also one that holds nothing yet. */
const IDENTITY = 'database_identity'

/** Whether there is something to copy. */
async function begins(target: Side, tables: readonly MovedTable[], isDraft: boolean): Promise<boolean> {
  if (await target.hasTable(PROGRESS_TABLE)) return true
  const counts = await countRows(target, tables)
  const [held] = [...counts].find(([name, count]) => count > 0 && name !== IDENTITY) ?? []
  if (held === undefined) {
    await target.commit(async () => {
      // That of the source comes with it.
      await target.db.deleteFrom(IDENTITY).execute()
      await beginProgress(target)
    })
    return true
  }
  if (isDraft) return false
  throw new AppError(
    'conflict',
    `The target holds something already (rows of ${held}). Name an empty one; nothing was changed.`,
  )
}

async function countRows({ db }: Side, tables: readonly MovedTable[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db)
    counts.set(name, Number(rows[0]?.count ?? 0))
  }
  return counts
}
