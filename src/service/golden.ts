import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import type { EmbedQuestion } from '../retrieval/question/understand-query.ts'
import { type Recalled, recallMemories } from '../retrieval/recall/recall.ts'
import type { AccountRow } from '../store/accounts/accounts.ts'
import type { GoldenItem, GoldenQuestion, GoldenRank, GoldenRun } from '../store/golden/golden.ts'
import { findAccount } from './accounts.ts'
import { withContext } from './ask.ts'
import { checkedQuery, DEFAULT_RECALL_LIMIT, recallSources } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

/** `account` as for keys. A person's own questions with the items that answer them. */
export interface GoldenUseCases {
  /**
   * Rejects with `not_found` when an item does not exist. Returns the number of the question.
   * @param question.context earlier questions and answers: a question that depends on them is kept as it was searched
   */
  add(question: { account?: string; question: string; context?: string; items: readonly GoldenItem[] }): Promise<number>
  /** With the last runs, newest first; the last two are enough to show what changed. */
  list(account?: string): Promise<{ questions: readonly GoldenQuestion[]; runs: readonly GoldenRun[] }>
  remove(ref: { account?: string; number: number }): Promise<void>
  /**
   * Asks all questions as users do: in the current space, or only in the named one. Stores the run unless another space
   * was used than chosen (`notice`) or `keep` is false.
   */
  run(request: {
    account?: string
    by: Pick<GoldenRun, 'version' | 'pipelineVersion'>
    spaceId?: string
    keep?: boolean
    signal?: AbortSignal
  }): Promise<{ readonly run: GoldenRun; readonly notice?: string }>
}

/** Runs that are shown: the last one and the one it is compared with. */
const RUNS_LISTED = 2

export function goldenUseCases(context: ServiceContext): GoldenUseCases {
  const { store, clock } = context
  const goldenOf = ({ accountId }: AccountRow) => store.scoped({ accountId, sources: 'all' }).golden
  return {
    async add({ account, question, context: conversation, items }) {
      const found = await findAccount(context, account)
      const text = withContext(checkedQuery(question), conversation)
      if (items.length === 0) throw new AppError('invalid', 'Choose at least one item that answers the question.')
      const scoped = store.scoped({ accountId: found.accountId, sources: 'all' })
      for (const item of items) {
        if ((await scoped.findItem(item)) !== undefined) continue
        throw new AppError('not_found', `Item ${item.sourceType}/${item.itemId} doesn't exist.`, { field: 'item' })
      }
      return scoped.golden.add({ question: text, items })
    },
    async list(account) {
      const golden = goldenOf(await findAccount(context, account))
      const [questions, runs] = await Promise.all([golden.list(), golden.runs(RUNS_LISTED)])
      return { questions, runs }
    },
    async remove({ account, number }) {
      if (await goldenOf(await findAccount(context, account)).remove(number)) return
      throw new AppError('not_found', `Golden question ${number} doesn't exist.`, {
        advice: { action: 'list_golden' },
      })
    },
    async run({ account, by, spaceId, keep = true, signal }) {
      const found = await findAccount(context, account)
      const golden = goldenOf(found)
      const embed = spaceId === undefined ? context.questionSpaces.embed : context.questionSpaces.embedIn(spaceId)
      const seen: Seen = {}
      const ranks = new Map<number, GoldenRank>()
      for (const question of await golden.list()) {
        // Yields to other requests, which a recall does not do itself.
        await nextTurn()
        signal?.throwIfAborted()
        ranks.set(
          question.number,
          await rankOf(context, found, question, { embed: watched(embed, seen), seen, signal }),
        )
      }
      const asked = seen.spaceId ?? spaceId ?? (await store.spaces.active())?.spaceId ?? context.embedder.space.id
      const run = { ...by, ranAt: clock(), spaceId: asked, ranks }
      if (keep && seen.notice === undefined) await golden.saveRun(run)
      return { run, ...(seen.notice !== undefined && { notice: seen.notice }) }
    },
  }
}

/** The space used, and why an answer was limited. */
interface Seen {
  spaceId?: string
  notice?: string
}

function watched(embed: EmbedQuestion, seen: Seen): EmbedQuestion {
  return async (text, signal) => {
    const embedded = await embed(text, signal)
    seen.spaceId = embedded.spaceId
    return embedded
  }
}

async function rankOf(
  context: ServiceContext,
  { accountId, timeZone }: AccountRow,
  { question, items }: GoldenQuestion,
  { embed, seen, signal }: { embed: EmbedQuestion; seen: Seen; signal: AbortSignal | undefined },
): Promise<GoldenRank> {
  const held = items.filter(({ isHeld }) => isHeld)
  if (held.length === 0) return 'no item'
  const sources = { ...recallSources(context, { accountId, sources: 'all' }), embedQuestion: embed }
  const asked = { text: question, limit: DEFAULT_RECALL_LIMIT, timeZone, now: context.clock() }
  const recalled = await recallMemories({ ...asked, ...(signal && { signal }) }, sources)
  if (recalled.notice !== undefined) seen.notice = recalled.notice
  const right = new Set(held.map(keyOf))
  const rank = itemsInOrder(recalled).findIndex((item) => right.has(item)) + 1
  return rank === 0 ? null : rank
}

/** Items in the order of their best memory or chunk, each once. */
function itemsInOrder({ memories, chunks }: Recalled): string[] {
  const found = [...memories.map(({ row, score }) => ({ ...row, score })), ...chunks]
  return [...new Set(found.sort((a, b) => b.score - a.score).map(keyOf))]
}

function keyOf({ sourceType, itemId }: GoldenItem): string {
  return `${sourceType}/${itemId}`
}
