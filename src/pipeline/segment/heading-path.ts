import type { Chunk } from '../../domain/document.ts'

/** The position in a document: its title and the headings above the text. */
export class HeadingPath {
  readonly #title: string | undefined
  readonly #levels: { level: number; text: string }[] = []

  constructor(title: string | undefined) {
    this.#title = title?.trim() || undefined
  }

  enter(level: number, text: string): void {
    while ((this.#levels.at(-1)?.level ?? 0) >= level) this.#levels.pop()
    this.#levels.push({ level, text })
  }

  leave(): void {
    this.#levels.pop()
  }

  /** `Title > Section > Subsection`; a first heading that repeats the title appears once. */
  toString(): string | undefined {
    const parts = this.#levels.map((each) => each.text).filter((text) => text !== '')
    if (this.#title && parts[0] !== this.#title) parts.unshift(this.#title)
    return parts.length > 0 ? parts.join(HEADING_SEPARATOR) : undefined
  }
}

export const HEADING_SEPARATOR = ' > '

/** A heading without its Markdown: `## Set up ##` and underlined headings become their words. */
export function headingText(source: string): string {
  return source
    .slice(0, 1_000)
    .replace(/^\s{0,3}#{1,6}\s+/, '')
    .replace(/\s+#+\s*$/, '')
    .replace(/\n[=-]+\s*$/, '')
    .replace(/!?\[([^\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
    .replace(/[*_`]{1,3}(\S(?:[^*`]{0,200}[^\s*_`])?)[*_`]{1,3}/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The innermost heading above a chunk. */
export function lastHeading(chunk: Chunk | undefined): string | undefined {
  return chunk?.heading?.split(HEADING_SEPARATOR).at(-1)
}
