import type { Chunk } from '../../domain/document.ts'
import { headingText, lastHeading } from '../segment/heading-path.ts'

/** A card of an address book: `Contact: Ann Lee`, and a line for each detail. */
export interface ContactCard {
  readonly name: string
  /** The lines below the name. */
  readonly details: string
}

/** The part of a passage that may be a contact. */
interface CardPassage {
  readonly first: number
  readonly form: string
  readonly chunks: readonly Chunk[]
}

export function readContact({ first, form, chunks }: CardPassage): ContactCard | undefined {
  const [chunk] = chunks
  const match = form === 'prose' ? CARD.exec(chunk?.text ?? '') : null
  const name = match?.[1]?.trim()
  if (!match || !name || !(first === 0 || isSectionOf(name, chunk))) return undefined
  const text = chunks.map((chunk) => chunk.text).join('\n')
  const details = text.slice(match[0].length).trim()
  return details === '' || DETAIL.test(details) ? { name, details } : undefined
}
const CARD = /^\s*Contact: ([^\n]{1,100})(?:\n|$)/
const DETAIL = /^[\p{L}\p{N}][^\n:]{0,40}: \S/u

/** In a file with many contacts, each is below its name. */
function isSectionOf(name: string, chunk: Chunk | undefined): boolean {
  return lastHeading(chunk) === headingText(name)
}

/** Whether it begins a contact of a file with many, which never share a memory, even under one name. */
export function beginsContact(chunk: Chunk): boolean {
  const name = CARD.exec(chunk.text)?.[1]?.trim()
  return name !== undefined && isSectionOf(name, chunk)
}

/** `Ann Lee, Engineer at Acme` */
export function contactHeadline({ name, details }: ContactCard): string {
  const work = WORK.exec(details)?.[1]?.trim()
  return work === undefined ? name : `${name}, ${work}`
}
const WORK = /^Works (?:as|at): (.{1,80})$/m
