import type { Command } from 'commander'
import type { ConnectorView, SyncRunOptions, SyncService, SyncTarget } from '../../connections/sync-service.ts'
import { needsThePerson } from '../../domain/errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { PreviewReport, RunReport } from '../../sync/run-report.ts'
import type { Context } from '../context.ts'
import { ExitCode, failureSentence } from '../terminal/failure.ts'
import { pageFor } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { previewExitCode, previewOfError, previewText } from './preview.ts'
import { SILENT, type SyncDisplay, startSyncDisplay } from './progress-display.ts'
import { reportOfError, runExitCode, runJson, runSummary } from './run-summary.ts'

interface Options {
  readonly full?: boolean
  readonly dryRun?: boolean
  readonly wait: boolean
  readonly json?: boolean
}

/** Different connectors ask different providers; more than two at a time would only take turns at memorizing. */
const CONNECTORS_AT_A_TIME = 2

const HELP = `
Examples:
  $ recalld sync                         everything that is configured and not paused
  $ recalld sync slack github/me         all of Slack, and one connection of GitHub
  $ recalld sync technical_docs --dry-run
  */30 * * * * recalld sync --once --json >> sync.log      in a crontab, instead of a service

Exit codes: 0 all is well; 1 something failed or is still to be taken, and is tried again by the next run;
2 a connector needs attention: access or a setting.`

export function addSync(program: Command, context: Context): void {
  program
    .command('sync')
    .description('read the configured sources now, and memorize what is new or has changed')
    .argument('[connector...]', 'a connector such as slack, or one connection such as slack/acme; else all')
    .option('--once', 'one run, then end; what this command does anyway, for crontabs that should say so')
    .option('--full', 'read everything from the beginning and compare; what is unchanged stays as it is')
    .option('--dry-run', 'show what would be taken, and memorize nothing')
    .option('--no-wait', 'end before what was memorized has been processed')
    .option('--json', 'print one JSON object for each connection, each on its line')
    .addHelpText('after', HELP)
    .action((names: string[], options: Options) => sync(names, options, context))
}

async function sync(names: readonly string[], options: Options, context: Context): Promise<void> {
  const code = await syncOrPreview(names, options, context).catch((error: unknown) => {
    throw needsThePerson(error) ? new ExitCode(2, failureSentence(error)) : error
  })
  if (code !== 0) throw new ExitCode(code)
}

async function syncOrPreview(names: readonly string[], options: Options, context: Context): Promise<0 | 1 | 2> {
  await using desk = await context.sync()
  const targets = await desk.targets(names)
  if (targets.length === 0) throw new ExitCode(2, howToBegin(await desk.connectors(), context))
  return options.dryRun
    ? await previewAll(desk, targets, options, context)
    : await runAll(desk, targets, options, context)
}

async function runAll(desk: SyncService, targets: readonly SyncTarget[], options: Options, context: Context) {
  const { stdout, stderr } = context.io
  const session = startSession(options, context)
  const reports = await session.each(
    targets,
    (target, run) => desk.run(target, run).catch((error: unknown) => reportOfError(target, error)),
    (report: RunReport) => (options.json ? stdout.write(`${runJson(report)}\n`) : undefined),
  )
  if (!options.json) {
    const page = pageFor(context.io, systemClock())
    for (const report of reports) stdout.write(runSummary(report, page))
  }
  if (session.signal.aborted) {
    if (!options.json) stderr.write(`${abortedText(targets.length - reports.length)}\n`)
    return worst([1, ...reports.map(runExitCode)])
  }
  if (options.wait) await finish(desk, session.signal, options, context)
  return worst([session.signal.aborted ? 1 : 0, ...reports.map(runExitCode)])
}

async function previewAll(desk: SyncService, targets: readonly SyncTarget[], options: Options, context: Context) {
  const { stdout } = context.io
  const session = startSession(options, context)
  const previews = await session.each(
    targets,
    (target, run) => desk.preview(target, run).catch((error: unknown) => previewOfError(target, error)),
    (preview: PreviewReport) => (options.json ? stdout.write(`${jsonText(preview)}\n`) : undefined),
  )
  if (!options.json) {
    const page = pageFor(context.io, systemClock())
    stdout.write(previews.map((preview) => previewText(preview, page)).join('\n'))
    stdout.write('\nThis was a dry run: nothing was memorized.\n')
  }
  return worst([session.signal.aborted ? 1 : 0, ...previews.map(previewExitCode)])
}

