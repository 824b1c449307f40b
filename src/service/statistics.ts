import type { ServiceStatistics } from './service.ts'
import type { ServiceContext } from './service-context.ts'

/** Numbers over all accounts, for `/metrics`. */
export async function statistics({ store }: ServiceContext): Promise<ServiceStatistics> {
  const [{ waiting, oldestAt }, accounts] = await Promise.all([store.queue.depth(), store.admin.listAccounts()])
  const held = await Promise.all(
    accounts.map(({ accountId }) => store.scoped({ accountId, sources: 'all' }).holdings()),
  )
  return {
    queue: { waiting, oldestAt },
    items: {
      held: held.reduce((sum, account) => sum + account.items, 0),
      bytes: held.reduce((sum, account) => sum + account.bytes, 0),
      waiting: held.reduce((sum, account) => sum + account.waiting, 0),
    },
    accounts: accounts.length,
  }
}
