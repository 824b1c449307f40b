import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedDocument } from '../../../src/domain/document.ts'
import { segment } from '../../../src/pipeline/segment/segment.ts'
import { documentOf, minute, turns } from './extract/extract-document-builder.ts'

const paragraph = (text: string) => [text, { type: 'paragraph' }] as const
const heading = (text: string, level: number) => [text, { type: 'heading', level }] as const
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')
const squeezed = (text: string) => text.replace(/\s+/g, '')

describe('segmenting a conversation', () => {
  it('makes one chunk of each turn, with its speaker and time', async () => {
    const chunks = await segment.run(
      documentOf('chat', turns(['Ann', 'Shall we?'], ['Bob', 'Yes.']), { title: 'Plans' }),
    )
    expect(chunks).toMatchObject([
      { ordinal: 0, kind: 'turn', text: 'Shall we?', speaker: 'Ann', heading: 'Plans', at: minute(0) },
      { ordinal: 1, kind: 'turn', text: 'Yes.', speaker: 'Bob', heading: 'Plans', at: minute(1) },
    ])
  })

  it('keeps turns of one speaker apart when they were said at different times', async () => {
    const chunks = await segment.run(documentOf('chat', turns(['Ann', 'First.'], ['Ann', 'Second.'])))
    expect(chunks.map((chunk) => chunk.text)).toEqual(['First.', 'Second.'])
  })

  it('cuts a very long turn at sentences, and every part keeps the speaker', async () => {
    const long = Array.from({ length: 60 }, (_, i) => `This is sentence number ${i} of a long speech.`).join(' ')
    const chunks = await segment.run(documentOf('transcript', turns(['Ann', long])))
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) {
      expect(chunk.text.length).toBeLessThanOrEqual(1_200)
      expect(chunk.text).toMatch(/^This is.*speech\.$/s)
      expect(chunk.speaker).toBe('Ann')
    }
  })

  it('puts the paragraphs and code of one message together', async () => {
    const label = { speaker: 'Ann', at: minute(0) }
    const document = documentOf('chat', [
      ['Try this:', { type: 'turn', ...label }],
      ['```\nmake\n```', { type: 'code', ...label }],
      ['Then tell me.', { type: 'turn', ...label }],
    ])
    const [only, ...others] = await segment.run(document)
    expect(others).toEqual([])
    expect(only?.text).toBe('Try this:\n\n```\nmake\n```\n\nThen tell me.')
  })

  it('gives each part of a cut code block its fences, and the text below it none', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `  console.log('line ${i}')`)
    const code = `\`\`\`ts\n${lines.join('\n')}\n\`\`\``
    for (const form of ['document', 'chat'] as const) {
      const label = form === 'chat' ? { speaker: 'Ann', at: minute(0) } : {}
      const chunks = await segment.run(documentOf(form, [[code, { type: 'code', ...label }]]))
      expect(chunks.length).toBeGreaterThan(1)
      for (const { text } of chunks) expect(text).toMatch(/^```ts\n( {2}console\.log\('line \d+'\)\n)+```$/)
      expect(chunks.flatMap(({ text }) => text.split('\n').slice(1, -1))).toEqual(lines)
    }
  })

  it('does not repeat a name that stands before the text', async () => {
    const chunks = await segment.run(documentOf('chat', turns(['Ann', 'Ann [2026-03-04 10:00]: Hello there']), {}))
    expect(chunks[0]?.text).toBe('Hello there')
  })
})