/** Shows progress and heeds the first signal to stop, while connections are worked on. */
function startSession(options: Options, { io, stopRequested }: Context) {
  const stop = new AbortController()
  const display = displayFor(options, io)
  void stopRequested().then((signal) => {
    stop.abort()
    display.interrupt(`${signal}: ending what is under way. A second signal stops at once.\n`)
  })
  return {
    signal: stop.signal,
    /** Results in the order of `targets`, without those that a signal kept from beginning. */
    async each<Result>(
      targets: readonly SyncTarget[],
      work: (target: SyncTarget, run: SyncRunOptions) => Promise<Result>,
      whenDone: (result: Result) => unknown,
    ): Promise<Result[]> {
      const results = new Map<SyncTarget, Result>()
      const one = async (target: SyncTarget): Promise<void> => {
        if (stop.signal.aborted) return
        const result = await work(target, {
          signal: stop.signal,
          full: options.full ?? false,
          onProgress: (progress) => display.show(progress, target.title ?? target.connector),
        })
        results.set(target, result)
        whenDone(result)
      }
      const groups = Map.groupBy(targets, (target) => target.connector).values()
      const lane = async (): Promise<void> => {
        for (const group of groups) for (const target of group) await one(target)
      }
      try {
        await Promise.all(Array.from({ length: CONNECTORS_AT_A_TIME }, lane))
      } finally {
        display.stop()
      }
      return targets.flatMap((target) => results.get(target) ?? [])
    },
  }
}

/** JSON goes to programs: progress beside it is for a person who watches, and never mixes with it on one terminal. */
function displayFor({ json }: Options, { stdout, stderr }: Context['io']): SyncDisplay {
  if (json && (!stderr.isTTY || stdout.isTTY)) return SILENT
  return startSyncDisplay(stderr, systemClock)
}

/** Waits until what was memorized can be recalled. */
async function finish(desk: SyncService, signal: AbortSignal, { json }: Options, { io }: Context): Promise<void> {
  const isShown = !json || (io.stderr.isTTY && !io.stdout.isTTY)
  let progress: Progress | undefined
  let left = 0
  try {
    await desk.finish(signal, (waiting) => {
      if (!isShown) return
      if (progress === undefined) left = waiting
      if (waiting > 0) progress ??= startProgress(io.stderr, waiting, 'items processed')
      // Others may memorize at the same time: when the number grows, the bar stands still.
      for (; left > waiting; left -= 1) progress?.step()
    })
  } catch (error) {
    if (!signal.aborted) throw error
    io.stderr.write('Stopped waiting. What was memorized is safe; the service or the next run processes the rest.\n')
    return
  } finally {
    progress?.stop()
  }
  if (!json && progress !== undefined) io.stdout.write('What was memorized can be recalled now.\n')
}

function abortedText(notBegun: number): string {
  const left = notBegun === 0 ? '' : ` ${notBegun} more were not begun.`
  return `Stopped.${left} What was done stays, and it is safe to run this again: it goes on from there.`
}

function worst(codes: readonly (0 | 1 | 2)[]): 0 | 1 | 2 {
  return codes.reduce((worse, code) => (code > worse ? code : worse), 0)
}

function howToBegin(connectors: readonly ConnectorView[], context: Context): string {
  const configured = connectors.filter((connector) => connector.configured.length > 0)
  if (configured.length > 0) {
    const names = configured.map(({ id }) => id).join(', ')
    return `Everything that is configured is paused (${names}). What is named runs anyway: "recalld sync ${configured[0]?.id}".`
  }
  const standalone = connectors.filter((connector) => connector.standalone)
  const others = connectors.filter((connector) => !connector.standalone)
  const lines = ['No source is configured yet.']
  if (standalone[0] !== undefined) {
    lines.push(
      '',
      'These need no settings:',
      ...standalone.map(({ id, title }) => `  ${id} (${title})`),
      'Name one to read it now, or connect it to have the service read it regularly:',
      `  $ recalld sync ${standalone[0].id}`,
      `  $ recalld connect ${standalone[0].id}`,
    )
  }
  if (others[0] !== undefined) {
    lines.push(
      '',
      'These need a token or a setting:',
      ...others.map(({ id, title }) => `  ${id} (${title})`),
      `  $ recalld connect ${others[0].id}`,
    )
  }
  lines.push('', `All settings of connectors stand below connectors: in ${context.home().config}`)
  return lines.join('\n')
}
