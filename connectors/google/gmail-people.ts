import { addressParser, decodeWords } from 'postal-mime'
import type { GmailMessage } from './gmail-answers.ts'
import { header } from './mail-text-part.ts'

/** More than a person would recognize; lists of hundreds would only make every document longer. */
const MOST_PEOPLE = 100
/** Of a header that is looked at, in characters; lists of recipients can be longer than mails. */
const MOST_HEADER = 100_000
const LONGEST_SPEAKER = 80

/** `Ada Lovelace <ada@acme.test>`: who wrote it; `undefined` when the message does not say. */
export function writerOf(message: GmailMessage): string | undefined {
  return peopleIn(message, 'from')[0] ?? peopleIn(message, 'sender')[0]
}

/** Who wrote and received the messages, each once. */
export function peopleOf(messages: readonly GmailMessage[]): string[] {
  const known = new Map<string, string>()
  for (const message of messages) {
    for (const person of ['from', 'to', 'cc'].flatMap((name) => peopleIn(message, name))) {
      const key = /<([^<>]+)>$/.exec(person)?.[1]?.toLowerCase() ?? person.toLowerCase()
      // A name says more than an address alone.
      if (!known.has(key) || !known.get(key)?.includes('<')) known.set(key, person)
    }
  }
  return [...known.values()].slice(0, MOST_PEOPLE)
}

/** As it can stand in a heading, where ` at ` begins the time. */
export function speakerName(writer: string | undefined): string {
  const address = /<([^<>]+)>$/.exec(writer ?? '')?.[1]
  const fits = [writer, address].find(
    (name) => name !== undefined && name.length <= LONGEST_SPEAKER && !/ (?:at|on) /i.test(name),
  )
  return fits ?? 'somebody'
}

/** Words of RFC 2047 are read, in case Gmail has left some. */
export function subjectOf(message: GmailMessage): string {
  const subject = message.payload && header(message.payload, 'subject')
  return decodeWords(subject ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function peopleIn({ payload }: GmailMessage, name: string): string[] {
  const value = payload && header(payload, name)
  if (!value) return []
  return addressParser(value.slice(0, MOST_HEADER), { flatten: true }).flatMap(({ name, address = '' }) => {
    const shown = name.replace(/[\s\p{Cc}<>]+/gu, ' ').trim()
    if (!address.includes('@')) return shown || []
    return shown && shown !== address ? `${shown} <${address}>` : address
  })
}
