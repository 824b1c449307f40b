import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { Memory, UploadResult } from '../../domain/memory.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { sourceTypeArgument } from '../terminal/arguments.ts'
import { failureSentence } from '../terminal/failure.ts'
import { startProgress } from '../terminal/progress.ts'

interface Options {
  readonly sourceType?: SourceType
  readonly itemId?: string
  readonly userName: string
  readonly replace?: boolean
  readonly json?: boolean
}

/** Uploads in flight: enough to share a commit, few enough to leave the service room for others. */
const CONCURRENT = 4
/** The largest file any source accepts (specification 8); larger ones are not even read. */
const LARGEST_BYTES = 20_000_000 + 1_000_000

export function addMemorize(program: Command, context: Context): void {
  program
    .command('memorize')
    .description('upload files; memories are made from them in the background')
    .argument('<file...>')
    .option('--source-type <type>', 'what the files are; else text', sourceTypeArgument)
    .option(
      '--item-id <id>',
      'identifier of the item, for one file; else made from the path, so that a file is one item',
    )
    .option('--user-name <name>', 'whose memories these are', context.machine.userName)
    .option('--replace', 'replace items that exist; their memories stay until the new ones are ready')
    .option('--json', 'print one JSON object for each file, each on its line')
    .addHelpText(
      'after',
      '\nExamples:\n  $ recalld memorize notes/*.md\n  $ recalld memorize export.json --source-type slack',
    )
    .action(async (files: string[], options: Options, command: Command) => {
      if (options.itemId !== undefined && files.length > 1)
        command.error('error: --item-id names one item: give one file')
      await memorizeFiles(files, options, context)
    })
}

async function memorizeFiles(files: readonly string[], options: Options, context: Context): Promise<void> {
  const { stdout, stderr } = context.io
  const memory = await context.memory()
  const progress = startProgress(stderr, files.length, 'files')
  const waiting = files.values()
  let failures = 0

  const one = async (file: string): Promise<void> => {
    try {
      const result = await memorizeFile(memory, file, options)
      if (options.json) stdout.write(`${jsonText({ file, ...result })}\n`)
      else if (!progress.isBar) stdout.write(`${file}: memorized as ${result.item_id}\n`)
    } catch (error) {
      failures += 1
      const failure = uploadFailure(error)
      if (options.json) stdout.write(`${jsonText({ file, error: failure })}\n`)
      else progress.interrupt(`${file}: ${failure}\n`)
    }
    progress.step()
  }
  const lane = async (): Promise<void> => {
    for (const file of waiting) await one(file)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, files.length) }, lane))
  progress.stop()
  if (failures > 0) {
    throw new AppError('invalid', `${failures} of ${files.length} files were not memorized; the reasons are above.`)
  }
}

/** What the service says, with the remedy as this command spells it. */
function uploadFailure(error: unknown): string {
  const sentence = failureSentence(error)
  if (!(error instanceof AppError) || error.code !== 'conflict') return sentence
  return `${sentence.split(';', 1)[0]}; --replace puts this file in its place`
}

async function memorizeFile(memory: Memory, file: string, options: Options): Promise<UploadResult> {
  const found = await stat(file)
  if (found.isDirectory()) throw new AppError('invalid', 'is a folder; name its files, for example with a pattern')
  if (found.size > LARGEST_BYTES)
    throw new AppError('too_large', `has ${found.size} bytes; at most 20 MB as a PDF, 10 MB as anything else`)
  return await memory.memorize({
    body: await readFile(file),
    fileName: basename(file),
    userName: options.userName,
    itemId: options.itemId ?? itemIdOf(file),
    sourceType: options.sourceType,
    onConflict: options.replace ? 'replace' : 'reject',
  })
}

/** The same for the same path, and readable in a list: memorizing a file twice makes no second item of it. */
function itemIdOf(file: string): string {
  const name = basename(file)
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .slice(0, 100)
  return `${name}-${createHash('sha256').update(resolve(file)).digest('hex').slice(0, 12)}`
}
