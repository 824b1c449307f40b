import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import type { Memory, Upload } from '../../src/domain/memory.ts'
import type { AskResult } from '../../src/domain/results.ts'
import { packagePath } from '../../src/lib/files.ts'
import type { Embedder } from '../../src/models/model.ts'
import { sniffContent } from '../../src/pipeline/parse/sniff.ts'
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts'
import { backgroundCosine } from '../../src/retrieval/recall/background-cosine.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { createService } from '../../src/service/create-service.ts'
import { loadPlans } from '../../src/service/plans.ts'
import type { Service } from '../../src/service/service.ts'
import type { Queue } from '../../src/store/queue/queue.ts'
import type { SearchIndex } from '../../src/store/search/search.ts'
import type { Spaces } from '../../src/store/spaces/spaces.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createVectorFiller } from '../../src/worker/vector-filler.ts'
import { repositoryFiles } from '../lib/repository-files.ts'
import type { InstalledModels } from './encoder.ts'

/** What somebody has uploaded, to be asked about. */
export interface AskedAccount {
  readonly id: string
  readonly userName: string
  readonly timeZone: string
  /** When everything is uploaded. */
  readonly uploadedAt: Date
  readonly uploads: readonly Upload[]
}

export interface AskedQuestion {
  /** The `id` of an `AskedAccount`. */
  readonly account: string
  readonly text: string
  /** Earlier questions and answers. */
  readonly context?: string
  readonly at: Date
  /** Leaves out what is later than this. */
  readonly asOf?: Date
}

/** The service without a language model, over the accounts of one set. */
export interface AnswerService extends AsyncDisposable {
  /** What answers of an account are made from. */
  index(account: string): Promise<SearchIndex>
  ask(question: AskedQuestion): Promise<AskResult>
  /** The memory of an account, as agents get it, at a time. */
  memory(account: string, at: Date): Promise<Memory>
}

const FOLDER = packagePath('.tmp/eval-answers')
/** What of the program decides how an upload is indexed. */
const INDEXING = /^src\/(domain|lib|pipeline|models|store)\/.*\.(ts|sql)$/
const AT_ONCE = 16
const LEASE_MS = 600_000
const FILLED_POLL_MS = 50

/**
 * Uploads everything, or takes the database of an earlier run when neither the uploads nor the program that indexes them have
 * changed since. It is kept in `.tmp/eval-answers`, about 80 MB for the largest set.
 * @param models plugged in beside the built-in model, with the encoder's space built and active
 */
export async function openAnswerService(
  name: string,
  accounts: readonly AskedAccount[],
  embedder: Embedder,
  models?: InstalledModels,
): Promise<AnswerService> {
  const { encoder, reranker } = models ?? {}
  await using stack = new AsyncDisposableStack()
  mkdirSync(FOLDER, { recursive: true })
  const kept = `${FOLDER}/${name}${encoder === undefined ? '' : '-encoded'}`
  const [file, keysFile] = [`${kept}.db`, `${kept}.json`]
  const fingerprint = `${fingerprintOf(accounts)} ${encoder?.space.id ?? ''}`
  const known = readKeys(keysFile)
  const isKept = known?.fingerprint === fingerprint && existsSync(file)
  if (!isKept) for (const path of [keysFile, file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true })
  const log = pino({ enabled: false })
  let now = new Date()
  const clock = () => now
  const store = await openSqliteStore({ file, log, clock })
  stack.defer(() => store.close())
  const service = createService({
    store,
    embedder,
    ...(encoder && { pluggedIn: () => encoder }),
    rerankers: () => (reranker === undefined ? {} : { answers: reranker }),
    log,
    plans: loadPlans(packagePath('config/plans.yaml')),
    classify: sniffContent,
    redact: (text) => text,
    clock,
  })
  stack.defer(() => service.close())
  const keys: Record<string, string> = isKept ? known.keys : {}
  if (!isKept) {
    const pipeline = createPipeline({ embedder })
    stack.defer(() => pipeline.close())
    for (const account of accounts) {
      now = account.uploadedAt
      keys[account.id] = await index(account, service, store.queue, pipeline)
    }
    if (encoder !== undefined) await encode(store.spaces, encoder, log)
    writeFileSync(keysFile, JSON.stringify({ fingerprint, keys }))
  }
  const opened = stack.move()
  return {
    index: async (account) => store.scoped((await service.authenticate(keys[account]!)).scope).index,
    async ask({ account, text, context, at, asOf }) {
      now = at
      const principal = await service.authenticate(keys[account]!)
      const result = await service.ask(principal, { text, ...(context && { context }), ...(asOf && { asOf }) })
      if (result.notice !== undefined) throw new Error(`Not answered with the models: ${result.notice}`)
      return result
    },
    async memory(account, at) {
      now = at
      return bindMemory(service, await service.authenticate(keys[account]!))
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Builds the space of a model and answers from it. */
async function encode(spaces: Spaces, encoder: Embedder, log: Logger): Promise<void> {
  const { id: spaceId, dimensions } = encoder.space
  await spaces.begin({ spaceId, dimensions, background: await backgroundCosine(encoder), model: {} })
  const filler = createVectorFiller({ spaces, embedder: encoder, log })
  filler.start()
  for (;;) {
    const { chunks, filled } = await spaces.progress(spaceId)
    if (filled === chunks) break
    await delay(FILLED_POLL_MS)
  }
  await filler.stop()
  await spaces.activate(spaceId)
}

interface Kept {
  readonly fingerprint: string
  /** By account. */
  readonly keys: Record<string, string>
}

function readKeys(file: string): Kept | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined
}

function fingerprintOf(accounts: readonly AskedAccount[]): string {
  const hash = createHash('sha256')
  for (const { path, source } of repositoryFiles(INDEXING)) hash.update(`${path}\n${source}\n`)
  for (const { uploads, ...account } of accounts) {
    hash.update(JSON.stringify(account))
    for (const { body, ...upload } of uploads) hash.update(JSON.stringify(upload)).update(body)
  }
  return hash.digest('hex')
}

/** @returns the key of the new account */
async function index(account: AskedAccount, service: Service, queue: Queue, pipeline: Pipeline): Promise<string> {
  const { id, userName, timeZone, uploads } = account
  const { key, accountId } = await service.accounts.create({ name: id, userName, timeZone })
  await service.billing.set({ account: accountId, status: 'active', plan: 'self-hosted' })
  const principal = await service.authenticate(key)
  for (let start = 0; start < uploads.length; start += AT_ONCE) {
    const batch = uploads.slice(start, start + AT_ONCE)
    await Promise.all(batch.map((upload) => service.memorize(principal, upload)))
    const claims = await queue.claim({ owner: 'evaluation', limit: AT_ONCE, leaseMs: LEASE_MS })
    if (claims.length !== batch.length) throw new Error(`Claimed ${claims.length} of ${batch.length} items`)
    for (const claim of claims) await queue.complete(claim, await pipeline.run(claim))
  }
  return key
}
