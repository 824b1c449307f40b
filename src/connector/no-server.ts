const NO_SERVER = new Set(['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether an error of a connection, or its cause, says that no server is at the address, rather than one that is busy. */
export function hasNoServer(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if ('code' in error && NO_SERVER.has(String(error.code))) return true
  // A name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(hasNoServer)
  return 'cause' in error && hasNoServer(error.cause)
}
