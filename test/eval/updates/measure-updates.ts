import type { Embedder } from '../../../src/models/model.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { answerQuestion } from '../../../src/retrieval/answer/answer.ts'
import { recallMemories } from '../../../src/retrieval/recall/recall.ts'
import { fileOf, type LabelledPair } from '../../lib/labelled-pair.ts'
import { type NewText, openEvaluationStore } from '../evaluation-store.ts'

const NOW = new Date('2026-11-20T09:00:00Z')

export interface UpdateMeasures {
  readonly pairs: number
  readonly updates: number
  /** Links from the newer to the older text of an update. */
  readonly linked: number
  /** Each as `newer > older`, by the names of their pairs. */
  readonly missed: readonly string[]
  /** Links between two texts that both hold. */
  readonly wrong: readonly string[]
  /** Updates of which the newer text is recalled before the older one. */
  readonly newestFirst: number
  /** Updates of which `ask` cites the newer text first. */
  readonly answeredByNewest: number
  readonly answeredByOlder: readonly string[]
}

/** Uploads the texts of all pairs to one account, and asks the question of each. */
export async function measureUpdates(pairs: readonly LabelledPair[], embedder: Embedder): Promise<UpdateMeasures> {
  await using parts = new AsyncDisposableStack()
  const store = parts.adopt(await openEvaluationStore(), (opened) => opened.close())
  const accountId = await store.createAccount()
  const pipeline = createPipeline({ embedder })
  const texts = pairs.flatMap(({ older, newer }, i): NewText[] => [
    { itemId: `old-${i}`, ...fileOf(older) },
    { itemId: `new-${i}`, ...fileOf(newer) },
  ])
  await store.add(accountId, texts, (file) => pipeline.run(file))
  const index = store.index(accountId)
  const expected = new Set(pairs.flatMap(({ isUpdate }, i) => (isUpdate ? [`new-${i} > old-${i}`] : [])))
  const links = new Set<string>()
  const answeredByOlder: string[] = []
  let newestFirst = 0
  let answeredByNewest = 0
  for (const [i, { name, question, isUpdate }] of pairs.entries()) {
    const query = { text: question, limit: 20, now: NOW, timeZone: 'UTC' }
    const { memories } = await recallMemories(query, { index, embedder })
    for (const { row, supersedes } of memories) {
      for (const older of supersedes) links.add(`${row.itemId} > ${older.itemId}`)
    }
    if (!isUpdate) continue
    const ids = memories.map(({ row }) => row.itemId)
    const [newer, older] = [ids.indexOf(`new-${i}`), ids.indexOf(`old-${i}`)]
    if (newer >= 0 && (older < 0 || newer < older)) newestFirst++
    const { citations } = await answerQuestion(query, { index, embedder })
    if (citations[0]?.itemId === `new-${i}`) answeredByNewest++
    else if (citations[0]?.itemId === `old-${i}`) answeredByOlder.push(name)
  }
  const named = (link: string): string => {
    const [newer, older] = [...link.matchAll(/-(\d+)/g)].map(([, place]) => pairs[Number(place)]!.name)
    return newer === older ? newer! : `${newer} / ${older}`
  }
  const missed = [...expected].filter((link) => !links.has(link))
  return {
    pairs: pairs.length,
    updates: expected.size,
    linked: expected.size - missed.length,
    missed: missed.map(named),
    wrong: [...links].filter((link) => !expected.has(link)).map(named),
    newestFirst,
    answeredByNewest,
    answeredByOlder,
  }
}
