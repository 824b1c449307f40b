import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { outdatedServer, type ServerFacts } from '../store/postgres/inspect-server.ts'
import type { DatabaseServer } from './administration.ts'

/** Leases do not depend on the clocks of machines, but schedules do. */
const MOST_CLOCK_MS = 2_000

/** The configured database servers with their problems; none when everything is in the home. */
export async function databaseServers(config: Config): Promise<readonly DatabaseServer[]> {
  const { databaseUrl, databaseReplicaUrl } = config
  if (databaseUrl === undefined) return []
  const { inspectServer } = await import('../store/postgres/inspect-server.ts')
  const primary = await inspectServer(databaseUrl)
  const all = [serverOf('database', primary, primaryProblems(primary, config))]
  if (databaseReplicaUrl === undefined) return all
  try {
    const replica = await inspectServer(databaseReplicaUrl, primary)
    return [...all, serverOf('replica', replica, replicaProblems(replica, primary, config))]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = `${error.message}. Until then, recall uses the main database.`
    return [...all, { check: 'replica', words: 'Not responding', problems: [problem], measured: {} }]
  }
}

function serverOf(check: DatabaseServer['check'], facts: ServerFacts, problems: readonly string[]): DatabaseServer {
  const { version, vector, format, connections, clockAheadMs } = facts
  const lag = facts.lag === undefined ? '' : `, ${facts.lag.ms} ms behind`
  const free = connections.most - connections.used
  const words = `PostgreSQL ${version} with pgvector ${vector ?? 'missing'}, format ${format}, ${free} of ${connections.most} connections free${lag}`
  const measured = {
    ...{ version, vector: vector ?? null, format, connections_free: free, connections_most: connections.most },
    ...{ clock_ahead_ms: clockAheadMs, lag_ms: facts.lag?.ms ?? null },
  }
  return { check, words, problems, measured }
}

function primaryProblems(facts: ServerFacts, { databaseConnections }: Config): string[] {
  const { vector, format, knownFormat, connections, clockAheadMs, mayCreate, isReplica } = facts
  const problems = outdatedServer(facts)
  if (vector === undefined && format > 0) {
    problems.push('The extension pgvector is missing. Run "create extension vector" as an administrator.')
  }
  if (format > knownFormat) {
    problems.push(
      `The database is from a newer version of recalld (format ${format}, this version supports ${knownFormat}). Update recalld.`,
    )
  }
  if (isReplica) problems.push('It is a read replica. Set database_url to the primary server.')
  if (!mayCreate && format < knownFormat) {
    problems.push(`The user can't create tables. Run "grant create on schema public to USER".`)
  }
  // One more connection for notifications of other processes.
  const needed = databaseConnections + 1
  if (connections.most - connections.used < needed) {
    problems.push(
      `Another process may need ${needed} connections, but only ${connections.most - connections.used} are free. Raise max_connections, or lower RECALLD_DATABASE_CONNECTIONS.`,
    )
  }
  if (Math.abs(clockAheadMs) > MOST_CLOCK_MS) {
    problems.push(
      `The clocks of this machine and of the database are ${Math.abs(clockAheadMs)} ms apart. Synchronize both with a time server.`,
    )
  }
  return problems
}

function replicaProblems(facts: ServerFacts, primary: ServerFacts, config: Config): string[] {
  const { isReplica, lag, format } = facts
  const problems = outdatedServer(facts)
  if (!isReplica)
    problems.push('It is not a replica, so it never receives new memories. Set database_replica_url to a read replica.')
  if (format !== primary.format)
    problems.push(`Its tables have format ${format}, those of the primary server ${primary.format}.`)
  if (lag !== undefined && lag.ms > config.databaseReplicaLagSeconds * 1_000) {
    problems.push(`It is ${lag.ms} ms behind, so recall uses the main database.`)
  }
  if (lag !== undefined && lag.ms > 0 && !lag.isReceiving) {
    problems.push(
      'It receives no changes: it lost the primary server, or the write-ahead log that it needs is gone. See its log; it may have to be copied again.',
    )
  }
  return problems
}
