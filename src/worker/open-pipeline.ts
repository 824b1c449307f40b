import { loadStaticEmbedder } from '../models/static/static-embedder.ts'
import type { OnReading } from '../pipeline/parse/document/document-reader.ts'
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts'

/** The pipeline with the embedder of this folder. What a pipeline thread runs. */
export async function openPipeline(modelFolder: string, onReading?: OnReading): Promise<Pipeline> {
  return createPipeline({ embedder: await loadStaticEmbedder(modelFolder), onReading })
}
