import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'
import { recallMemories } from '../../src/retrieval/recall/recall.ts'
import { openEvaluationStore } from '../eval/evaluation-store.ts'
import { createCorpus } from './corpus.ts'

const TEXT_CHARACTERS = 2_000
/** How many memories the pipeline makes of a text. */
const PER_TEXT = 3
const NOW = new Date('2026-11-20T12:00:00Z')

/** A store and a pipeline in this process, to measure them without the service around them. */
export interface SmallAccount {
  readonly texts: number
  /** Memorizes so many further texts. */
  memorize(count: number): Promise<void>
  /** Asks a question; the same number gives the same one. */
  recall(number: number): Promise<void>
  close(): Promise<void>
}

export async function openSmallAccount(memories: number): Promise<SmallAccount> {
  const corpus = createCorpus()
  const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
  const pipeline = createPipeline({ embedder })
  const store = await openEvaluationStore()
  const accountId = await store.createAccount()
  const index = store.index(accountId)
  let texts = 0
  const memorize = async (count: number) => {
    const added = Array.from({ length: count }, (_, i) => {
      const number = texts + i
      return { itemId: `text-${number}`, text: corpus.text(number, TEXT_CHARACTERS), contentType: 'text/plain' }
    })
    texts += count
    await store.add(accountId, added, (file) => pipeline.run(file))
  }
  await memorize(Math.ceil(memories / PER_TEXT))
  return {
    get texts() {
      return texts
    },
    memorize,
    async recall(number) {
      const input = { text: corpus.question(number), timeZone: 'UTC', now: NOW }
      await recallMemories(input, { index, embedder })
    },
    async close() {
      await pipeline.close()
      await store.close()
    },
  }
}
