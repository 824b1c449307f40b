import type { Command } from 'commander'
import type { Administration } from '../../administration/administration.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'

interface Json {
  readonly json?: boolean
}

export function addBlobs(program: Command, context: Context): void {
  const blobs = program.command('blobs').description(messages.blobs).addHelpText('after', messages.blobsHelp)
  blobs
    .command('status')
    .description(messages.blobsStatus)
    .option('--json', terminal.json)
    .action((options: Json) => showStatus(context, options))
  blobs
    .command('move')
    .description(messages.blobsMove)
    .requiredOption('--to <place>', messages.blobsTo)
    .option('--json', terminal.json)
    .action((options: Json & { to: string }) => move(context, options))
  blobs
    .command('check')
    .description(messages.blobsCheck)
    .option('--remove-stray', messages.removeStray)
    .option('--json', terminal.json)
    .action((options: Json & { removeStray?: boolean }) => check(context, options))
}

async function showStatus({ io, ...context }: Context, { json }: Json): Promise<void> {
  await using administration = await context.administration()
  const { bodies } = administration.service
  const { inDatabase, inStorage, unfinished, garbage } = await bodies.stats()
  if (json) {
    const wire = { place: bodies.place ?? null, in_database: inDatabase, in_storage: inStorage, unfinished, garbage }
    io.stdout.write(`${jsonText(wire, 2)}\n`)
    return
  }
  const rows = [
    ['place', 'uploads', 'bytes'],
    ['database', String(inDatabase.items), String(inDatabase.bytes)],
    [bodies.place ?? messages.noBucket, String(inStorage.items), String(inStorage.bytes)],
  ]
  const waiting = [
    ...(garbage > 0 ? [`${messages.garbageWaits(garbage)}\n`] : []),
    ...(unfinished > 0 ? [`${messages.unfinished(unfinished)}.\n`] : []),
  ]
  io.stdout.write(printable(`${table(rows)}${waiting.join('')}`))
}

async function move({ io, ...context }: Context, { to, json }: Json & { to: string }): Promise<void> {
  if (to !== 's3' && to !== 'database') {
    throw new AppError('invalid', messages.wrongTarget(to), { field: 'to' })
  }
  await using administration = await context.administration()
  const { bodies } = administration.service
  const before = await bodies.stats()
  const progress = startProgress(io.stderr, to === 's3' ? before.inDatabase.items : before.inStorage.items, 'uploads')
  let items = 0
  let bytes = 0
  try {
    for await (const step of bodies.move(to === 's3' ? 'storage' : 'database')) {
      items += step.items
      bytes += step.bytes
      progress.step(step.items)
    }
  } finally {
    progress.stop()
  }
  const target = (to === 's3' ? bodies.place : undefined) ?? messages.database
  io.stdout.write(json ? `${jsonText({ to, items, bytes }, 2)}\n` : `${messages.moved(items, bytes, target)}\n`)
  if (to === 'database') await requireEmptyBucket(bodies)
}

/** The setting can be removed only when nothing is left in the bucket. */
async function requireEmptyBucket(bodies: Administration['service']['bodies']): Promise<void> {
  const { inStorage, garbage, unfinished } = await bodies.stats()
  const left = [
    ...(inStorage.items > 0 ? [messages.uploads(inStorage.items)] : []),
    ...(garbage > 0 ? [messages.garbage(garbage)] : []),
    ...(unfinished > 0 ? [messages.unfinished(unfinished)] : []),
  ]
  if (left.length === 0) return
  throw new AppError('conflict', messages.stillInBucket(left))
}

async function check(
  { io, ...context }: Context,
  { removeStray = false, json }: Json & { removeStray?: boolean },
): Promise<void> {
  await using administration = await context.administration()
  const { bodies } = administration.service
  const { objects, bytes, missing, stray } = await bodies.compare()
  if (removeStray) await bodies.removeStray(stray)
  if (json) {
    const wire = missing.map(({ accountId, itemId, sourceType }) => {
      return { account_id: accountId, item_id: itemId, source_type: sourceType }
    })
    io.stdout.write(`${jsonText({ objects, bytes, missing: wire, stray, removed: removeStray }, 2)}\n`)
  } else {
    io.stdout.write(`${messages.bucketHolds(bodies.place ?? messages.noBucket, objects, bytes)}\n`)
    const rows = missing.map(({ accountId, itemId, sourceType }) => [accountId, sourceType, itemId])
    if (missing.length > 0) {
      io.stdout.write(printable(`${messages.withoutBytes}\n${table([['account', 'source', 'item'], ...rows])}`))
    }
    if (stray.length > 0) {
      io.stdout.write(
        `${removeStray ? messages.strayRemoved : messages.strayKept}\n${stray.map((key) => `  ${key}\n`).join('')}`,
      )
    }
  }
  if (missing.length > 0) {
    throw new AppError('not_found', messages.bytesLost(missing.length))
  }
}
