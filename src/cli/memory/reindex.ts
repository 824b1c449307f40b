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
import { counted } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { comparisonText } from './golden-text.ts'

interface Options {
  readonly dryRun?: boolean
  /** Absent: build, compare and switch; `true`: switch only; `false`: all but the switch. */
  readonly switch?: boolean
  readonly rollback?: boolean
  readonly drop?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** What a run did, as --json prints it. */
interface Outcome extends ReindexState {
  readonly switched: boolean
  readonly comparison?: readonly SpaceComparison[]
}

const HELP = `
Examples:
  $ recalld reindex --dry-run      what it would cost
  $ recalld reindex                to the model under models: embedding in config.yaml, or back to the built-in one
  $ recalld reindex --no-switch    build and compare only; --switch switches later
  $ recalld reindex --rollback     to the model of before, whose vectors are kept until --drop or the next one

The service may be running; restart it after config.yaml was changed. An interrupted run goes on where it was.`

export function addReindex(program: Command, context: Context): void {
  program
    .command('reindex')
    .description('change the embedding model: its vectors are made beside the old ones, golden questions compared')
    .option('--dry-run', 'estimate texts, tokens, price and time; sends nothing of the memory')
    .option('--switch', 'switch to what was built, without comparing')
    .option('--no-switch', 'build and compare, and leave the old model in use')
    .option('--rollback', 'go back to the model of before')
    .option('--drop', 'remove the vectors that are not in use')
    .option('--force', 'switch although golden questions are answered clearly worse')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (options: Options, command: Command) => {
      const { dryRun, rollback, drop: drops, switch: switches } = options
      if ([dryRun, rollback, drops, switches !== undefined].filter((flag) => flag === true).length > 1) {
        command.error('error: choose one of --dry-run, --switch, --no-switch, --rollback and --drop')
      }
      await using desk = await context.reindex()
      if (dryRun) await estimate(desk, context, options)
      else if (drops) await drop(desk, context, options)
      else if (rollback) await rollBack(desk, context, options)
      else if (switches === true) await switchToBuilt(desk, context, options)
      else await reindex(desk, context, options)
    })
}

async function estimate(desk: ReindexService, { io }: Context, { json }: Options): Promise<void> {
  const found = await desk.estimate()
  const { configured: model } = await desk.state()
  io.stdout.write(json ? `${jsonText({ model, ...found }, 2)}\n` : estimateText(model, found))
}

function estimateText({ name }: ModelView, { texts, tokens, dollars, seconds }: ReindexEstimate): string {
  if (texts === 0) return `Every text has a vector of ${printable(name)} already.\n`
  const unknown = 'for a price that config.yaml does not say'
  const price = dollars === undefined ? unknown : `for $${dollars.toFixed(dollars < 1 ? 4 : 2)}`
  const time = seconds < 90 ? `${Math.ceil(seconds)} s` : counted(Math.ceil(seconds / 60), 'minute', 'minutes')
  const size = `${counted(texts, 'text', 'texts')}, about ${tokens.toLocaleString('en-US')} tokens`
  return `${printable(name)}: ${size}, ${price}, in about ${time}.\n`
}

async function drop(desk: ReindexService, { io }: Context, { json }: Options): Promise<void> {
  const dropped = await desk.drop()
  if (json) io.stdout.write(`${jsonText({ dropped }, 2)}\n`)
  else if (dropped.length === 0) io.stdout.write('There is nothing to remove.\n')
  else for (const { name } of dropped) io.stdout.write(`Removed the vectors of ${printable(name)}.\n`)
}

async function rollBack(desk: ReindexService, context: Context, options: Options): Promise<void> {
  await desk.rollBack()
  const state = await desk.state()
  print(context, options, { ...state, switched: true })
  const { active, configured } = state
  if (active.space_id === configured.space_id || options.json) return
  const wanted = active.is_built_in ? 'remove models: embedding from it' : `name ${printable(active.name)} there`
  context.io.stderr.write(`config.yaml still says ${printable(configured.name)}: ${wanted} and restart the service.\n`)
}

async function switchToBuilt(desk: ReindexService, context: Context, options: Options): Promise<void> {
  const { configured, building } = await desk.state()
  if (building?.space_id !== configured.space_id) {
    throw new AppError('conflict', 'Nothing was built to switch to: run "recalld reindex".')
  }
  const missing = await desk.missing()
  if (missing > 0) {
    const lack = `${counted(missing, 'text lacks', 'texts lack')} a vector of ${configured.name}`
    throw new AppError('conflict', `${lack}: run "recalld reindex" to make the rest.`)
  }
  await desk.switchOver()
  print(context, options, { ...(await desk.state()), switched: true })
}

async function reindex(desk: ReindexService, context: Context, options: Options): Promise<void> {
  const { configured, active } = await desk.state()
  if (configured.space_id === active.space_id) {
    return print(context, options, { ...(await desk.state()), switched: false })
  }
  // Of the built-in model all vectors are there, and questions were asked with it while the other one was not configured.
  const comparison = configured.is_built_in ? [] : await build(desk, context, options)
  if (!options.json) {
    const hasOthers = comparison.length > 1
    for (const account of comparison) context.io.stdout.write(comparisonText(account, context.io, hasOthers))
  }
  const isWorse = comparison.some((account) => account.clearly_worse)
  const wanted = options.switch !== false
  const switched = wanted && (options.force === true || !isWorse)
  if (switched) await desk.switchOver()
  print(context, options, { ...(await desk.state()), switched, comparison })
  if (wanted && !switched) {
    const sentence = 'Golden questions are answered clearly worse, so the old model stays in use'
    throw new ExitCode(1, `${sentence}; "recalld reindex --force" switches all the same.`)
  }
}

/** Until a signal: what was made by then is kept. */
async function build(desk: ReindexService, context: Context, { json }: Options): Promise<SpaceComparison[]> {
  const { stderr } = context.io
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort(new ExitCode(1, 'Stopped; run it again to go on.')))
  let bar: Progress | undefined
  let filled = 0
  let problem: string | undefined
  try {
    await desk.build((progress) => {
      if (json) return
      bar ??= startProgress(stderr, progress.chunks, 'texts')
      if (progress.problem !== undefined && progress.problem !== problem) {
        bar.interrupt(`${printable(progress.problem)} It is tried again.\n`)
      }
      problem = progress.problem
      bar.step(progress.filled - filled)
      filled = progress.filled
    }, stop.signal)
  } finally {
    bar?.stop()
  }
  return desk.compare()
}

function print({ io }: Context, { json }: Options, outcome: Outcome): void {
  const { active, previous, building, switched } = outcome
  if (json) {
    io.stdout.write(`${jsonText(outcome, 2)}\n`)
    return
  }
  const since = switched ? ' from now on' : ''
  io.stdout.write(`Questions are asked with ${printable(active.name)}${since}.\n`)
  if (building !== undefined) {
    io.stdout.write(`${printable(building.name)} is built; "recalld reindex --switch" switches to it.\n`)
  } else if (previous !== undefined) {
    io.stdout.write(`"recalld reindex --rollback" goes back to ${printable(previous.name)}.\n`)
  }
}
