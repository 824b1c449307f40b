import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { IndexedItem, SourceFile } from '../../src/domain/document.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Claim } from '../../src/store/queue/queue.ts'
import type { SearchIndex } from '../../src/store/search/search.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'

/** The product's store, one account for each collection; gone when it is closed. */
export interface EvaluationStore {
  createAccount(): Promise<string>
  /** Puts the texts as items and completes them with what `make` makes of them. */
  add(accountId: string, texts: readonly NewText[], make: (file: SourceFile) => Promise<IndexedItem>): Promise<void>
  index(accountId: string): SearchIndex
  close(): Promise<void>
}

export interface NewText {
  readonly itemId: string
  readonly text: string
  readonly fileName?: string
  readonly contentType?: string
  readonly sourceType?: SourceFile['sourceType']
}

// Writes of an account go one after another on PostgreSQL, and the last of these must not have waited too long.
const AT_ONCE = 16
const LEASE_MS = 600_000
const UPLOADED_AT = new Date('2026-11-20T00:00:00Z')

/** On SQLite in a folder of its own, or in a database of its own on the server that `RECALLD_TEST_DATABASE_URL` names. */
export async function openEvaluationStore(): Promise<EvaluationStore> {
  const server = process.env.RECALLD_TEST_DATABASE_URL
  const { store, remove } = await (server === undefined ? openInFolder() : openOnServer(server))
  return {
    async createAccount() {
      const accountId = randomUUID()
      await store.admin.createAccount({
        accountId,
        name: accountId,
        timeZone: 'UTC',
        plan: 'self-hosted',
        user: { userId: randomUUID(), name: 'Evaluation' },
        defaultKey: { keyId: randomUUID(), name: 'default', sources: 'all', hash: randomBytes(32) },
      })
      return accountId
    },
    async add(accountId, texts, make) {
      const scoped = store.scoped({ accountId, sources: 'all' })
      for (let start = 0; start < texts.length; start += AT_ONCE) {
        const batch = texts.slice(start, start + AT_ONCE)
        await Promise.all(batch.map((text) => scoped.putItem(newItem(text))))
        const claims = await store.queue.claim({ owner: 'evaluation', limit: AT_ONCE, leaseMs: LEASE_MS })
        if (claims.length !== batch.length) throw new Error(`Claimed ${claims.length} of ${batch.length} items`)
        const items = await Promise.all(claims.map((claim) => make(fileOf(claim))))
        await Promise.all(claims.map((claim, i) => store.queue.complete(claim, items[i]!)))
      }
    },
    index: (accountId) => store.scoped({ accountId, sources: 'all' }).index,
    async close() {
      await store.close()
      await remove()
    },
  }
}

interface TemporaryStore {
  readonly store: Store
  remove(): Promise<void>
}

async function openInFolder(): Promise<TemporaryStore> {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-eval-'))
  const store = await openSqliteStore({ file: emptySqlite(join(folder, 'eval.db')), log: pino({ enabled: false }) })
  return { store, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

async function openOnServer(server: string): Promise<TemporaryStore> {
  const name = `recalld_eval_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const store = await openPostgresStore({ url: url.href, log: pino({ enabled: false }) })
  return { store, remove: () => run(`drop database ${name} with (force)`) }
}

function newItem({ itemId, text, fileName, contentType, sourceType }: NewText) {
  const body = new TextEncoder().encode(text)
  return {
    itemId,
    sourceType: sourceType ?? 'text',
    userId: 'evaluation',
    userName: 'Evaluation',
    fileName: fileName ?? `${itemId}.md`,
    contentType: contentType ?? 'text/markdown',
    body,
    bodyHash: createHash('sha256').update(body).digest('hex'),
    executionId: randomUUID(),
    onConflict: 'reject',
  } as const
}

function fileOf(claim: Claim): SourceFile {
  const { body, fileName, contentType, sourceType, itemId, userName, timeZone } = claim
  return { body, fileName, contentType, sourceType, itemId, userName, timeZone, uploadedAt: UPLOADED_AT }
}
