import type { ParsedDocument, SourceFile } from '../../../../src/domain/document.ts'
import { parse } from '../../../../src/pipeline/parse/parse.ts'

/** An upload with the given content. */
export function sourceFile(body: string | Uint8Array, file: Partial<SourceFile> = {}): SourceFile {
  return {
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    fileName: 'upload.txt',
    contentType: 'text/plain',
    sourceType: 'text',
    itemId: 'item',
    userName: 'Anna',
    timeZone: 'Europe/Berlin',
    uploadedAt: new Date('2026-11-20T12:00:00Z'),
    ...file,
  }
}

export function parsed(body: string | Uint8Array, file: Partial<SourceFile> = {}): Promise<ParsedDocument> {
  return parse.run(sourceFile(body, file))
}

/** The words of each block, with its type. */
export function blockTexts({ text, blocks }: ParsedDocument): (readonly [string, string])[] {
  return blocks.map((block) => [block.type, text.slice(block.start, block.end)] as const)
}

/** Who said what when, of the blocks that are said. */
export function turns({ text, blocks }: ParsedDocument): (readonly (string | undefined)[])[] {
  return blocks
    .filter((block) => block.type === 'turn')
    .map((block) => [block.speaker, block.at?.toISOString(), text.slice(block.start, block.end)])
}
