import type { Embedder } from '../../../src/models/model.ts'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { answerQuestion } from '../../../src/retrieval/answer/answer.ts'
import { fileOf } from '../../lib/labelled-pair.ts'
import { firstLine } from '../answer-text.ts'
import { type NewText, openEvaluationStore } from '../evaluation-store.ts'
import { holds, plain } from '../home/mark-answer.ts'
import type { Change } from './changes.ts'

const NOW = new Date('2026-11-20T09:00:00Z')

export interface ChangeMeasures {
  readonly changes: number
  /** Questions of today whose first line holds the newer value. */
  readonly current: number
  /** Questions of before whose first line holds the older value. */
  readonly before: number
  /** The answers that were not right. */
  readonly failures: readonly string[]
}

/** Uploads the texts of all changes to one account, and asks both questions of each. */
export async function measureChanges(changes: readonly Change[], embedder: Embedder): Promise<ChangeMeasures> {
  await using parts = new AsyncDisposableStack()
  const store = parts.adopt(await openEvaluationStore(), (opened) => opened.close())
  const accountId = await store.createAccount()
  const pipeline = createPipeline({ embedder })
  const texts = changes.flatMap(({ older, newer }, i): NewText[] => [
    { itemId: `old-${i}`, ...fileOf(older) },
    { itemId: `new-${i}`, ...fileOf(newer) },
  ])
  await store.add(accountId, texts, (file) => pipeline.run(file))
  const index = store.index(accountId)
  const failures: string[] = []
  const isRight = async (question: string, wanted: string): Promise<boolean> => {
    const query = { text: question, limit: 20, now: NOW, timeZone: 'UTC' }
    const { response, abstained } = await answerQuestion(query, { index, embedder })
    const right = !abstained && holds(plain(firstLine(response)), wanted)
    if (!right) failures.push(`${question} (${wanted})\n${response}\n`)
    return right
  }
  let [current, before] = [0, 0]
  for (const change of changes) {
    if (await isRight(change.question, change.now)) current++
    if (await isRight(change.before, change.was)) before++
  }
  return { changes: changes.length, current, before, failures }
}
