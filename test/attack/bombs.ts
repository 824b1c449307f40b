import { setTimeout as wait } from 'node:timers/promises'
import type { RestMemory } from '../../src/client/rest-memory.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { FileRecord } from '../../src/domain/results.ts'
import { processorBudgetMs } from '../../src/pipeline/parse/document/document-reader.ts'
import { oneOf } from '../lib/seeded-random.ts'
import type { Attacker, Generator } from './attack.ts'
import { type AttackedService, mostMegabytes, processorSeconds, startAttacked } from './attacked-service.ts'
import { BOMBS } from './bomb-files.ts'

/** For starting threads and for what the service does beside the item; a busy machine charges more for the same work. */
const BESIDE_SECONDS = 16
const MOST_MEGABYTES = 1_800
/** Longer than any question takes, also on a busy machine, unless it waits behind the bomb. */
const UNANSWERED_MS = 15_000

export const bombs: Generator = { name: 'bombs', start }

async function start(): Promise<Attacker> {
  await using parts = new AsyncDisposableStack()
  const service = parts.use(await startAttacked())
  const neighbor = await service.neighbor()
  let number = 0
  const started = parts.move()
  return {
    async attempt(random) {
      const bomb = oneOf(random, BOMBS)
      const body = bomb.body(random)
      const itemId = `bomb-${++number}`
      const before = processorSeconds(service.pid)
      const fileName = `${itemId}.${bomb.extension}`
      const file = { body, fileName, userName: 'Mallory', itemId, sourceType: 'text' as const }
      const refusal = await service.memory.memorize(file).then(() => undefined, refusalOf)
      if (refusal !== undefined) return { kind: `${bomb.name}, refused`, problems: refusal }
      const most = BESIDE_SECONDS + processorBudgetMs(body.byteLength) / 1_000
      const spent = () => (processorSeconds(service.pid) ?? 0) - (before ?? 0)
      const problems = await watch(service, neighbor, { itemId, isOver: () => spent() > most })
      if (spent() > most) problems.push(`took ${spent().toFixed(1)} s of processor time`)
      const held = mostMegabytes(service.pid) ?? 0
      if (held > MOST_MEGABYTES) problems.push(`the process held ${Math.round(held)} MB`)
      const size = `${Math.round(body.byteLength / 1024)} KiB`
      return { kind: bomb.name, problems: problems.map((problem) => `${size}: ${problem}`) }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** An upload that is not taken has to say why. */
function refusalOf(error: unknown): string[] {
  if (error instanceof AppError && error.code === 'invalid')
    return error.message === '' ? ['refused without a reason'] : []
  throw error
}

interface WatchedItem {
  readonly itemId: string
  /** Whether more processor time was spent than it may take: a clock would also count that of others on the machine. */
  readonly isOver: () => boolean
}

/** Until the item has ended, and a note of the neighbor that came after it is ready. */
async function watch(
  service: AttackedService,
  neighbor: RestMemory,
  { itemId, isOver }: WatchedItem,
): Promise<string[]> {
  const noteId = `note-${itemId}`
  const body = new TextEncoder().encode(`The ${noteId} is about lighthouses.`)
  await neighbor.memorize({ body, fileName: 'note.md', userName: 'Nina', itemId: noteId, sourceType: 'text' })
  for (;;) {
    const [bomb, note] = await Promise.all([stateOf(service.memory, itemId), stateOf(neighbor, noteId)])
    if (bomb?.status === 'ready' && note?.status === 'ready') return []
    if (bomb?.status === 'failed' && note?.status === 'ready')
      return bomb.error === undefined || bomb.error === '' ? ['failed without a reason'] : []
    if (note?.status === 'failed') return [`a note of the neighbor failed: ${note.error}`]
    if (isOver()) return [`it is ${bomb?.status}, and a note of the neighbor ${note?.status}`]
    const answered = await Promise.race([isAnswered(neighbor), wait(UNANSWERED_MS, false, { ref: false })])
    if (!answered) return [`a question of the neighbor was not answered within ${UNANSWERED_MS / 1_000} s`]
    await wait(100)
  }
}

async function stateOf(memory: RestMemory, itemId: string): Promise<FileRecord | undefined> {
  const { files } = await memory.list({ sourceType: 'text', limit: 10_000 })
  return files.find(({ item_id }) => item_id === itemId)
}

async function isAnswered(memory: RestMemory): Promise<boolean> {
  await memory.recall({ text: 'lighthouses' })
  return true
}
