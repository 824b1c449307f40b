import { expect, test } from 'vitest'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { startPlainMemoryServer } from '../fakes/plain-memory-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { checkpoint, itemChange } from '../lib/scripted-connector.ts'
import { startService } from '../lib/start-service.ts'
import { syncFixture } from '../lib/sync-fixture.ts'
import { movableClock } from './store-contract.ts'
import { deleteAccount } from './store-deletion-contract.ts'
import { type MemoriesUnderTest, syncRunnerContract } from './sync-runner-contract.ts'

type Connect = (key: string) => Promise<Memory> | Memory

/** The ledgers are those of a real store in any case. */
async function start(
  connect: (service: Awaited<ReturnType<typeof startService>>, stack: AsyncDisposableStack) => Connect,
) {
  const stack = new AsyncDisposableStack()
  const clock = movableClock()
  const running = await startService({ work: false, clock })
  stack.defer(() => running.stop())
  const connected = connect(running, stack)
  const under: MemoriesUnderTest = {
    clock,
    async open() {
      const { key, accountId } = await running.service.accounts.create({ name: 'Ada', userName: 'Ada Lovelace' })
      const memory = await connected(key)
      const ledger = running.store.ledger(`account:${accountId}`)
      return { memory, ledger, otherLedger: running.store.ledger(`remote:${accountId}`) }
    },
    stop: () => stack.disposeAsync(),
  }
  return under
}

syncRunnerContract('the service in process', () =>
  start(
    ({ service }) =>
      (key) =>
        bindMemory(service, () => service.authenticate(key)),
  ),
)

syncRunnerContract('the service behind REST', () =>
  start(({ baseUrl }, stack) => (apiKey) => {
    const memory = createRestMemory({ baseUrl, apiKey })
    stack.defer(() => memory.close())
    return memory
  }),
)

syncRunnerContract('a server that does not know on_conflict', () =>
  start((_, stack) => async () => {
    const { baseUrl } = stack.use(await startPlainMemoryServer())
    const memory = createRestMemory({ baseUrl, apiKey: 'rk_x' })
    stack.defer(() => memory.close())
    return memory
  }),
)

test('a run whose account is deleted meanwhile ends without a complaint, and leaves no ledger', async () => {
  const clock = movableClock()
  await using running = await startService({ work: false, clock })
  const { service, store } = running
  const { key, accountId } = await service.accounts.create({ name: 'Ada', userName: 'Ada Lovelace' })
  const ledger = store.ledger(`account:${accountId}`)
  const { log, lines } = recordingLog()
  const fixture = syncFixture({ memory: bindMemory(service, () => service.authenticate(key)), ledger, clock })
  fixture.script.changes = async function* deletedMeanwhile() {
    yield itemChange('a', 'one')
    yield checkpoint(1)
    await deleteAccount(store, accountId)
    yield itemChange('b', 'two')
    yield checkpoint(2)
  }
  const report = await fixture.sync({}, { log })
  expect(report).toMatchObject({ outcome: 'aborted', memorized: 1 })
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(await ledger.listConnections()).toEqual([])
})
