import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import { afterAll, describe, expect, test } from 'vitest'
import type { ParsedDocument } from '../../../../src/domain/document.ts'
import { createDocumentReader } from '../../../../src/pipeline/parse/document/document-reader.ts'
import { NeedsSlowLane, OCR_OFF, type Ocr, SLOW_LANE_ONLY } from '../../../../src/pipeline/parse/ocr/ocr.ts'
import { tesseract } from '../../../../src/pipeline/parse/ocr/tesseract.ts'
import { createParse } from '../../../../src/pipeline/parse/parse.ts'
import { blockTexts, sourceFile } from './parse-source-file.ts'

const SCANS = join(import.meta.dirname, '../../../fixtures/scans')
const MINUTES = readFileSync(join(SCANS, 'minutes.png'))
/** The same page, small and out of focus. */
const FAINT = readFileSync(join(SCANS, 'faint.png'))
const READ = [
  ['paragraph', 'Minutes of the garden club'],
  [
    'paragraph',
    'On 4 May 2026 the members decided to move the tool shed behind the greenhouse. Henrietta Moss orders the timber and pays with the club card.',
  ],
  ['paragraph', 'The next meeting is on Friday at the library.'],
]
const hasTesseract = ['tesseract', 'pdftoppm'].every((program) => spawnSync(program, ['-v']).status === 0)

const reader = createDocumentReader()
afterAll(() => reader.close())

describe.skipIf(hasTesseract)('scans, by tesseract', () => {
  test.skipIf(process.env.CI === undefined)('needs the program', () => {
    throw new Error('tesseract or pdftoppm is not installed: apt-get install tesseract-ocr poppler-utils')
  })
})

describe.skipIf(!hasTesseract)('scans, by tesseract', () => {
  test('an image becomes the paragraphs that it shows, titled with its name', async () => {
    const document = await parsed(MINUTES, 'garden.png')
    expect(blockTexts(document)).toEqual(READ)
    expect(document).toMatchObject({ kind: 'document', meta: { title: 'garden.png' }, skips: [] })
  })

  test('a PDF of images becomes the text of its pages', async () => {
    const body = await pdf((document) => {
      document.image(MINUTES, 0, 100, { width: 595 })
      document.addPage().image(MINUTES, 0, 100, { width: 595 })
    })
    const document = await parsed(body, 'scan.pdf')
    expect(blockTexts(document)).toEqual([...READ, ...READ])
    expect(document.skips).toEqual([])
  })

  test('a PDF of fax images is drawn by poppler, or refused with how to install it', async () => {
    const fax = readFileSync(join(SCANS, 'minutes-fax.pdf'))
    expect((await parsed(fax, 'fax.pdf')).text).toContain('tool shed behind the greenhouse')
    const ocr = tesseract({ languages: ['eng'], renderer: 'no-such-program' })
    await expect(parsed(fax, 'fax.pdf', ocr)).rejects.toMatchObject({ message: /apt install poppler-utils/ })
  })

  test('a scan between pages of text is read in its place', async () => {
    const body = await pdf((document) => {
      document.text('The first page is text.')
      document.addPage().image(MINUTES, 0, 100, { width: 595 })
      document.addPage().text('The third page is text.')
    })
    const blocks = blockTexts(await parsed(body, 'mixed.pdf'))
    expect(blocks.map(([, text]) => text)).toEqual([
      'The first page is text.',
      ...READ.map(([, text]) => text),
      'The third page is text.',
    ])
  })

  test('a page of low confidence says so in a heading of its own, and is recorded', async () => {
    const body = await pdf((document) => {
      document.image(FAINT, 0, 100, { width: 595 })
      document.addPage().image(MINUTES, 0, 100, { width: 595 })
    })
    const document = await parsed(body, 'faint.pdf')
    const headings = blockTexts(document).flatMap(([type, text]) => (type === 'heading' ? [text] : []))
    expect(headings).toEqual([expect.stringMatching(/^Page 1, read by OCR with low confidence \(\d\d%\)$/), 'Page 2'])
    expect(document.skips).toEqual([
      { reason: 'low_confidence', count: 1, detail: expect.stringMatching(/^1 page read by OCR with low confidence/) },
    ])
  })

  test('secrets in an image are redacted', async () => {
    const read = tesseract({ languages: ['eng'] })
    const [page] = (await read.read(MINUTES)) ?? []
    const secret: Ocr = {
      ...read,
      read: async () => [{ confidence: 96, paragraphs: [...(page?.paragraphs ?? []), 'password: hunter2-Kx9!pQ7z'] }],
    }
    const document = await parsed(MINUTES, 'a.png', secret)
    expect(document.text).not.toContain('hunter2')
    expect(document.skips).toMatchObject([{ reason: 'secret_redacted', count: 1 }])
  })

  test('an image without text is refused with the remedy, and so is a damaged one', async () => {
    const blank = Buffer.from('P5\n300 200\n255\n'.padEnd(15 + 300 * 200, '\xff'), 'latin1')
    const whole = tesseract({ languages: ['eng'] })
    expect(await whole.read(blank)).toEqual([{ paragraphs: [], confidence: 0 }])
    const damaged = parsed(MINUTES.subarray(0, 200), 'cut.png')
    await expect(damaged).rejects.toMatchObject({ code: 'unreadable', message: /damaged|No text/ })
  })

  test('a language without data is named with the package to install', async () => {
    const ocr = tesseract({ languages: ['eng', 'xyz'] })
    await expect(parsed(MINUTES, 'a.png', ocr)).rejects.toMatchObject({ message: /no data for the language xyz/ })
  })

  test.runIf(process.platform === 'linux')(
    'a page that needs too much processor time or memory is given up',
    async () => {
      const little = tesseract({ languages: ['eng'], limits: { memoryBytes: 60 * 1024 ** 2 } })
      expect(await little.read(MINUTES)).toBeUndefined()
      const hurried = tesseract({ languages: ['eng'], limits: { clockMs: 1 } })
      expect(await hurried.read(MINUTES)).toBeUndefined()
    },
  )
})