describe('segmenting prose', () => {
  it('names a section without the marks of its heading', async () => {
    const document = documentOf('document', [heading('**2026-09-13**', 2), paragraph('Rehearsed until ten.')])
    expect((await segment.run(document))[0]?.heading).toBe('2026-09-13')
  })

  it('dates a section, and a heading without text in it, with its day', async () => {
    const at = minute(0)
    const document = documentOf('document', [
      heading('2026-09-13', 2),
      ['Rehearsed until ten.', { type: 'paragraph', at }],
      ['Slept at last', { type: 'heading', level: 3, at }],
      heading('Ideas', 2),
      paragraph('A second drummer.'),
    ])
    expect((await segment.run(document)).map((chunk) => [chunk.text, chunk.at])).toEqual([
      ['Rehearsed until ten.', at],
      ['Slept at last', at],
      ['A second drummer.', undefined],
    ])
  })

  it('joins short paragraphs of a section and keeps sections apart', async () => {
    const document = documentOf('document', [
      heading('# Guide', 1),
      heading('## Set up', 2),
      paragraph('Install it.'),
      paragraph('Start it.'),
      heading('## Use', 2),
      paragraph('Open the page.'),
    ])
    const chunks = await segment.run(document)
    expect(chunks).toMatchObject([
      { kind: 'prose', text: 'Install it.\n\nStart it.', heading: 'Guide > Set up' },
      { kind: 'prose', text: 'Open the page.', heading: 'Guide > Use' },
    ])
  })

  it('names the title once when the first heading repeats it', async () => {
    const document = documentOf('document', [heading('# Guide', 1), paragraph('Text.')], { title: 'Guide' })
    expect((await segment.run(document))[0]?.heading).toBe('Guide')
  })

  it('keeps headings that have no text below them as text', async () => {
    const document = documentOf('document', [heading('Milk', 2), heading('Bread', 2), heading('Salt', 2)], {
      title: 'Shopping',
    })
    const chunks = await segment.run(document)
    expect(chunks.map((chunk) => chunk.text).join('\n\n')).toBe('Milk\n\nBread\n\nSalt')
    expect(chunks[0]?.heading).toBe('Shopping')
  })

  it('keeps a code fence whole together with its introduction', async () => {
    const code = `\`\`\`\n${Array.from({ length: 40 }, (_, i) => `line ${i} of the listing`).join('\n')}\n\`\`\``
    const document = documentOf('document', [paragraph('Do it like this:'), [code, { type: 'code' }]])
    const chunks = await segment.run(document)
    expect(chunks.map((chunk) => chunk.text)).toEqual([`Do it like this:\n\n${code}`])
  })

  it('cuts code that is too long at line ends only', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i} of a very long listing`)
    const chunks = await segment.run(documentOf('document', [[lines.join('\n'), { type: 'code' }]]))
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.flatMap((chunk) => chunk.text.split('\n'))).toEqual(lines)
  })

  it('cuts a long paragraph at sentences, not at line ends, into parts of like length', async () => {
    const text = Array.from({ length: 30 }, (_, i) => `Sentence ${i} goes over\ntwo lines of the file.`).join(' ')
    const chunks = await segment.run(documentOf('note', [paragraph(text)]))
    for (const chunk of chunks) expect(chunk.text).toMatch(/^Sentence.*file\.$/s)
    const lengths = chunks.map((chunk) => chunk.text.length)
    expect(Math.min(...lengths)).toBeGreaterThan(Math.max(...lengths) / 2)
  })

  it('still cuts ten megabytes without a space, and never within a character', async () => {
    const text = '😀'.repeat(2_500_000)
    const chunks = await segment.run({ kind: 'note', text, blocks: [], meta: {}, skips: [] })
    expect(chunks.every((chunk) => chunk.text.length <= 2_000)).toBe(true)
    expect(chunks.every((chunk) => chunk.text.isWellFormed())).toBe(true)
    expect(chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)).toBe(text.length)
  })

  it('cuts text without spaces at its full stops', async () => {
    const chunks = await segment.run(
      documentOf('note', [paragraph('今日は天気がいいので散歩に行きました。'.repeat(100))]),
    )
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) expect(chunk.text.endsWith('。')).toBe(true)
  })
})

describe('segmenting anything', () => {
  it('makes a chunk of the title when there is nothing else', async () => {
    expect(await segment.run(documentOf('calendar', [], { title: 'Dentist' }))).toMatchObject([{ text: 'Dentist' }])
  })

  it('makes nothing of an empty document', async () => {
    expect(await segment.run(documentOf('note', []))).toEqual([])
  })

  it('gives every chunk the time of a document that has one', async () => {
    const when = { start: minute(0), precision: 'minute' as const }
    expect((await segment.run(documentOf('document', [paragraph(words(20))], { when })))[0]?.at).toEqual(minute(0))
  })

  it('loses no text, repeats none and keeps the order, whatever the blocks', async () => {
    const piece = fc.tuple(
      fc.string({
        minLength: 1,
        maxLength: 3_000,
        unit: fc.constantFrom('a', 'b', ' ', '\n', '. ', 'Ü', '。', '😀', '|', '`'),
      }),
      fc.constantFrom('paragraph', 'turn', 'code', 'list', 'table', 'quote'),
      fc.constantFrom('Ann', 'Bob', undefined),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const document: ParsedDocument = documentOf(
          'chat',
          pieces.map(([text, type, speaker]) => [text, { type, ...(speaker ? { speaker } : {}) }]),
        )
        const chunks = await segment.run(document)
        expect(squeezed(chunks.map((chunk) => chunk.text).join(''))).toBe(squeezed(document.text))
        expect(chunks.map((chunk) => chunk.ordinal)).toEqual(chunks.map((_, i) => i))
        for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(2_000)
      }),
      { numRuns: 60 },
    )
  })
})
