import type { Extraction, IndexedItem, ParsedDocument, SourceFile } from '../domain/document.ts'
import type { MomentRange } from '../domain/moment-range.ts'
import { freeCopies } from '../lib/worker-thread.ts'
import type { Embedder } from '../models/model.ts'
import { extract } from './extract/extract.ts'
import { createEmbedStage, indexItem } from './index-item.ts'
import { createDocumentReader, type OnReading } from './parse/document/document-reader.ts'
import type { Ocr } from './parse/ocr/ocr.ts'
import { createParse } from './parse/parse.ts'
import { pipelineVersion, type StageName } from './pipeline-version.ts'
import { segment } from './segment/segment.ts'
import type { Stage } from './stage.ts'

/** Called when a stage ends, including failures. Times in milliseconds since the epoch, with fractions. */
export type OnStage = (stage: StageTime) => void

export interface StageTime {
  readonly stage: string
  readonly from: number
  readonly to: number
}

/** Converts an upload to the rows that are stored. */
export interface Pipeline {
  readonly pipelineVersion: string
  /** Rejects with `unreadable` when the file has no text, and with the embedder's errors. */
  run(file: SourceFile, onStage?: OnStage): Promise<IndexedItem>
  /** Ends the process that reads PDFs and Office documents, if one was started; the pipeline can be used again afterwards. */
  close(): Promise<void>
}

interface PipelineOptions {
  readonly embedder: Embedder
  readonly onReading?: OnReading | undefined
  /** Reads images; none are read when absent. */
  readonly ocr?: Ocr | undefined
}

/** The stages in order: parse, segment, extract, embed, index. */
export function createPipeline({ embedder, onReading, ocr }: PipelineOptions): Pipeline {
  const parse = createParse(createDocumentReader(onReading && { onReading }), ocr)
  const embed = createEmbedStage(embedder)
  const version = pipelineVersion(embedder.space.id)
  return {
    pipelineVersion: version,
    close: () => parse.close(),
    async run(file, onStage) {
      const document = await timed(parse, file, onStage)
      // Only parsing needs the body: a large one is freed here.
      const { body, ...described } = file
      await freeCopies(body.length)
      const chunks = await timed(segment, document, onStage)
      const extraction = await timed(extract, { file: described, document, chunks }, onStage)
      const embeddings = await timed(embed, extraction.chunks, onStage)
      const indexed = await timed(indexItem, { document, extraction, embeddings, file: described }, onStage)
      const when = timeSpan(document)
      return {
        kind: document.kind,
        ...titleOf(document, described, extraction),
        ...(document.meta.url !== undefined && { url: document.meta.url }),
        ...(document.meta.where !== undefined && { place: document.meta.where }),
        ...(when !== undefined && { when }),
        chunks: indexed,
        memories: extraction.memories,
        qas: extraction.qas,
        skips: extraction.skips,
        spaceId: embeddings.spaceId,
        pipelineVersion: version,
      }
    },
  }
}

/** File names of notes and corrections that were written in recalld, which nobody chose. */
const UNNAMED = /^(?:note|correction)(?:-[\d-]+)?\.md$/

function titleOf(
  { meta }: ParsedDocument,
  { fileName, sourceType }: Pick<SourceFile, 'fileName' | 'sourceType'>,
  { memories }: Extraction,
): { readonly title?: string } {
  const isUnnamed = sourceType === 'text' && UNNAMED.test(fileName)
  const title = meta.title ?? (isUnnamed ? memories[0]?.content.headline : undefined)
  return title == null ? {} : { title }
}

/**
 * From the first to the last time of a document and its turns, events or dated sections, so that a question about one of
 * their days finds it; not times that a text only mentions.
 */
function timeSpan({ kind, meta, blocks }: ParsedDocument): MomentRange | undefined {
  const own = meta.when === undefined ? [] : [meta.when]
  const precision = kind === 'note' || kind === 'document' ? 'day' : 'minute'
  const said = blocks.flatMap(({ at }): MomentRange[] => (at === undefined ? [] : [{ start: at, precision }]))
  const times = [...own, ...said]
  const first = times.reduce<MomentRange | undefined>((a, b) => (a && a.start <= b.start ? a : b), undefined)
  if (first === undefined) return undefined
  const end = times.map((time) => time.end ?? time.start).reduce((a, b) => (a > b ? a : b))
  return end > first.start ? { ...first, end } : { start: first.start, precision: first.precision }
}

async function timed<Input, Output>(
  stage: Stage<StageName, Input, Output>,
  input: Input,
  onStage: OnStage | undefined,
): Promise<Output> {
  const from = performance.timeOrigin + performance.now()
  try {
    return await stage.run(input)
  } finally {
    onStage?.({ stage: stage.name, from, to: performance.timeOrigin + performance.now() })
  }
}
