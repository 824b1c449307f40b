import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestMemory, type RestMemory } from '../../../src/client/rest-memory.ts'
import { readCredentials } from '../../../src/config/credentials.ts'
import type { SourceType } from '../../../src/domain/source-type.ts'
import { startRecalld } from '../recalld-process.ts'
import { until } from '../until.ts'

/** `recalld up` in a home of its own, with the app's pages. */
export interface AppService extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  readonly address: string
  readonly home: string
  /** The one-time link of its greeting: it makes the first person. */
  readonly firstLink: string
  /** The default key of its account. */
  readonly key: string
  /** The service by that key. */
  readonly memory: RestMemory
  /** Uploads one after the other, and waits until all can be recalled or failed. */
  memorize(...uploads: readonly AppUpload[]): Promise<void>
  /** Ends it as an operator does, or as a crash when `signal` is SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface AppUpload {
  readonly fileName: string
  readonly body: string | Uint8Array
  readonly contentType?: string
  /** The agent that wrote it. */
  readonly agent?: string
  readonly sourceType?: SourceType
  readonly itemId?: string
  readonly userName?: string
}

/** Tests ask more often than people do, and a busy machine lets searches wait. */
const WITHOUT_LIMIT = { RECALLD_RATE_LIMIT_PER_MINUTE: '1000000', RECALLD_MAX_CONCURRENT_SEARCHES: '100' }
const UPLOADER = 'Ada Lovelace'

export interface AppServiceOptions {
  /** Further variables of the process; of recalld's own, it has no others. A home that is named here is kept. */
  readonly env?: Readonly<Record<string, string>>
  /** Puts files into the home before the start, such as `config.yaml`. */
  readonly prepare?: (home: string) => void
}

export async function startAppService({ env = {}, prepare }: AppServiceOptions = {}): Promise<AppService> {
  await using parts = new AsyncDisposableStack()
  const home = env.RECALLD_HOME ?? (await mkdtemp(join(tmpdir(), 'recalld-app-')))
  if (env.RECALLD_HOME === undefined) parts.defer(() => rm(home, { recursive: true, force: true }))
  prepare?.(home)
  const running = await startRecalld({ RECALLD_HOME: home, ...WITHOUT_LIMIT, ...env })
  let stopped: Promise<unknown> | undefined
  const stop = async (signal?: NodeJS.Signals) => {
    stopped ??= running.stop(signal)
    await stopped
  }
  parts.defer(() => stop())
  const { address: baseUrl, greeting } = running
  const key = readCredentials(join(home, 'credentials.json'))?.apiKey
  if (key === undefined) throw new Error(`${home} holds no key`)
  const memory = createRestMemory({ baseUrl, apiKey: key })
  parts.defer(() => memory.close())
  const started = parts.move()
  return {
    address: baseUrl,
    home,
    get firstLink() {
      return linkIn(greeting)
    },
    key,
    memory,
    stop,
    async memorize(...uploads) {
      const waiting: { readonly itemId: string; readonly sourceType: SourceType }[] = []
      for (const { body, sourceType = 'text', userName = UPLOADER, ...upload } of uploads) {
        const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
        const { item_id: itemId } = await memory.memorize({ ...upload, body: bytes, sourceType, userName })
        waiting.push({ itemId, sourceType })
      }
      for (const [sourceType, items] of Map.groupBy(waiting, (item) => item.sourceType)) {
        await until(async () => {
          const { files } = await memory.list({ sourceType, limit: 1_000 })
          const ended = files.filter(({ status }) => status === 'ready' || status === 'failed')
          const ids = new Set(ended.map(({ item_id }) => item_id))
          return items.every(({ itemId }) => ids.has(itemId))
        })
      }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

function linkIn(greeting: string): string {
  const link = /http:\S+\/app\/welcome#[\w-]+/.exec(greeting)?.[0]
  if (link === undefined) throw new Error(`no link to begin with in ${greeting}`)
  return link
}
