import { readdirSync, readFileSync } from 'node:fs'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import PDFDocument from 'pdfkit'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import {
  createDocumentReader,
  type DocumentReaderLimits,
} from '../../../../src/pipeline/parse/document/document-reader.ts'
import { createParse, parse } from '../../../../src/pipeline/parse/parse.ts'
import { BOMBS } from '../../../lib/decompression-bombs.ts'
import { eventually } from '../../../lib/eventually.ts'
import { blockTexts, parsed, sourceFile } from './parse-source-file.ts'

type Options = ConstructorParameters<typeof PDFDocument>[0]

function pdf(write: (document: PDFKit.PDFDocument) => void, options: Options = {}): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: 'A4', ...options })
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.once('error', reject)
    document.once('end', () => resolve(Buffer.concat(parts)))
    write(document)
    document.end()
  })
}

const LONG = 'The shop opens in May and everybody on the team has agreed that the old register stays until then. '
  .repeat(3)
  .trim()

afterAll(() => parse.close())

/** Ids of the processes of this one that read documents. */
function documentProcesses(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('document-process'))
    .map(Number)
}

describe('PDF', () => {
  test('pages become headings and paragraphs: lines joined, headers, footers and page numbers gone', async () => {
    const body = await pdf(
      (document) => {
        for (let page = 1; page <= 4; page++) {
          if (page > 1) document.addPage()
          document.fontSize(9).text('Example Ltd - internal', 72, 40)
          document.fontSize(18).text(`Part ${['one', 'two', 'three', 'four'][page - 1]}`, 72, 90)
          document.fontSize(10).text(LONG, 72, 130)
          document.moveDown().text('A second paragraph follows here.')
          document.fontSize(9).text(`Page ${page} of 4`, 72, 740)
        }
      },
      { info: { Title: 'Opening', Author: 'Anna Berg', CreationDate: new Date('2026-03-04T10:00:00Z') } },
    )
    const document = await parsed(body, { fileName: 'x.pdf' })
    expect(document.kind).toBe('document')
    expect(document.meta).toEqual({
      title: 'Opening',
      author: 'Anna Berg',
      when: { start: new Date('2026-03-04T10:00:00Z'), precision: 'day' },
    })
    expect(blockTexts(document).slice(0, 4)).toEqual([
      ['heading', 'Part one'],
      ['paragraph', LONG],
      ['paragraph', 'A second paragraph follows here.'],
      ['heading', 'Part two'],
    ])
    expect(document.text).not.toMatch(/internal|Page \d/)
    expect(document.skips).toEqual([
      { reason: 'boilerplate', count: 8, detail: '8 repeated header, footer or page numbers' },
    ])
  })

  test('words that were hyphenated at a line end are whole again', async () => {
    const body = await pdf((document) => document.text('The regis-\nter stays un-\ntil May.'))
    expect((await parsed(body)).text).toBe('The register stays until May.')
  })

  test('a long one is read to its end, also after its fonts and pages were released', async () => {
    const lines = Array.from(
      { length: 220 },
      (_, page) => `Shelf ${'abcdefghijklmnop'[page % 16]}${'qrstuvwxyzabcd'[page >> 4]} holds tea.`,
    )
    const body = await pdf((document) => {
      for (const [page, line] of lines.entries()) {
        if (page > 0) document.addPage()
        document.font(page % 2 === 0 ? 'Times-Roman' : 'Helvetica').text(line)
      }
    })
    expect((await parsed(body)).text.split(/\n+/)).toEqual(lines)
  })

  test('a secret in a PDF is redacted', async () => {
    const body = await pdf((document) => document.fontSize(8).text(`Use ghp_${'a1B2'.repeat(9)} for it.`))
    expect((await parsed(body)).text).toBe('Use [redacted github token] for it.')
  })

  test('one behind other bytes is read', async () => {
    const body = await pdf((document) => document.text('Found all the same.'))
    expect((await parsed(Buffer.concat([Buffer.from('junk\n'.repeat(50)), body]))).text).toBe('Found all the same.')
  })

  test('one with a password is refused with the remedy', async () => {
    const body = await pdf((document) => document.text('secret'), {
      userPassword: 'x',
      ownerPassword: 'y',
      pdfVersion: '1.7',
    })
    await expect(parsed(body)).rejects.toMatchObject({ code: 'unreadable', message: /without the password/ })
  })

  test('one that may be read but not changed is read', async () => {
    const body = await pdf((document) => document.text('Open to read.'), { ownerPassword: 'y', pdfVersion: '1.7' })
    expect((await parsed(body)).text).toBe('Open to read.')
  })

  test('one without a text layer is refused with the remedy', async () => {
    const body = await pdf((document) => document.rect(50, 50, 100, 100).fill('red'))
    await expect(parsed(body)).rejects.toMatchObject({ code: 'unreadable', message: /text recognition/ })
  })

  test('a damaged one is refused with the remedy, and the next is read', async () => {
    await expect(parsed('%PDF-1.4\nnothing that a PDF has', { fileName: 'x.pdf' })).rejects.toMatchObject({
      code: 'unreadable',
      message: /export it again/,
    })
    const body = await pdf((document) => document.text('Still here.'))
    expect((await parsed(body)).text).toBe('Still here.')
  })

  test('several at once are read one after another', async () => {
    const bodies = await Promise.all(
      ['one', 'two', 'three'].map((word) => pdf((document) => document.text(`Number ${word} here.`))),
    )
    const documents = await Promise.all(bodies.map((body) => parsed(body)))
    expect(documents.map(({ text }) => text)).toEqual(['Number one here.', 'Number two here.', 'Number three here.'])
  })
})

