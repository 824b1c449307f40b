import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { IndexedItem, SourceFile } from '../../src/domain/document.ts'
import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'
import { createBriefing } from '../../src/retrieval/agents/briefing.ts'
import {
  createProfile,
  type KnownInput,
  listSubjects,
  readKnown,
  readSubject,
} from '../../src/retrieval/profile/profile.ts'
import { openEvaluationStore } from '../eval/evaluation-store.ts'
import { percentile, sleep } from './measure.ts'
import type { Row } from './table.ts'

export interface ProfileBenchOptions {
  readonly memories: number
  readonly rounds: number
}

/** Conversations that are made by the pipeline; the others repeat them on other days. */
const DISTINCT = 40
const PEOPLE = ['Ann Lee', 'Bob Ray', 'Carla Diaz', 'Dev Shah', 'Emil Roth', 'Farah Aziz', 'Gita Rao', 'Hugo Blanc']
const FOLDER = '~/src/falcon'
const DAY_MS = 86_400_000
const START = Date.UTC(2024, 0, 1, 9)

/** Measures the profile, a page and the briefing on a large account, against reading the same memories from the store and nothing else. */
export async function measureProfile(rows: Row[], { memories, rounds }: ProfileBenchOptions): Promise<void> {
  const store = await openEvaluationStore()
  try {
    const accountId = await store.createAccount()
    const items = await conversations()
    const perItem = items.reduce((sum, item) => sum + item.memories.length, 0) / items.length
    const count = Math.ceil(memories / perItem)
    const texts = Array.from({ length: count }, (_, i) => ({
      ...{ itemId: `chat-${i}`, text: `chat ${i}` },
      ...(isSession(i) && { sourceType: 'claude_code' as const }),
    }))
    let made = 0
    await store.add(accountId, texts, () => Promise.resolve(onDay(items[made % DISTINCT]!, made++, count)))
    const index = store.index(accountId)
    const input: KnownInput = { index, userName: 'Evaluation', timeZone: 'UTC', now: new Date(START + 800 * DAY_MS) }
    const bare = () => index.latestMemories(5_000)
    const of = `of ${Math.round(count * perItem).toLocaleString('en')} memories`
    await measure(rows, `Profile ${of}`, rounds, bare, async () => createProfile(await readKnown(input)))
    await measure(rows, `Page of a person, ${of}`, rounds, bare, async () =>
      readSubject(await readKnown(input), 'person', 'Ann Lee'),
    )
    await measure(rows, `List of people, ${of}`, rounds, bare, async () =>
      listSubjects(await readKnown(input), { kind: 'person', offset: 0, limit: 50, name: '' }),
    )
    const brief = async () => {
      const { statements } = await createBriefing({ ...input, folders: [FOLDER], now: new Date(START + 705 * DAY_MS) })
      if (statements.length === 0) throw new Error('nothing was briefed')
    }
    const latest = () => index.latestMemories(600)
    await measure(rows, `Briefing of a session, ${of}`, rounds, latest, brief, 150)
  } finally {
    await store.close()
  }
}

/** In turns with the baseline, so that both meet the same load. */
async function measure(
  rows: Row[],
  what: string,
  rounds: number,
  bare: () => Promise<unknown>,
  whole: () => Promise<unknown>,
  budget?: number,
): Promise<void> {
  const took: number[] = []
  const baseline: number[] = []
  const blocked: number[] = []
  for (let round = 0; round < rounds + 1; round++) {
    const alone = await duration(bare)
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const all = await duration(whole)
    // A block at the end is seen by the next tick of the monitor.
    await sleep(5)
    delays.disable()
    // The first round compiles the code.
    if (round === 0) continue
    baseline.push(alone)
    took.push(all)
    blocked.push(delays.max / 1e6)
  }
  rows.push({
    what: `${what}, p50`,
    budget,
    unit: 'ms',
    measured: percentile(took, 0.5),
    baseline: percentile(baseline, 0.5),
    against: 'reading the same memories',
  })
  rows.push({
    what: `${what}: longest block of the main thread, p50`,
    budget: 50,
    unit: 'ms',
    measured: percentile(blocked, 0.5),
  })
}

async function duration(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function conversations(): Promise<IndexedItem[]> {
  const pipeline = createPipeline({ embedder: await loadStaticEmbedder(packagePath('models/static-en-40k')) })
  const items = []
  for (let i = 0; i < DISTINCT; i++) items.push(await pipeline.run(chat(i)))
  await pipeline.close()
  return items
}

function chat(i: number): SourceFile {
  const name = (n: number) => PEOPLE[(i + n) % PEOPLE.length] ?? 'Ann Lee'
  const lines = Array.from({ length: 30 }, (_, n) => {
    const at = new Date(START + n * 7_200_000).toISOString().slice(0, 16).replace('T', ' ')
    return `[${at}] ${n % 3 === 0 ? 'Evaluation' : name(n)}: ${line(i, n)}`
  })
  return {
    body: new TextEncoder().encode(lines.join('\n')),
    fileName: 'chat.txt',
    contentType: 'text/plain',
    sourceType: 'text',
    itemId: `chat-${i}`,
    userName: 'Evaluation',
    timeZone: 'UTC',
    uploadedAt: new Date(START + 800 * DAY_MS),
  }
}

const LINES = [
  'I will send the report about unit {} to Carla tomorrow',
  'We decided to order {} chairs from Calder Supplies',
  'I prefer trains to planes, and seat {} by the window',
  'The heating in building {} broke again, Dev called the landlord',
  'Every Monday I swim {} lanes in Leeds',
  'I promised Bob to review his draft of chapter {}',
  'Emil moved the Falcon meeting to room {} and the budget is {} euros',
]

function line(i: number, n: number): string {
  return (LINES[(i + n) % LINES.length] ?? '').replaceAll('{}', String(i * 30 + n))
}

/** Sessions of an agent are rare; of other agents there are none, which takes longest to find out. */
function isSession(n: number): boolean {
  return n % 20 === 16
}

/** The same conversation on another day; a session of an agent is in a project, every other time in the briefed one. */
function onDay(item: IndexedItem, n: number, count: number): IndexedItem {
  const shift = Math.floor((n / count) * 700) * DAY_MS
  const place = isSession(n) ? { where: n % 40 === 16 ? FOLDER : '~/src/osprey' } : {}
  const moved = (at: Date) => new Date(at.getTime() + shift)
  return {
    ...item,
    memories: item.memories.map((memory) => ({
      ...memory,
      content: { ...memory.content, ...place },
      ...(memory.when && { when: { ...memory.when, start: moved(memory.when.start) } }),
    })),
  }
}
