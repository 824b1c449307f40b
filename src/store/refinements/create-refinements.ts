import { sql } from 'kysely'
import { DOCUMENT_KINDS, type ExtractedMemory } from '../../domain/document.ts'
import type { RefinableItem } from '../../domain/refinement.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { itemsInScope } from '../items/item-reads.ts'
import type { Db } from '../schema.ts'
import type { AccountReader, EngineParts, ScopedAccount } from '../store-parts.ts'
import { nextRefinedAccount, pausesAt } from './refinement-queue.ts'
import type { RefinementLease } from './refinement-writes.ts'
import type {
  AccountDaySpending,
  DaySpending,
  Pause,
  RefinementCandidate,
  Refinements,
  RefinementTotals,
  ScopedRefinements,
  Spending,
} from './refinements.ts'

export function createRefinements({
  db,
  engine,
  commands,
  clock,
  notifications,
}: Pick<EngineParts, 'db' | 'engine' | 'commands' | 'clock' | 'notifications'>): {
  readonly of: Refinements
  areWanted(): boolean
} {
  let wanted = false
  const of: Refinements = {
    want: (now) => {
      wanted = now
    },
    claim: (request) => commands.call('claimRefinement', request),
    extend: (claims, leaseMs) => commands.call('extendRefinements', claims.map(leaseOf), leaseMs),
    release: (claims) => commands.call('releaseRefinements', claims.map(leaseOf)),
    endLeases: () => commands.call('endRefinementLeases'),
    storeCall: (claim, call) => commands.call('storeRefinementCall', claim.accountId, leaseOf(claim), call),
    storeSpending: (accountId, call) => commands.call('storeModelSpending', accountId, call),
    complete: (claim, refined) =>
      notifications.after(claim.accountId, commands.call('completeRefinement', leaseOf(claim), refined)),
    fail: (claim, failure) => commands.call('failRefinement', leaseOf(claim), failure),
    spent: (accountId, day) => refinementSpending(db, accountId, day),
    spentByDay: (accountId, fromDay) => refinementSpendingByDay(db, accountId, fromDay),
    spentSince: (fromDay) => refinementSpendingSince(db, fromDay),
    isDue: async () => (await nextRefinedAccount({ db, engine, now: clock().getTime() })) !== undefined,
    pause: (pause) => commands.call('pauseRefinements', pause),
    resume: (reasons) => commands.call('resumeRefinements', reasons),
    pauses: () => refinementPauses(db, clock().getTime()),
  }
  return { of, areWanted: () => wanted }
}

export function createScopedRefinements(account: ScopedAccount): ScopedRefinements {
  return {
    read: (ref, mostChunks) => account.read((reader) => readRefinable(reader, ref, mostChunks), undefined),
    candidates: (query) => account.read((reader) => refinementCandidates(reader, query), []),
    queue: (keys) => account.commands.call('queueRefinements', account.scope, keys),
    totals: () => account.read(refinementTotals, []),
    givenUp: (limit) => account.read((reader) => givenUpRefinements(reader, limit), []),
  }
}

function leaseOf({ refinementId, leaseToken, accountId }: RefinementLease): RefinementLease {
  return { refinementId, leaseToken, accountId }
}

async function readRefinable(
  account: AccountReader,
  { itemId, sourceType }: { readonly itemId: string; readonly sourceType: SourceType },
  mostChunks: number,
): Promise<{ item: RefinableItem; answers: ReadonlyMap<string, string> } | undefined> {
  const { db } = account
  const row = await itemsInScope(account, sourceType)
    .innerJoin('account', 'account.account_key', 'item.account_key')
    .select(['item.item_key', 'item.user_name', 'item.uploaded_at', 'item.kind', 'item.title', 'account.time_zone'])
    .select(['item.first_chunk_id', 'item.last_chunk_id'])
    .where('item.item_id', '=', itemId)
    .executeTakeFirst()
  if (row === undefined || row.first_chunk_id === null || row.last_chunk_id === null) return undefined
  const first = row.first_chunk_id
  const last = Math.min(row.last_chunk_id, first + mostChunks - 1)
  const answers = await db
    .selectFrom('refinement_part')
    .select(['hash', 'answer'])
    .where('item_key', '=', row.item_key)
    .execute()
  const item: RefinableItem = {
    sourceType,
    userName: row.user_name,
    timeZone: row.time_zone,
    uploadedAt: new Date(row.uploaded_at),
    kind: DOCUMENT_KINDS.find((kind) => kind === row.kind) ?? 'document',
    title: row.title ?? undefined,
    chunks: await readRefinableChunks(account, first, last),
    chunkCount: row.last_chunk_id - first + 1,
    memories: await readRefinableMemories(account, first, last),
    qas: await readRefinableQas(account, first, last),
  }
  return { item, answers: new Map(answers.map(({ hash, answer }) => [hash, answer])) }
}

