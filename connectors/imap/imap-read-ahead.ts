import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { readMail, WHOLE_BYTES } from './imap-mail.ts'

/** Of mails that are read together; a larger one is read on its own. */
const MOST_BYTES = 1024 * 1024

/** One request about the folder of the mails. */
type Request = <T>(work: (client: ImapFlow) => Promise<T>) => Promise<T>
type Texts = Map<number, Uint8Array>

/**
 * Reads the texts of listed mails. Who asks for one soon asks for those after it, so that they are fetched by the same
 * command: a command for each would take as many round trips as there are mails.
 */
export class ReadAhead {
  readonly #request: Request
  /** Not asked for yet. */
  readonly #rest: FetchMessageObject[]
  /** Fetched or being fetched, by UID. */
  readonly #underway = new Map<number, Promise<Texts>>()

  /** @param messages in the order in which their texts will be asked for */
  constructor(messages: readonly FetchMessageObject[], request: Request) {
    this.#request = request
    this.#rest = messages.filter(({ size = 0 }) => size <= WHOLE_BYTES)
  }

  /** As `readMail`. A mail that did not come with the others is asked for on its own. */
  async read(message: FetchMessageObject): Promise<Uint8Array | undefined> {
    const { uid } = message
    const texts = await (this.#underway.get(uid) ?? this.#begin(message))
    this.#underway.delete(uid)
    const text = texts?.get(uid)
    texts?.delete(uid)
    return text ?? this.#request((client) => readMail(client, message))
  }

  #begin({ uid }: FetchMessageObject): Promise<Texts> | undefined {
    const from = this.#rest.findIndex((one) => one.uid === uid)
    if (from === -1) return undefined
    let bytes = 0
    let to = from
    while (to < this.#rest.length && bytes < MOST_BYTES) bytes += this.#rest[to++]?.size ?? 0
    const uids = this.#rest.splice(from, to - from).map((one) => one.uid)
    const texts = this.#request((client) => textsOf(client, uids))
    for (const one of uids) this.#underway.set(one, texts)
    return texts
  }
}

/** Nothing, when the server refuses: it may be about one of them, and each is then asked for on its own. */
async function textsOf(client: ImapFlow, uids: readonly number[]): Promise<Texts> {
  try {
    const found = await client.fetchAll(uids.join(','), { uid: true, source: true }, { uid: true })
    return new Map(found.flatMap(({ uid, source }) => (source === undefined ? [] : [[uid, source]])))
  } catch (error) {
    if (!client.usable) throw error
    return new Map()
  }
}
