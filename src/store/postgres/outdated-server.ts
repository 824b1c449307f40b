const OLDEST_MAJOR = 15
/** The first with iterative scans, which find what a filter lets through. */
const OLDEST_VECTOR = [0, 8] as const

/**
 * What is too old of a database server for the store, each in a sentence.
 *
 * @param version of the server, as `15.20`
 * @param vector version of pgvector, as `0.8.0`; absent: it is not in the database yet
 */
export function outdatedServer({ version, vector }: { version: string; vector: string | undefined }): string[] {
  const problems: string[] = []
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    problems.push(`PostgreSQL ${version} is too old: upgrade the server to ${OLDEST_MAJOR} or later.`)
  }
  if (vector !== undefined && isOldVector(vector)) {
    const update = '"alter extension vector update" after installing it'
    problems.push(`pgvector ${vector} is too old: version ${OLDEST_VECTOR.join('.')} or later is needed, ${update}.`)
  }
  return problems
}

function isOldVector(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_VECTOR[0] || (major === OLDEST_VECTOR[0] && minor < OLDEST_VECTOR[1])
}
