import type { DocumentBlock, DocumentText } from './document-text.ts'
import { mainPart, readCoreProperties, relationId, relationsOf } from './office-package.ts'
import { readXml } from './read-xml.ts'
import { readSlide, type SlideContent } from './slide-content.ts'
import type { ZipParts } from './zip-parts.ts'

/** A presentation in its order: a heading for each slide, its paragraphs, lists and tables, and the speaker's notes. */
export async function readSlides(parts: ZipParts): Promise<DocumentText> {
  const main = await mainPart(parts, 'ppt/presentation.xml')
  const blocks: DocumentBlock[] = []
  let images = 0
  let charts = 0
  let number = 0
  let firstTitle: string | undefined
  for (const part of await slideParts(parts, main)) {
    const relations = await relationsOf(parts, part)
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
    blocks.push({ type: 'heading', level: 2, text: headingOf(number, slide) })
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
  const targets = new Map((await relationsOf(parts, main)).map(({ id, target }) => [id, target]))
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

function headingOf(number: number, { title, isHidden }: SlideContent): string {
  return `Slide ${number}${isHidden ? ' (hidden)' : ''}${title === undefined ? '' : `: ${title}`}`
}

/** The numbers of slides are not words of theirs. */
function hasWords(blocks: readonly DocumentBlock[]): boolean {
  return blocks.some(({ type, text }) => type !== 'heading' || text.includes(':'))
}
