import type { Config } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { outdatedServer, type ServerFacts } from '../store/postgres/inspect-server.ts'
import type { DatabaseServer } from './administration.ts'

/** Leases hold whatever the clocks of machines say; schedules go by those of the machines. */
const MOST_CLOCK_MS = 2_000
/** Longer behind, and what was just memorized is not recalled. */
const MOST_LAG_MS = 10_000

/** The database servers that the settings name, and what is wrong with each; none where everything lies in the home. */
export async function databaseServers(config: Config): Promise<readonly DatabaseServer[]> {
  const { databaseUrl, databaseReplicaUrl } = config
  if (databaseUrl === undefined) return []
  const { inspectServer } = await import('../store/postgres/inspect-server.ts')
  const primary = await inspectServer(databaseUrl)
  const all = [serverOf('database', primary, primaryProblems(primary, config))]
  if (databaseReplicaUrl === undefined) return all
  try {
    const replica = await inspectServer(databaseReplicaUrl)
    return [...all, serverOf('replica', replica, replicaProblems(replica, primary))]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = `${error.message}. Meanwhile recall goes on from the first server.`
    return [...all, { check: 'replica', words: 'It does not answer', problems: [problem], measured: {} }]
  }
}

function serverOf(check: DatabaseServer['check'], facts: ServerFacts, problems: readonly string[]): DatabaseServer {
  const { version, vector, format, connections, clockAheadMs, lagMs } = facts
  const lag = lagMs === undefined ? '' : `, ${lagMs} ms behind`
  const free = connections.most - connections.used
  const words = `PostgreSQL ${version} with pgvector ${vector ?? 'missing'}, format ${format}, ${free} of ${connections.most} connections free${lag}`
  const measured = {
    ...{ version, vector: vector ?? null, format, connections_free: free, connections_most: connections.most },
    ...{ clock_ahead_ms: clockAheadMs, lag_ms: lagMs ?? null },
  }
  return { check, words, problems, measured }
}

function primaryProblems(facts: ServerFacts, { databaseConnections }: Config): string[] {
  const { vector, format, knownFormat, connections, clockAheadMs, mayCreate, isReplica } = facts
  const problems = outdatedServer(facts)
  if (vector === undefined && format > 0) {
    problems.push('The database has no pgvector: run "create extension vector" in it as an administrator.')
  }
  if (format > knownFormat) {
    problems.push(`A newer recalld wrote the database (format ${format}, this one knows ${knownFormat}): install that.`)
  }
  if (isReplica) problems.push('It follows another server and takes no writes: database_url must name the first one.')
  if (!mayCreate && format < knownFormat) {
    problems.push('The user may not make tables, which this version needs: "grant create on schema public to" it.')
  }
  // And one more, for news of other processes.
  const needed = databaseConnections + 1
  if (connections.most - connections.used < needed) {
    problems.push(
      `One more process may need ${needed} connections and ${connections.most - connections.used} are free: raise max_connections, or lower RECALLD_DATABASE_CONNECTIONS.`,
    )
  }
  if (Math.abs(clockAheadMs) > MOST_CLOCK_MS) {
    problems.push(
      `The clocks of this machine and of the database are ${Math.abs(clockAheadMs)} ms apart: let both follow a time server.`,
    )
  }
  return problems
}

function replicaProblems(facts: ServerFacts, primary: ServerFacts): string[] {
  const { isReplica, lagMs, format } = facts
  const problems = outdatedServer(facts)
  if (!isReplica) problems.push('It follows no other server: what is memorized would never be found by it.')
  if (format !== primary.format)
    problems.push(`Its tables are of format ${format}, those it follows of ${primary.format}.`)
  if (lagMs !== undefined && lagMs > MOST_LAG_MS) {
    problems.push(`It is ${lagMs} ms behind: what was memorized since is not found.`)
  }
  return problems
}
