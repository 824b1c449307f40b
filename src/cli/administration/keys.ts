import { type Command, Option } from 'commander'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { KeyView } from '../../service/keys.ts'
import type { Context } from '../context.ts'
import { sourcesArgument } from '../terminal/arguments.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface AccountOption {
  readonly account?: string
  readonly json?: boolean
}

type NewKeyOptions = AccountOption & { readonly name: string; readonly sources: 'all' | readonly SourceType[] }

export function addKeys(program: Command, context: Context): void {
  const keys = program.command('keys').description(messages.keys)
  const account = () => new Option('--account <id>', terminal.account)
  const json = () => new Option('--json', terminal.json)

  keys
    .command('list')
    .description(messages.listKeys)
    .addOption(account())
    .addOption(json())
    .action((options: AccountOption) => listKeys(context, options))
  keys
    .command('create')
    .description(messages.createKey)
    .requiredOption('--name <name>', messages.keyName)
    .option('--sources <list>', messages.keySources, sourcesArgument, 'all')
    .addOption(account())
    .addOption(json())
    .addHelpText('after', terminal.example(messages.createKeyExample))
    .action((options: NewKeyOptions) => createKey(context, options))
  keys
    .command('regenerate')
    .description(messages.regenerateKey)
    .argument('<key>', messages.keyArgument)
    .addOption(account())
    .addOption(json())
    .action((key: string, options: AccountOption) => regenerateKey(context, key, options))
  keys
    .command('delete')
    .description(messages.deleteKey)
    .argument('<key>', messages.keyArgument)
    .addOption(account())
    .addOption(json())
    .action((key: string, options: AccountOption) => deleteKey(context, key, options))
}

async function listKeys(context: Context, options: AccountOption): Promise<void> {
  await using administration = await context.administration()
  const account = options.account ?? (await administration.homeAccount())
  const keys = await administration.service.keys.list(account)
  if (options.json) {
    context.io.stdout.write(`${jsonText(keys.map(keyJson), 2)}\n`)
    return
  }
  const rows = keys.map((key) => [
    key.id,
    key.isDefault ? messages.isDefault(key.name) : key.name,
    sourceText(key.sources),
    key.createdAt,
    key.lastUsedAt ?? messages.neverUsed,
  ])
  context.io.stdout.write(table([['id', 'name', 'sources', 'created', 'last used'], ...rows]))
  const { length: agents } = await administration.service.agents.list(account)
  if (agents > 0) context.io.stderr.write(`${messages.agentsElsewhere(agents)}\n`)
}

async function createKey(context: Context, { json, ...key }: NewKeyOptions): Promise<void> {
  await using administration = await context.administration()
  const account = key.account ?? (await administration.homeAccount())
  const created = await administration.service.keys.create({ ...key, account })
  printNewKey(context, created, json)
}

async function regenerateKey(context: Context, key: string, { json, ...options }: AccountOption): Promise<void> {
  await using administration = await context.administration()
  const account = options.account ?? (await administration.homeAccount())
  const regenerated = await administration.regenerateKey({ key, account })
  printNewKey(context, regenerated, json)
}

async function deleteKey(context: Context, key: string, { json, ...options }: AccountOption): Promise<void> {
  await using administration = await context.administration()
  const account = options.account ?? (await administration.homeAccount())
  const deleted = await administration.service.keys.delete({ key, account })
  const { stdout } = context.io
  stdout.write(json ? `${jsonText(keyJson(deleted), 2)}\n` : `${messages.keyDeleted(deleted.name)}\n`)
}

function printNewKey({ io }: Context, key: KeyView & { readonly key: string }, json: boolean | undefined): void {
  if (json) {
    const { id, name, sources } = keyJson(key)
    io.stdout.write(`${jsonText({ id, name, key: key.key, sources }, 2)}\n`)
    return
  }
  io.stdout.write(`${key.key}\n`)
  io.stderr.write(`${messages.newKey(key.name, sourceText(key.sources))} ${messages.keyOnce}\n`)
}

function keyJson(key: KeyView) {
  return {
    id: key.id,
    name: key.name,
    sources: key.sources,
    is_default: key.isDefault,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
  }
}

function sourceText(sources: KeyView['sources']): string {
  if (sources === 'all') return messages.allSources
  return sources.length === 0 ? messages.noSources : sources.join(', ')
}
