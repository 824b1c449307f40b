import { type DocumentBlock, DocumentProblem, type DocumentSkip, type DocumentText } from './document-text.ts'
import {
  attribute,
  readProperties,
  readXml,
  type XmlAttributes,
  type XmlHandler,
  type ZipParts,
} from './office-package.ts'
import { readOpenSheets } from './open-document-sheets.ts'
import { oneLine, tableBlocks, tableRows } from './tables.ts'

/** A text, a presentation or a spreadsheet of OpenDocument (ISO/IEC 26300, OASIS ODF 1.3). */
export async function readOpenDocument(format: 'odt' | 'odp' | 'ods', parts: ZipParts): Promise<DocumentText> {
  if (await isEncrypted(parts)) throw new DocumentProblem('encrypted')
  if (!parts.has('content.xml')) throw new DocumentProblem('damaged')
  const properties = await readProperties(parts, 'meta.xml')
  const content = parts.text('content.xml')
  if (format === 'ods') return { format, ...(await readOpenSheets(content)), properties }
  const reader = new OpenDocumentReader()
  await readXml(content, reader)
  const { blocks, title, skips } = reader.finish()
  return { format, blocks, properties: { ...(title !== undefined && { title }), ...properties }, skips }
}

/** With a password, the manifest describes the encryption of each part (ODF 1.3 part 2, 3.4). */
async function isEncrypted(parts: ZipParts): Promise<boolean> {
  let encrypted = false
  await readXml(parts.text('META-INF/manifest.xml'), {
    open(name) {
      if (name === 'encryption-data') encrypted = true
      return undefined
    },
  })
  return encrypted
}

/** Collects finished paragraphs until its element ends. */
interface Sink {
  readonly kind: 'list' | 'cell' | 'note' | 'comment' | 'title' | 'speaker' | 'furniture'
  readonly lines: string[]
  /** Depth of the open list. */
  depth: number
  /** Of a comment. */
  author: string
}

/** Of an open slide. */
interface Slide {
  readonly heading: number
  readonly number: number
  readonly isHidden: boolean
  title: string
  notes: string
}

/** Elements without their own text: undone changes, tables of contents, forms. */
const SKIPPED: ReadonlySet<string> = new Set([
  'tracked-changes',
  'note-citation',
  'ruby-text',
  'forms',
  'scripts',
  'event-listeners',
  'title',
  'desc',
])
const INDEXES = /^(?:table-of-content|illustration-index|table-index|object-index|user-index|alphabetical-index)$/
/** Frames of a slide that the master page fills (ODF 1.3 part 3, 19.389). */
const FURNITURE = /^(?:header|footer|date-time|page-number|page|handout)$/
/** Equal cells and rows may be written once with a count. */
const MAX_REPEATED = 100

/** The content of an OpenDocument text or presentation (ODF 1.3 part 3, 5, 9 and 10), as a handler of its XML. */
class OpenDocumentReader implements XmlHandler {
  readonly #blocks: DocumentBlock[] = []
  /** The words of the open paragraphs: one may contain a frame or a note with others. */
  readonly #words: string[] = []
  readonly #sinks: Sink[] = []
  /** For each open frame, whether it has a sink. */
  readonly #frames: boolean[] = []
  readonly #notes: string[] = []
  readonly #titleStyles = new Set(['Title'])
  readonly #hiddenStyles = new Set<string>()
  #style = ''
  #paragraph: { level?: number } = {}
  #isNewItem = false
  #tables = 0
  #rows: string[][] = []
  #repeated = { rows: 1, columns: 1 }
  #slides = 0
  #slide: Slide | undefined
  #title: string | undefined
  #images = 0
  #indexes = 0

