import type { ExtractedMemory, ExtractedQa, IndexedChunk } from '../../domain/document.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { insertRows } from '../bulk-insert.ts'
import type { VectorRow, WriteContext } from '../engine.ts'
import { packFeatures, sourceCode } from './chunk-columns.ts'
import { isCorrectable, reverseTerm } from './vocabulary.ts'

export interface ChunkOwner {
  readonly accountKey: number
  readonly itemKey: number
  readonly sourceType: SourceType
}

const CHUNK_COLUMNS = [
  'chunk_id',
  'account_key',
  'item_key',
  'ordinal',
  'kind',
  'source',
  'space_key',
  'at',
  'body_terms',
  'meta_terms',
  'vector_bytes',
  'features',
] as const

const TEXT_COLUMNS = ['chunk_id', 'speaker', 'heading', 'text'] as const

/** Inserts chunks with their full-text rows; the chunk with ordinal n gets the id `firstId + n`. */
export async function insertChunks(
  context: WriteContext,
  owner: ChunkOwner,
  firstId: number,
  chunks: readonly IndexedChunk[],
  spaceId: string,
): Promise<void> {
  const { accountKey, itemKey, sourceType } = owner
  const dimensions = chunks.find(({ vector }) => vector.length > 0)?.vector.length ?? 0
  const spaceKey = await spaceKeyOf(context, spaceId, dimensions)
  const source = sourceCode(sourceType)
  const vectors: VectorRow[] = []
  const rows = chunks.map((chunk) => {
    const { vectorBytes, features } = packFeatures(chunk)
    const vector = new Int8Array(features.buffer, features.byteOffset, vectorBytes)
    const at = chunk.at?.getTime() ?? null
    vectors.push({ chunkId: firstId + chunk.ordinal, source, at, vector })
    return [
      firstId + chunk.ordinal,
      accountKey,
      itemKey,
      chunk.ordinal,
      chunk.kind,
      source,
      spaceKey,
      at,
      chunk.bodyHashes.length,
      chunk.metaHashes.length,
      vectorBytes,
      features,
    ]
  })
  await insertRows(context.db, 'chunk', CHUNK_COLUMNS, rows)
  const texts = chunks.map(({ ordinal, speaker, heading, text }) => [
    firstId + ordinal,
    speaker ?? null,
    heading ?? null,
    text,
  ])
  const { carriesAccount } = context.engine
  const columns = carriesAccount ? [...TEXT_COLUMNS, 'account_key' as const] : TEXT_COLUMNS
  await insertRows(context.db, 'chunk_text', columns, carriesAccount ? texts.map((row) => [...row, accountKey]) : texts)
  const terms = chunks.map((chunk) => ({
    chunkId: firstId + chunk.ordinal,
    bodyTerms: chunk.bodyTerms,
    metaTerms: chunk.metaTerms,
    sourceType,
    at: chunk.at?.getTime() ?? null,
  }))
  await context.engine.fullText.add(context.db, accountKey, terms)
  await context.engine.vectors.add(context.db, accountKey, spaceKey, vectors)
}

export async function insertMemories(
  context: WriteContext,
  owner: ChunkOwner,
  firstId: number,
  made: { memories: readonly ExtractedMemory[]; qas: readonly ExtractedQa[] },
): Promise<void> {
  const { accountKey, itemKey } = owner
  const memories = made.memories.map((memory) => [
    accountKey,
    itemKey,
    memory.index,
    firstId + memory.firstChunk,
    firstId + memory.lastChunk,
    memory.when?.start.getTime() ?? null,
    JSON.stringify(memory.content),
  ])
  await insertRows(
    context.db,
    'memory',
    ['account_key', 'item_key', 'memory_index', 'first_chunk_id', 'last_chunk_id', 'at', 'content'],
    memories,
  )
  const qas = made.qas.map((qa) => [accountKey, itemKey, firstId + qa.chunk, qa.question, qa.answer])
  await insertRows(context.db, 'qa', ['account_key', 'item_key', 'chunk_id', 'question', 'answer'], qas)
}

/** Removes chunks, vectors, memories, pairs and full-text rows of a range of chunk ids, both ends included. */
export async function removeRange(context: WriteContext, accountKey: number, first: number, last: number) {
  const { db, engine } = context
  await engine.fullText.remove(db, accountKey, first, last)
  await engine.secureDelete(db, async () => {
    // Before its vectors: a concurrent writer of one locks the chunk, so its vector is visible afterwards.
    await db.deleteFrom('chunk').where('chunk_id', '>=', first).where('chunk_id', '<=', last).execute()
    await db.deleteFrom('memory').where('first_chunk_id', '>=', first).where('first_chunk_id', '<=', last).execute()
    await db.deleteFrom('qa').where('chunk_id', '>=', first).where('chunk_id', '<=', last).execute()
    await db.deleteFrom('chunk_vector').where('chunk_id', '>=', first).where('chunk_id', '<=', last).execute()
    await db.deleteFrom('chunk_text').where('chunk_id', '>=', first).where('chunk_id', '<=', last).execute()
  })
  await engine.vectors.remove(db, accountKey, first, last)
}

