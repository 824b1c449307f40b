import type { Block, DocumentKind, DocumentMeta, ParsedDocument, SourceFile } from '../../../../src/domain/document.ts'
import { extract } from '../../../../src/pipeline/extract/extract.ts'
import { segment } from '../../../../src/pipeline/segment/segment.ts'

/** A piece of a hand-made document: its text, and what the parser would say of it. */
export type Piece = readonly [text: string, block: Omit<Block, 'start' | 'end'>]

export function documentOf(kind: DocumentKind, pieces: readonly Piece[], meta: DocumentMeta = {}): ParsedDocument {
  let text = ''
  const blocks: Block[] = []
  for (const [piece, block] of pieces) {
    if (text !== '') text += '\n\n'
    blocks.push({ ...block, start: text.length, end: text.length + piece.length })
    text += piece
  }
  return { kind, text, blocks, meta, skips: [] }
}

/** Turns one minute apart, from 4 March 2026, 10:00 in Berlin. */
export function turns(...said: readonly (readonly [speaker: string, text: string])[]): Piece[] {
  return said.map(([speaker, text], i) => [text, { type: 'turn', speaker, at: minute(i) }])
}

export function minute(count: number): Date {
  return new Date(Date.UTC(2026, 2, 4, 9, count))
}

export function fileOf(overrides: Partial<SourceFile> = {}): SourceFile {
  return {
    body: new Uint8Array(),
    fileName: 'file.md',
    contentType: 'text/markdown',
    sourceType: 'text',
    itemId: 'item-1',
    userName: 'Mara Lindqvist',
    timeZone: 'Europe/Berlin',
    uploadedAt: new Date('2026-04-01T08:00:00Z'),
    ...overrides,
  }
}

export async function extractFrom(document: ParsedDocument, overrides: Partial<SourceFile> = {}) {
  const chunks = await segment.run(document)
  return extract.run({ file: fileOf(overrides), document, chunks })
}

/** Narrative of the only memory. */
export async function narrate(document: ParsedDocument, overrides: Partial<SourceFile> = {}): Promise<string> {
  const { memories } = await extractFrom(document, overrides)
  if (memories.length !== 1) throw new Error(`expected one memory, got ${memories.length}`)
  return memories[0]?.content.narrative ?? ''
}
