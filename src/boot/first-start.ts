import { usableCredentials } from '../config/credentials.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { AppError } from '../domain/errors.ts'
import { welcomeAddress } from '../service/people-links.ts'
import type { Service } from '../service/service.ts'
import type { Store } from '../store/store.ts'

interface FirstAccount {
  readonly userName: string
  readonly timeZone: string
  readonly files: HomeFiles
  /** The person confirmed that the database is new. */
  readonly acceptDatabase?: boolean
}

/**
 * Creates the account of an empty store; its key is only in the result.
 * @throws AppError `conflict` when the home has the key of an account that this database never had
 */
export async function createFirstAccount(
  service: Service,
  { userName, timeZone, files, acceptDatabase = false }: FirstAccount,
) {
  if (!acceptDatabase && (await lacksItsAccount(service, files))) {
    throw new AppError(
      'conflict',
      `The database has no account, but ${files.credentials} has the key of one. Put the database of that key back, or restore a backup.`,
      { advice: { action: 'restore_backup' } },
    )
  }
  return service.accounts.createFirst({ name: accountName(userName), userName, timeZone })
}

/** Users of servers and containers, which are nobody's name. */
const SYSTEM_USERS = new Set(['root', 'node', 'app', 'admin', 'ubuntu', 'debian', 'ec2-user', 'recalld', 'me'])

/** Exported for its test. */
export function accountName(userName: string): string {
  return SYSTEM_USERS.has(userName) ? 'My memory' : userName
}

async function lacksItsAccount({ accounts, deletions }: Service, { credentials }: HomeFiles): Promise<boolean> {
  if (usableCredentials(credentials) === undefined || (await accounts.list()).length > 0) return false
  // Ids of accounts that were deleted.
  return (await deletions.receipts()).length === 0
}

/** The account of the key in credentials.json, which the command line on this machine uses; otherwise the first one. */
async function homeAccount(service: Service, credentials: string): Promise<string | undefined> {
  const apiKey = usableCredentials(credentials)?.apiKey
  try {
    return (await service.authenticate(apiKey)).accountId
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error
    return (await service.accounts.list())[0]?.accountId
  }
}

interface LinkParts {
  readonly service: Service
  readonly store: Store
  readonly credentials: string
  readonly baseUrl: string
  /** Identifies a start, which may be repeated, among those of other processes. */
  readonly starter: string
}

/** Processes that start together finish within this time. */
const TOGETHER_MS = 60_000

/**
 * The sign-up link for the first person; earlier links expire. `undefined`: somebody signed up, or another process that
 * started at the same time shows it.
 */
export async function firstLink(parts: LinkParts): Promise<string | undefined> {
  const { dailyTasks, capabilities } = parts.store
  if (!capabilities.manyPerRole) return newLink(parts)
  // Another link would invalidate the one just shown.
  const task = { name: 'first link', holder: parts.starter, leaseMs: TOGETHER_MS, everyMs: TOGETHER_MS }
  if (!(await dailyTasks.claim(task))) return undefined
  const link = await newLink(parts)
  // If the database fails before this, the repeated start still holds the task and shows another link.
  await dailyTasks.done(task.name, task.holder)
  return link
}

async function newLink({ service, credentials, baseUrl }: LinkParts): Promise<string | undefined> {
  const accountId = await homeAccount(service, credentials)
  const link = accountId === undefined ? undefined : await service.people.links.first(accountId)
  return link && welcomeAddress(baseUrl, link.token)
}
