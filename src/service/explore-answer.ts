import { answer } from './ask.ts'
import type { ExploredAnswer } from './explore.ts'
import { customId } from './recall.ts'

/** As `ask`, with the memories that are cited. */
export async function exploreAnswer(...asked: Parameters<typeof answer>): Promise<ExploredAnswer> {
  const { text, abstained, citations, notice } = await answer(...asked)
  return {
    text,
    abstained,
    ...(notice !== undefined && { notice }),
    citations: citations.map(({ itemId, sourceType, quote, memory, ...provenance }, i) => ({
      n: i + 1,
      item_id: itemId,
      source: sourceType,
      quote,
      ...provenance,
      customId: memory && customId(memory),
    })),
  }
}
