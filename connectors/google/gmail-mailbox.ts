import type { gmail_v1 } from 'googleapis/build/src/apis/gmail/index.js'
import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import {
  attachmentAnswer,
  type GmailMessage,
  type GmailThread,
  historyPage,
  labelsAnswer,
  messagePage,
  profileAnswer,
  threadAnswer,
  threadPage,
} from './gmail-answers.ts'
import type { GmailConfig } from './gmail-config.ts'
import { type GoogleGateway, googleGateway } from './google-gateway.ts'
import { textsLeftOut, withTexts } from './mail-text-part.ts'

export const GMAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly'
const TITLE = 'Gmail'
/** Maximum page size of threads, messages and history. */
const AT_ONCE = 500
const HISTORY_TYPES = ['messageAdded', 'messageDeleted', 'labelAdded', 'labelRemoved']
const ME = { userId: 'me' }

/** The requests to Gmail, version 1. */
export class Mailbox {
  readonly gateway: GoogleGateway
  readonly #users: gmail_v1.Resource$Users

  /** @throws SourceError `reconfigure`, `reauthorize` when there is no access */
  static async open(context: CheckContext<GmailConfig>): Promise<Mailbox> {
    const gateway = await googleGateway(context, { family: 'workspace', scopes: [GMAIL_SCOPE] })
    const { gmail } = await import('googleapis/build/src/apis/gmail/index.js')
    return new Mailbox(gateway, gmail({ version: 'v1', ...gateway.apiOptions }).users)
  }

  private constructor(gateway: GoogleGateway, users: gmail_v1.Resource$Users) {
    this.gateway = gateway
    this.#users = users
  }

  profile() {
    return this.gateway.ask({
      title: TITLE,
      asked: 'the profile of the mailbox',
      answer: profileAnswer,
      send: (options) => this.#users.getProfile(ME, options),
    })
  }

  labels() {
    return this.gateway.ask({
      title: TITLE,
      asked: 'the list of labels',
      answer: labelsAnswer,
      send: (options) => this.#users.labels.list(ME, options),
    })
  }

  /** `undefined` when the page token has expired. */
  threads(listing: Listing, pageToken: string | undefined) {
    return this.gateway.find(
      {
        title: TITLE,
        asked: 'the list of threads',
        answer: threadPage,
        send: (options) => this.#users.threads.list(pageOfListing(listing, pageToken), options),
      },
      ({ status }) => status === 400 && pageToken !== undefined,
    )
  }

  messages(listing: Listing, pageToken: string | undefined) {
    return this.gateway.ask({
      title: TITLE,
      asked: 'the list of messages',
      answer: messagePage,
      send: (options) => this.#users.messages.list(pageOfListing(listing, pageToken), options),
    })
  }

  /** With the text of its messages; a long text that the response leaves out costs another request. */
  async thread(id: string): Promise<GmailThread | undefined> {
    const thread = await this.#readThread(id, 'full')
    if (thread === undefined) return undefined
    const messages: GmailMessage[] = []
    for (const message of thread.messages) messages.push(await this.#complete(message))
    return { ...thread, messages }
  }

  /** Without the text of its messages. */
  outline(id: string): Promise<GmailThread | undefined> {
    return this.#readThread(id, 'minimal')
  }

  /** @throws SourceError `restart` when Gmail no longer has the history since then */
  async history(startHistoryId: string, pageToken: string | undefined) {
    const range = { startHistoryId, historyTypes: HISTORY_TYPES, maxResults: AT_ONCE, ...(pageToken && { pageToken }) }
    const page = await this.gateway.find(
      {
        title: TITLE,
        asked: 'the history of the mailbox',
        answer: historyPage,
        send: (options) => this.#users.history.list({ ...ME, ...range }, options),
      },
      // 400 is returned for an invalid id, for example after a mailbox was moved.
      ({ status }) => status === 404 || status === 400,
    )
    if (page === undefined) throw new SourceError('restart', 'Gmail no longer has the history since the last sync.')
    return page
  }

  /** `undefined` when it no longer exists. */
  #readThread(id: string, format: 'full' | 'minimal'): Promise<GmailThread | undefined> {
    return this.gateway.find({
      title: TITLE,
      asked: `thread ${id}`,
      answer: threadAnswer,
      send: (options) => this.#users.threads.get({ ...ME, id, format }, options),
    })
  }

  async #complete(message: GmailMessage): Promise<GmailMessage> {
    const { id: messageId, payload } = message
    const texts = new Map<string, string>()
    for (const id of payload === undefined ? [] : textsLeftOut(payload)) {
      const found = await this.gateway.find({
        title: TITLE,
        asked: `the text of message ${messageId}`,
        answer: attachmentAnswer,
        send: (options) => this.#users.messages.attachments.get({ ...ME, messageId, id }, options),
      })
      if (found?.data !== undefined) texts.set(id, found.data)
    }
    return payload === undefined || texts.size === 0 ? message : { ...message, payload: withTexts(payload, texts) }
  }
}

/** Which conversations a listing shows. */
export interface Listing {
  readonly q: string
  readonly labelId?: string | undefined
}

function pageOfListing({ q, labelId }: Listing, pageToken: string | undefined) {
  return { ...ME, q, maxResults: AT_ONCE, ...(labelId && { labelIds: [labelId] }), ...(pageToken && { pageToken }) }
}
