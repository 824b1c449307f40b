import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../../src/domain/document.ts'
import { hashTerm, QUOTED_MARK, SELF_MARK, TOOL_MARK } from '../../../src/lib/analyze.ts'
import { indexItem } from '../../../src/pipeline/index-item.ts'
import { segment } from '../../../src/pipeline/segment/segment.ts'
import { documentOf } from './extract/extract-document-builder.ts'

describe('the role of a chunk', () => {
  it('comes from its block', async () => {
    const document = documentOf('agent', [
      ['Run the tests.', { type: 'turn', role: 'user', speaker: 'Ann' }],
      ['I run them now.', { type: 'turn', role: 'assistant', speaker: 'Claude' }],
      ['Error: I am a teapot', { type: 'turn', role: 'tool' }],
    ])
    const chunks = await segment.run(document)
    expect(chunks.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  it('is absent where nobody has one', async () => {
    const [chunk] = await segment.run(documentOf('chat', [['Hello there', { type: 'turn', speaker: 'Ann' }]]))
    expect(chunk).not.toHaveProperty('role')
  })

  it('marks the output of tools, which is never a first-person statement', async () => {
    const said = (ordinal: number, text: string, role: Chunk['role']): Chunk => ({
      ...{ ordinal, kind: 'turn', text, start: 0, end: text.length },
      ...(role && { role }),
    })
    const chunks = [said(0, 'I am here', 'user'), said(1, 'I am a teapot', 'tool'), said(2, 'Done', 'assistant')]
    const none = { vectors: chunks.map(() => new Float32Array()), tokens: chunks.map(() => new Uint16Array()) }
    const indexed = await indexItem.run({
      document: { kind: 'agent', meta: {} },
      extraction: { chunks, memories: [], qas: [], skips: [] },
      embeddings: { spaceId: 'none', ...none },
      file: { fileName: 'upload', sourceType: 'claude_code', timeZone: 'UTC' },
    })
    expect(indexed.map(({ metaHashes }) => [...metaHashes])).toEqual([[SELF_MARK], [TOOL_MARK], []])
    expect(TOOL_MARK).toBe(hashTerm(' tool'))
    expect(QUOTED_MARK).toBe(hashTerm(' quoted'))
  })
})

describe('the words of a file name', () => {
  const termsOf = async (chunk: Partial<Chunk>): Promise<string> => {
    const chunks: Chunk[] = [{ ordinal: 0, kind: 'prose', text: 'Two days of work', start: 0, end: 16, ...chunk }]
    const [indexed] = await indexItem.run({
      document: { kind: 'note', meta: {} },
      extraction: { chunks, memories: [], qas: [], skips: [] },
      embeddings: { spaceId: 'none', vectors: [new Float32Array()], tokens: [new Uint16Array()] },
      file: { fileName: 'boiler-quote.txt', sourceType: 'text', timeZone: 'UTC' },
    })
    return indexed!.metaTerms
  }

  it('stand beside those of the headings, before the date', async () => {
    const at = new Date('2026-03-04T00:00:00Z')
    expect(await termsOf({ heading: 'Supply', at })).toBe('suppli boiler quot wednesdai 4 march 2026')
  })

  it('are not repeated where a title has them', async () => {
    expect(await termsOf({ heading: 'Boiler quote' })).toBe('boiler quot')
  })

  it('are not those of a turn, which has a speaker', async () => {
    expect(await termsOf({ kind: 'turn', speaker: 'Ann' })).toBe('ann')
  })
})
