import type { Block, Chunk, DocumentMeta, ParsedDocument } from '../../domain/document.ts'
import type { Stage } from '../stage.ts'
import { type PackLimits, packUnits, paragraphUnits, type Span, trimSpan, type Unit } from './cut-text.ts'
import { HeadingPath, headingText } from './heading-path.ts'

const PROSE: PackLimits = { min: 250, max: 900, whole: 1_600 }
const TURN: PackLimits = { min: 250, max: 1_200, whole: 1_600 }

/**
 * Splits a document into the smallest units that are indexed: one chunk for each turn, section parts of 250 to 900
 * characters elsewhere, none longer than 2,000. Together they contain all text of the blocks; a heading with text below
 * it is in the `heading` of those chunks. Structure first, then size: cutting by topic did not measure better.
 */
export const segment: Stage<'segment', ParsedDocument, Chunk[]> = {
  name: 'segment',
  run: async (document) => segmentDocument(document),
}

/** A chunk before it is numbered. */
type Piece = Omit<Chunk, 'ordinal'>

function segmentDocument(document: ParsedDocument): Chunk[] {
  const pieces: Piece[] = []
  const sections = new SectionBuilder(document, pieces)
  for (const block of readingOrder(document)) sections.add(block)
  sections.finish()
  if (pieces.length === 0) pieces.push(...titleAlone(document.meta))
  return pieces.map((piece, ordinal) => ({ ordinal, ...piece }))
}

/** Blocks by position, without nested ones; the whole text as paragraphs when there is no block. */
function readingOrder(document: ParsedDocument): Block[] {
  if (document.blocks.length === 0) {
    return paragraphUnits(document.text, { start: 0, end: document.text.length }).map((unit) => ({
      type: unit.rigid ? 'code' : 'paragraph',
      start: unit.start,
      end: unit.end,
    }))
  }
  const ordered = document.blocks.toSorted((a, b) => a.start - b.start || b.end - a.end)
  let covered = 0
  return ordered.flatMap((block) => {
    const start = Math.max(block.start, covered)
    if (start >= block.end) return []
    covered = block.end
    return [{ ...block, start }]
  })
}

/** An event or a task may consist only of its title, by which it must be found. */
function titleAlone(meta: DocumentMeta): Piece[] {
  const title = meta.title?.trim()
  if (!title) return []
  return [{ kind: 'prose', text: title, start: 0, end: 0, ...documentTime(meta) }]
}

function documentTime(meta: DocumentMeta): { at?: Date } {
  return meta.when ? { at: meta.when.start } : {}
}

class SectionBuilder {
  readonly #document: ParsedDocument
  readonly #pieces: Piece[]
  readonly #path: HeadingPath
  #units: Unit[] = []
  #unitsHeading: string | undefined
  /** The open units are only headings without text, which stay together. */
  #isOutline = false
  /** The time of the event below the heading in a calendar, or the day of the section. */
  #at: Date | undefined
  /** The blocks of one message. */
  #turn: Block[] = []
  /** A heading without text below it so far. */
  #bare: Block | undefined

  constructor(document: ParsedDocument, pieces: Piece[]) {
    this.#document = document
    this.#pieces = pieces
    this.#path = new HeadingPath(document.meta.title ?? (document.kind === 'chat' ? document.meta.where : undefined))
  }

