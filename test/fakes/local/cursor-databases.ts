import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Opens a made-up database of the editor Cursor, as it is while Cursor runs. */
export function cursorDatabase(path: string) {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  // Else each write waits for the disk.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  for (const table of ['ItemTable', 'cursorDiskKV'])
    database.exec(`CREATE TABLE IF NOT EXISTS ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
  const put = (table: 'ItemTable' | 'cursorDiskKV', key: string, value: unknown) =>
    database.prepare(`INSERT INTO ${table} VALUES (?, ?)`).run(key, JSON.stringify(value))
  return {
    put,
    close: () => database.close(),
    /** A conversation of so many prompts, each with an answer. */
    composer(id: string, prompts: number, fields: Record<string, unknown> = {}) {
      const headers = []
      for (let number = 1; number <= prompts; number++) {
        for (const [type, word] of [
          [1, 'Prompt'],
          [2, 'Answer'],
        ] as const) {
          const bubbleId = `${type}-${number}`
          const createdAt = new Date(Date.UTC(2026, 2, 4, 9, number)).toISOString()
          put('cursorDiskKV', `bubbleId:${id}:${bubbleId}`, { bubbleId, type, text: `${word} ${number}.`, createdAt })
          headers.push({ bubbleId, type })
        }
      }
      const workspaceIdentifier = { uri: { fsPath: '/home/ada/shop' } }
      put('cursorDiskKV', `composerData:${id}`, {
        workspaceIdentifier,
        ...fields,
        fullConversationHeadersOnly: headers,
      })
    },
  }
}

/** Writes the `store.db` of a chat with Cursor's command line agent. */
export function cursorChat(path: string, meta: Record<string, unknown>, messages: readonly unknown[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  // Else each write waits for the disk.
  database.exec('PRAGMA synchronous = OFF')
  database.exec(
    'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
  )
  database.prepare("INSERT INTO meta VALUES ('0', ?)").run(Buffer.from(JSON.stringify(meta)).toString('hex'))
  const insert = database.prepare('INSERT INTO blobs VALUES (?, ?)')
  insert.run('graph', Buffer.from([10, 32, 1, 2, 3]))
  for (const [at, message] of messages.entries()) insert.run(`z${99 - at}`, Buffer.from(JSON.stringify(message)))
  database.close()
}
