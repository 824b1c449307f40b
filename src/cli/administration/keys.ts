import { type Command, Option } from 'commander'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { KeyView } from '../../service/keys.ts'
import type { Context } from '../context.ts'
import { sourcesArgument } from '../terminal/arguments.ts'
import { table } from '../terminal/layout.ts'

interface AccountOption {
  readonly account?: string
  readonly json?: boolean
}

type NewKeyOptions = AccountOption & { readonly name: string; readonly sources: 'all' | readonly SourceType[] }

export function addKeys(program: Command, context: Context): void {
  const keys = program.command('keys').description('manage API keys, on this machine, while the service is up or down')
  const account = () => new Option('--account <id>', 'account; else the one of this home')
  const json = () => new Option('--json', 'print JSON')

  keys
    .command('list')
    .description('show the keys of an account, without their values')
    .addOption(account())
    .addOption(json())
    .action((options: AccountOption) => listKeys(context, options))
  keys
    .command('create')
    .description('make a key; its value is shown this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--sources <list>', 'all, none, or source types separated by commas', sourcesArgument, 'all')
    .addOption(account())
    .addOption(json())
    .addHelpText('after', '\nExample:\n  $ recalld keys create --name work-agent --sources slack,github')
    .action((options: NewKeyOptions) => createKey(context, options))
  keys
    .command('regenerate')
    .description('give a key a new value; the old one stops working at once')
    .argument('<key>', 'id or name')
    .addOption(account())
    .addOption(json())
    .action((key: string, options: AccountOption) => regenerateKey(context, key, options))
  keys
    .command('delete')
    .description('delete a key; it stops working at once')
    .argument('<key>', 'id or name')
    .addOption(account())
    .addOption(json())
    .action((key: string, options: AccountOption) => deleteKey(context, key, options))
}

async function listKeys(context: Context, options: AccountOption): Promise<void> {
  await using administration = await context.administration()
  const keys = await administration.service.keys.list(options.account ?? (await administration.homeAccount()))
  if (options.json) {
    context.io.stdout.write(`${jsonText(keys.map(wireKey), 2)}\n`)
    return
  }
  const rows = keys.map((key) => [
    key.id,
    key.isDefault ? `${key.name} (default)` : key.name,
    sourceText(key.sources),
    key.createdAt,
    key.lastUsedAt ?? 'never',
  ])
  context.io.stdout.write(table([['id', 'name', 'sources', 'created', 'last used'], ...rows]))
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
  stdout.write(json ? `${jsonText(wireKey(deleted), 2)}\n` : `Deleted the key "${deleted.name}".\n`)
}

function printNewKey({ io }: Context, key: KeyView & { readonly key: string }, json: boolean | undefined): void {
  if (json) {
    const { id, name, sources } = wireKey(key)
    io.stdout.write(`${jsonText({ id, name, key: key.key, sources }, 2)}\n`)
    return
  }
  io.stdout.write(`${key.key}\n`)
  io.stderr.write(
    `The key "${key.name}" (${sourceText(key.sources)}). It is shown this once: keep it in a safe place.\n`,
  )
}

function wireKey(key: KeyView) {
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
  if (sources === 'all') return 'all sources'
  return sources.length === 0 ? 'no sources' : sources.join(', ')
}
