import { localAddress } from '../config/local-address.ts'
import { flagName, variableName } from '../config/setting.ts'
import { AppError } from '../domain/errors.ts'
import type { ApiServer } from '../http/rest/server-types.ts'

interface Place {
  readonly host: string
  readonly port: number
  /** The setting that names the port. */
  readonly setting: 'port' | 'metricsPort'
}

/** @returns the address, with the port that was taken @throws AppError `unavailable`, naming the setting to change */
export async function listen(server: ApiServer, place: Place): Promise<string> {
  const { host, port } = place
  try {
    await server.listen({ host, port })
  } catch (cause) {
    throw new AppError('unavailable', listenProblem(place, cause), { cause })
  }
  const bound = server.server.address()
  if (bound === null || typeof bound === 'string') throw new AppError('internal', 'the server has no port')
  return localAddress(host, bound.port)
}

function listenProblem({ host, port, setting }: Place, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const names = `${flagName(setting)} or ${variableName(setting)}`
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop what uses it, or choose another with ${names}.`
    case 'EACCES':
      return `Port ${port} may not be used without more rights: choose one above 1023 with ${names}.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ERR_INVALID_URL':
      return `${host} is not an address of this machine: set --host or RECALLD_HOST to one, such as 127.0.0.1.`
    default:
      return `Cannot listen on ${host}, port ${port}: ${cause instanceof Error ? cause.message : cause}`
  }
}
