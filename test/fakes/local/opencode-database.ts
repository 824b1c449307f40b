import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The columns that opencode 1.18.33 made, without those that nobody reads. */
const TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
    title text NOT NULL, version text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);`

export interface OpenCodeTurn {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

/** Opens a made-up database of opencode, as it is while opencode runs. */
export function opencodeDatabase(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  // Else each write waits for the disk.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  database.exec(TABLES)
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) => {
    const columns = Object.keys(row)
    const marks = columns.map(() => '?').join(', ')
    database
      .prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
      .run(...Object.values(row))
  }
  return {
    close: () => database.close(),
    run: (statement: string) => database.exec(statement),
    /** A session with these turns, the first at 9:01. */
    session(id: string, turns: readonly OpenCodeTurn[], fields: Readonly<Record<string, string | null>> = {}) {
      const time = Date.UTC(2026, 10, 21, 9)
      insert('session', {
        ...{ id, project_id: 'p', parent_id: null, directory: '/home/ada/shop', title: 'Pool', version: '1.18.33' },
        ...{ revert: null, time_created: time, time_updated: time, ...fields },
      })
      for (const [at, { role, parts }] of turns.entries()) {
        const created = time + (at + 1) * 60_000
        const number = String(at + 1).padStart(4, '0')
        const times = { session_id: id, time_created: created, time_updated: created }
        const message = `msg_${id}_${number}`
        insert('message', { id: message, ...times, data: JSON.stringify({ role, time: { created } }) })
        for (const [index, part] of parts.entries())
          insert('part', {
            id: `prt_${id}_${number}_${index}`,
            message_id: message,
            ...times,
            data: JSON.stringify(part),
          })
      }
    },
  }
}

/** Prompts, each with an answer. */
export function opencodeExchanges(prompts: number): OpenCodeTurn[] {
  return Array.from({ length: prompts }, (_, at): OpenCodeTurn[] => [
    { role: 'user', parts: [{ type: 'text', text: `Prompt ${at + 1}.` }] },
    { role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: `Answer ${at + 1}.` }] },
  ]).flat()
}