async function readRefinableChunks(
  { db, engine, accountKey }: AccountReader,
  first: number,
  last: number,
): Promise<RefinableItem['chunks']> {
  const rows = await db
    .selectFrom('chunk')
    .innerJoin('chunk_text', 'chunk_text.chunk_id', 'chunk.chunk_id')
    .select(['chunk.ordinal', 'chunk.kind', 'chunk.at', 'chunk_text.text', 'chunk_text.speaker', 'chunk_text.heading'])
    .where('chunk.chunk_id', '>=', first)
    .where('chunk.chunk_id', '<=', last)
    .where(engine.isOfAccount('chunk', accountKey))
    .where(engine.isOfAccount('chunk_text', accountKey))
    .orderBy('chunk.chunk_id')
    .execute()
  return rows.map(({ ordinal, kind, text, speaker, heading, at }) => ({
    ordinal,
    kind,
    text,
    ...(speaker !== null && { speaker }),
    ...(heading !== null && { heading }),
    ...(at !== null && { at: new Date(at) }),
  }))
}

async function readRefinableMemories(
  { db, engine, accountKey }: AccountReader,
  first: number,
  last: number,
): Promise<ExtractedMemory[]> {
  const rows = await db
    .selectFrom('memory')
    .select(['memory_index', 'content', 'first_chunk_id', 'last_chunk_id', 'at'])
    .where('first_chunk_id', '>=', first)
    .where('first_chunk_id', '<=', last)
    .where(engine.isOfAccount('memory', accountKey))
    .orderBy('memory_index')
    .execute()
  return rows.map((row) => ({
    index: row.memory_index,
    content: JSON.parse(row.content),
    firstChunk: row.first_chunk_id - first,
    lastChunk: row.last_chunk_id - first,
    // The precision of the time is in its text; the column contains the start.
    ...(row.at !== null && { when: { start: new Date(row.at), precision: 'minute' as const } }),
  }))
}

async function readRefinableQas(
  { db, engine, accountKey }: AccountReader,
  first: number,
  last: number,
): Promise<RefinableItem['qas']> {
  const rows = await db
    .selectFrom('qa')
    .select(['question', 'answer', 'chunk_id'])
    .where('chunk_id', '>=', first)
    .where('chunk_id', '<=', last)
    .where(engine.isOfAccount('qa', accountKey))
    .orderBy('qa_key')
    .execute()
  return rows.map(({ question, answer, chunk_id }) => ({ question, answer, chunk: chunk_id - first }))
}

async function refinementCandidates(
  account: AccountReader,
  query: {
    readonly refinedBy: string
    readonly sourceType?: SourceType
    readonly after?: number
    readonly limit: number
  },
): Promise<RefinementCandidate[]> {
  const rows = await itemsInScope(account, query.sourceType)
    .leftJoin('job', (join) =>
      join.onRef('job.item_key', '=', 'item.item_key').on('job.account_key', '=', account.accountKey),
    )
    .leftJoin('refinement', (join) =>
      join.onRef('refinement.item_key', '=', 'item.item_key').on('refinement.account_key', '=', account.accountKey),
    )
    .select(['item.item_key', 'item.item_id', 'item.source_type'])
    .where('item.item_key', '>', query.after ?? 0)
    .where('item.state', '=', 'ready')
    .where('item.first_chunk_id', 'is not', null)
    .where('job.job_id', 'is', null)
    .where((item) => item.or([item('item.refined_by', 'is', null), item('item.refined_by', '<>', query.refinedBy)]))
    .where((item) => item.or([item('refinement.state', 'is', null), item('refinement.state', '=', 'given_up')]))
    .orderBy('item.item_key')
    .limit(query.limit)
    .execute()
  return rows.map((row) => ({ key: row.item_key, itemId: row.item_id, sourceType: row.source_type }))
}

async function refinementTotals(account: AccountReader): Promise<RefinementTotals[]> {
  const rows = await itemsInScope(account)
    .leftJoin('refinement', (join) =>
      join.onRef('refinement.item_key', '=', 'item.item_key').on('refinement.account_key', '=', account.accountKey),
    )
    .select('item.source_type')
    .select(sql<number>`sum(case when refinement.state = 'waiting' then 1 else 0 end)`.as('waiting'))
    .select(sql<number>`sum(case when refinement.state = 'given_up' then 1 else 0 end)`.as('given_up'))
    .select(sql<number>`sum(case when item.refined_by is null then 0 else 1 end)`.as('refined'))
    .groupBy('item.source_type')
    .execute()
  const unproven = await unprovenBySource(account)
  return rows
    .map((row) => ({
      sourceType: row.source_type,
      waiting: Number(row.waiting),
      givenUp: Number(row.given_up),
      refined: Number(row.refined),
      unproven: unproven.get(row.source_type) ?? 0,
    }))
    .filter(({ waiting, givenUp, refined }) => waiting + givenUp + refined > 0)
}

