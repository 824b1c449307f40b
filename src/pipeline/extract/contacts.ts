import type { Passage } from './passages.ts'

/** A card of an address book: `Contact: Ann Lee`, and a line for each detail. */
export interface ContactCard {
  readonly name: string
  /** The lines below the name. */
  readonly details: string
}

export function readContact({ first, form, chunks }: Passage): ContactCard | undefined {
  const match = first === 0 && form === 'prose' ? CARD.exec(chunks[0]?.text ?? '') : null
  const name = match?.[1]?.trim()
  if (!match || !name) return undefined
  const text = chunks.map((chunk) => chunk.text).join('\n')
  const details = text.slice(match[0].length).trim()
  return details === '' || DETAIL.test(details) ? { name, details } : undefined
}
const CARD = /^\s*Contact: ([^\n]{1,100})(?:\n|$)/
const DETAIL = /^[\p{L}\p{N}][^\n:]{0,40}: \S/u

/** `Ann Lee, Engineer at Acme` */
export function contactHeadline({ name, details }: ContactCard): string {
  const work = WORK.exec(details)?.[1]?.trim()
  return work === undefined ? name : `${name}, ${work}`
}
const WORK = /^Works (?:as|at): (.{1,80})$/m
