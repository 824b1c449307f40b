import type { Command } from 'commander'
import type { ConnectorView, SyncRunOptions, SyncService, SyncTarget } from '../../connections/sync-service.ts'
import { needsThePerson } from '../../domain/errors.ts'
import { MAX_CONCURRENT_SYNCS } from '../../domain/limits.ts'
import { systemClock } from '../../lib/clock.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { PreviewReport, RunReport } from '../../sync/run-report.ts'
import type { Context } from '../context.ts'
import { ExitCode, failureSentence } from '../terminal/failure.ts'
import { pageFor } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'
import { previewExitCode, previewOfError, previewText } from './preview.ts'
import { SILENT, type SyncDisplay, startSyncDisplay } from './progress-display.ts'
import { reportOfError, runExitCode, runJson, runSummary } from './run-summary.ts'

interface Options {
  readonly full?: boolean
  readonly dryRun?: boolean
  readonly wait: boolean
  readonly json?: boolean
}

export function addSync(program: Command, context: Context): void {
  program
    .command('sync')
    .description(messages.sync)
    .argument('[connector...]', messages.connectors)
    .option('--once', messages.once)
    .option('--full', messages.full)
    .option('--dry-run', messages.dryRun)
    .option('--no-wait', messages.noWait)
    .option('--json', messages.jsonLines)
    .addHelpText('after', messages.help)
    .action((names: string[], options: Options) => sync(names, options, context))
}

async function sync(names: readonly string[], options: Options, context: Context): Promise<void> {
  const code = await syncOrPreview(names, options, context).catch((error: unknown) => {
    throw needsThePerson(error) ? new ExitCode(2, failureSentence(error)) : error
  })
  if (code !== 0) throw new ExitCode(code)
}

async function syncOrPreview(names: readonly string[], options: Options, context: Context): Promise<0 | 1 | 2> {
  await using service = await context.sync()
  const targets = await service.targets(names)
  if (targets.length === 0) throw new ExitCode(2, setupHelp(await service.connectors(), context))
  return options.dryRun
    ? await previewAll(service, targets, options, context)
    : await runAll(service, targets, options, context)
}

async function runAll(service: SyncService, targets: readonly SyncTarget[], options: Options, context: Context) {
  const { stdout, stderr } = context.io
  const session = startSession(options, context)
  const reports = await session.each(
    targets,
    (target, run) => service.run(target, run).catch((error: unknown) => reportOfError(target, error)),
    (report: RunReport) => (options.json ? stdout.write(`${runJson(report)}\n`) : undefined),
  )
  if (!options.json) {
    const page = pageFor(context.io, systemClock())
    for (const report of reports) stdout.write(runSummary(report, page))
  }
  if (session.signal.aborted) {
    if (!options.json) stderr.write(`${messages.aborted(targets.length - reports.length)}\n`)
    return worst([1, ...reports.map(runExitCode)])
  }
  if (options.wait) await finish(service, session.signal, options, context)
  return worst([session.signal.aborted ? 1 : 0, ...reports.map(runExitCode)])
}

async function previewAll(service: SyncService, targets: readonly SyncTarget[], options: Options, context: Context) {
  const { stdout } = context.io
  const session = startSession(options, context)
  const previews = await session.each(
    targets,
    (target, run) => service.preview(target, run).catch((error: unknown) => previewOfError(target, error)),
    (preview: PreviewReport) => (options.json ? stdout.write(`${jsonText(preview)}\n`) : undefined),
  )
  if (!options.json) {
    const page = pageFor(context.io, systemClock())
    stdout.write(previews.map((preview) => previewText(preview, page)).join('\n'))
    const choosable = targets.filter(({ canExclude }, at) => canExclude && (previews[at]?.partitions.length ?? 0) > 1)
    for (const { connector, name } of choosable) stdout.write(`\n${messages.howToExclude(`${connector}/${name}`)}\n`)
    stdout.write(`\n${messages.dryRunEnd}\n`)
  }
  return worst([session.signal.aborted ? 1 : 0, ...previews.map(previewExitCode)])
}

/** Shows progress while connections run, and stops them at the first signal. */
function startSession(options: Options, { io, stopRequested }: Context) {
  const stop = new AbortController()
  const display = displayFor(options, io)
  void stopRequested().then((signal) => {
    stop.abort()
    display.interrupt(`${messages.stopping(signal)}\n`)
  })
  return {
    signal: stop.signal,
    /** Results in the order of `targets`, without those that a signal prevented. */
    async each<Result>(
      targets: readonly SyncTarget[],
      work: (target: SyncTarget, run: SyncRunOptions) => Promise<Result>,
      whenDone: (result: Result) => unknown,
    ): Promise<Result[]> {
      const results = new Map<SyncTarget, Result>()
      const runOne = async (target: SyncTarget): Promise<void> => {
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
      const worker = async (): Promise<void> => {
        for (const group of groups) for (const target of group) await runOne(target)
      }
      try {
        await Promise.all(Array.from({ length: MAX_CONCURRENT_SYNCS }, worker))
      } finally {
        display.stop()
      }
      return targets.flatMap((target) => results.get(target) ?? [])
    },
  }
}

/** With JSON, progress is shown only when standard error is a terminal and standard output is not. */
function displayFor({ json }: Options, { stdout, stderr }: Context['io']): SyncDisplay {
  if (json && (!stderr.isTTY || stdout.isTTY)) return SILENT
  return startSyncDisplay(stderr, systemClock)
}

/** Waits until the new items can be recalled. */
async function finish(service: SyncService, signal: AbortSignal, { json }: Options, { io }: Context): Promise<void> {
  const isShown = !json || (io.stderr.isTTY && !io.stdout.isTTY)
  let progress: Progress | undefined
  let left = 0
  try {
    await service.finish(signal, (waiting) => {
      if (!isShown) return
      if (progress === undefined) left = waiting
      if (waiting > 0) progress ??= startProgress(io.stderr, waiting, messages.itemsProcessed)
      // When others memorize at the same time and the number grows, the bar stays where it is.
      for (; left > waiting; left -= 1) progress?.step()
    })
  } catch (error) {
    if (!signal.aborted) throw error
    io.stderr.write(`${messages.stoppedWaiting}\n`)
    return
  } finally {
    progress?.stop()
  }
  if (!json && progress !== undefined) io.stdout.write(`${messages.canBeRecalled}\n`)
}

function worst(codes: readonly (0 | 1 | 2)[]): 0 | 1 | 2 {
  return codes.reduce((worse, code) => (code > worse ? code : worse), 0)
}

function setupHelp(connectors: readonly ConnectorView[], context: Context): string {
  const configured = connectors.filter((connector) => connector.configured.length > 0)
  if (configured.length > 0) {
    return messages.allPaused(configured.map(({ id }) => id))
  }
  const standalone = connectors.filter((connector) => connector.standalone)
  const others = connectors.filter((connector) => !connector.standalone)
  const lines: string[] = [messages.nothingConfigured]
  if (standalone[0] !== undefined) {
    lines.push(
      '',
      messages.needNothing,
      ...standalone.map(({ id, title }) => `  ${id} (${title})`),
      messages.syncOrConnect,
      `  $ recalld sync ${standalone[0].id}`,
      `  $ recalld connect ${standalone[0].id}`,
    )
  }
  if (others[0] !== undefined) {
    lines.push(
      '',
      messages.needSettings,
      ...others.map(({ id, title }) => `  ${id} (${title})`),
      `  $ recalld connect ${others[0].id}`,
    )
  }
  lines.push('', messages.settingsIn(context.home().config))
  return lines.join('\n')
}
