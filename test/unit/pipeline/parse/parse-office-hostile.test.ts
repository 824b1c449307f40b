import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8 } from 'fflate'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DOCUMENT_FORMATS, isDocumentFormat } from '../../../../src/domain/content-format.ts'
import { createDocumentReader, type DocumentReader } from '../../../../src/pipeline/parse/document/document-reader.ts'
import { readOffice } from '../../../../src/pipeline/parse/document/document-thread.ts'
import { openZip } from '../../../../src/pipeline/parse/document/office-package.ts'
import { createParse, parse } from '../../../../src/pipeline/parse/parse.ts'
import { openDocument, pptx, shape, sheetRow, slideTable, xlsx, zipped } from '../../../lib/office-files.ts'
import { parsed, sourceFile } from './parse-source-file.ts'

afterAll(() => parse.close())

const SLIDES = pptx([{ shapes: shape('title', [[0, 'Opening']]) + slideTable([['a'], ['b']]), notes: 'slowly' }])
const SHEET = xlsx({ sheets: [{ name: 'Costs', rows: sheetRow(1, ['Who', 'Costs']) + sheetRow(2, ['Anna', 1]) }] })
const TEXT = openDocument({
  kind: 'text',
  body: '<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>b<text:note><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p></table:table-cell></table:table-row></table:table>',
})

/** A zip of one part, whose directory says that it unpacks to `declared` bytes. */
function lyingZip(name: string, body: Uint8Array, declared: number): Uint8Array {
  const bytes = Buffer.from(zipped({ '[Content_Types].xml': '<x/>', [name]: body }))
  const entry = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  bytes.writeUInt32LE(declared, entry + 24)
  return bytes
}

describe('a bomb', () => {
  const zeros = new Uint8Array(32 * 1024 * 1024)

  test('that says how large it is gets refused before anything is unpacked', async () => {
    const one = strToU8('x')
    const body = Buffer.from(zipped({ '[Content_Types].xml': one, 'ppt/presentation.xml': one }))
    body.writeUInt32LE(0xf0000000, body.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24)
    await expect(parsed(body)).rejects.toMatchObject({ code: 'unreadable', message: /too much memory.*split it/ })
  })

  test('that says less than it is gets refused while it is unpacked', async () => {
    expect(deflateRawSync(zeros).length).toBeLessThan(100_000)
    const body = lyingZip('xl/workbook.xml', zeros, 100)
    await expect(parsed(body)).rejects.toMatchObject({ code: 'unreadable', message: /damaged/ })
  })

  test('of one part that is pointed to again and again is refused by what was unpacked so far', async () => {
    const parts = await openZip(zipped({ 'a.xml': 'x'.repeat(600) }), 1_000)
    const read = async () => {
      let text = ''
      for await (const piece of parts.text('A.xml')) text += piece
      return text
    }
    expect(await read()).toHaveLength(600)
    await expect(read()).rejects.toMatchObject({ failure: 'too_large' })
  })

  test('of more parts than a document has is refused', async () => {
    const parts = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`ppt/${i}`, '']))
    await expect(readOffice('pptx', zipped(parts, Object.keys(parts)))).resolves.toBe('too_large')
  })

  test('of millions of equal letters in a cell ends with the memory that the thread may have', async () => {
    const own = createDocumentReader({
      limits: { processorMs: () => 60_000, memoryMb: 48, outsideMb: 256, idleMs: 1_000 },
    })
    const stage = createParse(own)
    const body = xlsx({ sheets: [{ name: 'x', rows: sheetRow(1, ['a'.repeat(30_000_000)]) }] })
    await expect(stage.run(sourceFile(body))).rejects.toMatchObject({ code: 'unreadable', message: /too much memory/ })
    expect((await stage.run(sourceFile(SHEET))).text).toContain('| Anna | 1 |')
    await own.close()
  })

  test('of entities is not expanded', async () => {
    const lol =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    for (const entity of ['&b;', '&c;']) {
      const part = { 'content.xml': `${lol}<x><text:p xmlns:text="t">${entity}</text:p></x>` }
      const body = zipped({ mimetype: 'application/vnd.oasis.opendocument.text', ...part }, ['mimetype'])
      await expect(parsed(body)).rejects.toMatchObject({ message: /OpenDocument text is damaged/ })
    }
  })
})

describe('names of parts', () => {
  test.each(['../../etc/passwd', '/etc/passwd', 'C:\\x'])('%s is refused as damage', async (name) => {
    const body = zipped({ '[Content_Types].xml': 'x', 'ppt/presentation.xml': '<a/>', [name]: 'x' })
    await expect(parsed(body)).rejects.toMatchObject({ code: 'unreadable', message: /damaged/ })
  })

  test('a relation that leaves the package finds nothing', async () => {
    const more = [['notesSlide', '../../../etc/passwd']] as const
    const { text } = await parsed(pptx([{ shapes: shape('title', [[0, 'Here']]), more }]))
    expect(text).toBe('Slide 1: Here')
  })
})

describe('whatever the bytes are', () => {
  let reader: DocumentReader | undefined
  afterEach(() => reader?.close())

  test('there is a document or a sentence', async () => {
    reader = createDocumentReader()
    const stage = createParse(reader)
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
    const cut = fc.option(fc.nat(), { freq: 5 })
    const file = fc.constantFrom(SLIDES, SHEET, TEXT)
    await fc.assert(
      fc.asyncProperty(file, fc.array(change, { maxLength: 12 }), cut, async (original, changes, end) => {
        const body = Uint8Array.from(original)
        for (const [at, byte] of changes) body[at % body.length] = byte
        await expectAnswer(() => stage.run(sourceFile(end === null ? body : body.slice(0, end % body.length))))
      }),
      { numRuns: 300 },
    )
  })

  test('of each format, random ones too', async () => {
    const own = createDocumentReader()
    reader = own
    const format = fc.constantFrom(...Object.keys(DOCUMENT_FORMATS).filter(isDocumentFormat))
    await fc.assert(
      fc.asyncProperty(format, fc.uint8Array({ maxLength: 300 }), async (as, bytes) => {
        await expectAnswer(() => own.read({ format: as, bytes: Uint8Array.from([0x50, 0x4b, 3, 4, ...bytes]) }))
      }),
      { numRuns: 150 },
    )
  })

  /** XML that is changed behind the checks of the zip. */
  test('of the parts, there is a document or a sentence', async () => {
    reader = createDocumentReader()
    const stage = createParse(reader)
    const tags = [
      'p',
      'h',
      'list',
      'list-item',
      'table',
      'table-row',
      'table-cell',
      'note',
      'frame',
      'page',
      'notes',
      'annotation',
      'creator',
    ]
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('words', ''),
        fc
          .tuple(fc.constantFrom(...tags), fc.array(tie('tree'), { maxLength: 4 }))
          .map(([tag, inside]) => `<x:${tag}>${inside.join('')}</x:${tag}>`),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(tree, fc.constantFrom('text', 'presentation', 'spreadsheet'), async (body, kind) => {
        await expectAnswer(() => stage.run(sourceFile(openDocument({ kind, body: `<x:x xmlns:x="x">${body}</x:x>` }))))
      }),
      { numRuns: 200 },
    )
  })
})

async function expectAnswer(read: () => Promise<unknown>): Promise<void> {
  const [outcome] = await Promise.allSettled([read()])
  if (outcome?.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'unreadable' })
}
