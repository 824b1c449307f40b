import { existsSync } from 'node:fs'
import { hadDatabase, readDatabaseMarker, writeDatabaseMarker } from '../config/database-marker.ts'
import { type HomeFiles, homeFiles } from '../config/home-folder.ts'
import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { BlobsOfDatabase } from '../store/blobs-of-database.ts'
import type { Blobs } from '../store/bodies/bodies.ts'
import { missingDatabase } from '../store/database-identity.ts'
import type { Store } from '../store/store.ts'

/**
 * Opens the configured store: a database server, or the file of the home. Only the one in use is loaded.
 * @param options `acceptDatabase`: use the current database for this home from now on, and create it if it is missing;
 * otherwise only the previous one is opened. `patience`: wait for an unreachable database server until this is aborted,
 * then throw its reason
 * @throws AppError `conflict` when the home used another database before, or the object storage belongs to another one;
 * `unavailable` when it cannot be used; `invalid` when the address of the object storage is wrong
 */
export async function openStore(
  config: Config,
  log: Log,
  { telemetry, patience, acceptDatabase = false, isService = false }: OpenOptions = {},
): Promise<Store> {
  const files = homeFiles(config.home)
  if (!acceptDatabase) hasStore(config)
  const expects = acceptDatabase ? undefined : readDatabaseMarker(files.databaseMarker)
  const blobs = await openBlobs(config)
  const store = await openEngine(config, log, { telemetry, patience, acceptDatabase, expects, blobs })
  try {
    const id = await store.identity()
    if (id !== readDatabaseMarker(files.databaseMarker)) rememberDatabase(files, id, log)
    blobs?.belongTo({ databaseId: id, someKeys: () => store.bodies.someKeys(), accepts: acceptDatabase })
    if (isService) await blobs?.prove().catch(unlessAway(log))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

interface OpenOptions {
  readonly telemetry?: Telemetry | undefined
  readonly patience?: AbortSignal | undefined
  readonly acceptDatabase?: boolean
  /** Detects the object storage of another database immediately, not only on first use. */
  readonly isService?: boolean
}

/** Everything else works without object storage. */
function unlessAway(log: Log): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
    log.warn({ err: error }, 'the object storage is unavailable')
  }
}

/** With a database server the home may be missing or read-only; then no marker is written. */
function rememberDatabase(files: HomeFiles, id: string, log: Log): void {
  if (!existsSync(files.home)) return
  try {
    writeDatabaseMarker(files.databaseMarker, id)
  } catch (error) {
    log.warn({ err: error, file: files.databaseMarker }, 'the database marker could not be written')
  }
}

interface EngineOptions extends OpenOptions {
  readonly expects: string | undefined
  readonly blobs: Blobs | undefined
}

async function openEngine(
  config: Config,
  log: Log,
  { telemetry, patience, acceptDatabase = false, expects, blobs }: EngineOptions,
): Promise<Store> {
  const { databaseUrl: url, databaseReplicaUrl: replicaUrl, databaseDirectUrl: directUrl } = config
  const { databaseConnections: mostConnections, databaseReplicaLagSeconds } = config
  const shared = { log, expects, ...(telemetry && { telemetry }), ...(blobs && { bodies: { blobs } }) }
  if (url !== undefined) {
    const mostReplicaLagMs = databaseReplicaLagSeconds * 1_000
    const options = { url, replicaUrl, mostReplicaLagMs, directUrl, mostConnections, ...shared }
    if (patience !== undefined) {
      const { openPostgresStoreWhenReachable } = await import('../store/postgres/postgres-store.ts')
      return openPostgresStoreWhenReachable(options, patience)
    }
    const { openPostgresStore } = await import('../store/postgres/postgres-store.ts')
    return openPostgresStore(options)
  }
  const { openSqliteStore } = await import('../store/sqlite/sqlite-store.ts')
  return openSqliteStore({ file: homeFiles(config.home).database, accept: acceptDatabase, ...shared })
}

async function openBlobs({ blobUrl }: Config): Promise<BlobsOfDatabase | undefined> {
  if (blobUrl === undefined) return undefined
  const { openS3Blobs } = await import('../store/s3/s3-blobs.ts')
  return new BlobsOfDatabase(openS3Blobs(blobUrl))
}

/**
 * Whether there is a store to open: a configured database server, or the file from a first start.
 * @throws AppError `conflict` when the home had a file that is now missing
 */
export function hasStore({ databaseUrl, home }: Pick<Config, 'databaseUrl' | 'home'>): boolean {
  const files = homeFiles(home)
  if (databaseUrl !== undefined || existsSync(files.database)) return true
  if (hadDatabase(files)) throw missingDatabase(files.database)
  return false
}
