import { join } from 'node:path'
import { withConnectionEntries } from '../config/connection-entry.ts'
import type { Connector } from '../connector/connector.ts'
import { AppError, needsThePerson } from '../domain/errors.ts'
import type { ConnectionName } from '../store/ledger/ledger.ts'
import type { Connection, SyncEnvironment } from '../sync/connection.ts'
import { checkSource } from './check-source.ts'
import { isSecretOf } from './entered-secret.ts'
import { idOf, isOf, type SourcesContext } from './sources-context.ts'
import type { SourceCheck } from './sync-service.ts'

/** A connection before it is saved. */
export interface Candidate {
  readonly connection: Connection
  /** As in config.yaml. */
  readonly text: string
}

/** The path for a connection's token from `recalld connect` or the app. */
export function tokenFileOf({ files }: SourcesContext, { connector, name }: ConnectionName): string {
  return join(files.home, 'tokens', `${connector}-${name}`)
}

/** @throws AppError `invalid` for an unknown connector */
export async function requireConnector({ registry }: SourcesContext, id: string): Promise<Connector> {
  const load = Object.hasOwn(registry, id) ? registry[id] : undefined
  if (load !== undefined) return load()
  throw new AppError('invalid', `Unknown connector ${id}.`, { field: 'connector' })
}

/** @throws AppError `invalid` for an invalid token; the message never repeats it, because it may be another secret */
export function requireToken(token: string, { listing }: Connector['manifest']): string {
  const trimmed = token.trim()
  if (isSecretOf(listing.secret ?? 'token', trimmed)) return trimmed
  throw new AppError('invalid', 'This token has spaces or special characters. Copy it again.', { field: 'token' })
}

/**
 * @param settings `null` removes one
 * @param token overrides the token in the settings
 * @throws AppError `invalid`, naming the invalid setting
 */
export async function candidateConnection(
  { settings: file }: SourcesContext,
  before: string,
  change: {
    readonly ref: ConnectionName
    readonly settings: Readonly<Record<string, unknown>>
    readonly token?: string
  },
): Promise<Candidate> {
  const { ref, settings, token } = change
  const text = withConnectionEntries(before, [{ ref, settings }], file.fileName)
  const { connections, wrong } = await file.connectionsIn(text)
  const found = connections.find(({ connector, config }) =>
    isOf(ref, { connector: connector.manifest.id, name: config.name }),
  )
  if (found === undefined)
    throw wrongSetting(ref, settings, wrong.find((one) => isOf(one, ref) || one.name === '*')?.problem)
  if (token === undefined) return { connection: found, text }
  return { connection: { ...found, config: Object.assign({ ...found.config }, { token }) }, text }
}

function wrongSetting(ref: ConnectionName, settings: object, problem: AppError | undefined): AppError {
  const sentence = (problem?.message ?? 'It cannot be read.').replace(`${idOf(ref)}: `, '')
  const { field } = problem ?? {}
  return new AppError('invalid', sentence, field !== undefined && field in settings ? { field } : {})
}

/**
 * Checks the account of the source. If it cannot be reached, that is a warning, and the first run checks again.
 * @throws AppError `invalid` when the source rejects the access or a setting is wrong
 */
export async function checkCandidate(
  { connection }: Candidate,
  environment: SyncEnvironment,
  signal: AbortSignal,
): Promise<{ readonly account: string | null; readonly warnings: readonly string[] }> {
  try {
    const { account, warnings }: SourceCheck = await checkSource(
      connection,
      environment,
      AbortSignal.any([signal, AbortSignal.timeout(CHECK_PATIENCE_MS)]),
    )
    return { account, warnings }
  } catch (error) {
    if (signal.aborted) throw new AppError('conflict', 'Canceled. Nothing was changed.')
    if (needsThePerson(error) && error instanceof AppError) {
      throw new AppError('invalid', error.message, error.code === 'unauthenticated' ? { field: 'token' } : {})
    }
    const reason = error instanceof AppError ? error.message : 'the source did not respond.'
    return { account: null, warnings: [`Connection not checked yet: ${reason} The first sync checks it again.`] }
  }
}

/** Time limit, because a person waits. */
const CHECK_PATIENCE_MS = 30_000
