/** What a card below a mail says: how it is asked for, and how it is written. */
const CONTACTS = [
  {
    asked:
      /\b(?:phone|telephone|mobile|cell|landline|contact) number\b|['’]s (?:new |old )?number\b(?! one\b)|\bhow (?:can|do|could) I (?:call|phone|ring|reach)\b|^\W*(?:what(?:['’]s| is) )?[\p{L}\p{M} -]{1,40}['’]s (?:new |old )?(?:phone|telephone|mobile|cell|landline)\W*$/iu,
    written: /(?:\+|\(0|(?<![\d.])0)\d[\d ()/.-]{4,}\d|(?<![\d./-])\d{3}[ -]\d{2,4}(?:[ -]\d{2,4})?(?![\d./-])/,
  },
  { asked: /\be-?mail(?: address)?\b/i, written: /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/ },
  {
    asked: /\b(?:postal |street )?address\b|\bwhere is \p{Lu}.*\boffice\b/iu,
    written:
      /(?<![\p{L}\d])(?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}\p{L}+|(?<!\p{L})[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\d+[a-z]? (?:\p{Lu}\p{L}+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Way|Square|Blvd)(?!\p{L})/u,
  },
  {
    asked: /\b(?:company|firm|employer)\b|\bwho does \p{Lu}.* work for\b/iu,
    written:
      /(?<!\p{L})(?:GmbH|AG|KG|Ltd|Limited|Inc|LLC|PLC|SARL|SAS|B\.V\.|verwaltung|Company|& Co)(?!\p{L})|\p{L}verwaltung(?!\p{L})/iu,
  },
] as const

/** How the contact that a question asks for is written; `undefined` if it asks for none. */
export function askedContact(question: string): RegExp | undefined {
  return CONTACTS.find(({ asked }) => asked.test(question))?.written
}

/** Asks for a telephone number in as many words, and how one is written at least. */
const ASKS_NUMBER = /\b(?:phone|telephone|mobile|cell|landline) number\b/i
const DIGITS = /(?:\d[\s()./-]{0,2}){5}/

const NAMED = /(?<=[\s"“(])(?!I\b)\p{Lu}[\p{L}\p{M}.-]*|^(?!(?:What|Who|Where|How)\b)\p{Lu}[\p{L}\p{M}-]*(?=['’]s\b)/gu

/** Whose contact a question asks for: its capitalized words, in lower case. */
export function namesIn(question: string): readonly string[] {
  return (question.match(NAMED) ?? []).map((name) => name.toLowerCase())
}

/** @param names in lower case */
export function holdsAll(names: readonly string[], text: string): boolean {
  const words = text.toLowerCase()
  const held = new Set([...words.split(/[^\p{L}\p{M}]+/u), ...words.split(/[^\p{L}\p{M}-]+/u)])
  return names.every((name) => held.has(name.replace(/\.$/, '')))
}

/**
 * Whether a question asks for a telephone number that a text doesn't have, or has of somebody else.
 *
 * @param passage that the text is of, with its writer and title
 */
export function lacksContact(question: string, text: string, passage: string): boolean {
  return ASKS_NUMBER.test(question) && !(DIGITS.test(text) && holdsAll(namesIn(question), passage))
}
