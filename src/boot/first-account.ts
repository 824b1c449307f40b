import { usableCredentials } from '../config/credentials.ts'
import type { HomeFiles } from '../config/home-folder.ts'
import { AppError } from '../domain/errors.ts'
import type { Service } from '../service/service.ts'

interface FirstAccount {
  readonly userName: string
  readonly timeZone: string
  readonly files: HomeFiles
  /** The person said that the database is a new one. */
  readonly acceptDatabase?: boolean
}

/**
 * The account of a store that has none yet; its key is in the result and nowhere else.
 *
 * @throws AppError `conflict` when the home has the key of an account that this database never had
 */
export async function makeFirstAccount(
  service: Service,
  { userName, timeZone, files, acceptDatabase = false }: FirstAccount,
) {
  if (!acceptDatabase && (await lacksItsAccount(service, files))) {
    throw new AppError(
      'conflict',
      `The database holds no account, but ${files.credentials} has the key of one. Put the database that goes with it back, or restore a backup with "recalld restore FILE". To begin with a new account, run "recalld up --accept-database" once.`,
    )
  }
  return service.accounts.createFirst({ name: userName, userName, timeZone })
}

async function lacksItsAccount({ accounts, deletions }: Service, { credentials }: HomeFiles): Promise<boolean> {
  if (usableCredentials(credentials) === undefined || (await accounts.list()).length > 0) return false
  // Those that were deleted on purpose are known.
  return (await deletions.receipts()).length === 0
}
