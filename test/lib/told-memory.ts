import { createPipeline } from '../../src/pipeline/pipeline.ts'
import { answerQuestion } from '../../src/retrieval/answer/answer.ts'
import { recallMemories } from '../../src/retrieval/recall/recall.ts'
import { type NewText, openEvaluationStore } from '../eval/evaluation-store.ts'
import { builtInEmbedder } from './built-in-embedder.ts'
import { fileOf, type Told } from './labelled-pair.ts'

export interface ToldMemory {
  /** The answer to a question of 24 November 2026. */
  ask(text: string, userName?: string): ReturnType<typeof answerQuestion>
  recall(text: string): ReturnType<typeof recallMemories>
  close(): Promise<void>
}

const NOW = new Date('2026-11-24T09:00:00Z')

/** An account that holds what was told and other texts, with the built-in models. */
export async function openToldMemory(told: readonly Told[], others: readonly NewText[]): Promise<ToldMemory> {
  const embedder = await builtInEmbedder()
  const store = await openEvaluationStore()
  const accountId = await store.createAccount()
  const pipeline = createPipeline({ embedder })
  const texts = [...told.map((one, i) => ({ itemId: `told-${i}`, ...fileOf(one) })), ...others]
  await store.add(accountId, texts, (file) => pipeline.run(file))
  return {
    ask: (text, userName) =>
      answerQuestion(
        { text, limit: 20, now: NOW, timeZone: 'UTC', ...(userName !== undefined && { userName }) },
        { index: store.index(accountId), embedder },
      ),
    recall: (text) =>
      recallMemories({ text, limit: 20, now: NOW, timeZone: 'UTC' }, { index: store.index(accountId), embedder }),
    close: async () => store.close(),
  }
}
