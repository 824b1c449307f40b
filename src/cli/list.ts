import type { Command } from 'commander'
import type { SourceType } from '../domain/source-type.ts'
import { jsonText, printable } from '../lib/terminal-text.ts'
import { integerArgument, sourceTypeArgument } from './arguments.ts'
import type { Context } from './context.ts'
import { table } from './style.ts'

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
