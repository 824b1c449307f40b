import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import type { Command } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { Memory } from '../../domain/memory.ts'
import type { UploadResult } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { sourceTypeArgument } from '../terminal/arguments.ts'
import { failureSentence } from '../terminal/failure.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'

interface Options {
  readonly sourceType?: SourceType
  readonly itemId?: string
  readonly userName: string
  readonly replace?: boolean
  readonly json?: boolean
}

/** Concurrent uploads: enough to share a commit, few enough not to crowd out other clients. */
const CONCURRENT = 4
/** The largest file any source accepts (specification 8); larger ones are not even read. */
const LARGEST_BYTES = 20_000_000 + 1_000_000

/** Files that are of one source only; all others are `text` unless stated. */
const FILE_SOURCES: Readonly<Record<string, SourceType>> = {
  '.eml': 'email',
  '.ics': 'calendar',
  '.vcf': 'contacts',
}

export function addMemorize(program: Command, context: Context): void {
  program
    .command('memorize')
    .description(messages.memorize)
    .argument('<file...>')
    .option('--source-type <type>', messages.fileType, sourceTypeArgument)
    .option('--item-id <id>', messages.itemId)
    .option('--user-name <name>', messages.userName, context.machine.userName)
    .option('--replace', messages.replace)
    .option('--json', messages.jsonLines)
    .addHelpText('after', terminal.example(...messages.memorizeExamples))
    .action(async (files: string[], options: Options, command: Command) => {
      if (options.itemId !== undefined && files.length > 1) command.error(messages.oneFileOnly)
      await memorizeFiles(files, options, context)
    })
}

async function memorizeFiles(files: readonly string[], options: Options, context: Context): Promise<void> {
  const { stdout, stderr } = context.io
  const memory = await context.memory()
  const progress = startProgress(stderr, files.length, 'files')
  const queue = files.values()
  let failures = 0

  const uploadOne = async (file: string): Promise<void> => {
    try {
      const result = await memorizeFile(memory, file, options)
      if (options.json) stdout.write(`${jsonText({ file, ...result })}\n`)
      else if (!progress.isBar) stdout.write(`${messages.memorized(file, result.item_id)}\n`)
    } catch (error) {
      failures += 1
      const failure = uploadFailure(error)
      if (options.json) stdout.write(`${jsonText({ file, error: failure })}\n`)
      else progress.interrupt(`${file}: ${failure}\n`)
    }
    progress.step()
  }
  const worker = async (): Promise<void> => {
    for (const file of queue) await uploadOne(file)
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENT, files.length) }, worker))
  progress.stop()
  if (failures > 0) {
    throw new AppError('invalid', messages.filesFailed(failures, files.length))
  }
}

/** The error of the service, with the option of this command that resolves a conflict. */
function uploadFailure(error: unknown): string {
  const sentence = failureSentence(error)
  if (!(error instanceof AppError) || error.code !== 'conflict') return sentence
  return messages.addReplace(sentence.replace(/\.(?: Delete it first.*)?$/s, ''))
}

async function memorizeFile(memory: Memory, file: string, options: Options): Promise<UploadResult> {
  const found = await stat(file)
  if (found.isDirectory()) throw new AppError('invalid', messages.isFolder)
  if (found.size > LARGEST_BYTES) throw new AppError('too_large', messages.tooLarge(found.size))
  return await memory.memorize({
    body: await readFile(file),
    fileName: basename(file),
    userName: options.userName,
    itemId: options.itemId ?? pathItemId(file),
    sourceType: options.sourceType ?? FILE_SOURCES[extname(file).toLowerCase()],
    onConflict: options.replace ? 'replace' : 'reject',
  })
}

/** The same for the same path, so that a file is always one item; readable in a list. */
function pathItemId(file: string): string {
  const name = basename(file)
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .slice(0, 100)
  return `${name}-${createHash('sha256').update(resolve(file)).digest('hex').slice(0, 12)}`
}
