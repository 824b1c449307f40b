import type { MadeEdit } from '../../../http/app/schemas/memory-edits.ts'
import type { FoundMemory, RecallAnswer } from '../../../http/app/schemas/recall.ts'
import { memoryKey } from './memory-key.ts'

interface Correction extends MadeEdit {
  readonly memory: Pick<FoundMemory, 'source' | 'custom_id'>
  readonly text: string
}

/** Results as they are shown until a correction has been processed and they are searched again. */
export function correctedResults(answer: RecallAnswer, { memory, text, by, at }: Correction): RecallAnswer {
  const results = answer.results.map((result) => {
    if (memoryKey(result) !== memoryKey(memory)) return result
    return { ...result, correction: { by, at }, hit: result.hit && { ...result.hit, text, matches: [] } }
  })
  return { ...answer, results }
}
