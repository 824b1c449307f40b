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
/** Most that one page may hold, of threads, messages and history alike. */
const AT_ONCE = 500
const HISTORY_TYPES = ['messageAdded', 'messageDeleted', 'labelAdded', 'labelRemoved']

/** What Gmail is asked for. */
export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** @throws SourceError `reconfigure`, `reauthorize` when there is no access */
export async function openMailbox(context: CheckContext<GmailConfig>) {
  const gateway = await googleGateway(context, { family: 'workspace', scopes: [GMAIL_SCOPE] })
  const { gmail } = await import('googleapis/build/src/apis/gmail/index.js')
  const { users } = gmail({ version: 'v1', ...gateway.place })
  const me = { userId: 'me' }

  async function complete(message: GmailMessage): Promise<GmailMessage> {
    const { id: messageId, payload } = message
    const texts = new Map<string, string>()
    for (const id of payload === undefined ? [] : textsLeftOut(payload)) {
      const found = await gateway.find({
        title: TITLE,
        asked: `the text of message ${messageId}`,
        answer: attachmentAnswer,
        send: (options) => users.messages.attachments.get({ ...me, messageId, id }, options),
      })
      if (found?.data !== undefined) texts.set(id, found.data)
    }
    return payload === undefined || texts.size === 0 ? message : { ...message, payload: withTexts(payload, texts) }
  }

  return {
    gateway,
    profile: () =>
      gateway.ask({
        title: TITLE,
        asked: 'the profile of the mailbox',
        answer: profileAnswer,
        send: (options) => users.getProfile(me, options),
      }),
    labels: () =>
      gateway.ask({
        title: TITLE,
        asked: 'the list of labels',
        answer: labelsAnswer,
        send: (options) => users.labels.list(me, options),
      }),
    /** `undefined` when Gmail does not take the page token any more. */
    threads: (listing: Listing, pageToken: string | undefined) =>
      gateway.find(
        {
          title: TITLE,
          asked: 'the list of threads',
          answer: threadPage,
          send: (options) => users.threads.list({ ...me, ...pageOfListing(listing, pageToken) }, options),
        },
        ({ status }) => status === 400 && pageToken !== undefined,
      ),
    messages: (listing: Listing, pageToken: string | undefined) =>
      gateway.ask({
        title: TITLE,
        asked: 'the list of messages',
        answer: messagePage,
        send: (options) => users.messages.list({ ...me, ...pageOfListing(listing, pageToken) }, options),
      }),
    /** With what its messages say: a long text that the answer leaves out costs a request of its own. */
    async thread(id: string): Promise<GmailThread | undefined> {
      const thread = await readThread(gateway, id, (options) =>
        users.threads.get({ ...me, id, format: 'full' }, options),
      )
      if (thread === undefined) return undefined
      const messages: GmailMessage[] = []
      for (const message of thread.messages) messages.push(await complete(message))
      return { ...thread, messages }
    },
    /** Without what its messages say. */
    outline: (id: string) =>
      readThread(gateway, id, (options) => users.threads.get({ ...me, id, format: 'minimal' }, options)),
    /** @throws SourceError `restart` when Gmail does not know the history since then any more */
    async history(startHistoryId: string, pageToken: string | undefined) {
      const page = await gateway.find(
        {
          title: TITLE,
          asked: 'the history of the mailbox',
          answer: historyPage,
          send: (options) =>
            users.history.list(
              {
                ...me,
                startHistoryId,
                historyTypes: HISTORY_TYPES,
                maxResults: AT_ONCE,
                ...(pageToken && { pageToken }),
              },
              options,
            ),
        },
        // 400 is for an id that is none, as of a mailbox that was moved.
        ({ status }) => status === 404 || status === 400,
      )
      if (page === undefined) throw new SourceError('restart', 'Gmail keeps no history back to the last run any more.')
      return page
    },
  }
}

/** Which conversations a listing shows. */
export interface Listing {
  readonly q: string
  readonly labelId?: string | undefined
}

function pageOfListing({ q, labelId }: Listing, pageToken: string | undefined) {
  return { q, maxResults: AT_ONCE, ...(labelId && { labelIds: [labelId] }), ...(pageToken && { pageToken }) }
}

/** `undefined` when it is gone. */
function readThread(
  gateway: GoogleGateway,
  id: string,
  send: Parameters<GoogleGateway['find']>[0]['send'],
): Promise<GmailThread | undefined> {
  return gateway.find({ title: TITLE, asked: `thread ${id}`, answer: threadAnswer, send })
}
