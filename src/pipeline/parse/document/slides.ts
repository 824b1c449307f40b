import type { DocumentBlock, DocumentText } from './document-text.ts'
import {
  mainPart,
  readCoreProperties,
  readRelations,
  readXml,
  relationId,
  type XmlAttributes,
  type XmlHandler,
  type ZipParts,
} from './office-package.ts'
import { oneLine, tableBlocks, tableRows } from './tables.ts'

/** A presentation in order: a heading for each slide, its paragraphs, lists and tables, and the speaker's notes. */
export async function readSlides(parts: ZipParts): Promise<DocumentText> {
  const main = await mainPart(parts, 'ppt/presentation.xml')
  const blocks: DocumentBlock[] = []
  let images = 0
  let charts = 0
  let number = 0
  let firstTitle: string | undefined
  for (const part of await slideParts(parts, main)) {
    const relations = await readRelations(parts, part)
    const targets = (type: string) => relations.filter((each) => each.type === type).map(({ target }) => target)
    const slide = await readSlide(parts.text(part))
    const diagrams: SlideContent[] = []
    for (const diagram of targets('diagramData')) diagrams.push(await readSlide(parts.text(diagram)))
    const notes: SlideContent[] = []
    for (const note of targets('notesSlide')) notes.push(await readSlide(parts.text(note), 'notes'))
    number++
    firstTitle ??= slide.title
    images += slide.images
    charts += slide.charts
    blocks.push({ type: 'heading', level: 2, text: slideHeading(number, slide) })
    for (const { blocks: own } of [slide, ...diagrams]) blocks.push(...own)
    const said = notes.flatMap((note) => note.blocks.map(({ text }) => text)).join('\n')
    if (said !== '') blocks.push({ type: 'paragraph', text: `Notes:\n${said}` })
  }
  const properties = await readCoreProperties(parts)
  return {
    format: 'pptx',
    blocks: hasWords(blocks) ? blocks : [],
    properties: { ...(firstTitle !== undefined && { title: firstTitle }), ...properties },
    skips: [
      { reason: 'binary_part', count: images, noun: 'image' },
      { reason: 'binary_part', count: charts, noun: 'chart' },
    ],
  }
}

/** Each slide once, however often it is listed. */
async function slideParts(parts: ZipParts, main: string): Promise<Set<string>> {
  const targets = new Map((await readRelations(parts, main)).map(({ id, target }) => [id, target]))
  const slides = new Set<string>()
  await readXml(parts.text(main), {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(relationId(attributes) ?? '') : undefined
      if (target !== undefined && parts.has(target)) slides.add(target)
      return undefined
    },
  })
  return slides
}

function slideHeading(number: number, { title, isHidden }: SlideContent): string {
  return `Slide ${number}${isHidden ? ' (hidden)' : ''}${title === undefined ? '' : `: ${title}`}`
}

/** Whether a slide has words besides its number. */
function hasWords(blocks: readonly DocumentBlock[]): boolean {
  return blocks.some(({ type, text }) => type !== 'heading' || text.includes(':'))
}

interface SlideContent {
  readonly title?: string
  readonly isHidden: boolean
  readonly blocks: readonly DocumentBlock[]
  readonly images: number
  readonly charts: number
}

interface Line {
  readonly level: number
  readonly text: string
}

const TITLES: ReadonlySet<string> = new Set(['title', 'ctrTitle'])
/** Placeholders on every slide: date, footer, header, number, and in notes the picture of the slide. */
const FURNITURE: ReadonlySet<string> = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

/**
 * The text of a slide, a notes page or a diagram's data (DrawingML, ECMA-376 part 1, 20 and 21).
 * @param kind `notes`: only the speaker's notes
 */
async function readSlide(xml: AsyncIterable<string>, kind: 'slide' | 'notes' = 'slide'): Promise<SlideContent> {
  const reader = new SlideReader(kind)
  await readXml(xml, reader)
  return reader.content()
}

class SlideReader implements XmlHandler {
  readonly #kind: 'slide' | 'notes'
  readonly #blocks: DocumentBlock[] = []
  #title: string | undefined
  #isHidden = false
  #images = 0
  #charts = 0
  /** The placeholder type of the open shape; other shapes have none. */
  #placeholder: string | undefined
  #lines: Line[] = []
  #rows: string[][] | undefined
  /** Of the open paragraph. */
  #level = 0
  #words = ''
  #isWord = false

  constructor(kind: 'slide' | 'notes') {
    this.#kind = kind
  }

  content(): SlideContent {
    this.#endShape()
    return {
      ...(this.#title !== undefined && { title: this.#title }),
      isHidden: this.#isHidden,
      blocks: this.#blocks,
      images: this.#images,
      charts: this.#charts,
    }
  }

  open(name: string, attributes: XmlAttributes): 'skip' | undefined {
    switch (name) {
      case 'Fallback':
        // A fallback copy for older programs (ECMA-376 part 3, 7.6).
        return 'skip'
      case 'sld':
        this.#isHidden = attributes.show === '0' || attributes.show === 'false'
        break
      case 'sp':
        this.#placeholder = undefined
        break
      case 'pic':
        this.#images++
        break
      case 'chart':
        this.#charts++
        break
      case 'ph':
        this.#placeholder = attributes.type ?? 'body'
        break
      case 'tbl':
        this.#rows = []
        break
      case 'tr':
        this.#rows?.push([])
        break
      case 'pPr':
        this.#level = Math.min(8, Number.parseInt(attributes.lvl ?? '0', 10) || 0)
        break
      case 't':
        this.#isWord = true
        break
      case 'br':
        this.#words += ' '
        break
    }
    return undefined
  }

  text(text: string): void {
    if (this.#isWord) this.#words += text
  }

  close(name: string): void {
    switch (name) {
      case 't':
        this.#isWord = false
        break
      case 'p':
        this.#endParagraph()
        break
      case 'tc':
        this.#rows?.at(-1)?.push(
          this.#takeLines()
            .map(({ text }) => text)
            .join(' '),
        )
        break
      case 'tbl':
        this.#blocks.push(...tableBlocks(tableRows(this.#rows ?? [])))
        this.#rows = undefined
        break
      case 'sp':
      case 'pt':
        this.#endShape()
        break
    }
  }

  #endParagraph(): void {
    const text = oneLine(this.#words)
    if (text !== '') this.#lines.push({ level: this.#level, text })
    this.#words = ''
    this.#level = 0
  }

  #endShape(): void {
    const placeholder = this.#placeholder
    this.#placeholder = undefined
    const lines = this.#takeLines()
    if (lines.length === 0 || (placeholder !== undefined && FURNITURE.has(placeholder))) return
    if (this.#kind === 'notes') {
      if (placeholder === 'body') this.#addLines(lines, 'paragraph')
    } else if (placeholder !== undefined && TITLES.has(placeholder) && this.#title === undefined) {
      this.#title = lines.map(({ text }) => text).join(' ')
    } else this.#addLines(lines, lines.length > 1 ? 'list' : 'paragraph')
  }

  #addLines(lines: readonly Line[], type: 'list' | 'paragraph'): void {
    const least = Math.min(...lines.map(({ level }) => level))
    const shown = lines.map(({ level, text }) => (type === 'list' ? `${'  '.repeat(level - least)}- ${text}` : text))
    this.#blocks.push({ type, text: shown.join('\n') })
  }

  #takeLines(): Line[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}
