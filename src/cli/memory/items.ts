import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { AppError } from '../../domain/errors.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { integerArgument, sourceTypeArgument } from '../terminal/arguments.ts'
import { cut, table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly sourceType: SourceType
  readonly connector?: string
  readonly tag?: string
  readonly limit: number
  readonly offset: number
  readonly json?: boolean
}

const TITLE_CHARACTERS = 60

export function addList(program: Command, context: Context): void {
  program
    .command('list')
    .description(messages.list)
    .option('--source-type <type>', messages.listSource, sourceTypeArgument, 'text' as SourceType)
    .option('--connector <name>', messages.listConnector)
    .option('--tag <tag>', messages.listTag)
    .option('--limit <n>', messages.mostItems, integerArgument(1, 10_000), 1_000)
    .option('--offset <n>', messages.offset, integerArgument(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.listExample))
    .action(async ({ json, ...query }: Options, command: Command) => {
      const memory = await context.memory()
      const result = await memory.list(query)
      const { stdout, stderr } = context.io
      if (!json && isDefaultSource(command)) stderr.write(`${messages.onlyText}\n`)
      if (json) {
        stdout.write(`${jsonText(result, 2)}\n`)
        return
      }
      if (result.files.length === 0) {
        stdout.write(`${messages.noItems(query.sourceType, query.offset)}\n`)
        return
      }
      const rows = result.files.map((file) => [
        file.item_id,
        cut(file.title ?? file.file_name, TITLE_CHARACTERS),
        file.status,
        String(file.memory_count),
        file.updated_at.slice(0, 'yyyy-mm-dd'.length),
        cut((file.tags ?? []).join(', '), TITLE_CHARACTERS),
        file.error ?? '',
      ])
      const optional = ['tags', 'error'].map((name, i) => (rows.some((row) => row.at(i - 2)) ? name : ''))
      const head = ['item', 'title', 'status', 'memories', 'updated', ...optional]
      stdout.write(printable(table([head, ...rows])))
      if (result.files.length < result.total)
        stdout.write(`${messages.itemsShown(result.files.length, result.total)}\n`)
    })
}

export function addDownload(program: Command, context: Context): void {
  program
    .command('download')
    .description(messages.download)
    .argument('<item-id>')
    .addOption(new Option('--source-type <type>', messages.downloadSource).argParser(sourceTypeArgument))
    .option('-o, --output <file>', messages.output)
    .addHelpText('after', terminal.example(messages.downloadExample))
    .action(async (itemId: string, options: { sourceType?: SourceType; output?: string }) => {
      if (options.output !== undefined && !existsSync(dirname(resolve(options.output)))) {
        throw new AppError('not_found', messages.noFolder(dirname(resolve(options.output))))
      }
      const memory = await context.memory()
      const file = await memory.download({ itemId, sourceType: options.sourceType })
      if (options.output === undefined) {
        const { stdout } = context.io
        // Text for a terminal is cleaned of control characters; a pipe gets the bytes.
        stdout.write(stdout.isTTY ? new TextDecoder().decode(file.body) : file.body)
        return
      }
      // `wx`: a download never overwrites something else.
      await writeFile(options.output, file.body, { flag: 'wx' })
      context.io.stderr.write(`${messages.downloaded(file.body.byteLength, options.output)}\n`)
    })
}

export function addTag(program: Command, context: Context): void {
  program
    .command('tag')
    .description(messages.tag)
    .argument('<item-id>')
    .argument('[tag...]', messages.tagArgument)
    .option('--remove', messages.untag)
    .option('--source-type <type>', messages.itemSource, sourceTypeArgument, 'text' as SourceType)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.tagExample))
    .action(
      async (
        itemId: string,
        tags: string[],
        { remove = false, sourceType, json }: { remove?: boolean; sourceType: SourceType; json?: boolean },
        command: Command,
      ) => {
        if (remove && tags.length === 0) command.error(messages.tagsToRemove)
        const memory = await context.memory()
        const ref = { itemId, sourceType }
        const change = { ...ref, ...(remove ? { remove: tags } : { add: tags }) }
        const result = await withSourceHint(command, tags.length === 0 ? memory.tags(ref) : memory.tag(change))
        const sentence = messages.tagged(`${result.source_type}/${result.item_id}`, result.tags)
        context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
      },
    )
}

export function addForget(program: Command, context: Context): void {
  program
    .command('forget')
    .description(messages.forget)
    .argument('<item-id>')
    .option('--source-type <type>', messages.itemSource, sourceTypeArgument, 'text' as SourceType)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.forgetExample))
    .action(async (itemId: string, options: { sourceType: SourceType; json?: boolean }, command: Command) => {
      const memory = await context.memory()
      const result = await withSourceHint(command, memory.forget({ itemId, sourceType: options.sourceType }))
      const sentence = messages.forgot(`${result.source_type}/${result.item_id}`, result.deleted_memories)
      context.io.stdout.write(`${options.json ? jsonText(result, 2) : sentence}\n`)
    })
}

/** Adds how to name another source to "not found", because `recall` shows items of all sources. */
async function withSourceHint<T>(command: Command, found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (!isDefaultSource(command) || !(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new AppError('not_found', `${error.message} ${messages.otherSource}`, { cause: error })
  }
}

function isDefaultSource(command: Command): boolean {
  return command.getOptionValueSource('sourceType') === 'default'
}
