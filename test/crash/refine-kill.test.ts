import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { diligentAnswer } from '../lib/refinable.ts'
import { until } from '../lib/until.ts'
import { CRASH_ENGINES, crashDatabase } from './crash-database.ts'
import { REFINED_ITEMS, refinedTexts } from './refined-items.ts'
import { databaseFindings, databaseRows } from './store-inspection.ts'

const KILLS = Number(process.env.RECALLD_TEST_KILLS ?? 2)

test.each(CRASH_ENGINES)(
  'a refiner on %s killed at any moment pays for nothing twice but the call under way, and shows no item half',
  async (engine) => {
    const { address, settled } = await crashDatabase(engine)
    const server = await startOpenAiServer((request) => ({
      text: JSON.stringify(diligentAnswer(request)),
      usage: { input: 100, output: 10 },
      after: delay(8),
    }))
    onTestFinished(() => server[Symbol.asyncDispose]())
    const sent = () => server.chats.map(({ messages }) => messages.at(-1)?.content ?? '')
    const underway = new Set<string>()

    for (let kill = 0; kill < KILLS; kill++) {
      const child = start(address, server.url)
      const exited = once(child, 'exit')
      await said(child, 'ready')
      const calls = server.chats.length + 1 + Math.floor(Math.random() * 4)
      await until(async () => server.chats.length >= calls)
      await delay(Math.random() * 10)
      child.kill('SIGKILL')
      await exited
      underway.add(sent().at(-1) ?? '')
      await settled()
      await expectWholeItems(address)
    }
    const last = start(address, server.url)
    const ended = once(last, 'exit')
    await said(last, 'done')
    await ended

    expect(await databaseFindings(address)).toEqual([])
    await expectWholeItems(address)
    const messages = sent()
    expect(new Set(messages).size).toBeGreaterThan(REFINED_ITEMS.length * 3)
    const repeated = messages.filter((message, at) => messages.indexOf(message) !== at)
    for (const message of repeated) expect(underway.has(message)).toBe(true)
    expect(repeated.length).toBeLessThanOrEqual(KILLS)
    const [spent] = await databaseRows(
      address,
      'select sum(calls) as calls, sum(input_tokens) as tokens from refinement_spend',
    )
    const calls = Number(spent?.calls)
    // What was under way is paid and not recorded; what is recorded is kept.
    expect(calls).toBe(new Set(messages).size)
    expect(Number(spent?.tokens)).toBe(100 * calls)
  },
  300_000 + KILLS * 10_000,
)

function start(address: string, url: string): ChildProcess {
  return fork(fileURLToPath(new URL('./refine-process.ts', import.meta.url)), [address, url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => message === word && resolve())
    child.on('exit', () => reject(new Error(`The process ended before it was ${word}`)))
  })
}

async function expectWholeItems(address: string): Promise<void> {
  const memories = await databaseRows(
    address,
    'select item_id, refined_by, memory_index, content from memory join item using (item_key) order by memory_key',
  )
  for (const itemId of REFINED_ITEMS) {
    const ofItem = memories.filter((memory) => memory.item_id === itemId)
    const by = ofItem[0]?.refined_by === null ? 'I noted' : 'The model remembers'
    const narratives = ofItem.map(({ content }) => JSON.parse(String(content)).narrative)
    expect(narratives).toEqual(refinedTexts(itemId).map((text) => `${by}: ${text}`))
    expect(ofItem.map(({ memory_index }) => memory_index)).toEqual(narratives.map((_, index) => index))
  }
}
