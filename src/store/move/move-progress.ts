import { sql } from 'kysely'
import type { Value } from './read-rows.ts'
import type { Side } from './side.ts'

/** Lies in the target until everything has arrived; while it does, nothing else opens the database. */
export const PROGRESS_TABLE = 'recalld_move'

export interface Place {
  /** Key of the last row that has arrived; absent before the first. */
  readonly after?: readonly Value[]
  readonly isDone: boolean
}

/** How far a move has come, kept in the target in the commits of what it tells of. */
export interface MoveProgress {
  /** @param name of a table, or of a step */
  place(name: string): Place
  /** Inside of a commit of the target. */
  note(name: string, place: Place): Promise<void>
}

/** @throws Error when no move was begun in the target */
export async function readProgress({ db }: Side): Promise<MoveProgress> {
  const { rows } = await sql<{ name: string; last_key: string; done: number }>`
    select name, last_key, done from recalld_move`.execute(db)
  const places = new Map(rows.map((row) => [row.name, fromRow(row)]))
  return {
    place: (name) => places.get(name) ?? { isDone: false },
    async note(name, place) {
      const last = place.after === undefined ? 'null' : JSON.stringify(place.after.map(toJson))
      const done = place.isDone ? 1 : 0
      await sql`
        insert into recalld_move (name, last_key, done) values (${name}, ${last}, ${done})
        on conflict (name) do update set last_key = excluded.last_key, done = excluded.done`.execute(db)
    },
  }
}

/** Inside of a commit of the target. */
export async function beginProgress({ db }: Side): Promise<void> {
  await sql`create table recalld_move (name text primary key, last_key text not null, done integer not null)`.execute(
    db,
  )
}

/** Inside of a commit of the target. */
export async function endProgress({ db }: Side): Promise<void> {
  await sql`drop table recalld_move`.execute(db)
}

function fromRow({ last_key, done }: { last_key: string; done: number }): Place {
  const last = JSON.parse(last_key) as readonly unknown[] | null
  return { ...(last && { after: last.map(fromJson) }), isDone: Number(done) === 1 }
}

function toJson(value: Value): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function fromJson(value: unknown): Value {
  if (typeof value !== 'object' || value === null) return value as Value
  return new Uint8Array(Buffer.from((value as { base64: string }).base64, 'base64'))
}