/** Internal key of a space, which is created if needed. */
async function spaceKeyOf(context: WriteContext, spaceId: string, dimensions: number): Promise<number> {
  const known = context.memo.spaceKeys.get(spaceId)
  if (known !== undefined) return known
  await context.db
    .insertInto('space')
    .values({ space_id: spaceId })
    .onConflict((conflict) => conflict.column('space_id').doNothing())
    .execute()
  const { space_key } = await context.db
    .selectFrom('space')
    .select('space_key')
    .where('space_id', '=', spaceId)
    .executeTakeFirstOrThrow()
  // The length of vectors is unknown until the first item with one.
  if (dimensions === 0) return space_key
  await context.engine.vectors.prepare(context.db, space_key, dimensions)
  context.memo.spaceKeys.set(spaceId, space_key)
  return space_key
}

/**
 * Most chunks that one commit inserts or removes. Larger items are written in several commits as hidden rows, and
 * hidden before they are removed in several commits, so that other writers wait 100 ms at most.
 */
export const MOST_CHUNKS_IN_ONE_COMMIT = 1_000

interface ShownRange {
  readonly first_chunk_id: number | null
  readonly last_chunk_id: number | null
}

/**
 * Removes an item's rows: immediately for an ordinary size, otherwise by leaving them to `sweepHidden`. The caller
 * deletes the item or gives it another range. Returns the number of chunks.
 */
export async function hideRange(context: WriteContext, accountKey: number, shown: ShownRange): Promise<number> {
  const { first_chunk_id: first, last_chunk_id: last } = shown
  if (first === null || last === null) return 0
  const chunks = last - first + 1
  if (chunks <= MOST_CHUNKS_IN_ONE_COMMIT) {
    await removeRange(context, accountKey, first, last)
  } else {
    await context.db
      .insertInto('hidden_range')
      .values({ first_chunk_id: first, last_chunk_id: last, account_key: accountKey, lease_token: null })
      .execute()
  }
  return chunks
}

/**
 * Removes one batch of hidden rows. Ranges still being written by the holder of a live lease stay. Returns whether
 * there may be more.
 */
export async function sweepHidden(context: WriteContext): Promise<boolean> {
  const live = context.db
    .selectFrom('job')
    .select('lease_token')
    .where('lease_token', 'is not', null)
    .where('ready_at', '>', context.now)
  const ranges = context.db
    .selectFrom('hidden_range')
    .selectAll()
    .where((where) => where.or([where('lease_token', 'is', null), where('lease_token', 'not in', live)]))
    .limit(1)
  // The writer holds a lock on a range that it is writing or showing although its lease has just expired.
  const range = await context.engine.skipLocked(ranges).executeTakeFirst()
  if (range === undefined) return false
  const { first_chunk_id: first, last_chunk_id: last, account_key: accountKey } = range
  const end = Math.min(last, first + MOST_CHUNKS_IN_ONE_COMMIT - 1)
  await removeRange(context, accountKey, first, end)
  const rest = context.db.deleteFrom('hidden_range').where('first_chunk_id', '=', first)
  await rest.execute()
  if (end < last) {
    await context.db
      .insertInto('hidden_range')
      .values({ ...range, first_chunk_id: end + 1 })
      .execute()
  }
  return true
}

/** Adds the words of these chunks to the account's vocabulary. Words stay when their chunks are removed. */
export async function learnTerms(context: WriteContext, accountKey: number, chunks: readonly IndexedChunk[]) {
  const fresh = context.memo.knownTerms
    .learn(accountKey, chunkTerms(chunks))
    .filter(isCorrectable)
    .map((term) => ({ account_key: accountKey, length: term.length, term, reversed: reverseTerm(term) }))
  for (let start = 0; start < fresh.length; start += 100) {
    await context.db
      .insertInto('vocabulary')
      .values(fresh.slice(start, start + 100))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function* chunkTerms(chunks: readonly IndexedChunk[]): Iterable<string> {
  for (const { bodyTerms, metaTerms } of chunks) {
    yield* bodyTerms.split(' ')
    yield* metaTerms.split(' ')
  }
}

export const indexCommands = { sweepHidden }