  finish(): { blocks: DocumentBlock[]; title: string | undefined; skips: DocumentSkip[] } {
    const isBare = this.#blocks.every(
      ({ type, text }) => type === 'heading' && /^Slide \d+(?: \(hidden\))?$/.test(text),
    )
    return {
      blocks: isBare ? [] : this.#blocks,
      title: this.#title,
      skips: [
        { reason: 'binary_part', count: this.#images, noun: 'image' },
        { reason: 'boilerplate', count: this.#indexes, noun: 'table of contents' },
      ],
    }
  }

  open(name: string, attributes: XmlAttributes): 'skip' | undefined {
    if (SKIPPED.has(name)) return 'skip'
    if (INDEXES.test(name)) {
      this.#indexes++
      return 'skip'
    }
    if (name.startsWith('table') || name === 'covered-table-cell') this.#openTable(name, attributes)
    else if (!this.#openParagraph(name, attributes)) this.#openContainer(name, attributes)
    return undefined
  }

  text(text: string): void {
    this.#append(text.replace(/\s+/g, ' '))
  }

  close(name: string): void {
    switch (name) {
      case 'p':
      case 'h':
        this.#endParagraph()
        break
      case 'table':
      case 'table-row':
      case 'table-cell':
        this.#closeTable(name)
        break
      case 'list':
        this.#endList()
        break
      case 'note':
      case 'annotation':
        this.#endNote()
        break
      case 'creator':
        this.#endCreator()
        break
      case 'frame':
        if (this.#frames.pop()) this.#endFrame()
        break
      case 'notes':
        if (this.#slide) this.#slide.notes = this.#pop('speaker').join('\n')
        break
      case 'page':
        this.#endSlide()
        break
    }
  }

  #openParagraph(name: string, attributes: XmlAttributes): boolean {
    switch (name) {
      case 'p':
      case 'h': {
        const isTitle = this.#titleStyles.has(attribute(attributes, 'style-name') ?? '')
        const level = name === 'h' ? Number.parseInt(attribute(attributes, 'outline-level') ?? '1', 10) || 1 : 1
        this.#paragraph = name === 'h' || isTitle ? { level: Math.min(6, Math.max(1, level)) } : {}
        this.#words.push('')
        return true
      }
      case 's':
      case 'tab':
        this.#append(' ')
        return true
      case 'line-break':
        this.#append('\n')
        return true
      default:
        return false
    }
  }

  #openContainer(name: string, attributes: XmlAttributes): void {
    switch (name) {
      case 'style':
        this.#style = attribute(attributes, 'name') ?? ''
        if (attribute(attributes, 'parent-style-name') === 'Title') this.#titleStyles.add(this.#style)
        break
      case 'drawing-page-properties':
        if (attribute(attributes, 'visibility') === 'hidden') this.#hiddenStyles.add(this.#style)
        break
      case 'list': {
        const top = this.#sinks.at(-1)
        if (top?.kind === 'list') top.depth++
        else this.#push('list')
        break
      }
      case 'list-item':
      case 'list-header':
        this.#isNewItem = true
        break
      case 'note':
      case 'annotation':
        this.#push(name === 'note' ? 'note' : 'comment')
        // Collects text outside paragraphs, such as the date of a comment.
        this.#words.push('')
        break
      case 'creator':
        this.#words.push('')
        break
      case 'notes':
        this.#push('speaker')
        break
      case 'frame':
        this.#openFrame(attribute(attributes, 'class') ?? '')
        break
      case 'image':
        this.#images++
        break
      case 'page':
        this.#openSlide(attribute(attributes, 'style-name') ?? '')
        break
    }
  }

  #openFrame(role: string): void {
    const kind = role === 'title' ? 'title' : FURNITURE.test(role) ? 'furniture' : undefined
    this.#frames.push(kind !== undefined)
    if (kind !== undefined) this.#push(kind)
  }

  #endFrame(): void {
    const sink = this.#sinks.pop()
    if (sink?.kind !== 'title' || this.#slide === undefined) return
    const title = oneLine(sink.lines.join(' '))
    if (this.#slide.title === '') this.#slide.title = title
    else if (title !== '') this.#blocks.push({ type: 'paragraph', text: title })
  }

  #openSlide(style: string): void {
    this.#slides++
    const isHidden = this.#hiddenStyles.has(style)
    this.#slide = { heading: this.#blocks.length, number: this.#slides, isHidden, title: '', notes: '' }
    this.#blocks.push({ type: 'heading', level: 2, text: '' })
  }

  #endSlide(): void {
    if (this.#slide === undefined) return
    const { heading, number, isHidden, title, notes } = this.#slide
    const text = `Slide ${number}${isHidden ? ' (hidden)' : ''}${title === '' ? '' : `: ${title}`}`
    this.#blocks[heading] = { type: 'heading', level: 2, text }
    if (title !== '') this.#title ??= title
    if (notes !== '') this.#blocks.push({ type: 'paragraph', text: `Notes:\n${notes}` })
    this.#slide = undefined
  }

  #openTable(name: string, attributes: XmlAttributes): void {
    if (name === 'table') this.#tables++
    // The words of a table in a cell are words of that cell.
    if (this.#tables !== 1) return
    const repeated = (what: string) => Math.min(MAX_REPEATED, Number(attribute(attributes, what) ?? '1') || 1)
    if (name === 'table') this.#rows = []
    else if (name === 'table-row') {
      this.#rows.push([])
      this.#repeated.rows = repeated('number-rows-repeated')
    } else if (name === 'table-cell') {
      this.#push('cell')
      this.#repeated.columns = repeated('number-columns-repeated')
    } else if (name === 'covered-table-cell') this.#rows.at(-1)?.push('')
  }

  #closeTable(name: string): void {
    if (this.#tables === 1) {
      const row = this.#rows.at(-1) ?? []
      if (name === 'table-cell') {
        const text = this.#pop('cell').join(' ')
        for (let i = 0; i < this.#repeated.columns; i++) row.push(text)
      } else if (name === 'table-row') for (let i = 1; i < this.#repeated.rows; i++) this.#rows.push(row)
      else this.#blocks.push(...tableBlocks(tableRows(this.#rows)))
    }
    if (name === 'table') this.#tables--
    this.#addNotes()
  }

  #endParagraph(): void {
    const text = (this.#words.pop() ?? '')
      .split('\n')
      .map(oneLine)
      .filter((line) => line !== '')
      .join('\n')
    const { level } = this.#paragraph
    this.#paragraph = {}
    const sink = this.#sinks.at(-1)
    if (text === '') return
    if (level !== undefined && (sink === undefined || sink.kind === 'list'))
      this.#addHeading(oneLine(text), level, sink)
    else if (sink === undefined) this.#blocks.push({ type: 'paragraph', text })
    else if (sink.kind === 'list') {
      sink.lines.push(`${'  '.repeat(Math.min(sink.depth, 9) - 1)}${this.#isNewItem ? '-' : ' '} ${oneLine(text)}`)
      this.#isNewItem = false
    } else sink.lines.push(text)
    this.#addNotes()
  }

  /** Numbered headings may be list items. */
  #addHeading(text: string, level: number, list: Sink | undefined): void {
    const before = list?.lines.splice(0) ?? []
    if (before.length > 0) this.#blocks.push({ type: 'list', text: before.join('\n') })
    this.#blocks.push({ type: 'heading', level, text })
    if (level === 1) this.#title ??= text
  }

  #endList(): void {
    const top = this.#sinks.at(-1)
    if (top?.kind !== 'list' || --top.depth > 0) return
    const lines = this.#pop('list')
    const outer = this.#sinks.at(-1)
    if (outer !== undefined) outer.lines.push(...lines)
    else if (lines.length > 0) this.#blocks.push({ type: 'list', text: lines.join('\n') })
    this.#addNotes()
  }

