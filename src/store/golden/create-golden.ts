import { z } from 'zod'
import type { AccountReader, ScopedAccount } from '../store-parts.ts'
import type { GoldenQuestion, GoldenQuestions, GoldenRank, GoldenRun } from './golden.ts'

export function createGolden(account: ScopedAccount): GoldenQuestions {
  const { scope, commands } = account
  const requireAll = () => account.requireAllSources('Golden questions need a key with access to all sources')
  return {
    async add({ question, items }) {
      requireAll()
      const refs = items.map(({ itemId, sourceType }) => ({ itemId, sourceType }))
      return commands.call('addGolden', scope, { question, items: refs })
    },
    async list() {
      requireAll()
      return account.read(listGolden, [])
    },
    async remove(number) {
      requireAll()
      return commands.call('removeGolden', scope, number)
    },
    async saveRun(run) {
      requireAll()
      return commands.call('saveGoldenRun', scope, run)
    },
    async runs(limit) {
      requireAll()
      return account.read((reader) => listGoldenRuns(reader, limit), [])
    },
  }
}

const RANKS: z.ZodType<Record<string, GoldenRank>> = z.record(
  z.string(),
  z.union([z.int().min(1), z.null(), z.literal('no item')]),
)

async function listGolden({ db, accountKey }: AccountReader): Promise<GoldenQuestion[]> {
  const questions = await db
    .selectFrom('golden_question')
    .select(['golden_key', 'number', 'question', 'created_at'])
    .where('account_key', '=', accountKey)
    .orderBy('number')
    .execute()
  const items = await db
    .selectFrom('golden_item')
    .innerJoin('golden_question', 'golden_question.golden_key', 'golden_item.golden_key')
    .leftJoin('item', (join) =>
      join
        .onRef('item.account_key', '=', 'golden_question.account_key')
        .onRef('item.item_id', '=', 'golden_item.item_id')
        .onRef('item.source_type', '=', 'golden_item.source_type'),
    )
    .select(['golden_item.golden_key', 'golden_item.item_id', 'golden_item.source_type', 'item.item_key'])
    .where('golden_question.account_key', '=', accountKey)
    .orderBy('golden_item.source_type')
    .orderBy('golden_item.item_id')
    .execute()
  const byQuestion = Map.groupBy(items, ({ golden_key }) => golden_key)
  return questions.map(({ golden_key, number, question, created_at }) => ({
    number,
    question,
    items: (byQuestion.get(golden_key) ?? []).map((item) => ({
      itemId: item.item_id,
      sourceType: item.source_type,
      isHeld: item.item_key !== null,
    })),
    createdAt: new Date(created_at),
  }))
}

async function listGoldenRuns({ db, accountKey }: AccountReader, limit: number): Promise<GoldenRun[]> {
  const rows = await db
    .selectFrom('golden_run')
    .selectAll()
    .where('account_key', '=', accountKey)
    .orderBy('run_key', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ranAt: new Date(row.ran_at),
    version: row.version,
    pipelineVersion: row.made_by,
    spaceId: row.space_id,
    ranks: new Map(Object.entries(RANKS.parse(JSON.parse(row.ranks))).map(([number, rank]) => [Number(number), rank])),
  }))
}
