import type { Chunk } from '../../domain/document.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import { type Passage, passageOf, sizeOf } from './passage.ts'

// In characters; 13 to 18 memories per 10,000 characters of documentation (measured on five Markdown collections).
const MIN = 250
const TARGET = 900
const MAX = 1_600

/**
 * Cuts prose into passages of 250 to 1,600 characters: a section, or the part of one; short neighbouring sections below
 * the same heading go together.
 */
export function cutProse(chunks: readonly Chunk[]): Passage[] {
  const groups: Chunk[][] = []
  for (const section of sectionsOf(chunks)) groups.push(...cutSection(section))
  return joinShortSections(groups).flatMap((group) => passageOf(group, 'prose'))
}

function sectionsOf(chunks: readonly Chunk[]): Chunk[][] {
  const sections: Chunk[][] = []
  for (const chunk of chunks) {
    const section = sections.at(-1)
    if (section && section[0]?.heading === chunk.heading) section.push(chunk)
    else sections.push([chunk])
  }
  return sections
}

function cutSection(section: readonly Chunk[]): Chunk[][] {
  const groups: Chunk[][] = []
  let open: Chunk[] = []
  for (const chunk of section) {
    const size = sizeOf(open)
    if (open.length > 0 && size + chunk.text.length > (size < MIN ? MAX : TARGET)) {
      groups.push(open)
      open = []
    }
    open.push(chunk)
  }
  groups.push(open)
  return groups
}

function joinShortSections(groups: readonly Chunk[][]): Chunk[][] {
  const joined: Chunk[][] = []
  groups.forEach((group, i) => {
    const before = joined.at(-1)
    const size = before ? sizeOf(before) : 0
    const isShortEnd = i === groups.length - 1 && sizeOf(group) < MIN
    const fits = size + sizeOf(group) <= TARGET && areNear(before?.[0], group[0])
    if (before && fits && (size < MIN || isShortEnd)) before.push(...group)
    else joined.push([...group])
  })
  return joined
}

/** One section, a section and its subsection, or two below the same heading. */
function areNear(a: Chunk | undefined, b: Chunk | undefined): boolean {
  const left = a?.heading ?? ''
  const right = b?.heading ?? ''
  if (left === right || right.startsWith(`${left}${HEADING_SEPARATOR}`)) return true
  return parentOf(left) !== '' && parentOf(left) === parentOf(right)
}

function parentOf(heading: string): string {
  const cut = heading.lastIndexOf(HEADING_SEPARATOR)
  return cut === -1 ? '' : heading.slice(0, cut)
}
