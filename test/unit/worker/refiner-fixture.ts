import { join } from 'node:path'
import { beforeEach, expect, onTestFinished } from 'vitest'
import { openLanguageModel } from '../../../src/models/ai-sdk/language-model.ts'
import { LANGUAGE_SETTINGS, type ModelBudget } from '../../../src/models/model-settings.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { ScopedStore, Store } from '../../../src/store/store.ts'
import { createRefiner, type Refiner } from '../../../src/worker/refiner.ts'
import { type MovableClock, movableClock } from '../../contract/store-contract.ts'
import { sampleAccount } from '../../contract/store-samples.ts'
import { type OpenAiServer, startOpenAiServer } from '../../fakes/openai-server.ts'
import { emptySqlite } from '../../lib/empty-sqlite.ts'
import { eventually } from '../../lib/eventually.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { diligentAnswer, EXTRACT_PROMPT } from '../../lib/refinable.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

export const text = (n: number) => `passage ${n} tells of something worth a memory`
export const byRules = (n: number) => `I noted: ${text(n)}`
export const byModel = (n: number) => `The model remembers: ${text(n)}`

interface RefinerState {
  store: Store
  /** Of the account `a`. */
  a: ScopedStore
  clock: MovableClock
  server: OpenAiServer
  lines: ReturnType<typeof recordingLog>['lines']
  log: ReturnType<typeof recordingLog>['log']
}

/** A store with an account, a fake model and refiners over them, anew for each test. Call it where hooks can be registered. */
export function refinerFixture() {
  // Set before each test.
  const state = {} as RefinerState
  /** How often refiners asked for the time, as they do each time before they look at the queue. */
  let looks = 0
  beforeEach(async () => {
    const clock = movableClock(Date.parse('2026-01-01T10:00:00Z'))
    const { log, lines } = recordingLog()
    const store = await openSqliteStore({ file: emptySqlite(join(temporaryFolder(), 'recalld.db')), log, clock })
    onTestFinished(() => store.close())
    await store.admin.createAccount(sampleAccount('a'))
    const server = await startOpenAiServer(diligentAnswer)
    onTestFinished(() => server[Symbol.asyncDispose]())
    store.refinements.want(true)
    Object.assign(state, { store, a: store.scoped({ accountId: 'a', sources: 'all' }), clock, server, log, lines })
  })
  const counted = () => {
    looks += 1
    return state.clock()
  }
  /** Waits until refiners have looked at the queue often enough to have taken what they may take. */
  const severalLooks = async () => {
    const before = looks
    await eventually(() => expect(looks).toBeGreaterThanOrEqual(before + 20))
  }
  return {
    fixture: state,
    severalLooks,
    start: (options: StartOptions = {}) => startRefiner(state, counted, options),
    ...expectations(state, severalLooks),
  }
}

interface StartOptions {
  readonly settings?: object
  readonly budget?: ModelBudget
  readonly lanes?: number
}

async function startRefiner(
  { store, log, server }: RefinerState,
  clock: () => Date,
  { settings, budget, lanes = 1 }: StartOptions,
): Promise<Refiner> {
  const whole = LANGUAGE_SETTINGS.parse({
    provider: 'openai-compatible',
    model: 'test',
    url: server.url,
    timeout_seconds: 60,
    price: { input: 1, output: 2 },
    ...settings,
  })
  const model = await openLanguageModel(whole)
  const options = { store, log, clock, model, prompt: EXTRACT_PROMPT, lanes, pollMs: 2, alone: true }
  const refiner = createRefiner({ ...options, ...(budget && { budget }) })
  onTestFinished(() => refiner.stop(0))
  await refiner.start()
  return refiner
}

function expectations(state: RefinerState, severalLooks: () => Promise<void>) {
  const narratives = async (itemId: string, scoped = state.a) => {
    const read = await scoped.refinements.read({ itemId, sourceType: 'text' }, 5_000)
    return read?.item.memories.map(({ content }) => content.narrative) ?? []
  }
  const warnings = () => state.lines.filter(({ level }) => level === 'warn')
  /** Calls of the model that came to nothing and were put off. */
  const putOff = (times: number) => eventually(() => expect(warnings()).toHaveLength(times))
  return {
    narratives,
    putOff,
    becomes: (itemId: string, expected: readonly string[], scoped = state.a) =>
      eventually(async () => expect(await narratives(itemId, scoped)).toEqual(expected)),
    asked: (calls: number) => eventually(() => expect(state.server.chats).toHaveLength(calls)),
    /** All calls so far; how many. A call may end before the server has read it, so that warnings are counted. */
    allPutOff: () =>
      eventually(async () => {
        const calls = warnings().length
        expect(calls).toBeGreaterThan(0)
        expect(state.server.chats.length).toBeLessThanOrEqual(calls)
        await severalLooks()
        expect(warnings()).toHaveLength(calls)
        expect(state.server.chats.length).toBeLessThanOrEqual(calls)
        return calls
      }),
    paused: (message: string) =>
      eventually(async () => expect((await state.store.refinements.pauses())[0]?.message).toContain(message)),
    spentTokens: async (day = '2026-01-01') =>
      (await state.store.refinements.spent('a', day)).reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0),
  }
}
