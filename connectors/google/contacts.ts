import { z } from 'zod'
import type {
  Change,
  CheckContext,
  ConnectionConfig,
  Connector,
  Context,
  Partition,
} from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { OTHER_FIELDS, PERSON_FIELDS, type Person, personAnswer, personItem, personRef } from './contacts-item.ts'
import { type GoogleConfig, googleFields } from './google-config.ts'
import type { GoogleRefusal } from './google-failure.ts'
import { type GoogleGateway, googleAccount, googleGateway } from './google-gateway.ts'
import { connectionAccount, followingPage, isIdentityUnknown, optionalText, pageOf } from './google-rows.ts'

type ContactsConfig = ConnectionConfig & GoogleConfig & { readonly other_contacts: boolean }
const cursor = z.strictObject({ syncToken: z.string().min(1) })
type ContactsCursor = z.infer<typeof cursor>

const TITLE = 'People'
const SCOPE = 'https://www.googleapis.com/auth/contacts.readonly'
const OTHER_SCOPE = 'https://www.googleapis.com/auth/contacts.other.readonly'
const DAY_MS = 24 * 60 * 60_000
/** Maximum page size. */
const PEOPLE_AT_ONCE = 1000

const withToken = { nextSyncToken: optionalText }
const connectionsPage = z.looseObject(withToken).and(pageOf('connections', personAnswer))
const othersPage = z.looseObject(withToken).and(pageOf('otherContacts', personAnswer))

/** Contacts of Google. */
export const contacts: Connector<ContactsConfig, ContactsCursor> = {
  manifest: {
    id: 'contacts',
    title: 'Google Contacts',
    sourceTypes: ['contacts'],
    auth: 'oauth',
    config: z.strictObject({
      ...googleFields(),
      other_contacts: z
        .boolean()
        .default(false)
        .describe('`true`: also sync people that Google saved because you wrote to them; needs one more scope.'),
    }),
    cursor,
    schedule: '23 */2 * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'google',
    version: 1,
    quietPeriodMs: 0,
    cursorLife: { warnAfterMs: 5 * DAY_MS, reason: 'Google expires sync tokens 7 days after the last full sync' },
    selection: ({ other_contacts }) => ({ other_contacts }),
    grant: { provider: 'google', family: 'workspace', scopes: scopesOf },
    listing: {
      summary: 'The people you know: names, work, birthdays, notes.',
      icon: 'contacts',
      group: 'Google',
    },
    documentation: {
      item: 'a person: names, addresses, work, birthdays, relations, notes',
      removed: 'at the next sync, a few minutes after the deletion; merged contacts become one',
      needs:
        '`recalld connect google` with the API "People API" enabled, scope contacts.readonly (and contacts.other.readonly with other_contacts)',
      api: 'People API v1: people.connections.list, otherContacts.list',
      cursor: 'the sync token; once it expires, everything is compared',
      limits: 'a sync token expires 7 days after the last full sync; the first page of a full sync has its own quota',
      verified: 'local fake server',
    },
  },

  async check(context) {
    const gateway = await open(context)
    const api = await apiOf(gateway)
    return googleAccount(
      gateway,
      async () => {
        const me = await gateway.find(
          {
            title: TITLE,
            asked: 'your own profile',
            answer: personAnswer,
            send: (options) => api.people.get({ resourceName: 'people/me', personFields: 'names,metadata' }, options),
          },
          isIdentityUnknown,
        )
        if (me === undefined) return connectionAccount(context.config.name)
        return { account: me.resourceName, title: me.names[0]?.displayName ?? context.config.name }
      },
      context.clock(),
    )
  },

  async *partitions({ config }) {
    yield { id: 'connections', title: 'contacts' }
    if (config.other_contacts) yield { id: 'other', title: 'other contacts' }
  },

  async *changes(partition, from, context) {
    const account = context.account.account
    let next: string | undefined
    for await (const { rows, nextSyncToken } of pages(partition, { syncToken: from?.syncToken }, context)) {
      for (const person of rows) yield* changesOf(account, person)
      next = nextSyncToken ?? next
    }
    // Without a token the next run reads everything again.
    if (next !== undefined) yield { type: 'checkpoint', cursor: { syncToken: next } }
  },

  async read({ partition, locator }, context) {
    if (locator === undefined) return undefined
    const person =
      partition.id === 'other' ? (await otherPeople(partition, context)).get(locator) : await contact(locator, context)
    return person === undefined || person.metadata?.deleted ? undefined : personItem(context.account.account, person)
  },
}

