const CONTACT =
  /^Contact: ([^\n]{1,100})(?:\s*$|\n(?:Also called|Nickname|Works (?:at|as)|Occupation|Email|Phone|Address|Birthday|Anniversary|Notes|Web|Groups|Chat)\b)/

/** The name of a contact of an address book, in the form in which connectors write it; `undefined` for any other text. */
export function contactNameIn(text: string): string | undefined {
  return CONTACT.exec(text)?.[1]?.trim()
}
