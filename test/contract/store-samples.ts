import { createHash, randomUUID } from 'node:crypto'
import type { IndexedChunk, IndexedItem } from '../../src/domain/document.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import type { NewAccount, NewKey } from '../../src/store/accounts/accounts.ts'
import type { NewItem } from '../../src/store/items/items.ts'
import type { Claim } from '../../src/store/queue/queue.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'

export const SPACE = 'test-space@4'

export function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest()
}

export function sampleAccount(accountId: string): NewAccount {
  return {
    accountId,
    name: `Account ${accountId}`,
    timeZone: 'Europe/Berlin',
    plan: 'self-hosted',
    user: { userId: `user-of-${accountId}`, name: 'Ada' },
    defaultKey: {
      keyId: `${accountId}-default`,
      name: 'default',
      sources: 'all',
      hash: sha256(`${accountId} default`),
    },
  }
}

export function sampleKey(accountId: string, name: string, sources: NewKey['sources'] = 'all'): NewKey {
  return {
    keyId: `${accountId}-${name}`,
    accountId,
    userId: `user-of-${accountId}`,
    name,
    sources,
    hash: sha256(`${accountId} ${name}`),
  }
}

export function sampleUpload(
  itemId: string,
  text: string,
  { sourceType = 'text', onConflict = 'reject' }: { sourceType?: SourceType; onConflict?: 'reject' | 'replace' } = {},
): NewItem {
  const body = new TextEncoder().encode(text)
  return {
    itemId,
    sourceType,
    userId: 'user-1',
    userName: 'Ada',
    fileName: `${itemId}.txt`,
    contentType: 'text/plain',
    body,
    bodyHash: sha256(body).toString('hex'),
    executionId: randomUUID(),
    onConflict,
  }
}

/** 32-bit FNV-1a: any hash will do for the store. */
function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(term)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}

export function sampleChunk(
  ordinal: number,
  text: string,
  more: { at?: Date; vector?: readonly number[]; meta?: string } = {},
): IndexedChunk {
  const terms = text.toLowerCase().split(' ')
  const meta = more.meta ?? ''
  return {
    ordinal,
    kind: 'prose',
    text,
    start: 0,
    end: text.length,
    ...(more.at === undefined ? {} : { at: more.at }),
    bodyTerms: terms.join(' '),
    metaTerms: meta,
    bodyHashes: Uint32Array.from(terms, hashTerm),
    metaHashes: Uint32Array.from(meta === '' ? [] : meta.split(' '), hashTerm),
    tokens: Uint16Array.from(terms, (term) => hashTerm(term) & 0xffff),
    vector: Float32Array.from(more.vector ?? [1, 0, 0, 0]),
  }
}

/** One chunk for each text, a memory for each chunk, a question about the first. */
export function sampleItem(texts: readonly (string | IndexedChunk)[], pipelineVersion = 'test@1'): IndexedItem {
  const chunks = texts.map((text, ordinal) => (typeof text === 'string' ? sampleChunk(ordinal, text) : text))
  return {
    kind: 'note',
    chunks,
    memories: chunks.map(({ ordinal, text }) => ({
      index: ordinal,
      content: { narrative: `I noted: ${text}` },
      firstChunk: ordinal,
      lastChunk: ordinal,
    })),
    qas: chunks.slice(0, 1).map(({ text }) => ({ question: 'What was noted?', answer: text, chunk: 0 })),
    skips: [],
    spaceId: SPACE,
    pipelineVersion,
  }
}

export async function claimOne(store: Store): Promise<Claim> {
  const [claim] = await store.queue.claim({ owner: 'test', limit: 1, leaseMs: 60_000 })
  if (claim === undefined) throw new Error('Nothing could be claimed')
  return claim
}

/** Uploads and processes: what the worker does, with these chunks. */
export async function memorize(
  store: Store,
  scoped: ScopedStore,
  itemId: string,
  texts: readonly (string | IndexedChunk)[],
  options: { sourceType?: SourceType; onConflict?: 'reject' | 'replace' } = {},
): Promise<void> {
  const body = texts.map((text) => (typeof text === 'string' ? text : text.text)).join('\n')
  await scoped.putItem(sampleUpload(itemId, body, options))
  await store.queue.complete(await claimOne(store), sampleItem(texts))
}

/** Texts of the chunks that hold any of these terms, best first. */
export async function findTexts(
  scoped: ScopedStore,
  terms: readonly string[],
  filter: { source?: SourceType; since?: Date; until?: Date } = {},
): Promise<string[]> {
  const { frequencies } = await scoped.index.termStatistics(terms)
  const weighted = terms.map((term) => ({ term, weight: 1, frequency: frequencies.get(term) ?? 0 }))
  const hits = await scoped.index.lexicalCandidates({ terms: weighted, limit: 50, ...filter })
  const texts = await textsOf(scoped, hits)
  return hits.flatMap(({ chunkId }) => texts.get(chunkId) ?? [])
}

/** By chunk id. */
export async function textsOf(scoped: ScopedStore, hits: readonly { readonly chunkId: number }[]) {
  const passages = await scoped.index.passages(hits.map(({ chunkId }) => chunkId))
  return new Map([...passages].map(([chunkId, { text }]) => [chunkId, text]))
}
