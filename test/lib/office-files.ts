import { strToU8, type Zippable, zipSync } from 'fflate'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const PRESENTATION = 'http://schemas.openxmlformats.org/presentationml/2006/main'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A zip of texts, in the order that is given. */
export function zipped(
  parts: Readonly<Record<string, string | Uint8Array>>,
  stored: readonly string[] = [],
): Uint8Array {
  const files: Zippable = {}
  for (const [name, body] of Object.entries(parts)) {
    const bytes = typeof body === 'string' ? strToU8(body) : body
    files[name] = [bytes, { level: stored.includes(name) ? 0 : 1 }]
  }
  return zipSync(files)
}

/** @param targets by type, e.g. `slide`; their ids are rId1, rId2 ... */
function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${type.startsWith('http') ? type : `${RELATIONS}/${type}`}" Target="${target}"/>`,
  )
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}

export interface Properties {
  readonly title?: string
  readonly author?: string
  readonly modified?: string
}

/** An Office Open XML package around its main part. */
export function officePackage(
  main: string,
  contentType: string,
  parts: Readonly<Record<string, string | Uint8Array>>,
  properties: Properties = {},
): Uint8Array {
  const { title, author, modified } = properties
  return zipped({
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${contentType}"/></Types>`,
    '_rels/.rels': relations([
      ['officeDocument', main],
      [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ]),
    'docProps/core.xml': `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">${element('dc:title', title)}${element('dc:creator', author)}${element('dcterms:modified', modified)}</cp:coreProperties>`,
    ...parts,
  })
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${text}</${name}>`
}

export interface SlideParts {
  /** The XML of its shapes. */
  readonly shapes: string
  readonly notes?: string
  readonly hidden?: boolean
  /** Further relations, e.g. to a diagram, with their parts. */
  readonly more?: readonly (readonly [type: string, target: string, xml?: string])[]
}

/** A presentation; the files of its slides are numbered against their order, as after moving slides. */
export function pptx(slides: readonly SlideParts[], properties?: Properties): Uint8Array {
  const parts: Record<string, string> = {}
  const numbers = slides.map((_, i) => slides.length - i)
  slides.forEach(({ shapes, notes, hidden, more = [] }, i) => {
    const number = numbers[i]
    parts[`ppt/slides/slide${number}.xml`] =
      `${HEAD}<p:sld xmlns:p="${PRESENTATION}" xmlns:a="${DRAWING}" xmlns:r="${RELATIONS}"${hidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
    const targets: (readonly [string, string])[] = more.map(([type, target]) => [type, `../${target}`])
    for (const [, target, xml] of more) if (xml !== undefined) parts[`ppt/${target}`] = xml
    if (notes !== undefined) {
      targets.push(['notesSlide', `../notesSlides/notesSlide${number}.xml`])
      parts[`ppt/notesSlides/notesSlide${number}.xml`] =
        `${HEAD}<p:notes xmlns:p="${PRESENTATION}" xmlns:a="${DRAWING}"><p:cSld><p:spTree>${shape('sldNum', [[0, '7']])}${shape('body', [[0, notes]])}</p:spTree></p:cSld></p:notes>`
    }
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations(targets)
  })
  const list = numbers.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join('')
  return officePackage(
    'ppt/presentation.xml',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
    {
      ...parts,
      'ppt/_rels/presentation.xml.rels': relations(numbers.map((number) => ['slide', `slides/slide${number}.xml`])),
      'ppt/presentation.xml': `${HEAD}<p:presentation xmlns:p="${PRESENTATION}" xmlns:r="${RELATIONS}"><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`,
    },
    properties,
  )
}

