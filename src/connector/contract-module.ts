import { moduleUrl } from '../lib/worker-thread.ts'

/** The name by which packages import the contract. */
export const CONTRACT_MODULE = 'recalld/connector'

/** Raised when a change breaks the connectors of packages, which state theirs as `recalld.contract` in package.json. */
export const CONTRACT_VERSION = 1

/** The module of this program behind that name, so that packages share its classes, such as `SourceError`. */
export function contractUrl(): string {
  return moduleUrl(import.meta.url, './contract').href
}
