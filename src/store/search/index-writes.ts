import { sql } from 'kysely'
import type { ExtractedMemory, ExtractedQa, IndexedChunk } from '../../domain/document.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { FullTextRow, VectorRow, WriteContext } from '../engine.ts'
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

const MEMORY_COLUMNS = [
  'account_key',
  'item_key',
  'memory_index',
  'first_chunk_id',
  'last_chunk_id',
  'at',
  'content',
] as const

const QA_COLUMNS = ['account_key', 'item_key', 'chunk_id', 'question', 'answer'] as const

/** What is new of an item; the chunk with ordinal n gets the id `firstId + n`. */
export interface NewContent {
  readonly owner: ChunkOwner
  readonly firstId: number
  readonly spaceId: string
  readonly chunks: readonly IndexedChunk[]
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
}

/** Inserts chunks, full-text rows, vectors, memories and pairs of items. */
export async function insertContents(context: WriteContext, contents: readonly NewContent[]): Promise<void> {
  const { db, engine } = context
  const byAccount = [...Map.groupBy(contents, ({ owner }) => owner.accountKey)]
  const vectors: { readonly accountKey: number; readonly spaceKey: number; readonly rows: VectorRow[] }[] = []
  const chunks: unknown[][] = []
  for (const [accountKey, own] of byAccount) {
    const ofAccount = new Map<number, VectorRow[]>()
    for (const content of own) {
      const dimensions = content.chunks.find(({ vector }) => vector.length > 0)?.vector.length ?? 0
      const spaceKey = await spaceKeyOf(context, content.spaceId, dimensions)
      const ofSpace = ofAccount.get(spaceKey) ?? []
      ofAccount.set(spaceKey, ofSpace)
      for (const chunk of content.chunks) chunks.push(chunkRow(content, chunk, spaceKey, ofSpace))
    }
    for (const [spaceKey, rows] of ofAccount) vectors.push({ accountKey, spaceKey, rows })
  }
  const texts = contents.flatMap(({ owner, firstId, chunks }) => {
    const account = engine.carriesAccount ? [owner.accountKey] : []
    return chunks.map(({ ordinal, speaker, heading, text }) => {
      return [firstId + ordinal, speaker ?? null, heading ?? null, text, ...account]
    })
  })
  const textColumns = engine.carriesAccount ? [...TEXT_COLUMNS, 'account_key' as const] : TEXT_COLUMNS
  await engine.together(
    () => engine.insertRows(db, { table: 'chunk', columns: CHUNK_COLUMNS, rows: chunks }),
    () => engine.insertRows(db, { table: 'chunk_text', columns: textColumns, rows: texts }),
    ...byAccount.map(
      ([accountKey, own]) =>
        () =>
          engine.fullText.add(db, accountKey, own.flatMap(fullTextRows)),
    ),
    ...vectors.map(
      ({ accountKey, spaceKey, rows }) =>
        () =>
          engine.vectors.add(db, accountKey, spaceKey, rows),
    ),
    () => insertMemories(context, contents),
  )
}

function chunkRow(
  { owner, firstId }: NewContent,
  chunk: IndexedChunk,
  spaceKey: number,
  vectors: VectorRow[],
): unknown[] {
  const { vectorBytes, features } = packFeatures(chunk)
  const chunkId = firstId + chunk.ordinal
  const source = sourceCode(owner.sourceType)
  const at = chunk.at?.getTime() ?? null
  vectors.push({
    chunkId,
    source,
    at,
    vector: new Int8Array(features.buffer, features.byteOffset, vectorBytes),
  })
  const { ordinal, kind, bodyHashes, metaHashes } = chunk
  const counts = [bodyHashes.length, metaHashes.length, vectorBytes]
  return [chunkId, owner.accountKey, owner.itemKey, ordinal, kind, source, spaceKey, at, ...counts, features]
}

function fullTextRows({ owner, firstId, chunks }: NewContent): FullTextRow[] {
  return chunks.map((chunk) => ({
    chunkId: firstId + chunk.ordinal,
    bodyTerms: chunk.bodyTerms,
    metaTerms: chunk.metaTerms,
    sourceType: owner.sourceType,
    at: chunk.at?.getTime() ?? null,
  }))
}

export async function insertMemories(
  { db, engine }: WriteContext,
  contents: readonly Pick<NewContent, 'owner' | 'firstId' | 'memories' | 'qas'>[],
): Promise<void> {
  const memories = contents.flatMap(({ owner: { accountKey, itemKey }, firstId, memories }) =>
    memories.map((memory) => [
      accountKey,
      itemKey,
      memory.index,
      firstId + memory.firstChunk,
      firstId + memory.lastChunk,
      memory.when?.start.getTime() ?? null,
      JSON.stringify(memory.content),
    ]),
  )
  const qas = contents.flatMap(({ owner: { accountKey, itemKey }, firstId, qas }) =>
    qas.map((qa) => [accountKey, itemKey, firstId + qa.chunk, qa.question, qa.answer]),
  )
  await engine.together(
    () => engine.insertRows(db, { table: 'memory', columns: MEMORY_COLUMNS, rows: memories }),
    () => engine.insertRows(db, { table: 'qa', columns: QA_COLUMNS, rows: qas }),
  )
}

/** Removes chunks, vectors, memories, pairs and full-text rows of a range of chunk ids, both ends included. */
export async function removeRange(context: WriteContext, accountKey: number, first: number, last: number) {
  const { db, engine } = context
  const remove = (table: 'chunk' | 'memory' | 'qa' | 'chunk_vector' | 'chunk_text', column: string) =>
    db
      .deleteFrom(table)
      .where(sql<boolean>`${sql.ref(column)} between ${first} and ${last}`)
      .where(engine.isOfAccount(table, accountKey))
      .execute()
  await engine.together(
    () => engine.fullText.remove(db, accountKey, first, last),
    () =>
      engine.secureDelete(db, () =>
        engine.together(
          // Before its vectors: a concurrent writer of one locks the chunk, so its vector is visible afterwards.
          () => remove('chunk', 'chunk_id'),
          () => remove('memory', 'first_chunk_id'),
          () => remove('qa', 'chunk_id'),
          () => remove('chunk_vector', 'chunk_id'),
          () => remove('chunk_text', 'chunk_id'),
        ),
      ),
    () => engine.vectors.remove(db, accountKey, first, last),
  )
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
    .where(context.engine.isReachable(sql.ref('hidden_range.account_key')))
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
  const rows = context.memo.knownTerms
    .learn(accountKey, chunkTerms(chunks))
    .filter(isCorrectable)
    .map((term) => [accountKey, term.length, term, reverseTerm(term)])
  const columns = ['account_key', 'length', 'term', 'reversed'] as const
  await context.engine.insertRows(context.db, { table: 'vocabulary', columns, rows, skipsExisting: true })
}

function* chunkTerms(chunks: readonly IndexedChunk[]): Iterable<string> {
  for (const { bodyTerms, metaTerms } of chunks) {
    yield* bodyTerms.split(' ')
    yield* metaTerms.split(' ')
  }
}

export const indexCommands = { sweepHidden }
