import { type GoogleCall, type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

export interface MadePerson {
  resourceName: string
  metadata?: Record<string, unknown>
  [field: string]: unknown
}

type Kind = 'connections' | 'otherContacts'

const LIFE_MS = 7 * 86_400_000

/** Contacts, with sync tokens that tell what was written since and end after seven days. */
export class GooglePeople implements AsyncDisposable {
  readonly people = new Map<string, MadePerson>()
  readonly server: GoogleServer
  /** Smaller ones let few people fill many pages. */
  mostOnPage = 1000
  readonly #journal: string[] = []
  /** Sync tokens of before are not taken any more. */
  #oldest = 0
  #count = 0

  static async open(): Promise<GooglePeople> {
    return new GooglePeople(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    server.route('GET', '/v1/people/me/connections', (call) => this.#list('connections', 'personFields', call))
    server.route('GET', '/v1/otherContacts', (call) => this.#list('otherContacts', 'readMask', call))
    server.route('GET', '/v1/people/{id}', ({ groups, query }) => {
      if (!query.has('personFields')) return googleError(400, 'badRequest')
      if (groups.id === 'me') return { body: { resourceName: 'people/1001', names: [{ displayName: 'Ada Lovelace' }] } }
      const person = this.people.get(`people/${groups.id}`)
      return person === undefined ? googleError(404, 'notFound') : { body: person }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  /** @returns its resource name */
  add(name: string, fields: Record<string, unknown> = {}, kind: Kind = 'connections'): string {
    this.#count += 1
    const resourceName = `${kind === 'connections' ? 'people' : 'otherContacts'}/c${this.#count}`
    const names = [{ metadata: { primary: true }, displayName: name }]
    this.people.set(resourceName, { resourceName, names, ...fields })
    this.#journal.push(resourceName)
    return resourceName
  }

  change(resourceName: string, fields: Record<string, unknown>): void {
    const person = this.people.get(resourceName)
    if (person === undefined) throw new Error(`there is no ${resourceName}`)
    this.people.set(resourceName, { ...person, ...fields })
    this.#journal.push(resourceName)
  }

  remove(resourceName: string): void {
    this.people.delete(resourceName)
    this.#journal.push(resourceName)
  }

  /** Out of the bin, as it was. */
  restore(person: MadePerson): void {
    this.people.set(person.resourceName, person)
    this.#journal.push(person.resourceName)
  }

  /** As after seven days. */
  endTokens(): void {
    this.#oldest = this.#journal.length + 1
    this.#journal.push('')
  }

  passDays(days: number): void {
    this.server.now = new Date(this.server.now.getTime() + days * 86_400_000)
  }

  #list(kind: Kind, mask: string, { query }: GoogleCall): GoogleReply {
    const fields = query.get(mask)
    const token = query.get('syncToken')
    if (fields === null) return googleError(400, 'badRequest')
    const [at, since, of] = token === null ? ['', '0', fields] : Buffer.from(token, 'base64url').toString().split('\n')
    if (token !== null && this.server.now.getTime() - Number(at) > LIFE_MS) return EXPIRED
    if (token !== null && Number(since) < this.#oldest) return EXPIRED
    if (of !== fields) return googleError(400, 'badRequest')
    const isSynced = query.get('requestSyncToken') === 'true'
    const prefix = kind === 'connections' ? 'people/' : 'otherContacts/'
    const names = token === null ? this.people.keys() : new Set(this.#journal.slice(Number(since)))
    const rows = [...names]
      .filter((name) => name.startsWith(prefix))
      .map((name) => this.people.get(name) ?? { resourceName: name, metadata: { deleted: true } })
    const page = googlePage(rows, query, { listing: `${kind} ${token}`, most: this.mostOnPage, standard: 100 })
    if (page === undefined) return googleError(400, 'badRequest')
    // The life of a token counts from the complete reading.
    const begun = token === null ? this.server.now.getTime() : Number(at)
    const next = Buffer.from(`${begun}\n${this.#journal.length}\n${fields}`).toString('base64url')
    const { entries, nextPageToken } = page
    const end = isSynced ? { nextSyncToken: next } : {}
    return { body: { [kind]: entries, ...(nextPageToken ? { nextPageToken } : end) } }
  }
}

const EXPIRED: GoogleReply = {
  status: 400,
  body: {
    error: {
      code: 400,
      message: 'Sync token is expired. Clear local cache and retry call without the sync token.',
      status: 'FAILED_PRECONDITION',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'EXPIRED_SYNC_TOKEN',
          domain: 'people.googleapis.com',
        },
      ],
    },
  },
}
