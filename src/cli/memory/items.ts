import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { integerArgument, sourceTypeArgument } from '../terminal/arguments.ts'
import { counted, table } from '../terminal/layout.ts'

interface Options {
  readonly sourceType: SourceType
  readonly limit: number
  readonly offset: number
  readonly json?: boolean
}

export function addList(program: Command, context: Context): void {
  program
    .command('list')
    .description('show the uploaded files of one source and what became of them')
    .option('--source-type <type>', 'source of the files', sourceTypeArgument, 'text' as SourceType)
    .option('--limit <n>', 'most files to show', integerArgument(1, 10_000), 1_000)
    .option('--offset <n>', 'files to pass over', integerArgument(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--json', 'print the answer of the service as it is')
    .addHelpText('after', '\nExample:\n  $ recalld list --source-type slack --limit 20')
    .action(async ({ json, ...query }: Options) => {
      const memory = await context.memory()
      const result = await memory.list(query)
      const { stdout } = context.io
      if (json) {
        stdout.write(`${jsonText(result, 2)}\n`)
        return
      }
      if (result.files.length === 0) {
        stdout.write(`No ${query.sourceType} files${query.offset > 0 ? ` after the first ${query.offset}` : ''}.\n`)
        return
      }
      const rows = result.files.map((file) => [
        file.item_id,
        file.status,
        String(file.memory_count),
        String(file.size_bytes),
        file.updated_at,
        file.error === undefined ? file.file_name : `${file.file_name}: ${file.error}`,
      ])
      stdout.write(printable(table([['item', 'status', 'memories', 'bytes', 'updated', 'file'], ...rows])))
      if (result.files.length < result.total) stdout.write(`${result.files.length} of ${result.total} files.\n`)
    })
}

export function addDownload(program: Command, context: Context): void {
  program
    .command('download')
    .description('get an uploaded file back, byte for byte')
    .argument('<item-id>')
    .addOption(
      new Option('--source-type <type>', 'source of the file; else all are searched').argParser(sourceTypeArgument),
    )
    .option('-o, --output <file>', 'file to write; refused when it exists. Without it, standard output')
    .addHelpText('after', '\nExample:\n  $ recalld download meeting-42 --output notes.md')
    .action(async (itemId: string, options: { sourceType?: SourceType; output?: string }) => {
      if (options.output !== undefined && !existsSync(dirname(resolve(options.output)))) {
        throw new AppError('not_found', `The folder ${dirname(resolve(options.output))} does not exist`)
      }
      const memory = await context.memory()
      const file = await memory.download({ itemId, sourceType: options.sourceType })
      if (options.output === undefined) {
        const { stdout } = context.io
        // A terminal gets text, so that it is cleaned; a pipe gets the bytes.
        stdout.write(stdout.isTTY ? new TextDecoder().decode(file.body) : file.body)
        return
      }
      // `wx`: a download never overwrites something else.
      await writeFile(options.output, file.body, { flag: 'wx' })
      context.io.stderr.write(`Wrote ${file.body.byteLength} bytes to ${options.output}\n`)
    })
}

export function addForget(program: Command, context: Context): void {
  program
    .command('forget')
    .description('delete an uploaded file and every memory made from it')
    .argument('<item-id>')
    .option('--source-type <type>', 'source of the file', sourceTypeArgument, 'text' as SourceType)
    .option('--json', 'print the answer of the service as it is')
    .addHelpText('after', '\nExample:\n  $ recalld forget meeting-42 --source-type google_meets')
    .action(async (itemId: string, options: { sourceType: SourceType; json?: boolean }) => {
      const memory = await context.memory()
      const result = await memory.forget({ itemId, sourceType: options.sourceType })
      const sentence = `Forgot ${result.source_type}/${result.item_id} and ${counted(result.deleted_memories, 'memory', 'memories')}.`
      context.io.stdout.write(`${options.json ? jsonText(result, 2) : sentence}\n`)
    })
}
