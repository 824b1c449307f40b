import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { GrantRequest, GrantView } from '../../src/connections/oauth/oauth-grants.ts'
import { openGrants } from '../../src/connections/open-grants.ts'
import type { AccessGrant, GrantNeed } from '../../src/connector/access-grant.ts'
import type { OAuthProvider } from '../../src/connector/oauth-provider.ts'
import type { GrantStore } from '../../src/store/grants/grants.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type MovableClock, movableClock } from '../contract/store-contract.ts'
import { type OAuthServer, type OAuthServerOptions, oauthServer } from '../fakes/oauth-server.ts'
import { madeUpProvider } from './made-up-provider.ts'
import { type LogLine, recordingLog } from './recording-log.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const REDIRECT_URL = 'http://127.0.0.1:50123/'
export const CLIENT_SECRET = 'made-up-client-secret'
export const never = new AbortController().signal

export type OAuthEngine = ReturnType<typeof openGrants> & { readonly store: Store }

export interface OAuthHome {
  readonly server: OAuthServer
  readonly clock: MovableClock
  readonly folder: string
  readonly database: string
  readonly secretKeyFile: string
  /** Of every engine. */
  readonly lines: LogLine[]
  /** As another process with the same home would. */
  open(change?: {
    wrap?: (grants: GrantStore) => GrantStore
    memoryId?: string
    /** Instead of the database of the home; closed by whoever opened it. */
    store?: Store
  }): Promise<OAuthEngine>
  request(change?: Partial<GrantRequest>): GrantRequest & { readonly redirectUrl: string }
}

export interface OAuthHomeOptions {
  readonly server?: Partial<OAuthServerOptions>
  readonly provider?: Partial<OAuthProvider>
}

/** A provider, a home, and engines on it. */
export async function oauthHome({ server: options, provider }: OAuthHomeOptions = {}): Promise<OAuthHome> {
  const clock = movableClock()
  const server = await oauthServer({ clock, clientSecret: CLIENT_SECRET, ...options })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const folder = temporaryFolder()
  const [database, secretKeyFile] = [join(folder, 'recalld.db'), join(folder, 'secret.key')]
  const { log, lines } = recordingLog()
  const acme = { ...madeUpProvider(), ...provider }
  return {
    ...{ server, clock, folder, database, secretKeyFile, lines },
    async open({ wrap = (grants: GrantStore) => grants, memoryId = 'account:a', store: given } = {}) {
      const store = given ?? (await openSqliteStore({ file: database, log, clock }))
      if (given === undefined) onTestFinished(() => store.close())
      const providers = { [acme.id]: async () => acme }
      const grants = (id: string) => wrap(store.grants(id))
      return {
        store,
        ...openGrants({
          store: { grants },
          memoryId,
          secretKeyFile: { file: secretKeyFile, isMade: true },
          clock,
          log,
          providers,
        }),
      }
    },
    request: (change) => ({
      provider: acme.id,
      family: 'mail',
      scopes: ['mail.read'],
      client: { clientId: 'client-1', clientSecret: CLIENT_SECRET },
      place: { authUrl: server.url, apiUrl: server.url },
      redirectUrl: REDIRECT_URL,
      ...change,
    }),
  }
}

/** As a person does in a browser, who agrees. */
export async function giveAccess(
  { server, request }: OAuthHome,
  { oauthGrants }: OAuthEngine,
  change?: Partial<GrantRequest>,
): Promise<GrantView> {
  const started = await oauthGrants.begin(request(change))
  return started.complete(await server.browse(started.url), never)
}

export function openAccess({ grants }: OAuthEngine, need: Partial<GrantNeed> = {}): Promise<AccessGrant> {
  return grants.open({ provider: 'acme', family: 'mail', scopes: ['mail.read'], ...need })
}
