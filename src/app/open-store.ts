import { homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import type { Log } from '../kit/log.ts'
import type { Telemetry } from '../kit/telemetry.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Store } from '../store/store.ts'

/**
 * Opens the store that the settings name: a database server, or the file of the home. Only what is used is loaded.
 *
 * @param patience a database server that is away is waited for until it is aborted, whose reason is thrown then
 * @throws AppError `unavailable` when it cannot be used, `invalid` when the address of the storage of objects is wrong
 */
export async function openStore(
  config: Config,
  log: Log,
  {
    telemetry,
    patience,
  }: { readonly telemetry?: Telemetry | undefined; readonly patience?: AbortSignal | undefined } = {},
): Promise<Store> {
  const { databaseUrl: url, databaseReplicaUrl: replicaUrl, databaseDirectUrl: directUrl } = config
  const { databaseConnections: mostConnections } = config
  const blobs = await openBlobs(config)
  const shared = { log, ...(telemetry && { telemetry }), ...(blobs && { bodies: { blobs } }) }
  if (url !== undefined) {
    const options = { url, replicaUrl, directUrl, mostConnections, ...shared }
    if (patience !== undefined) {
      const { openWhenThere } = await import('../store/postgres/open-when-there.ts')
      return openWhenThere(options, patience)
    }
    const { openPostgresStore } = await import('../store/postgres/postgres-store.ts')
    return openPostgresStore(options)
  }
  const { openSqliteStore } = await import('../store/sqlite/sqlite-store.ts')
  return openSqliteStore({ file: homeFiles(config.home).database, ...shared })
}

async function openBlobs({ blobUrl }: Config): Promise<Blobs | undefined> {
  if (blobUrl === undefined) return undefined
  const { openS3Blobs } = await import('../store/s3/s3-blobs.ts')
  return openS3Blobs(blobUrl)
}
