import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { AppError } from '../../domain/errors.ts'
import type { Memory, RecallQuery } from '../../domain/memory.ts'
import type { FileRecord } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { type Io, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { recallCards } from '../memory/recall.ts'
import { lineWidth, styleFor, table, wrapped } from '../terminal/layout.ts'
import { messages } from './messages.ts'
import { readSamples, SAMPLE_USER, type Sample } from './samples.ts'

const DECISION = { text: 'which database did we choose and why' }
const LAUNCH: RecallQuery = { text: 'launch of the new checkout', source: 'calendar' }
const QUESTIONS = ['How long did the outage last?', 'What is the weather on the moon?']
const FORGOTTEN: SourceType = 'google_meets'
/** Keeps the demo below the request rate of its account on a slow machine. */
const LONGEST_PAUSE_MS = 500
const PROCESSING_DEADLINE_MS = 60_000

export function addDemo(program: Command, context: Context): void {
  program
    .command('demo')
    .description(messages.demo)
    .action(async () => {
      const stopped = context.stopRequested().then((signal) => {
        throw new AppError('unavailable', messages.demoStopped(signal))
      })
      await using open = new AsyncDisposableStack()
      const home = await mkdtemp(join(context.machine.temporaryFolder, 'recalld-demo-'))
      open.defer(() => rm(home, { recursive: true, force: true }))
      await Promise.race([demonstrate(home, open, context), stopped])
      await open.disposeAsync()
      heading(context.io, messages.demoEnded)
    })
}

async function demonstrate(home: string, open: AsyncDisposableStack, context: Context): Promise<void> {
  const { io } = context
  const config: Config = { ...context.defaultConfig(home), port: 0, logLevel: 'error', timeZone: SAMPLE_USER.timeZone }
  const app = await context.startApp(config, { userName: SAMPLE_USER.name })
  open.defer(() => app.stop())
  if (app.firstAccount === undefined) throw new AppError('internal', 'the throw-away home was not empty')
  const memory = await context.memory({ baseUrl: app.address, apiKey: app.firstAccount.key })

  heading(io, messages.demoRunning(app.address))
  const samples = await readSamples()
  await memorizeSamples(memory, samples, io)
  await showRecall(memory, DECISION, io)
  await showRecall(memory, LAUNCH, io)
  for (const question of QUESTIONS) await showAnswer(memory, question, io)
  await showForget(memory, samples, io)
}

async function memorizeSamples(memory: Memory, samples: readonly Sample[], io: Io): Promise<void> {
  heading(io, messages.demoMemorize(samples.length))
  const startedAt = performance.now()
  for (const { sourceType, fileName, itemId, body } of samples) {
    await memory.memorize({ body, fileName, itemId, sourceType, userName: SAMPLE_USER.name })
  }
  const rows: string[][] = []
  for (const sample of samples) {
    const record = await waitUntilProcessed(memory, sample)
    const result = record.status === 'ready' ? messages.memories(record.memory_count) : messages.failed(record.error)
    rows.push([`  ${sample.sourceType}`, sample.fileName, result])
  }
  io.stdout.write(table(rows))
  io.stdout.write(`  ${messages.took(Math.round(performance.now() - startedAt))}\n`)
}

async function waitUntilProcessed(memory: Memory, { sourceType, itemId }: Sample): Promise<FileRecord> {
  const deadline = performance.now() + PROCESSING_DEADLINE_MS
  for (let pause = 25; performance.now() < deadline; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const record = (await memory.list({ sourceType })).files.find((file) => file.item_id === itemId)
    if (record?.status === 'ready' || record?.status === 'failed') return record
    await wait(pause)
  }
  throw new AppError('unavailable', messages.notProcessed(itemId, PROCESSING_DEADLINE_MS / 1_000))
}

async function showRecall(memory: Memory, query: RecallQuery, io: Io): Promise<void> {
  const { text, source } = query
  heading(io, source === undefined ? messages.demoRecall(text) : messages.demoRecallIn(text, source))
  io.stdout.write(recallCards(await memory.recall({ ...query, limit: 2 }), io))
}

async function showAnswer(memory: Memory, question: string, io: Io): Promise<void> {
  heading(io, messages.demoAsk(question))
  const { response } = await memory.ask({ text: question })
  for (const line of printable(response).split('\n')) io.stdout.write(wrapped(line, lineWidth(io.stdout), '  '))
}

async function showForget(memory: Memory, samples: readonly Sample[], io: Io): Promise<void> {
  const sample = samples.find(({ sourceType }) => sourceType === FORGOTTEN)
  if (sample === undefined) throw new AppError('internal', `the package holds no sample of ${FORGOTTEN}`)
  heading(io, messages.demoForget(`${sample.sourceType}/${sample.itemId}`))
  const { deleted_memories } = await memory.forget(sample)
  io.stdout.write(`  ${messages.deleted(deleted_memories)}\n`)
  await showRecall(memory, { ...DECISION, source: FORGOTTEN }, io)
}

function heading(io: Io, text: string): void {
  io.stdout.write(`\n${styleFor(io.stdout, io.env)('bold', `== ${text}`)}\n`)
}
