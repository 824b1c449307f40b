import { AppError } from '../domain/errors.ts'

/** How many connections of clients a process keeps open. */
export interface ConnectionLimits {
  readonly perProcess: number
  /** Of one client address; proxies that are trusted are not counted as one. */
  readonly perAddress: number
}

/** Measured: an idle process has 45 open. The rest is for workers, connectors, models and the probe server. */
const RESERVED_FILES = 128
/** With fewer, the reserve leaves room for hardly any connection. */
const LEAST_OPEN_FILES = 192
/** What the service asks for in units and containers; from here on the cap does not grow. */
export const ENOUGH_OPEN_FILES = 32_768
/** A connection costs about 15 KB of memory: more than these belong to further processes. */
const MOST_CONNECTIONS = 10_000
const LEAST_PER_ADDRESS = 16
/** So large a part of all may come from one address. */
const ADDRESS_SHARE = 8

/**
 * @param openFiles that the process may have; absent where nothing limits or tells it
 * @param databaseConnections that the process may open
 * @throws AppError `invalid` when too few files may be open
 */
export function connectionLimits(openFiles: number | undefined, databaseConnections: number): ConnectionLimits {
  const files = openFiles ?? ENOUGH_OPEN_FILES
  const least = LEAST_OPEN_FILES + databaseConnections
  if (files < least) {
    throw new AppError(
      'invalid',
      `This process may open ${files} files; recalld needs at least ${least}. ${raiseOpenFiles('Raise the limit')}`,
    )
  }
  // A connection can have one file of the app open while it is answered.
  const perProcess = Math.min(MOST_CONNECTIONS, Math.floor((files - RESERVED_FILES - databaseConnections) / 2))
  return { perProcess, perAddress: Math.max(LEAST_PER_ADDRESS, Math.floor(perProcess / ADDRESS_SHARE)) }
}

/** One more connection to each server hears what other processes do. */
export function mostDatabaseConnections(config: {
  readonly databaseUrl: string | undefined
  readonly databaseReplicaUrl: string | undefined
  readonly databaseConnections: number
}): number {
  const servers = [config.databaseUrl, config.databaseReplicaUrl].filter((url) => url !== undefined)
  return servers.length * (config.databaseConnections + 1)
}

/** @param begin of the sentence */
export function raiseOpenFiles(begin: string): string {
  const ways = [
    `LimitNOFILE=${ENOUGH_OPEN_FILES} in the systemd unit`,
    '"ulimits: nofile" in the compose file',
    `or "ulimit -n ${ENOUGH_OPEN_FILES}" in the shell`,
  ]
  return `${begin}: ${ways.join(', ')}.`
}
