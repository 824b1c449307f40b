import type { Command } from 'commander'
import type { Administration } from '../../administration/administration.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { counted, table } from '../terminal/layout.ts'
import { startProgress } from '../terminal/progress.ts'

interface Json {
  readonly json?: boolean
}

const HELP = `
RECALLD_BLOB_URL names the bucket; docs/blob-storage.md says more.

Examples:
  $ recalld blobs status
  $ recalld blobs move --to s3          what was uploaded before there was a bucket
  $ recalld blobs move --to database    back; stop the service first
  $ recalld blobs check                 compare the bucket with the database, as after restoring one of them`

export function addBlobs(program: Command, context: Context): void {
  const blobs = program
    .command('blobs')
    .description('where the bytes of uploads lie: in the database, or in a bucket of S3')
    .addHelpText('after', HELP)
  blobs
    .command('status')
    .description('how many lie where, and what is still to be removed')
    .option('--json', 'print JSON')
    .action((options: Json) => showStatus(context, options))
  blobs
    .command('move')
    .description('move the bytes of older uploads, while the service runs; go on with a move that was cut off')
    .requiredOption('--to <place>', 's3 or database')
    .option('--json', 'print JSON')
    .action((options: Json & { to: string }) => move(context, options))
  blobs
    .command('check')
    .description('look for uploads without an object, and objects without an upload')
    .option('--remove-stray', 'remove objects that nothing refers to; nothing else may keep objects under this prefix')
    .option('--json', 'print JSON')
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
    [bodies.place ?? 'no bucket is set', String(inStorage.items), String(inStorage.bytes)],
  ]
  const waiting = [
    ...(garbage > 0 ? [`${counted(garbage, 'object', 'objects')} of deleted uploads will be removed.\n`] : []),
    ...(unfinished > 0 ? [`${counted(unfinished, 'upload', 'uploads')} under way, or cut off.\n`] : []),
  ]
  io.stdout.write(printable(`${table(rows)}${waiting.join('')}`))
}

async function move({ io, ...context }: Context, { to, json }: Json & { to: string }): Promise<void> {
  if (to !== 's3' && to !== 'database') {
    throw new AppError('invalid', `--to must be s3 or database, but is "${to}"`, { field: 'to' })
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
  const there = to === 's3' ? bodies.place : 'the database'
  io.stdout.write(
    json
      ? `${jsonText({ to, items, bytes }, 2)}\n`
      : `Moved the ${bytes} bytes of ${counted(items, 'upload', 'uploads')} to ${there}.\n`,
  )
  if (to === 'database') await requireNothingLeft(bodies)
}

/** Whoever takes the setting out now leaves nothing behind that only the setting reaches. */
async function requireNothingLeft(bodies: Administration['service']['bodies']): Promise<void> {
  const { inStorage, garbage, unfinished } = await bodies.stats()
  const left = [
    ...(inStorage.items > 0 ? [counted(inStorage.items, 'upload', 'uploads')] : []),
    ...(garbage > 0 ? [`${counted(garbage, 'object', 'objects')} of deleted uploads`] : []),
    ...(unfinished > 0 ? [`${counted(unfinished, 'upload', 'uploads')} under way or cut off`] : []),
  ]
  if (left.length === 0) return
  throw new AppError(
    'conflict',
    `Still in the bucket: ${left.join(', ')}. Leave RECALLD_BLOB_URL set, and do this again until nothing is; what was cut off goes 15 minutes later, and "recalld blobs check" names what the bucket lost.`,
  )
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
    io.stdout.write(`${bodies.place} holds ${counted(objects, 'object', 'objects')} of ${bytes} bytes.\n`)
    const rows = missing.map(({ accountId, itemId, sourceType }) => [accountId, sourceType, itemId])
    if (missing.length > 0) {
      io.stdout.write(printable(`Without their bytes:\n${table([['account', 'source', 'item'], ...rows])}`))
    }
    const fate = removeStray ? 'removed' : 'left; --remove-stray removes them'
    if (stray.length > 0) {
      io.stdout.write(`Objects that nothing refers to (${fate}):\n${stray.map((key) => `  ${key}\n`).join('')}`)
    }
  }
  if (missing.length > 0) {
    throw new AppError(
      'not_found',
      `The bytes of ${counted(missing.length, 'upload', 'uploads')} are lost: bring the bucket back, or upload them again.`,
    )
  }
}