describe('limits of reading documents', () => {
  let own: ReturnType<typeof createParse> | undefined
  afterEach(() => own?.close())
  const within = (limits: Partial<DocumentReaderLimits>) => {
    own = createParse(
      createDocumentReader({
        limits: { processorMs: () => 60_000, memoryMb: 160, outsideMb: 256, idleMs: 1_000, ...limits },
      }),
    )
    return own
  }

  test('a document that takes too much processor time is refused with the remedy, and the next is read', async () => {
    const many = await pdf((document) => {
      for (let page = 0; page < 300; page++) document.addPage().text(LONG)
    })
    const stage = within({ processorMs: () => 20 })
    await expect(stage.run(sourceFile(many))).rejects.toMatchObject({
      code: 'unreadable',
      message: /too much processor time.*split it/,
    })
  })

  test('a document that needs too much memory is refused with the remedy', async () => {
    const many = await pdf((document) => {
      for (let page = 0; page < 400; page++) document.addPage().fontSize(6).text(LONG.repeat(8))
    })
    const stage = within({ memoryMb: 12 })
    await expect(stage.run(sourceFile(many))).rejects.toMatchObject({
      code: 'unreadable',
      message: /too much memory.*split it/,
    })
  })

  test('a document that fills the memory within a moment ends its own process only', async () => {
    const stage = within({ memoryMb: 64 })
    const body = BOMBS['a DOCX of two million empty paragraphs']!()
    await expect(stage.run(sourceFile(body))).rejects.toMatchObject({ code: 'unreadable', message: /too much memory/ })
    const next = await pdf((document) => document.text('Read after it.'))
    expect((await stage.run(sourceFile(next))).text).toBe('Read after it.')
  })

  test.runIf(process.platform === 'linux')(
    'a document whose process is ended by others fails like a defect',
    async () => {
      const many = await pdf((document) => {
        for (let page = 0; page < 300; page++) document.addPage().text(LONG)
      })
      await parse.close()
      const outcome = expect(within({}).run(sourceFile(many))).rejects.toThrow('The document process ended: SIGKILL')
      const pid = await eventually(() => {
        expect(documentProcesses()).toHaveLength(1)
        return documentProcesses()[0]!
      })
      process.kill(pid, 'SIGKILL')
      await outcome
    },
  )

  test('closing while a document is read ends its process and says that it will be tried again', async () => {
    const body = await pdf((document) => document.text('never read'))
    const stage = within({})
    const reading = stage.run(sourceFile(body))
    const outcome = expect(reading).rejects.toMatchObject({ code: 'unavailable' })
    await new Promise((resolve) => setImmediate(resolve))
    await stage.close()
    await outcome
  })
})

describe('DOCX', () => {
  test('headings, paragraphs and lists are read', async () => {
    const body = await Packer.toBuffer(
      new Document({
        creator: 'Anna Berg',
        sections: [
          {
            children: [
              new Paragraph({ text: 'Plan', heading: HeadingLevel.HEADING_1 }),
              new Paragraph({
                children: [new TextRun('We start in '), new TextRun({ text: 'May', bold: true }), new TextRun('.')],
              }),
              new Paragraph({ text: 'first', bullet: { level: 0 } }),
              new Paragraph({ text: 'second', bullet: { level: 0 } }),
            ],
          },
        ],
      }),
    )
    const document = await parsed(body, { fileName: 'plan.docx' })
    expect(document.kind).toBe('document')
    const when = { start: expect.any(Date), precision: 'day' }
    expect(document.meta).toEqual({ title: 'Plan', author: 'Anna Berg', when })
    expect(blockTexts(document)).toEqual([
      ['heading', 'Plan'],
      ['paragraph', 'We start in **May**.'],
      ['list', '- first\n- second'],
    ])
  })

  test('a damaged one is refused with the remedy', async () => {
    await expect(parsed(Buffer.from('PK\x03\x04 word/ nothing', 'latin1'))).rejects.toMatchObject({
      code: 'unreadable',
      message: /Word document is damaged/,
    })
  })
})
