import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFailed, test } from 'vitest'
import { seededRandom } from '../lib/seeded-random.ts'
import { until } from '../lib/until.ts'
import { CRASH_ENGINES, crashDatabase } from './crash-database.ts'
import { KillableService } from './killable-service.ts'
import { databaseFindings, readItems } from './store-inspection.ts'

/** Half a second each; more of them look further. */
const KILLS = Number(process.env.RECALLD_TEST_KILLS ?? 3)
const LONGEST_MS = 300_000 + KILLS * 10_000
const IDENTITIES = 30
const IN_FLIGHT = 6

/** What is known of one identity: its text, or `undefined` when absent; more than one while an answer is missing. */
type Possible = readonly (string | undefined)[]

test.each(CRASH_ENGINES)(
  'a service on %s killed at any moment loses no acknowledged upload and brings back nothing deleted',
  async (engine) => {
    const seed = Number(process.env.RECALLD_CRASH_SEED ?? Date.now() % 1_000_000)
    onTestFailed(() => console.error(`Run again with RECALLD_CRASH_SEED=${seed}`))
    const random = seededRandom(seed)
    const { address, settled } = await crashDatabase(engine)
    const known = new Map<string, Possible>()
    let acknowledged = 0

    for (let kill = 0; kill < KILLS; kill++) {
      const service = new KillableService(address)
      const started = service.started()
      let killed = false
      let gaveUp = 0
      const clients = Array.from({ length: IN_FLIGHT }, async (_, client) => {
        await started
        while (!killed) {
          try {
            if (await changeSomething(service, known, client, random)) acknowledged++
          } catch (error) {
            // On a busy machine the database may be away for a moment: whether it stored the change shows after the kill.
            if (!/it is not connected/.test(String(error))) throw error
            gaveUp++
            return
          }
        }
      })
      // The last one answers often enough for the test to tell something, whatever was drawn for the others.
      const least = kill === KILLS - 1 ? KILLS + 1 : 0
      // One in ten dies while it starts: while it migrates, or sweeps what the last one left.
      if (least === 0 && random() < 0.1) await delay(random() * 200)
      else {
        await started
        // After so many answers, however long they take.
        const enough = acknowledged + least + Math.floor(random() * 25)
        await until(async () => acknowledged >= enough || gaveUp === IN_FLIGHT)
        await delay(random() * 20)
      }
      killed = true
      await service.kill()
      await Promise.all(clients)
      await settled()
      await settleByWhatIsStored(address, known, kill)
    }

    const last = new KillableService(address)
    await last.started()
    while ((await last.send({ type: 'drained' }))?.value !== true) await delay(20)
    await last.close()
    expect(acknowledged).toBeGreaterThan(KILLS)
    expect(await databaseFindings(address)).toEqual([])
    const items = await readItems(address)
    for (const [itemId, [text]] of known) {
      const item = items.get(itemId)
      expect(item?.body, itemId).toBe(text)
      if (item === undefined || text === undefined) continue
      if (item.state === 'failed') {
        // Five kills in a row while one item is in work count against it.
        expect(item.error, itemId).toMatch(text === 'unreadable' ? /encrypted/ : /crashed the worker 5 times/)
        continue
      }
      expect(text, itemId).not.toBe('unreadable')
      const lines = text.split('\n')
      expect(item.texts, itemId).toEqual(lines)
      expect(item.memories, itemId).toEqual(lines.map((_, index) => index))
    }
  },
  LONGEST_MS,
)

/** One upload, replacement or deletion. Each client has identities of its own. Resolves to whether it was answered. */
async function changeSomething(
  service: KillableService,
  known: Map<string, Possible>,
  client: number,
  random: () => number,
): Promise<boolean> {
  const itemId = `item-${client + IN_FLIGHT * Math.floor((random() * IDENTITIES) / IN_FLIGHT)}`
  const [before] = known.get(itemId) ?? [undefined]
  const after = before !== undefined && random() < 0.3 ? undefined : newText(itemId, random)
  known.set(itemId, [before, after])
  const answer =
    after === undefined
      ? await service.send({ type: 'delete', itemId })
      : await service.send({ type: 'put', itemId, text: after, replace: before !== undefined })
  if (answer === undefined) return false
  known.set(itemId, [after])
  if (after === undefined) expect(answer.value).toBe(true)
  else if (before === undefined) expect(answer.value).toBe('created')
  else expect(answer.value).toSatisfy((value) => value === 'replaced' || (value === 'unchanged' && after === before))
  return true
}

function newText(itemId: string, random: () => number): string {
  const kind = random()
  if (kind < 0.05) return 'unreadable'
  // Some need more than one commit.
  const lines = kind < 0.1 ? 1_200 : 1 + Math.floor(random() * 5)
  const mark = random().toString(36).slice(2)
  return Array.from({ length: lines }, (_, line) => `${itemId} ${mark} line ${line}`).join('\n')
}

/** After a kill every identity is in one of the states it may be in; which one becomes certain. */
async function settleByWhatIsStored(address: string, known: Map<string, Possible>, kill: number): Promise<void> {
  if (known.size === 0) return
  const items = await readItems(address)
  for (const [itemId, possible] of known) {
    const stored = items.get(itemId)?.body
    expect(possible, `${itemId} after kill ${kill}`).toContain(stored)
    known.set(itemId, [stored])
  }
  for (const itemId of items.keys()) expect(known.has(itemId), itemId).toBe(true)
}
