import { type Kysely, sql } from 'kysely'
import { SOURCE_TYPES, type SourceType } from '../../domain/source-type.ts'
import type { Database } from './schema.ts'

/** No lease and no wait for the next attempt is longer; what lies further ahead was left by a clock that was set back. */
const FURTHEST_AHEAD_MS = 2 * 3_600_000
/** To the end of a day on which clocks change, and an hour. The same holds for what lies further ahead. */
const LONGEST_PAUSE_MS = 26 * 3_600_000

/** Waiting refinements of one source of an account that is not paused. */
interface RefinementTurn {
  readonly accountKey: number
  readonly sourceType: SourceType
  /** When the first of them can be claimed. */
  readonly readyAt: number
}

/** As many steps along the index as there are accounts and source types, however many refinements wait. */
export async function refinementTurns(db: Kysely<Database>, now: number): Promise<RefinementTurn[]> {
  const { rows } = await sql<{ account_key: number; source_type: SourceType; ready_at: number | null }>`
    with recursive waiting(account_key) as (
      select min(account_key) from refinement where state = 'waiting'
      union all
      select (select min(account_key) from refinement where state = 'waiting' and account_key > waiting.account_key)
      from waiting where account_key is not null
    ), source(name) as (values ${sql.join(SOURCE_TYPES.map((name) => sql`(${name})`))})
    select waiting.account_key, source.name as source_type, (
      select min(ready_at) from refinement
      where state = 'waiting' and refinement.account_key = waiting.account_key and refinement.source_type = source.name
    ) as ready_at
    from waiting cross join source where waiting.account_key is not null`.execute(db)
  const pauses = await pausesAt(db, now).select(['account_key', 'source_type']).execute()
  return rows.flatMap(({ account_key: accountKey, source_type: sourceType, ready_at: at }) => {
    const isPaused = pauses.some(
      (pause) =>
        (pause.account_key === 0 || pause.account_key === accountKey) &&
        (pause.source_type === '' || pause.source_type === sourceType),
    )
    if (at === null || isPaused) return []
    return [{ accountKey, sourceType, readyAt: at > now + FURTHEST_AHEAD_MS ? now : at }]
  })
}

/** Those that have not ended. */
export function pausesAt(db: Kysely<Database>, now: number) {
  return db
    .selectFrom('refinement_pause')
    .where((pause) =>
      pause.or([pause('until_at', 'is', null), pause.between('until_at', now + 1, now + LONGEST_PAUSE_MS)]),
    )
}
