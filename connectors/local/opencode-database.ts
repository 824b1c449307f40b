import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { AgentConfig } from './agent-settings.ts'
import { type OpenCodeMessage, openCodeParts } from './opencode-messages.ts'
import { databaseStamp, openDatabaseCopy } from './sqlite-copy.ts'
import { parsedJson } from './tool-calls.ts'
import type { WholeSession, WholeSessionsCursor } from './whole-sessions.ts'

const sessionRow = z.object({
  id: z.string(),
  parent_id: z.string().nullish(),
  directory: z.string(),
  title: z.string(),
  revert: z.string().nullable(),
  time_created: z.number(),
  time_updated: z.number(),
  parts: z.number(),
  last: z.number().nullable(),
})
const revert = z.looseObject({ messageID: z.string().optional() })
const messageRow = z.object({ id: z.string(), data: z.string() })
const partRow = z.object({ message_id: z.string(), data: z.string() })

/** Those with a parent are sub-agents. */
const SESSIONS = `SELECT id, parent_id, directory, title, revert, time_created, time_updated,
  (SELECT count(*) FROM part WHERE session_id = session.id) AS parts,
  (SELECT max(time_updated) FROM part WHERE session_id = session.id) AS last
  FROM session ORDER BY id`

/** Sessions since version 1.2. The database is copied only after a change, because it may be large. */
export async function* databaseSessions(
  path: string,
  known: WholeSessionsCursor,
  stamps: Record<string, string>,
  context: Context<AgentConfig>,
): AsyncGenerator<WholeSession> {
  const stamp = await databaseStamp(path)
  if (stamp === undefined) return
  const prefix = `database:${createHash('sha256').update(path).digest('hex').slice(0, 8)}:`
  stamps[path] = stamp
  const unchanged = Object.entries(known.sessions).flatMap(([key, session]) =>
    key.startsWith(prefix) ? [{ key, id: key.slice(prefix.length), stamp: session.stamp, load: async () => [] }] : [],
  )
  if (known.databases[path] === stamp) return yield* unchanged
  try {
    using copy = await openDatabaseCopy(path, context.machine.temporaryFolder)
    const { database } = copy
    for (const row of database.prepare(SESSIONS).all()) {
      const session = sessionRow.parse(row)
      yield {
        key: `${prefix}${session.id}`,
        id: session.id,
        stamp: `${session.time_updated}-${session.parts}-${session.last ?? 0}`,
        createdAt: new Date(session.time_created),
        load: async () => sessionParts(database, session, context.config.tool_output_kb * 1024),
      }
    }
  } catch (error) {
    // Sessions in other places are still read.
    yield { key: `${prefix}database`, id: 'database', stamp, load: () => Promise.reject(databaseError(path, error)) }
    yield* unchanged
  }
}

function sessionParts(database: DatabaseSync, session: z.infer<typeof sessionRow>, toolLimit: number) {
  const parts = new Map<string, unknown[]>()
  const read = database.prepare('SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id')
  for (const row of read.iterate(session.id)) {
    const { message_id: message, data } = partRow.parse(row)
    parts.set(message, [...(parts.get(message) ?? []), parsedJson(data)])
  }
  const messages = database.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id')
  const undone = revert.safeParse(parsedJson(session.revert ?? ''))
  return openCodeParts(
    { ...session, parent: session.parent_id ?? undefined, undoneFrom: undone.data?.messageID },
    messages.all(session.id).map((row): OpenCodeMessage => {
      const { id, data } = messageRow.parse(row)
      return { id, data: parsedJson(data), parts: parts.get(id) ?? [] }
    }),
    toolLimit,
  )
}

/** Also of a later version, whose tables or columns are others. */
function databaseError(path: string, cause: unknown): unknown {
  if (cause instanceof SourceError || !(cause instanceof Error)) return cause
  const isUnknown = cause instanceof z.ZodError || ('code' in cause && cause.code === 'ERR_SQLITE_ERROR')
  return isUnknown ? new SourceError('skip', `${path} is damaged, or of an unknown version.`, { cause }) : cause
}