/** @param placeholder e.g. `title`; absent for a text box */
export function shape(
  placeholder: string | undefined,
  lines: readonly (readonly [level: number, text: string])[],
): string {
  const ph = placeholder === undefined ? '' : `<p:ph type="${placeholder}"/>`
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${drawn(lines)}</p:txBody></p:sp>`
}

export function slideTable(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) =>
    row.map((text) => `<a:tc><a:txBody><a:bodyPr/>${drawn([[0, text]])}</a:txBody></a:tc>`).join('')
  return `<p:graphicFrame><p:nvGraphicFramePr><p:nvPr><p:ph type="tbl"/></p:nvPr></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl>${rows.map((row) => `<a:tr h="1">${cells(row)}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
}

/** Paragraphs of DrawingML, each in two runs. */
export function drawn(lines: readonly (readonly [level: number, text: string])[]): string {
  return lines
    .map(([level, text]) => {
      const half = text.indexOf(' ') + 1
      const runs = [text.slice(0, half), text.slice(half)].map(
        (part) => `<a:r><a:rPr lang="en"/><a:t>${part}</a:t></a:r>`,
      )
      return `<a:p><a:pPr lvl="${level}"/>${runs.join('')}</a:p>`
    })
    .join('')
}

export interface SheetParts {
  readonly name: string
  /** The XML of `sheetData`, and what follows it. */
  readonly rows: string
  readonly after?: string
  readonly state?: string
}

export interface WorkbookParts {
  readonly sheets: readonly SheetParts[]
  /** The XML of each shared string. */
  readonly strings?: readonly string[]
  /** For each style of cells its number format: a number, or a code. */
  readonly formats?: readonly (number | string)[]
  readonly from1904?: boolean
  /** Before the names of elements, as some programs write. */
  readonly prefix?: string
}

export function xlsx(workbook: WorkbookParts, properties?: Properties): Uint8Array {
  const { sheets, strings = [], formats = [0], from1904 = false, prefix = '' } = workbook
  const root = (name: string, body: string) =>
    `${HEAD}<${prefix}${name} xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${SHEETS}" xmlns:r="${RELATIONS}">${body}</${prefix}${name}>`
  const codes = formats.map((format, i) => [typeof format === 'number' ? format : 164 + i, format] as const)
  const own = codes.filter(([, format]) => typeof format === 'string')
  const list = sheets.map(
    ({ name, state }, i) =>
      `<${prefix}sheet name="${name}" sheetId="${i + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 1}"/>`,
  )
  return officePackage(
    'xl/workbook.xml',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    {
      'xl/workbook.xml': root(
        'workbook',
        `<${prefix}workbookPr date1904="${from1904 ? 1 : 0}"/><${prefix}sheets>${list.join('')}</${prefix}sheets>`,
      ),
      'xl/_rels/workbook.xml.rels': relations([
        ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
        ['sharedStrings', '/xl/sharedStrings.xml'],
        ['styles', 'styles.xml'],
      ]),
      'xl/sharedStrings.xml': root('sst', strings.map((xml) => `<${prefix}si>${xml}</${prefix}si>`).join('')),
      'xl/styles.xml': root(
        'styleSheet',
        `<numFmts>${own.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${String(code).replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${codes.map(([id]) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`,
      ),
      ...Object.fromEntries(
        sheets.map(({ rows, after = '' }, i) => [
          `xl/worksheets/sheet${i + 1}.xml`,
          root('worksheet', `<${prefix}sheetData>${rows}</${prefix}sheetData>${after}`),
        ]),
      ),
    },
    properties,
  )
}

/** A row of inline texts and numbers; `null` is an empty cell. @param number from 1 */
export function sheetRow(number: number, values: readonly (string | number | null)[]): string {
  const cells = values.map((value, column) => {
    const at = `r="${String.fromCharCode(65 + column)}${number}"`
    if (value === null) return ''
    return typeof value === 'number'
      ? `<c ${at}><v>${value}</v></c>`
      : `<c ${at} t="inlineStr"><is><t>${value}</t></is></c>`
  })
  return `<row r="${number}">${cells.join('')}</row>`
}

const ODF = [
  ['office', 'urn:oasis:names:tc:opendocument:xmlns:office:1.0'],
  ['text', 'urn:oasis:names:tc:opendocument:xmlns:text:1.0'],
  ['table', 'urn:oasis:names:tc:opendocument:xmlns:table:1.0'],
  ['draw', 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0'],
  ['style', 'urn:oasis:names:tc:opendocument:xmlns:style:1.0'],
  ['presentation', 'urn:oasis:names:tc:opendocument:xmlns:presentation:1.0'],
  ['meta', 'urn:oasis:names:tc:opendocument:xmlns:meta:1.0'],
  ['manifest', 'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'],
  ['svg', 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
]
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')

export interface OpenDocumentParts {
  readonly kind: 'text' | 'spreadsheet' | 'presentation'
  /** The XML inside of `office:text` and the like. */
  readonly body: string
  readonly styles?: string
  readonly properties?: Properties
  readonly encrypted?: boolean
}

/** An OpenDocument file, its `mimetype` first and stored. */
export function openDocument({ kind, body, styles = '', properties = {}, encrypted }: OpenDocumentParts): Uint8Array {
  const { title, author, modified } = properties
  const encryption = encrypted ? '<manifest:encryption-data manifest:checksum="x"/>' : ''
  return zipped(
    {
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'META-INF/manifest.xml': `${HEAD}<manifest:manifest ${ODF}><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">${encryption}</manifest:file-entry></manifest:manifest>`,
      'content.xml': `${HEAD}<office:document-content ${ODF}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      'meta.xml': `${HEAD}<office:document-meta ${ODF}><office:meta>${element('dc:title', title)}${element('meta:initial-creator', author)}${element('dc:date', modified)}</office:meta></office:document-meta>`,
    },
    ['mimetype'],
  )
}