function* changesOf(
  account: string,
  person: Person,
): Generator<Exclude<Change<ContactsCursor>, { type: 'checkpoint' }>> {
  // Contacts that were merged had other names before.
  for (const previous of person.metadata?.previousResourceNames ?? []) {
    if (previous !== person.resourceName) yield { type: 'gone', ref: personRef(account, previous) }
  }
  const item = person.metadata?.deleted ? undefined : personItem(account, person)
  yield item === undefined ? { type: 'gone', ref: personRef(account, person.resourceName) } : { type: 'item', item }
}

/** @param synced whether to request a sync token, or to continue from `syncToken` */
async function* pages(
  { id, title }: Partition,
  synced: { readonly syncToken: string | undefined } | undefined,
  context: Context<ContactsConfig>,
) {
  const { syncToken } = synced ?? {}
  const gateway = await open(context)
  const api = await apiOf(gateway)
  const isEnded = (refusal: GoogleRefusal) => syncToken !== undefined && isEndedToken(refusal)
  for (let pageToken: string | undefined; ; ) {
    // Google requires the same parameters in every request with a sync token.
    const params = {
      pageSize: PEOPLE_AT_ONCE,
      ...(synced && { requestSyncToken: true }),
      ...(syncToken !== undefined && { syncToken }),
      ...(pageToken !== undefined && { pageToken }),
    }
    const request = { title: TITLE, asked: `the list of ${title}` }
    const page =
      id === 'other'
        ? await gateway.find(
            {
              ...request,
              answer: othersPage,
              send: (options) => api.otherContacts.list({ ...params, readMask: OTHER_FIELDS }, options),
            },
            isEnded,
          )
        : await gateway.find(
            {
              ...request,
              answer: connectionsPage,
              send: (options) =>
                api.people.connections.list(
                  { ...params, resourceName: 'people/me', personFields: PERSON_FIELDS },
                  options,
                ),
            },
            isEnded,
          )
    if (page === undefined) throw new SourceError('restart', 'The sync token of the contacts has expired.')
    yield page
    pageToken = followingPage(pageToken, page.nextPageToken)
    if (pageToken === undefined) return
  }
}

/**
 * Documented: "A request with an expired sync token will get an error with reason EXPIRED_SYNC_TOKEN"; formerly 410. A
 * malformed token also returns 400. Other parameters are constant, so a restart is always the right remedy.
 */
function isEndedToken({ status, reasons }: GoogleRefusal): boolean {
  return reasons.includes('EXPIRED_SYNC_TOKEN') || status === 410 || status === 400
}

async function contact(resourceName: string, context: Context<ContactsConfig>): Promise<Person | undefined> {
  const gateway = await open(context)
  const api = await apiOf(gateway)
  return gateway.find({
    title: TITLE,
    asked: 'a contact',
    answer: personAnswer,
    send: (options) => api.people.get({ resourceName, personFields: PERSON_FIELDS }, options),
  })
}

const otherListings = new WeakMap<Context<ContactsConfig>, Promise<ReadonlyMap<string, Person>>>()

/** Listed once per run, because they can't be requested one by one. */
function otherPeople(partition: Partition, context: Context<ContactsConfig>): Promise<ReadonlyMap<string, Person>> {
  const known = otherListings.get(context) ?? listedPeople(partition, context)
  otherListings.set(context, known)
  return known
}

async function listedPeople(partition: Partition, context: Context<ContactsConfig>) {
  const found = new Map<string, Person>()
  for await (const { rows } of pages(partition, undefined, context)) {
    for (const person of rows) found.set(person.resourceName, person)
  }
  return found
}

function scopesOf({ other_contacts: others }: ContactsConfig): string[] {
  return others ? [SCOPE, OTHER_SCOPE] : [SCOPE]
}

function open(context: CheckContext<ContactsConfig>): Promise<GoogleGateway> {
  return googleGateway(context, { family: 'workspace', scopes: scopesOf(context.config) })
}

async function apiOf({ apiOptions }: GoogleGateway) {
  const { people } = await import('googleapis/build/src/apis/people/index.js')
  return people({ version: 'v1', ...apiOptions })
}
