import { UNNAMED_FILE } from '../../src/domain/content-format.ts'
import type { Chunk, IndexedItem } from '../../src/domain/document.ts'
import type { Embedder } from '../../src/models/model.ts'
import { createEmbedStage, indexItem } from '../../src/pipeline/index-item.ts'
import { type EvaluationCollection, type EvaluationSession, parseWhen } from './evaluation-set.ts'

/** One chunk for each turn, by the product's embed and index stages. */
export async function indexTurns(
  session: EvaluationSession,
  kind: EvaluationCollection['kind'],
  embedder: Embedder,
): Promise<IndexedItem> {
  let end = 0
  const chunks: Chunk[] = session.turns.map(({ text, speaker, when }, ordinal) => {
    const at = parseWhen(when ?? session.when)
    const start = end
    end += text.length + 1
    return {
      ordinal,
      kind: kind === 'docs' ? 'prose' : 'turn',
      text,
      start,
      end: end - 1,
      ...(speaker !== undefined && { speaker }),
      ...(at && { at }),
    }
  })
  const extraction = { chunks, memories: [], qas: [], skips: [] }
  const embeddings = await createEmbedStage(embedder).run(chunks)
  const document = { kind: kind === 'docs' ? 'document' : 'chat', meta: {} } as const
  const file = { fileName: UNNAMED_FILE, sourceType: 'text', timeZone: 'UTC' } as const
  const indexed = await indexItem.run({ document, extraction, embeddings, file })
  return {
    kind: document.kind,
    ...extraction,
    chunks: indexed,
    spaceId: embeddings.spaceId,
    pipelineVersion: 'evaluation',
  }
}
