import type { Command } from 'commander'
import type {
  ModelView,
  ReindexEstimate,
  ReindexService,
  ReindexState,
  SpaceComparison,
} from '../../administration/reindex-contract.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { ExitCode } from '../terminal/failure.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { comparisonText } from './golden-text.ts'
import { messages } from './messages.ts'

interface Options {
  readonly dryRun?: boolean
  /** Absent: build, compare and switch; `true`: only switch; `false`: everything except the switch. */
  readonly switch?: boolean
  readonly rollback?: boolean
  readonly drop?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** The result of a run for --json. */
interface Outcome extends ReindexState {
  readonly switched: boolean
  readonly comparison?: readonly SpaceComparison[]
}

export function addReindex(program: Command, context: Context): void {
  program
    .command('reindex')
    .description(messages.reindex)
    .option('--dry-run', messages.reindexDryRun)
    .option('--switch', messages.switch)
    .option('--no-switch', messages.noSwitch)
    .option('--rollback', messages.rollback)
    .option('--drop', messages.drop)
    .option('--force', messages.force)
    .option('--json', terminal.json)
    .addHelpText('after', messages.reindexHelp)
    .action(async (options: Options, command: Command) => {
      const { dryRun, rollback, drop: drops, switch: switches } = options
      if ([dryRun, rollback, drops, switches !== undefined].filter((flag) => flag === true).length > 1) {
        command.error(messages.oneOnly)
      }
      await using service = await context.reindex()
      if (dryRun) await showEstimate(service, context, options)
      else if (drops) await drop(service, context, options)
      else if (rollback) await rollBack(service, context, options)
      else if (switches === true) await switchToBuilt(service, context, options)
      else await reindex(service, context, options)
    })
}

async function showEstimate(service: ReindexService, { io }: Context, { json }: Options): Promise<void> {
  const found = await service.estimate()
  const { configured: model } = await service.state()
  io.stdout.write(json ? `${jsonText({ model, ...found }, 2)}\n` : estimateText(model, found))
}

function estimateText({ name }: ModelView, { texts, tokens, dollars, seconds }: ReindexEstimate): string {
  if (texts === 0) return `${messages.allEmbedded(printable(name))}\n`
  const price = dollars === undefined ? messages.priceUnknown : messages.dollars(dollars.toFixed(dollars < 1 ? 4 : 2))
  const time = seconds < 90 ? `${Math.ceil(seconds)} s` : messages.minutes(Math.ceil(seconds / 60))
  const size = messages.textsAndTokens(texts, tokens.toLocaleString('en-US'))
  return `${messages.estimate(printable(name), size, price, time)}\n`
}

async function drop(service: ReindexService, { io }: Context, { json }: Options): Promise<void> {
  const dropped = await service.drop()
  if (json) io.stdout.write(`${jsonText({ dropped }, 2)}\n`)
  else if (dropped.length === 0) io.stdout.write(`${messages.nothingToDrop}\n`)
  else for (const { name } of dropped) io.stdout.write(`${messages.dropped(printable(name))}\n`)
}

async function rollBack(service: ReindexService, context: Context, options: Options): Promise<void> {
  await service.rollBack()
  const state = await service.state()
  printOutcome(context, options, { ...state, switched: true })
  const { active, configured } = state
  if (active.space_id === configured.space_id || options.json) return
  const [named, used] = [printable(configured.name), printable(active.name)]
  const hint = active.is_built_in ? messages.removeFromConfig(named) : messages.nameInConfig(named, used)
  context.io.stderr.write(`${hint}\n`)
}

async function switchToBuilt(service: ReindexService, context: Context, options: Options): Promise<void> {
  const { configured, building } = await service.state()
  if (building?.space_id !== configured.space_id) {
    throw new AppError('conflict', messages.nothingBuilt)
  }
  const missing = await service.missing()
  if (missing > 0) {
    throw new AppError('conflict', messages.textsMissing(missing, configured.name))
  }
  await service.switchOver()
  printOutcome(context, options, { ...(await service.state()), switched: true })
}

/** Builds the vectors of the configured model, compares golden questions and switches. */
export async function reindex(service: ReindexService, context: Context, options: Options): Promise<void> {
  const { configured, active } = await service.state()
  if (configured.space_id === active.space_id) {
    return printOutcome(context, options, { ...(await service.state()), switched: false })
  }
  // The built-in model always has all its vectors, so there is nothing to build or compare.
  const comparison = configured.is_built_in ? [] : await build(service, context, options)
  if (!options.json) {
    const hasOthers = comparison.length > 1
    for (const account of comparison) context.io.stdout.write(comparisonText(account, context.io, hasOthers))
  }
  const isWorse = comparison.some((account) => account.clearly_worse)
  const wanted = options.switch !== false
  const switched = wanted && (options.force === true || !isWorse)
  if (switched) await service.switchOver()
  printOutcome(context, options, { ...(await service.state()), switched, comparison })
  if (wanted && !switched) {
    throw new ExitCode(1, messages.clearlyWorse)
  }
}

/** Stops at a signal, and keeps the vectors built by then. */
async function build(service: ReindexService, context: Context, { json }: Options): Promise<SpaceComparison[]> {
  const { stderr } = context.io
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort(new ExitCode(1, messages.stopped)))
  let bar: Progress | undefined
  let filled = 0
  let problem: string | undefined
  try {
    await service.build((progress) => {
      if (json) return
      bar ??= startProgress(stderr, progress.chunks, 'texts')
      if (progress.problem !== undefined && progress.problem !== problem) {
        bar.interrupt(`${messages.retrying(printable(progress.problem))}\n`)
      }
      problem = progress.problem
      bar.step(progress.filled - filled)
      filled = progress.filled
    }, stop.signal)
  } finally {
    bar?.stop()
  }
  return service.compare()
}

function printOutcome({ io }: Context, { json }: Options, outcome: Outcome): void {
  const { active, previous, building, switched } = outcome
  if (json) {
    io.stdout.write(`${jsonText(outcome, 2)}\n`)
    return
  }
  const name = printable(active.name)
  io.stdout.write(`${switched ? messages.nowUsed(name) : messages.inUse(name)}\n`)
  if (building !== undefined) {
    io.stdout.write(`${messages.built(printable(building.name))}\n`)
  } else if (previous !== undefined) {
    io.stdout.write(`${messages.canRollBack(printable(previous.name))}\n`)
  }
}
