import type { Principal } from './principal.ts'
import type { ServiceContext } from './service-context.ts'

/**
 * Says that uploads are still being processed, which may hold what was not found; nothing if none are. Keys for some sources are
 * not told, because the number is that of the whole account.
 */
export async function waitingNotice(
  { store }: Pick<ServiceContext, 'store'>,
  { scope }: Pick<Principal, 'scope'>,
): Promise<string | undefined> {
  if (scope.sources !== 'all') return undefined
  const { waiting } = await store.scoped(scope).holdings()
  if (waiting === 0) return undefined
  return `${waiting === 1 ? 'One item is' : `${waiting} items are`} still being processed. Ask again when this is done.`
}
