import { createHash } from 'node:crypto'
import { clientCredentials, serviceBaseUrl, usableCredentials } from '../config/credentials.ts'
import { type HomeFiles, homeFiles } from '../config/home-folder.ts'
import { localAddress } from '../config/local-address.ts'
import { type Config, SETTINGS } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Memory } from '../domain/memory.ts'
import { lockHolder } from '../lib/process-lock.ts'
import { bindMemory } from '../service/bind-memory.ts'
import { hashKey, type Principal } from '../service/principal.ts'
import type { Service } from '../service/service.ts'
import type { AccountRow } from '../store/accounts/accounts.ts'
import type { Store } from '../store/store.ts'

/** The memory that connectors write to. */
export interface HomeMemory {
  readonly memory: Memory
  /** Id of its ledger: each memory has its own. */
  readonly memoryId: string
  readonly userName: string
  /** Its account; absent for another service. */
  readonly accountId?: string
}

export interface MemorySources {
  readonly config: Config
  readonly store: Store
  readonly service: Service
  readonly env: Readonly<Record<string, string | undefined>>
  /** The name of the person at this machine, for another service, which does not provide it. */
  readonly userName: string
}

/**
 * The account of this home, in process; or the service in RECALLD_URL, unless that is the service of this home. Then
 * this home only stores the ledger.
 * @throws AppError `unauthenticated` without a valid key
 */
export async function homeMemory(sources: MemorySources, stack: AsyncDisposableStack): Promise<HomeMemory> {
  const files = homeFiles(sources.config.home)
  const elsewhere = remoteUrl(sources, files)
  if (elsewhere === undefined) return memoryOfHome(sources, files)
  const credentials = clientCredentials(files.credentials, { ...sources.env, RECALLD_URL: elsewhere }, elsewhere)
  const { createRestMemory } = await import('../client/rest-memory.ts')
  const memory = createRestMemory(credentials)
  stack.defer(() => memory.close())
  const digest = createHash('sha256').update(credentials.baseUrl).digest('hex')
  return { memory, memoryId: `remote:${digest.slice(0, 16)}`, userName: sources.userName }
}

/**
 * The account that connectors of this home write to, unless RECALLD_URL names another service; `undefined` without a
 * valid key where one is needed.
 */
export async function homeAccount(
  sources: Pick<MemorySources, 'config' | 'store' | 'env'>,
): Promise<string | undefined> {
  const { store } = sources
  const key = keyOf(sources, homeFiles(sources.config.home))
  if (key !== undefined) return (await store.admin.findKey(hashKey(key)))?.account.accountId
  return store.capabilities.manyPerRole ? (await firstAccount(store))?.accountId : undefined
}

/** The address of another service; `undefined` when there is none, or it is the one of this home. */
function remoteUrl({ config, env }: MemorySources, files: HomeFiles): string | undefined {
  if (!env.RECALLD_URL) return undefined
  const url = serviceBaseUrl(env.RECALLD_URL)
  const own = [
    lockHolder(files.locks.api)?.address,
    config.baseUrl,
    localAddress(config.host, config.port || SETTINGS.port.default),
  ]
  return own.some((address) => address !== undefined && sameService(address, url)) ? undefined : url
}

function sameService(one: string, other: string): boolean {
  return canonical(one) === canonical(other)
}

/** All loopback names of this machine are equal. */
function canonical(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(serviceBaseUrl(address))
  const host = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname) ? 'localhost' : url.hostname
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/+$/, '')}`
}

async function memoryOfHome(sources: MemorySources, files: HomeFiles): Promise<HomeMemory> {
  const { store, service } = sources
  const presented = () => keyOf(sources, files)
  const key = presented()
  const found = key === undefined ? undefined : await store.admin.findKey(hashKey(key))
  if (found === undefined) {
    const first = key === undefined && store.capabilities.manyPerRole ? await firstAccount(store) : undefined
    if (first !== undefined) return memoryOfFirst(first, sources)
    const sentence = `${files.credentials} has no valid key, so sources can't sync into an account.`
    throw new AppError('unauthenticated', sentence, { advice: { action: 'regenerate_key' } })
  }
  const { accountId } = found.account
  // Read for each call, so that a regenerated or deleted key takes effect at once.
  const principal = async (): Promise<Principal> => {
    const current = await service.authenticate(presented())
    if (current.accountId === accountId) return { ...current, isConnector: true }
    const sentence = `${files.credentials} has the key of a different account now. Restart recalld to sync into that one.`
    throw new AppError('unauthenticated', sentence)
  }
  return {
    memory: bindMemory(service, principal),
    memoryId: `account:${accountId}`,
    userName: found.user.name,
    accountId,
  }
}

/** Processes with a database server often have no persistent home, so the environment provides the key too. */
function keyOf({ store, env }: Pick<MemorySources, 'store' | 'env'>, files: HomeFiles): string | undefined {
  const given = store.capabilities.manyPerRole ? env.RECALLD_API_KEY || undefined : undefined
  return given ?? usableCredentials(files.credentials)?.apiKey
}

async function firstAccount(store: Store): Promise<AccountRow | undefined> {
  return (await store.admin.listAccounts())[0]
}

/** Without a key, which other machines need not have, the oldest account is used. */
function memoryOfFirst({ accountId, name }: AccountRow, { store, service }: MemorySources): HomeMemory {
  const principal = async (): Promise<Principal> => {
    const account = await store.admin.findAccount(accountId)
    const key = (await store.admin.listKeys(accountId)).find(({ isDefault }) => isDefault)
    if (account === undefined || key === undefined) {
      throw new AppError('unauthenticated', 'The account that sources sync into was deleted.')
    }
    const { userId, timeZone, plan, billingStatus } = account
    const scope = { accountId, sources: 'all' } as const
    return { scope, accountId, userId, keyId: key.keyId, timeZone, plan, billingStatus, isConnector: true }
  }
  return { memory: bindMemory(service, principal), memoryId: `account:${accountId}`, userName: name, accountId }
}
