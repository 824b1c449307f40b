import { deflateSync } from 'node:zlib'
import { openDocument, zipped } from './office-files.ts'

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'

/** Small files that need minutes of processor time, or more, to be read to their end. */
export const BOMBS: Readonly<Record<string, () => Uint8Array>> = {
  'a DOCX of two million empty paragraphs': () => docx('<w:p/>'.repeat(2_000_000)),
  'an ODS of repeated rows of repeated cells': () =>
    openDocument({
      kind: 'spreadsheet',
      body: `<table:table table:name="x">${'<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row>'.repeat(2_000)}</table:table>`,
    }),
  'a PDF of forms that draw forms': () => {
    const forms = Array.from({ length: 9 }, (_, level) => form(level === 8 ? undefined : level + 1, level))
    return pdf('/F0 Do', forms)
  },
  'a PDF that saves its state five million times': () => pdf('q '.repeat(5_000_000), []),
}

export function docx(body: string): Uint8Array {
  return zipped({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
  })
}

function form(next: number | undefined, level: number): { dictionary: string; content: string } {
  const content = next === undefined ? 'BT /T 9 Tf (a) Tj ET' : `/F${next} Do `.repeat(20)
  const inside = next === undefined ? '/Font << /T 4 0 R >>' : `/XObject << /F${next} ${next + 5} 0 R >>`
  return { dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 ${9 + level} 9] /Resources << ${inside} >>`, content }
}

/** A page with this content; the forms are objects 5 and following, `F0` the first. */
function pdf(page: string, forms: readonly { readonly dictionary: string; readonly content: string }[]): Uint8Array {
  const stream = (dictionary: string, content: string) => {
    const bytes = deflateSync(content)
    return Buffer.concat([
      Buffer.from(`<< ${dictionary} /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n`),
      bytes,
      Buffer.from('\nendstream'),
    ])
  }
  const names = forms.map((_, i) => `/F${i} ${i + 5} 0 R`).join(' ')
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${forms.length + 5} 0 R /Resources << /Font << /T 4 0 R >> /XObject << ${names} >> >> >>`,
    ),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...forms.map(({ dictionary, content }) => stream(dictionary, content)),
    stream('', page),
  ]
  let bytes = Buffer.from('%PDF-1.4\n')
  const offsets: number[] = []
  objects.forEach((object, i) => {
    offsets.push(bytes.length)
    bytes = Buffer.concat([bytes, Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${bytes.length}\n%%EOF\n`
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(end)]))
}
