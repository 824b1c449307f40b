/** A card of an address book: `Contact: Ann Lee`, and a line for each detail. */
export interface ContactCard {
  readonly name: string
  /** The lines below the name. */
  readonly details: string
}

export function readContact(text: string): ContactCard | undefined {
  const match = CARD.exec(text.slice(0, LONGEST_CARD))
  const name = match?.[1]?.trim()
  if (!match || !name) return undefined
  const details = text.slice(match[0].length).trim()
  return details === '' || DETAIL.test(details) ? { name, details } : undefined
}
const LONGEST_CARD = 20_000
const CARD = /^\s*Contact: ([^\n]{1,100})(?:\n|$)/
const DETAIL = /^[\p{L}\p{N}][^\n:]{0,40}: \S/u

/** `Ann Lee, Engineer at Acme` */
export function contactHeadline({ name, details }: ContactCard): string {
  const work = WORK.exec(details)?.[1]?.trim()
  return work === undefined ? name : `${name}, ${work}`
}
const WORK = /^(?:Works as|Organization): (.{1,80})$/m
