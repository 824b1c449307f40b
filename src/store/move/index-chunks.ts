import { sql } from 'kysely'
import { fileNameWords } from '../../domain/file-name-words.ts'
import { type ChunkTerms, createChunkTerms, hashTerm, QUOTED_MARK, SELF_MARK, TOOL_MARK } from '../../lib/analyze.ts'
import type { FullTextRow, VectorRow } from '../engine.ts'
import { sourceOfCode, unpackFeatures } from '../search/chunk-columns.ts'
import type { Move } from './copy-table.ts'
import { type MovedTable, type Row, readRows, type Side } from './side.ts'

const INDEX_STEP = 'index of chunks'

/** Time zones whose dates are the same, a day before and a day after. */
const ANY_DAY = ['UTC', 'Etc/GMT+12', 'Pacific/Kiritimati']

/**
 * Builds the search index of the target: terms from the texts of chunks, vectors from their rows. The hash of its terms that
 * each chunk stores shows whether they are the same.
 *
 * @returns how many chunks had other terms before, because an older version indexed them
 */
export async function indexChunks(move: Move, chunk: MovedTable): Promise<{ otherTerms: number }> {
  const { source, target, progress, onRows } = move
  const reached = progress.table(INDEX_STEP)
  const [counted = 0] = (reached.after ?? []).slice(1).map(Number)
  let otherTerms = counted
  if (reached.isDone) return { otherTerms }
  if (reached.after === undefined) await prepare(move)
  const analyzers = await createAnalyzers(source)
  const spaces = new Set<number>()
  const ownText = sql`chunk_text.chunk_id = chunk.chunk_id
    and ${source.engine.isOfAccount('chunk_text', sql.ref('chunk.account_key'))}`
  const texts = ['speaker', 'heading', 'text'].map((name) => {
    return sql`(select ${sql.ref(name)} from chunk_text where ${ownText}) as ${sql.ref(name)}`
  })
  const fileName = sql`(select file_name from item where item_key = chunk.item_key) as file_name`
  let last = Number(reached.after?.[0] ?? 0)
  for await (const rows of readRows(source.db, chunk, [last], [...texts, fileName])) {
    last = Number(rows.at(-1)?.chunk_id)
    await target.commit(async () => {
      for (const [accountKey, own] of Map.groupBy(rows, (row) => Number(row.account_key))) {
        const analyzed = own.map((row) => analyzers.analyse(accountKey, row))
        otherTerms += analyzed.filter(({ isSame }) => !isSame).length
        await target.engine.fullText.add(
          target.db,
          accountKey,
          analyzed.map(({ row }) => row),
        )
        await addVectors(target, accountKey, own, spaces)
      }
      await progress.note(INDEX_STEP, { after: [last, otherTerms], isDone: false })
    })
    onRows(rows.length)
  }
  await target.commit(() => progress.note(INDEX_STEP, { after: [last, otherTerms], isDone: true }))
  return { otherTerms }
}

/** Creates the tables for the terms of each account and the vectors of plugged-in models. */
async function prepare({ target, progress }: Move): Promise<void> {
  const { db, engine } = target
  await target.commit(async () => {
    for (const { account_key } of await db.selectFrom('account').select('account_key').execute()) {
      await engine.fullText.createAccount(db, account_key)
    }
    for (const { space_key, dimensions } of await db
      .selectFrom('space')
      .select(['space_key', 'dimensions'])
      .execute()) {
      if (dimensions !== null) await engine.vectors.prepare(db, space_key, dimensions)
    }
    await progress.note(INDEX_STEP, { after: [0, 0], isDone: false })
  })
}

/** Adds the vectors of the built-in model, which are in the chunk rows, and those of plugged-in models. */
async function addVectors(
  target: Side,
  accountKey: number,
  rows: readonly Row[],
  prepared: Set<number>,
): Promise<void> {
  const { db, engine } = target
  const directed = rows.filter((row) => Number(row.vector_bytes) > 0)
  for (const [spaceKey, own] of Map.groupBy(directed, (row) => Number(row.space_key))) {
    if (!prepared.has(spaceKey)) await engine.vectors.prepare(db, spaceKey, Number(own[0]?.vector_bytes))
    prepared.add(spaceKey)
    await engine.vectors.add(db, accountKey, spaceKey, own.map(toVectorRow))
  }
  const [first, last] = [Number(rows[0]?.chunk_id), Number(rows.at(-1)?.chunk_id)]
  await engine.vectors.follow(db, accountKey, first, last)
}

function toVectorRow(row: Row): VectorRow {
  const features = row.features as Uint8Array
  return {
    chunkId: Number(row.chunk_id),
    source: Number(row.source),
    at: row.at === null ? null : Number(row.at),
    vector: new Int8Array(features.buffer, features.byteOffset, Number(row.vector_bytes)),
  }
}

async function createAnalyzers({ db }: Side) {
  const zones = await db.selectFrom('account').select(['account_key', 'time_zone']).execute()
  const byZone = new Map<string, ReturnType<typeof createChunkTerms>>()
  const inZone = (zone: string) => {
    const known = byZone.get(zone) ?? createChunkTerms(zone)
    byZone.set(zone, known)
    return known
  }
  const zoneOf = new Map(zones.map((row) => [row.account_key, row.time_zone]))
  return {
    analyse(accountKey: number, row: Row): { readonly row: FullTextRow; readonly isSame: boolean } {
      const at = row.at === null ? undefined : new Date(Number(row.at))
      const chunk = {
        ...{ text: String(row.text), speaker: textColumn(row.speaker), heading: textColumn(row.heading), at },
        ...(row.kind === 'prose' && { named: fileNameWords(sourceFile(row)) }),
      }
      const own = inZone(zoneOf.get(accountKey) ?? 'UTC')(chunk)
      // The account may have had another time zone when the chunk was indexed.
      const others = function* () {
        yield own
        if (at !== undefined) for (const zone of ANY_DAY) yield inZone(zone)(chunk)
      }
      const same = others().find((terms) => areTermsOf(row, terms))
      return { row: toFullTextRow(row, same ?? own), isSame: same !== undefined }
    },
  }
}

function sourceFile(row: Row) {
  return { fileName: String(row.file_name), sourceType: sourceOfCode(Number(row.source)) }
}

function textColumn(value: Row[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function toFullTextRow(row: Row, { body, meta }: ChunkTerms): FullTextRow {
  return {
    chunkId: Number(row.chunk_id),
    bodyTerms: body.join(' '),
    metaTerms: meta.join(' '),
    sourceType: sourceOfCode(Number(row.source)),
    at: row.at === null ? null : Number(row.at),
  }
}

function areTermsOf(row: Row, { body, meta }: ChunkTerms): boolean {
  const { bodyHashes, metaHashes } = unpackFeatures({
    vector_bytes: Number(row.vector_bytes),
    body_terms: Number(row.body_terms),
    meta_terms: Number(row.meta_terms),
    features: row.features as Uint8Array,
  })
  const last = metaHashes.at(-1)
  const isMarked = last === SELF_MARK || last === TOOL_MARK || last === QUOTED_MARK
  const known = isMarked ? metaHashes.subarray(0, -1) : metaHashes
  return areHashesOf(bodyHashes, body) && areHashesOf(known, meta)
}

function areHashesOf(hashes: Uint32Array, terms: readonly string[]): boolean {
  return hashes.length === terms.length && terms.every((term, index) => hashTerm(term) === hashes[index])
}
