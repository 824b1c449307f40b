const CARD = /^\s*Contact: ([^\n]{1,100})(?:\n|$)/
const DETAIL = /^[\p{L}\p{N}][^\n:]{0,40}: \S/u

/** A card of an address book: `Contact: Ann Lee`, and a line for each detail. */
export interface ContactCard {
  readonly name: string
  /** The lines below the name. */
  readonly details: string
}

/** The card that a text is, in the form in which connectors write contacts; it may have no details. */
export function readCard(text: string): ContactCard | undefined {
  const match = CARD.exec(text)
  const name = match?.[1]?.trim()
  if (!match || !name) return undefined
  const details = text.slice(match[0].length).trim()
  return details === '' || DETAIL.test(details) ? { name, details } : undefined
}

/** The name of a contact with details. A line `Contact: please use the form` alone may be of any text. */
export function contactNameIn(text: string): string | undefined {
  const card = readCard(text)
  return card === undefined || card.details === '' ? undefined : card.name
}
