import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { distribute, OwnCitus, portOf } from '../lib/own-citus.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { until } from '../lib/until.ts'
import { claimOne, findTexts, memorize, sampleAccount, sampleItem, sampleUpload } from './store-samples.ts'

const { leftOut } = OwnCitus
if (leftOut !== undefined) console.warn(`What happens when a server of Citus goes away is not tested: ${leftOut}`)

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

describe.skipIf(leftOut !== undefined)('when the items of accounts are on several servers', () => {
  let citus: OwnCitus
  beforeAll(async () => {
    citus = await OwnCitus.start()
    const store = await openPostgresStore({ url: citus.url, log: recordingLog().log })
    await store.close()
    await distribute(citus.url)
  })
  afterAll(() => citus?.[Symbol.asyncDispose]())

  async function open() {
    await citus.clear()
    const { log, lines } = recordingLog()
    const store = await openPostgresStore({ url: citus.url, log })
    onTestFinished(() => store.close())
    for (const accountId of ACCOUNTS) await store.admin.createAccount(sampleAccount(accountId))
    return { store, lines }
  }

  /** Two accounts on different servers. */
  async function apart(store: Store) {
    const first = await citus.workerOf('a')
    for (const accountId of ACCOUNTS) {
      if ((await citus.workerOf(accountId)) !== first) {
        return {
          here: scopedTo(store, 'a'),
          there: scopedTo(store, accountId),
          worker: await citus.workerOf(accountId),
        }
      }
    }
    throw new Error('All accounts are on one server')
  }

  test('accounts on one go on while another one is down, and nothing of the accounts there is lost', async () => {
    const { store, lines } = await open()
    const { here, there, worker } = await apart(store)
    await memorize(store, here, 'before', ['words before'])
    await memorize(store, there, 'before', ['words before'])
    await there.putItem(sampleUpload('waits', 'words that wait'))

    await worker.stop('immediate')
    await expect(there.putItem(sampleUpload('later', 'later'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(findTexts(there, ['words'])).rejects.toMatchObject({ code: 'unavailable' })
    await until(async () => lines.some(({ message }) => message.includes('does not answer')))
    await memorize(store, here, 'meanwhile', ['words meanwhile'])
    expect((await findTexts(here, ['words'])).sort()).toEqual(['words before', 'words meanwhile'])
    expect((await here.listItems({ sourceType: 'text', limit: 9, offset: 0 })).total).toBe(2)
    expect(await store.queue.claim({ owner: 'test', limit: 9, leaseMs: 60_000 })).toEqual([])
    expect((await store.admin.stats()).items).toBe(4)
    expect(await store.queue.requeueOutdated('test@2')).toBe(2)

    await worker.start()
    await until(async () => lines.some(({ message }) => message.includes('answers again')))
    expect(await findTexts(there, ['words'])).toEqual(['words before'])
    await until(async () => (await claimedBy(store, 'waits')) !== undefined)
    expect((await there.listItems({ sourceType: 'text', limit: 9, offset: 0 })).total).toBe(2)
    await there.putItem(sampleUpload('later', 'later'))
  })

  test('what a worker has made of an item while its server is down is not kept, and the item comes again', async () => {
    const { store, lines } = await open()
    const { there, worker } = await apart(store)
    await there.putItem(sampleUpload('one', 'words of one'))
    const claim = await claimOne(store)
    await worker.stop('immediate')
    await expect(store.queue.complete(claim, sampleItem(['words of one']))).rejects.toMatchObject({
      code: 'unavailable',
    })
    await until(async () => lines.some(({ message }) => message.includes('does not answer')))
    await worker.start()
    await until(async () => lines.some(({ message }) => message.includes('answers again')))
    await store.queue.release([claim])
    await store.queue.complete(await claimOne(store), sampleItem(['words of one']))
    expect(await findTexts(there, ['words'])).toEqual(['words of one'])
  })

  test('accounts are moved to another server while they are used', async () => {
    const { store } = await open()
    const { here, there, worker } = await apart(store)
    const first = await citus.workerOf('a')
    let isMoving = true
    const accepted: string[] = []
    const upload = async () => {
      for (let n = 0; isMoving || accepted.length === 0; n++) {
        await memorize(store, there, `item-${n}`, [`words number ${n}`])
        accepted.push(`words number ${n}`)
        await findTexts(here, ['words'])
      }
    }
    const uploading = upload()
    await until(async () => accepted.length > 0)
    const [{ shard } = {}] = await citus.coordinator.query(`
      select get_shard_id_for_distribution_column('item', account_key) as shard
      from account where account_id = '${there.accountId}'`)
    const moved = citus.coordinator.query(`
      select citus_move_shard_placement(${shard}, '127.0.0.1', ${portOf(worker)}, '127.0.0.1', ${portOf(first)}, 'force_logical')`)
    await moved.finally(() => {
      isMoving = false
    })
    await uploading
    expect(await citus.workerOf(there.accountId)).toBe(first)
    expect((await findTexts(there, ['words'])).sort()).toEqual(accepted.sort())
  })
})

function scopedTo(store: Store, accountId: string) {
  return Object.assign(store.scoped({ accountId, sources: 'all' }), { accountId })
}

async function claimedBy(store: Store, itemId: string) {
  const claims = await store.queue.claim({ owner: 'test', limit: 9, leaseMs: 60_000 })
  return claims.find((claim) => claim.itemId === itemId)
}
