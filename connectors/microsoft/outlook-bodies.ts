import { SourceError } from '../../src/connector/source-error.ts'
import { IMMUTABLE } from './graph-address.ts'
import {
  isTakenMail,
  type OutlookMailbox,
  SELECT_ATTACHMENTS,
  type WholeMessage,
  wholeConversation,
  wholeMessage,
} from './outlook-conversation.ts'
import { type MessageHead, messageAnswer, SELECT_WHOLE } from './outlook-message.ts'

/** Mails that are read with one request. Their HTML is a few megabytes. */
const RANGE_MAILS = 100
/** Mails received in the same second may be in more than one range. */
const MOST_LISTED = 3 * RANGE_MAILS
/** A conversation over more ranges than this is read by itself. */
const MOST_RANGES = 4
/** Of the HTML that was read and not used yet. */
const MOST_CHARACTERS = 32 * 1024 * 1024

export interface ListedConversation {
  readonly id: string
  readonly heads: readonly ListedHead[]
}

export interface ListedHead extends MessageHead {
  readonly folderId: string
}

/** Neighbouring mails of a folder by time. */
interface MailRange {
  readonly folderId: string
  readonly keys: ReadonlySet<string>
  readonly from: number
  readonly to: number
  /** The next range of newer mails in the folder. */
  readonly newer: MailRange | undefined
  /** Conversations of which a mail was wanted. */
  wanted: number
  reading: Promise<Map<string, WholeMessage>> | undefined
}

/**
 * Reads the mails of listed conversations. Where several of neighbouring mails are wanted, as in a first sync, it reads
 * 100 mails of a folder with one request; otherwise one conversation.
 */
export class MailBodies {
  readonly #mailbox: OutlookMailbox
  /** By the keys of the mails. */
  readonly #ranges: ReadonlyMap<string, MailRange>
  /** Ranges with unused mails and the length of these, in the order of reading. */
  readonly #held = new Map<MailRange, number>()
  #isRefused = false

  constructor(mailbox: OutlookMailbox, conversations: readonly ListedConversation[]) {
    this.#mailbox = mailbox
    this.#ranges = mailRanges(conversations.flatMap(({ heads }) => heads))
  }

  async read({ id, heads }: ListedConversation): Promise<readonly WholeMessage[]> {
    const ranges = [...new Set(heads.flatMap(({ key }) => this.#ranges.get(key) ?? []))]
    for (const range of ranges) range.wanted += 1
    if (!this.#isRefused && ranges.length <= MOST_RANGES && ranges.every(isWorthwhile)) {
      const mails = await this.#fromRanges(ranges, heads)
      if (mails !== undefined) return mails
    }
    return wholeConversation(this.#mailbox, id)
  }

  /** `undefined` when one has left its folder since it was listed, or is no longer held. */
  async #fromRanges(ranges: readonly MailRange[], heads: readonly ListedHead[]): Promise<WholeMessage[] | undefined> {
    const read = await Promise.all(ranges.map((range) => this.#readOnce(range)))
    const mails = heads.flatMap(({ key }) => read.flatMap((found) => found.get(key) ?? []))
    if (mails.length < heads.length) return undefined
    for (const [at, range] of ranges.entries()) {
      for (const { key } of heads) {
        const mail = read[at]?.get(key)
        if (mail === undefined) continue
        read[at]?.delete(key)
        const held = this.#held.get(range)
        if (held !== undefined) this.#held.set(range, held - lengthOf(mail))
      }
    }
    return mails
  }

  #readOnce(range: MailRange): Promise<Map<string, WholeMessage>> {
    range.reading ??= this.#read(range)
    return range.reading
  }

  async #read(range: MailRange): Promise<Map<string, WholeMessage>> {
    const found = new Map<string, WholeMessage>()
    try {
      await this.#list(range, found)
    } catch (error) {
      // Other conversations of the range must not fail with it: they are read one by one.
      range.reading = Promise.resolve(new Map())
      // Reading one by one needs no sorting, which a mailbox may refuse.
      if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
      this.#isRefused = true
      this.#mailbox.context.log.warn({ code: error.code }, 'mails are read one conversation at a time')
    }
    const length = [...found.values()].reduce((sum, mail) => sum + lengthOf(mail), 0)
    this.#held.set(range, length)
    this.#makeRoom(range)
    return found
  }

  async #list({ folderId, keys, from, to }: MailRange, found: Map<string, WholeMessage>): Promise<void> {
    const path = `/me/mailFolders/${encodeURIComponent(folderId)}/messages`
    const query = {
      $filter: `receivedDateTime ge ${second(from)} and receivedDateTime le ${second(to + 999)}`,
      $orderby: 'receivedDateTime desc',
      $select: SELECT_WHOLE,
      $expand: SELECT_ATTACHMENTS,
      $top: RANGE_MAILS,
    }
    const options = { query, headers: { prefer: IMMUTABLE } }
    let listed = 0
    for await (const message of this.#mailbox.gateway.list(messageAnswer, path, options)) {
      listed += 1
      const mail = wholeMessage(message)
      if (keys.has(mail.key) && isTakenMail(this.#mailbox, message)) found.set(mail.key, mail)
      if (found.size === keys.size || listed === MOST_LISTED) return
    }
  }

  /** Mails are read again, one conversation at a time, if they are wanted after all. */
  #makeRoom(latest: MailRange): void {
    let total = [...this.#held.values()].reduce((sum, length) => sum + length, 0)
    for (const [range, length] of this.#held) {
      if (total <= MOST_CHARACTERS) return
      if (range === latest && length <= MOST_CHARACTERS) return
      range.reading = Promise.resolve(new Map())
      this.#held.delete(range)
      total -= length
    }
  }
}

/** One conversation by itself is read with one request anyway. */
function isWorthwhile({ keys, wanted, reading, newer }: MailRange): boolean {
  if (reading !== undefined) return true
  return keys.size > 1 && (wanted > 1 || newer?.reading !== undefined)
}

function mailRanges(heads: readonly ListedHead[]): Map<string, MailRange> {
  const ranges = new Map<string, MailRange>()
  const folders = Object.groupBy(heads, ({ folderId }) => folderId)
  for (const [folderId, mails = []] of Object.entries(folders)) {
    const sorted = mails.sort((a, b) => b.at - a.at)
    let newer: MailRange | undefined
    for (let start = 0; start < sorted.length; start += RANGE_MAILS) {
      const part = sorted.slice(start, start + RANGE_MAILS)
      const keys = new Set(part.map(({ key }) => key))
      const [from, to] = [part.at(-1)?.at ?? 0, part[0]?.at ?? 0]
      newer = { folderId, keys, from, to, newer, wanted: 0, reading: undefined }
      for (const key of keys) ranges.set(key, newer)
    }
  }
  return ranges
}

/** In UTC, without fractions of a second. */
function second(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

function lengthOf({ message }: WholeMessage): number {
  return message.body?.content?.length ?? 0
}
