import type { Embedder } from '../../src/models/model.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'
import { recallMemories } from '../../src/retrieval/recall/recall.ts'
import { answerable, askedAt, type EvaluationSession, type EvaluationSet, parseWhen } from './evaluation-set.ts'
import { openEvaluationStore } from './evaluation-store.ts'

/** Tokens are counted as a quarter of the characters. */
const BUDGET_CHARACTERS = 1_500 * 4
const MOST_RESULTS = 100

export interface BudgetMeasures {
  readonly questions: number
  /** Percent of the evidence turns whose text the packed passages hold. */
  readonly memories: number
  readonly chunks: number
  readonly emptyAnswers: number
}

/** Every session goes through the whole pipeline as a file; what recall returns is packed best first, where it fits. */
export async function measureBudget(set: EvaluationSet, embedder: Embedder): Promise<BudgetMeasures> {
  const pipeline = createPipeline({ embedder })
  const store = await openEvaluationStore()
  let [questions, memoryShare, chunkShare, emptyAnswers] = [0, 0, 0, 0]
  try {
    for (const collection of set.collections) {
      const accountId = await store.createAccount()
      const sourceType =
        collection.kind === 'docs' ? 'technical_docs' : collection.kind === 'meeting' ? 'google_meets' : 'slack'
      const files = collection.sessions.map(
        (session) => ({ itemId: itemId(session.id), text: fileText(session), sourceType }) as const,
      )
      await store.add(accountId, files, (file) => pipeline.run(file))
      const texts = new Map(
        collection.sessions.flatMap(({ turns }) => turns.map(({ id, text }) => [id, text] as const)),
      )
      const index = store.index(accountId)
      for (const { text, evidence } of answerable(set).filter((one) => one.collection === collection.id)) {
        const input = { text, limit: MOST_RESULTS, timeZone: 'UTC', now: askedAt(set) }
        const { memories, chunks } = await recallMemories(input, { index, embedder })
        const wanted = evidence.map((id) => texts.get(id)!)
        questions++
        if (memories.length === 0 && chunks.length === 0) emptyAnswers++
        memoryShare += shareHeld(
          wanted,
          memories.map(({ row }) => row.content.body ?? ''),
        )
        chunkShare += shareHeld(
          wanted,
          chunks.map((chunk) => chunk.text),
        )
      }
    }
  } finally {
    await store.close()
  }
  return { questions, memories: (100 * memoryShare) / questions, chunks: (100 * chunkShare) / questions, emptyAnswers }
}

function itemId(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N}_\-=!:]/gu, '_')
}

/** As the connectors write a conversation; a text of documents as it is. */
export function fileText({ id, when, turns }: EvaluationSession): string {
  if (turns.every(({ speaker }) => speaker === undefined)) return turns.map(({ text }) => text).join('\n\n')
  const at = parseWhen(when)
  const head = [
    '---',
    `title: ${JSON.stringify(id.replaceAll('_', ' '))}`,
    ...(at ? [`when: ${at.toISOString()}`] : []),
    '---',
    '',
  ]
  const lines = turns.map(({ speaker, when: said, text }) => {
    const time = parseWhen(said ?? when)
    return `${speaker}${time ? ` [${time.toISOString().slice(0, 16).replace('T', ' ')}]` : ''}: ${text}`
  })
  return `${head.join('\n')}${lines.join('\n')}\n`
}

function shareHeld(wanted: readonly string[], passages: readonly string[]): number {
  let packed = ''
  for (const passage of passages) {
    // As in the results of MCP, a shorter one may still fit.
    if (packed.length + passage.length <= BUDGET_CHARACTERS) packed += `${bare(passage)}\n`
  }
  return wanted.filter((text) => packed.includes(bare(text))).length / wanted.length
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