  #endNote(): void {
    this.#words.pop()
    const sink = this.#sinks.pop()
    const said = oneLine(sink?.lines.join(' ') ?? '')
    if (sink === undefined || said === '') return
    const by = sink.author === '' ? '' : ` by ${sink.author}`
    this.#notes.push(sink.kind === 'note' ? `Note: ${said}` : `Comment${by}: ${said}`)
  }

  #endCreator(): void {
    const author = oneLine(this.#words.pop() ?? '')
    const sink = this.#sinks.at(-1)
    if (sink?.kind === 'comment') sink.author = author
  }

  /** Notes and comments below what they belong to. */
  #addNotes(): void {
    if (this.#sinks.length > 0 || this.#words.length > 0 || this.#tables > 0) return
    for (const text of this.#notes.splice(0)) this.#blocks.push({ type: 'paragraph', text })
  }

  #append(text: string): void {
    const last = this.#words.length - 1
    if (last >= 0) this.#words[last] += text
  }

  #push(kind: Sink['kind']): void {
    this.#sinks.push({ kind, lines: [], depth: 1, author: '' })
  }

  #pop(kind: Sink['kind']): string[] {
    return this.#sinks.at(-1)?.kind === kind ? (this.#sinks.pop()?.lines ?? []) : []
  }
}
