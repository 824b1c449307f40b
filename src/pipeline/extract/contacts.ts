import type { Chunk } from '../../domain/document.ts'
import { type ContactCard, readCard } from '../../lib/contact-text.ts'
import { headingText, lastHeading } from '../segment/heading-path.ts'

/** The part of a passage that may be a contact. */
interface CardPassage {
  readonly first: number
  readonly form: string
  readonly chunks: readonly Chunk[]
}

export function readContact({ first, form, chunks }: CardPassage): ContactCard | undefined {
  const [chunk] = chunks
  const card = form === 'prose' ? readCard(chunks.map(({ text }) => text).join('\n')) : undefined
  return card !== undefined && (first === 0 || isSectionOf(card.name, chunk)) ? card : undefined
}

/** In a file with many contacts, each is below its name. */
function isSectionOf(name: string, chunk: Chunk | undefined): boolean {
  return lastHeading(chunk) === headingText(name)
}

/** Whether it begins a contact of a file with many, which never share a memory, even under one name. */
export function beginsContact(chunk: Chunk): boolean {
  const name = readCard(chunk.text)?.name
  return name !== undefined && isSectionOf(name, chunk)
}

/** `Ann Lee, Engineer at Acme` */
export function contactHeadline({ name, details }: ContactCard): string {
  const work = WORK.exec(details)?.[1]?.trim()
  return work === undefined ? name : `${name}, ${work}`
}
const WORK = /^Works (?:as|at): (.{1,80})$/m
