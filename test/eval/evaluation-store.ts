import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { IndexedItem, SourceFile } from '../../src/domain/document.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Claim, SearchIndex } from '../../src/store/store.ts'

/** The product's store in a folder of its own, one account for each collection. */
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

const AT_ONCE = 64
const LEASE_MS = 600_000
const UPLOADED_AT = new Date('2026-11-20T00:00:00Z')

export async function openEvaluationStore(): Promise<EvaluationStore> {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-eval-'))
  const store = await openSqliteStore({ file: join(folder, 'eval.db'), log: pino({ enabled: false }) })
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
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
