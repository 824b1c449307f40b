import { deflateSync, gzipSync } from 'node:zlib'
import { officePackage, openDocument, pptx, shape, xlsx, zipped } from '../lib/office-files.ts'
import { oneOf } from '../lib/seeded-random.ts'
import { between, type Random } from './attack.ts'

export interface Bomb {
  readonly name: string
  readonly extension: string
  body(random: Random): Uint8Array
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const bytes = (text: string) => new TextEncoder().encode(text)

function docx(body: string): Uint8Array {
  const xml = `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`
  return officePackage('word/document.xml', DOCX, { 'word/document.xml': xml })
}

const nested = (open: string, close: string, depth: number, inside = 'x') =>
  open.repeat(depth) + inside + close.repeat(depth)

const OFFICE: readonly Bomb[] = [
  {
    name: 'docx of empty paragraphs',
    extension: 'docx',
    body: (random) => docx('<w:p/>'.repeat(between(random, 200_000, 2_000_000))),
  },
  {
    name: 'docx of tables in tables',
    extension: 'docx',
    body: (random) =>
      docx(nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', between(random, 100, 20_000), '<w:p/>')),
  },
  {
    name: 'docx of a wide table',
    extension: 'docx',
    body: (random) =>
      docx(`<w:tbl><w:tr>${'<w:tc><w:p/></w:tc>'.repeat(between(random, 10_000, 400_000))}</w:tr></w:tbl>`),
  },
  {
    name: 'xlsx of many small cells',
    extension: 'xlsx',
    body: (random) =>
      xlsx({ sheets: [{ name: 'a', rows: '<row><c><v>1</v></c></row>'.repeat(between(random, 50_000, 700_000)) }] }),
  },
  {
    name: 'xlsx of one string in many cells',
    extension: 'xlsx',
    body: (random) => {
      const cells = '<c t="s"><v>0</v></c>'.repeat(between(random, 1_000, 16_000))
      return xlsx({
        strings: [`<t>${'word '.repeat(2_000)}</t>`],
        sheets: [{ name: 'a', rows: `<row>${cells}</row>` }],
      })
    },
  },
  {
    name: 'xlsx of many sheets',
    extension: 'xlsx',
    body: (random) =>
      xlsx({
        sheets: Array.from({ length: between(random, 500, 5_000) }, (_, i) => ({ name: `s${i}`, rows: '<row/>' })),
      }),
  },
  {
    name: 'ods of repeated cells and rows',
    extension: 'ods',
    body: (random) => {
      const columns = between(random, 1_000, 16_384)
      const rows = between(random, 1_000, 1_048_576)
      const cell = `<table:table-cell table:number-columns-repeated="${columns}"><text:p>lighthouse</text:p></table:table-cell>`
      const row = `<table:table-row table:number-rows-repeated="${rows}">${cell}</table:table-row>`
      return openDocument({
        kind: 'spreadsheet',
        body: `<table:table>${row.repeat(between(random, 1, 20))}</table:table>`,
      })
    },
  },
  {
    name: 'odt of repeated spaces',
    extension: 'odt',
    body: (random) =>
      openDocument({
        kind: 'text',
        body: `<text:p>a<text:s text:c="${between(random, 1_000_000, 2_000_000_000)}"/>b</text:p>`.repeat(50),
      }),
  },
  {
    name: 'odt of lists in lists',
    extension: 'odt',
    body: (random) =>
      openDocument({
        kind: 'text',
        body: nested('<text:list><text:list-item>', '</text:list-item></text:list>', between(random, 100, 20_000)),
      }),
  },
  {
    name: 'pptx of many shapes',
    extension: 'pptx',
    body: (random) => pptx([{ shapes: shape('title', [[0, 'a']]).repeat(between(random, 5_000, 60_000)) }]),
  },
  {
    name: 'pptx of groups in groups',
    extension: 'pptx',
    body: (random) => pptx([{ shapes: nested('<p:grpSp>', '</p:grpSp>', between(random, 1_000, 50_000), '') }]),
  },
]

function pdf(objects: readonly (string | Buffer)[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  objects.forEach((object, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    offsets.push(at)
    at += part.length
    parts.push(part)
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

function pdfStream(dictionary: string, content: string): Buffer {
  const packed = deflateSync(content)
  const head = `<<${dictionary}/Length ${packed.length}/Filter/FlateDecode>>\nstream\n`
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')])
}

const PAGES = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>'] as const

const PDFS: readonly Bomb[] = [
  {
    name: 'pdf of saved states',
    extension: 'pdf',
    body: (random) =>
      pdf([
        ...PAGES,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
        pdfStream('', 'q\n'.repeat(between(random, 500_000, 5_000_000))),
      ]),
  },
  {
    name: 'pdf of forms in forms',
    extension: 'pdf',
    body: (random) => {
      const depth = between(random, 5, 9)
      const forms = Array.from({ length: depth }, (_, i) => {
        const next = `/XObject<</F ${6 + i} 0 R>>`
        const inside = i + 1 < depth ? '/F Do '.repeat(10) : '0 0 m 9 9 l S '.repeat(10)
        return pdfStream(`/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<${i + 1 < depth ? next : ''}>>`, inside)
      })
      const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>'
      return pdf([...PAGES, page, pdfStream('', '/F Do '.repeat(10)), ...forms])
    },
  },
  {
    name: 'pdf of one page many times',
    extension: 'pdf',
    body: (random) => {
      const kids = '3 0 R '.repeat(between(random, 5_000, 100_000))
      return pdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Kids[${kids}]/Count ${kids.length / 6}>>`,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      ])
    },
  },
]

const MAIL =
  'From: a@example.com\nTo: b@example.com\nSubject: x\nDate: Mon, 2 Mar 2026 10:00:00 +0100\nMessage-ID: <x@y>\n'

const TEXTS: readonly Bomb[] = [
  {
    name: 'eml of parts in parts',
    extension: 'eml',
    body: (random) => {
      const depth = between(random, 50, 3_000)
      const parts = Array.from(
        { length: depth },
        (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`,
      )
      return bytes(`${MAIL}${parts.join('')}\nhello\n`)
    },
  },
  {
    name: 'eml of many parts',
    extension: 'eml',
    body: (random) =>
      bytes(
        `${MAIL}Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\na\n'.repeat(between(random, 20_000, 400_000))}--b--\n`,
      ),
  },
  {
    name: 'html of elements in elements',
    extension: 'html',
    body: (random) => {
      const tag = oneOf(random, ['div', 'table><tr><td', 'ul><li', 'b', 'blockquote', 'svg'])
      return bytes(`<html><body>${`<${tag}>`.repeat(between(random, 10_000, 300_000))}x`)
    },
  },
  {
    name: 'html of attributes and entities',
    extension: 'html',
    body: (random) =>
      bytes(`<html><p ${'a=&amp; '.repeat(between(random, 10_000, 300_000))}>${'&#x1F600;'.repeat(200_000)}`),
  },
  {
    name: 'markdown of one mark',
    extension: 'md',
    body: (random) =>
      bytes(
        oneOf(random, [
          '[',
          '![',
          '> ',
          '- ',
          '* ',
          '`',
          '**a',
          '|',
          '<',
          '<!--',
          '[a](',
          '#',
          '\n\n',
          '_a',
          '$',
        ]).repeat(between(random, 100_000, 900_000)),
      ),
  },
  {
    name: 'markdown of lists in lists',
    extension: 'md',
    body: (random) =>
      bytes(Array.from({ length: between(random, 500, 2_500) }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n')),
  },
  {
    name: 'calendar of a rule without end',
    extension: 'ics',
    body: (random) => {
      const rule = oneOf(random, [
        'FREQ=SECONDLY',
        'FREQ=SECONDLY;COUNT=2000000000',
        'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
        'FREQ=MINUTELY;BYSETPOS=366;BYSECOND=0,1,2,3',
        'FREQ=DAILY;UNTIL=99991231T235959Z',
      ])
      const event = `BEGIN:VEVENT\r\nUID:a\r\nDTSTART:00010101T000000Z\r\nSUMMARY:x\r\nRRULE:${rule}\r\nEND:VEVENT\r\n`
      return bytes(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event.repeat(between(random, 1, 300))}END:VCALENDAR\r\n`)
    },
  },
  {
    name: 'calendar of many events',
    extension: 'ics',
    body: (random) =>
      bytes(
        `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\n'.repeat(between(random, 10_000, 150_000))}END:VCALENDAR\r\n`,
      ),
  },
  {
    name: 'json of lists in lists',
    extension: 'json',
    body: (random) => {
      const depth = between(random, 1_000, 2_000_000)
      return bytes(nested('[', ']', depth, '1'))
    },
  },
  {
    name: 'json of many messages',
    extension: 'json',
    body: (random) => {
      const message = '{"role":"user","content":"a","ts":"1"},'
      return bytes(`{"messages":[${message.repeat(between(random, 10_000, 200_000))}{}]}`)
    },
  },
  {
    name: 'csv of empty rows',
    extension: 'csv',
    body: (random) =>
      bytes(`a,b\n${oneOf(random, ['\n', ',\n', '"",""\n']).repeat(between(random, 100_000, 2_000_000))}`),
  },
  {
    name: 'csv of many columns',
    extension: 'csv',
    body: (random) => bytes(`${'a,'.repeat(between(random, 10_000, 1_000_000))}\n${'1,'.repeat(200_000)}\n"`),
  },
  {
    name: 'text of one word',
    extension: 'txt',
    body: (random) =>
      bytes(
        oneOf(random, ['a', 'On ', '8 May 2023 ', 'Anna: a\n', 'é', '中', '🏴', '\u0301', '"', '-----BEGIN ']).repeat(
          1_000_000,
        ),
      ),
  },
]

const ARCHIVES: readonly Bomb[] = [
  {
    name: 'zip of zeros',
    extension: 'zip',
    body: (random) => zipped({ 'a.txt': new Uint8Array(between(random, 1, 60) * 1024 * 1024) }),
  },
  {
    name: 'zip of many names',
    extension: 'zip',
    body: (random) =>
      zipped(Object.fromEntries(Array.from({ length: between(random, 1_000, 40_000) }, (_, i) => [`a/${i}.txt`, '']))),
  },
  {
    name: 'office file of zeros',
    extension: 'docx',
    body: (random) => docx(' '.repeat(between(random, 1, 60) * 1024 * 1024)),
  },
  {
    name: 'gzip under another name',
    extension: 'txt',
    body: (random) => gzipSync(new Uint8Array(between(random, 1, 50) * 1024 * 1024)),
  },
]

/** Small files that are large, deep, wide or endless for whoever reads them. */
export const BOMBS: readonly Bomb[] = [...OFFICE, ...PDFS, ...TEXTS, ...ARCHIVES]