async function unprovenBySource(account: AccountReader) {
  const rows = await itemsInScope(account)
    .select(['item.source_type', 'item.refinement_skips'])
    .where('item.refinement_skips', 'is not', null)
    .execute()
  const totals = new Map<SourceType, number>()
  for (const { source_type: source, refinement_skips: text } of rows) {
    const skips: { reason: string; count: number }[] = JSON.parse(text ?? '[]')
    const count = skips.filter(({ reason }) => reason === 'evidence_missing').reduce((sum, one) => sum + one.count, 0)
    totals.set(source, (totals.get(source) ?? 0) + count)
  }
  return totals
}

async function givenUpRefinements(
  account: AccountReader,
  limit: number,
): Promise<{ itemId: string; sourceType: SourceType; error: string }[]> {
  const rows = await itemsInScope(account)
    .innerJoin('refinement', (join) =>
      join.onRef('refinement.item_key', '=', 'item.item_key').on('refinement.account_key', '=', account.accountKey),
    )
    .select(['item.item_id', 'item.source_type', 'refinement.error'])
    .where('refinement.state', '=', 'given_up')
    .orderBy('refinement.refinement_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ itemId: row.item_id, sourceType: row.source_type, error: row.error ?? '' }))
}

async function refinementSpending(db: Db, accountId: string, day: string): Promise<Spending[]> {
  const rows = await db
    .selectFrom('refinement_spend')
    .innerJoin('account', 'account.account_key', 'refinement_spend.account_key')
    .select(['refinement_spend.source_type', 'input_tokens', 'output_tokens', 'micro_dollars'])
    .where('account.account_id', '=', accountId)
    .where('refinement_spend.day', '=', day)
    .execute()
  return rows.map((row) => ({
    sourceType: row.source_type,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    microDollars: row.micro_dollars,
  }))
}

/** Of all models together. */
async function refinementSpendingByDay(db: Db, accountId: string, fromDay: string): Promise<DaySpending[]> {
  const rows = await db
    .selectFrom('refinement_spend')
    .innerJoin('account', 'account.account_key', 'refinement_spend.account_key')
    .select(({ fn }) => [
      'refinement_spend.day',
      'refinement_spend.source_type',
      fn.sum<number>('calls').as('calls'),
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
      fn.sum<number>('micro_dollars').as('micro_dollars'),
    ])
    .where('account.account_id', '=', accountId)
    .where('refinement_spend.day', '>=', fromDay)
    .groupBy(['refinement_spend.day', 'refinement_spend.source_type'])
    .orderBy('refinement_spend.day')
    .orderBy('refinement_spend.source_type')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    sourceType: row.source_type,
    calls: Number(row.calls),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    microDollars: Number(row.micro_dollars),
  }))
}

async function refinementSpendingSince(db: Db, fromDay: string): Promise<AccountDaySpending[]> {
  const rows = await db
    .selectFrom('refinement_spend')
    .innerJoin('account', 'account.account_key', 'refinement_spend.account_key')
    .select(['refinement_spend.day', 'account.account_id', 'account.time_zone'])
    .select(({ fn }) => [
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
      fn.sum<number>('micro_dollars').as('micro_dollars'),
    ])
    .where('refinement_spend.day', '>=', fromDay)
    .groupBy(['account.account_id', 'account.time_zone', 'refinement_spend.day'])
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    day: row.day,
    timeZone: row.time_zone,
    tokens: Number(row.input_tokens) + Number(row.output_tokens),
    microDollars: Number(row.micro_dollars),
  }))
}

async function refinementPauses(db: Db, now: number): Promise<Pause[]> {
  const rows = await pausesAt(db, now)
    .leftJoin('account', 'account.account_key', 'refinement_pause.account_key')
    .select(['account.account_id', 'refinement_pause.source_type', 'reason', 'until_at', 'message'])
    .execute()
  return rows.map((row) => ({
    reason: row.reason,
    message: row.message,
    ...(row.account_id !== null && { accountId: row.account_id }),
    ...(row.source_type !== '' && { sourceType: row.source_type }),
    ...(row.until_at !== null && { until: new Date(row.until_at) }),
  }))
}
