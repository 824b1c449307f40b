import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONNECTORS } from '../../connectors/index.ts'
import { openSources, type SourcesParts } from '../../src/boot/open-sources.ts'
import { writeCredentials } from '../../src/config/credentials.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { configuredConnections } from '../../src/connections/configured-connections.ts'
import type { GrantsService } from '../../src/connections/sources-contract.ts'
import type { LiveEvent } from '../../src/domain/activity.ts'
import type { Connection, ConnectionDetail, Sources } from '../../src/http/app/schemas/sources.ts'
import type { Store } from '../../src/store/store.ts'
import { type AppVisit, appVisit } from './app-visit.ts'
import { httpCall } from './http-call.ts'
import { type LogLine, recordingLog } from './recording-log.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

export interface SourcesVisitOptions extends Partial<Pick<SourcesParts, 'registry' | 'providers' | 'runsHere'>> {
  /** Of config.yaml, which is not there when this is absent. */
  readonly yaml?: string
  /** What the sources see of the store, as one that ends in the middle. */
  readonly wrapStore?: (store: Store) => Store
  /** Calls about grants reach this process and a second one, of the same home, in turn. */
  readonly grantsInTurn?: boolean
  /** What people do while the service answers already, and its sources are not started yet. */
  readonly beforeStart?: (app: AppVisit) => Promise<void>
}

/** A service with the app whose sources are the real ones, and its administrator. */
export interface SourcesVisit extends AppVisit {
  readonly home: string
  readonly logLines: readonly LogLine[]
  /** Text of config.yaml; empty when there is none. */
  config(): string
  writeConfig(text: string): void
  sources(): Promise<Sources>
  /** `undefined` when it is not listed. */
  listed(id: string): Promise<Connection | undefined>
  detail(id: string): Promise<ConnectionDetail>
  /** Waits until the connection is as asked for. */
  untilListed(id: string, is: (connection: Connection) => boolean): Promise<Connection>
  /** What recall answers, as text. */
  recall(text: string): Promise<string>
  /** What was told until now to whoever looks. */
  readonly events: LiveEvent[]
}

function alternating(...services: readonly [GrantsService, GrantsService]): GrantsService {
  let calls = 0
  return new Proxy(services[0], {
    get(_, name: keyof GrantsService) {
      calls += 1
      const service = services[calls % 2 === 0 ? 0 : 1]
      return (...args: unknown[]) => Reflect.apply(service[name], service, args)
    },
  })
}

export async function sourcesVisit({
  yaml,
  wrapStore,
  beforeStart,
  grantsInTurn = false,
  ...parts
}: SourcesVisitOptions = {}): Promise<SourcesVisit> {
  const home = join(temporaryFolder(), 'home')
  const files = homeFiles(home)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  if (yaml !== undefined) writeFileSync(files.config, yaml)
  const config = loadConfig({ home, file: files.config, env: {} })
  const stack = new AsyncDisposableStack()
  const { log, lines } = recordingLog()
  const processInfo = {
    ...{ pid: process.pid, platform: 'linux', env: {}, userName: 'Ada Lovelace' },
    userHome: '/nonexistent',
  }
  let sources: ReturnType<typeof openSources> | undefined
  const events: LiveEvent[] = []
  const app = await appVisit({
    door: ({ service, store, live }) => {
      const common = { config, service, live, log, processInfo, runsHere: true, registry: CONNECTORS }
      sources = openSources({ ...common, store: wrapStore?.(store) ?? store, ...parts }, stack)
      const second = () => openSources({ ...common, store, ...parts, runsHere: false }, stack).grants
      const { sources: sourcesService, grants } = sources
      return { sourcesService, grantsService: grantsInTurn ? alternating(grants, second()) : grants }
    },
  })
  writeCredentials(files.credentials, { baseUrl: app.baseUrl, apiKey: app.running.key })
  app.live.subscribe(app.accountId, (event) => events.push(event))
  await beforeStart?.(app)
  await sources?.start((await configuredConnections(config.connectors, parts.registry)).connections)
  const listed = async (id: string) => (await app.get<Sources>('/sources')).connections.find((one) => one.id === id)
  return Object.defineProperties(
    {
      ...app,
      home,
      events,
      logLines: lines,
      config: () => {
        try {
          return readFileSync(files.config, 'utf8')
        } catch {
          return ''
        }
      },
      writeConfig: (text: string) => writeFileSync(files.config, text),
      sources: () => app.get<Sources>('/sources'),
      listed,
      detail: (id: string) => app.get<ConnectionDetail>(`/sources/${id}`),
      async untilListed(id: string, is: (connection: Connection) => boolean) {
        let found: Connection | undefined
        await until(async () => {
          found = await listed(id)
          return found !== undefined && is(found)
        })
        if (found === undefined) throw new Error(`no connection ${id}`)
        return found
      },
      async recall(text: string) {
        const form = [['text', text]] as const
        const answer = await httpCall(`${app.baseUrl}/v1/memories/recall`, {
          method: 'POST',
          key: app.running.key,
          form,
        })
        if (answer.status !== 200) throw new Error(answer.text)
        return answer.text
      },
      async [Symbol.asyncDispose]() {
        await stack.disposeAsync()
        await app[Symbol.asyncDispose]()
      },
    },
    { cookie: { get: () => app.cookie, enumerable: true } },
  )
}
