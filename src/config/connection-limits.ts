import { AppError } from '../domain/errors.ts'

/** How many client connections a process keeps open. */
export interface ConnectionLimits {
  readonly perProcess: number
  /** Per client address; trusted proxies are not counted as one client. */
  readonly perAddress: number
}

/** Measured: an idle process has 45 open. The rest is for workers, connectors, models and the probe server. */
const RESERVED_FILES = 128
/** With fewer, the reserve leaves room for hardly any connection. */
const LEAST_OPEN_FILES = 192
/** The limit that systemd units and containers set; more files do not raise the cap. */
export const ENOUGH_OPEN_FILES = 32_768
/** A connection costs about 15 KB of memory; for more connections, add processes. */
const MOST_CONNECTIONS = 10_000
const LEAST_PER_ADDRESS = 16
/** The share of all connections that one address can use. */
const ADDRESS_SHARE = 8

/**
 * @param openFiles how many files the process can open; absent where there is no limit or it is unknown
 * @param databaseConnections how many database connections the process can open
 * @throws AppError `invalid` when too few files may be open
 */
export function connectionLimits(openFiles: number | undefined, databaseConnections: number): ConnectionLimits {
  const files = openFiles ?? ENOUGH_OPEN_FILES
  const least = LEAST_OPEN_FILES + databaseConnections
  if (files < least) {
    throw new AppError(
      'invalid',
      `This process can open ${files} files, but recalld needs at least ${least}. ${raiseOpenFiles('Raise the limit')}`,
    )
  }
  // A connection can have one file of the app open while it is answered.
  const perProcess = Math.min(MOST_CONNECTIONS, Math.floor((files - RESERVED_FILES - databaseConnections) / 2))
  return { perProcess, perAddress: Math.max(LEAST_PER_ADDRESS, Math.floor(perProcess / ADDRESS_SHARE)) }
}

/** One more connection to each server receives the notifications of other processes. */
export function maxDatabaseConnections(config: {
  readonly databaseUrl: string | undefined
  readonly databaseReplicaUrl: string | undefined
  readonly databaseConnections: number
}): number {
  const servers = [config.databaseUrl, config.databaseReplicaUrl].filter((url) => url !== undefined)
  return servers.length * (config.databaseConnections + 1)
}

/** @param begin the start of the sentence */
export function raiseOpenFiles(begin: string): string {
  const ways = [
    `LimitNOFILE=${ENOUGH_OPEN_FILES} in the systemd unit`,
    '"ulimits: nofile" in the compose file',
    `or "ulimit -n ${ENOUGH_OPEN_FILES}" in the shell`,
  ]
  return `${begin}: ${ways.join(', ')}.`
}
