import { HOOK_EVENTS, type HookEvent } from '../hosts/host.ts'
import { HOOK_HOSTS, type HookHost } from '../hosts/hosts.ts'

export interface HookArguments {
  readonly event: HookEvent
  readonly host: HookHost
  readonly home?: string
}

/**
 * Parses `recalld hook EVENT --host HOST [--home FOLDER]`; `undefined` for any other command line.
 */
export function hookArguments(argv: readonly string[]): HookArguments | undefined {
  const [command, given, flag, named, homeFlag, home, ...more] = argv
  const event = HOOK_EVENTS.find((one) => one === given)
  const host = HOOK_HOSTS.find(({ id }) => id === named)
  const isHook = command === 'hook' && flag === '--host' && more.length === 0
  const isHome = homeFlag === undefined || (homeFlag === '--home' && home !== undefined)
  if (!isHook || !isHome || event === undefined || host === undefined) return undefined
  return { event, host, ...(home !== undefined && { home }) }
}
