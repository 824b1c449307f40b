import type { Command } from 'commander'
import type { RefinementEstimate } from '../../administration/administration.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { sourceTypeArgument } from '../terminal/arguments.ts'
import { counted } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'

interface Options {
  readonly source?: SourceType
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function addRefine(program: Command, context: Context): void {
  program
    .command('refine')
    .description(
      'have the language model make memories of items that were there before it, while the service is up or down',
    )
    .option('--source <type>', 'only items of this source', sourceTypeArgument)
    .option('--dry-run', 'say what it would cost, and do nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld refine --source slack --dry-run')
    .action((options: Options) => refine(options, context))
}

async function refine({ source, dryRun = false, json }: Options, context: Context): Promise<void> {
  const { stdout, stderr } = context.io
  await using administration = await context.administration()
  let progress: Progress | undefined
  const estimate = await administration.refine({
    ...(source && { source }),
    dryRun,
    onTotal: (items) => {
      progress = startProgress(stderr, items, 'items')
    },
    onItem: () => progress?.step(),
  })
  progress?.stop()
  stdout.write(json ? `${jsonText(estimate, 2)}\n` : estimateText(estimate, dryRun))
}

function estimateText(estimate: RefinementEstimate, dryRun: boolean): string {
  const { model, items, queued, calls, kept_answers: kept, dollars } = estimate
  if (items === 0) return `${model} has made memories of all items, or they are waiting for it.\n`
  const again = kept === 0 ? '' : `, ${counted(kept, 'answer', 'answers')} paid for already`
  const tokens = `about ${thousands(estimate.input_tokens)} tokens in and ${thousands(estimate.output_tokens)} out`
  const cost = dollars === null ? 'its price is not known (price in config.yaml)' : `about $${dollarText(dollars)}`
  const needs = `${counted(calls, 'call', 'calls')} of ${model}${again}, ${tokens}: ${cost}`
  if (dryRun) return `${counted(items, 'item', 'items')} would take ${needs}.\n`
  return `Queued: ${counted(queued, 'item', 'items')}, ${needs}.\n"recalld status" tells how far it is; the running service makes them.\n`
}

function thousands(count: number): string {
  return count.toLocaleString('en-US')
}

function dollarText(dollars: number): string {
  return dollars === 0 || dollars >= 0.01 ? dollars.toFixed(2) : dollars.toPrecision(1)
}