  add(block: Block): void {
    if (block.type === 'heading') {
      this.#flushTurn()
      if (!this.#isOutline) this.#flushProse()
      // A deeper heading includes the bare one in its path; any other leaves it without text.
      if (this.#bare && (block.level ?? 1) <= (this.#bare.level ?? 1)) this.#keepBareHeading()
      this.#path.enter(block.level ?? 1, headingText(this.#document.text.slice(block.start, block.end)))
      this.#bare = block
      return
    }
    this.#bare = undefined
    const rigid = block.type === 'code' || block.type === 'table'
    if (block.type === 'turn' || block.speaker !== undefined || block.role !== undefined) {
      this.#flushProse()
      if (!this.#goesOn(block)) this.#flushTurn()
      const span = this.#turn.length === 0 ? withoutSpeaker(this.#document.text, block) : block
      if (span) this.#turn.push({ ...block, start: span.start, end: span.end })
      return
    }
    this.#flushTurn()
    this.#addUnit(this.#path.toString(), { start: block.start, end: block.end, rigid })
    this.#isOutline = false
    this.#at ??= block.at
  }

  finish(): void {
    this.#flushTurn()
    if (this.#bare) this.#keepBareHeading()
    this.#flushProse()
  }

  /** A long message has several blocks: its paragraphs and code. */
  #goesOn(block: Block): boolean {
    const before = this.#turn.at(-1)
    if (!before) return false
    const isSame =
      before.speaker === block.speaker && before.role === block.role && before.at?.getTime() === block.at?.getTime()
    return isSame && this.#document.text.slice(before.end, block.start).trim() === ''
  }

  #keepBareHeading(): void {
    if (!this.#bare) return
    this.#path.leave()
    const isTitle = headingText(this.#document.text.slice(this.#bare.start, this.#bare.end)) === this.#path.toString()
    if (!isTitle || this.#pieces.length + this.#units.length === 0) {
      this.#isOutline = this.#isOutline || this.#units.length === 0
      this.#addUnit(this.#path.toString(), { start: this.#bare.start, end: this.#bare.end, rigid: false })
      this.#at ??= this.#bare.at
    }
    this.#bare = undefined
  }

  #addUnit(heading: string | undefined, unit: Unit): void {
    if (this.#units.length > 0 && heading !== this.#unitsHeading) this.#flushProse()
    this.#unitsHeading = heading
    this.#units.push(unit)
  }

  #flushProse(): void {
    const { text, meta, kind } = this.#document
    const speaker = kind === 'email' && meta.author ? { speaker: meta.author } : {}
    for (const pack of packUnits(text, this.#units, PROSE)) {
      this.#push('prose', pack, this.#unitsHeading, {
        ...speaker,
        ...(this.#at ? { at: this.#at } : documentTime(meta)),
      })
    }
    this.#units = []
    this.#isOutline = false
    this.#at = undefined
  }

  #flushTurn(): void {
    const { text, meta } = this.#document
    const first = this.#turn[0]
    if (!first) return
    const units = this.#turn.flatMap(({ type, start, end }) => {
      if (type !== 'turn') return [{ start, end, rigid: type === 'code' || type === 'table' }]
      return end - start <= TURN.max ? [{ start, end, rigid: false }] : paragraphUnits(text, { start, end })
    })
    const at = first.at ? { at: first.at } : documentTime(meta)
    const speaker = first.speaker ? { speaker: first.speaker } : {}
    const role = first.role ? { role: first.role } : {}
    for (const pack of packUnits(text, units, TURN)) {
      this.#push('turn', pack, this.#path.toString(), { ...speaker, ...role, ...at })
    }
    this.#turn = []
  }

  #push(
    kind: Chunk['kind'],
    pack: readonly Unit[],
    heading: string | undefined,
    rest: Pick<Chunk, 'speaker' | 'role' | 'at'>,
  ): void {
    const first = pack[0]
    const last = pack.at(-1)
    if (!first || !last) return
    const text = joinUnits(this.#document.text, pack)
    this.#pieces.push({ kind, text, start: first.start, end: last.end, ...(heading ? { heading } : {}), ...rest })
  }
}

/** Parts of a cut code block get its fences. The text between two units is kept when it is white space; anything else was intentionally skipped by the parser. */
function joinUnits(text: string, pack: readonly Unit[]): string {
  let joined = ''
  let end = 0
  for (const unit of pack) {
    if (joined !== '') {
      const gap = text.slice(end, unit.start)
      joined += gap.trim() === '' && gap.length < 8 ? gap : '\n\n'
    }
    const { opening, closing } = unit.fence ?? {}
    const part = text.slice(unit.start, unit.end)
    joined += [opening ?? [], part, closing ?? []].flat().join('\n')
    end = unit.end
  }
  return joined
}

/** A turn may begin with `Name:` or `Name [time]:`; the name is in `speaker` already. */
function withoutSpeaker(text: string, block: Block): Span | undefined {
  const span = trimSpan(text, block)
  if (!span || !block.speaker || !text.startsWith(block.speaker, span.start)) return span
  const label = /^(?:\s*[[(][^\])\n]{1,40}[\])])?\s*:[ \t]*/.exec(
    text.slice(span.start + block.speaker.length, span.start + block.speaker.length + 60),
  )
  if (!label) return span
  return trimSpan(text, { start: span.start + block.speaker.length + label[0].length, end: span.end })
}