describe('scans, where they cannot be read', () => {
  test('the program that is missing is named with how to install it', async () => {
    const ocr = tesseract({ languages: ['eng'], program: 'no-such-program' })
    const refusal = { code: 'unreadable', message: /install tesseract on the server/ }
    await expect(parsed(MINUTES, 'a.png', ocr)).rejects.toMatchObject(refusal)
    const scan = await pdf((document) => document.image(MINUTES, 0, 100, { width: 595 }))
    await expect(parsed(scan, 'a.pdf', ocr)).rejects.toMatchObject(refusal)
  })

  test('switched off, images are refused with the setting', async () => {
    await expect(parsed(MINUTES, 'a.png', OCR_OFF)).rejects.toMatchObject({ message: /set ocr to auto/ })
  })

  test('a PDF with other text is read without its scans', async () => {
    const body = await pdf((document) => {
      document.text('The first page is text.')
      document.addPage().image(MINUTES, 0, 100, { width: 595 })
    })
    for (const ocr of [OCR_OFF, tesseract({ languages: ['eng'], program: 'no-such-program' })]) {
      const document = await parsed(body, 'mixed.pdf', ocr)
      expect(blockTexts(document)).toEqual([['paragraph', 'The first page is text.']])
      expect(document.skips).toEqual([{ reason: 'binary_part', count: 1, detail: '1 page without text' }])
    }
  })

  test('the quick lane leaves scans to the slow one, and reads PDFs whose other pages are blank', async () => {
    await expect(parsed(MINUTES, 'a.png', SLOW_LANE_ONLY)).rejects.toBeInstanceOf(NeedsSlowLane)
    const blank = await pdf((document) => document.text('The first page is text.').addPage())
    expect((await parsed(blank, 'a.pdf', SLOW_LANE_ONLY)).text).toBe('The first page is text.')
  })
})

function parsed(body: Uint8Array, fileName: string, ocr = tesseract({ languages: ['eng'] })): Promise<ParsedDocument> {
  return createParse(reader, ocr).run(sourceFile(body, { fileName, contentType: 'application/octet-stream' }))
}

function pdf(write: (document: PDFKit.PDFDocument) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: 'A4' })
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.once('error', reject)
    document.once('end', () => resolve(Buffer.concat(parts)))
    write(document)
    document.end()
  })
}
