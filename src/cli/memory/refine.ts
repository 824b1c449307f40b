import type { Command } from 'commander'
import type { RefinementEstimate } from '../../administration/administration.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { sourceTypeArgument } from '../terminal/arguments.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'

interface Options {
  readonly source?: SourceType
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function addRefine(program: Command, context: Context): void {
  program
    .command('refine')
    .description(messages.refine)
    .option('--source <type>', messages.refineSource, sourceTypeArgument)
    .option('--dry-run', messages.refineDryRun)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.refineExample))
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
  if (items === 0) return `${messages.nothingToRefine(model)}\n`
  const reused = kept === 0 ? '' : messages.reusedAnswers(kept)
  const cost = dollars === null ? messages.priceUnknown : messages.aboutDollars(dollarText(dollars))
  const [input, output] = [thousands(estimate.input_tokens), thousands(estimate.output_tokens)]
  const takes = messages.refineCost(calls, model, reused, input, output, cost)
  if (dryRun) return `${messages.wouldRefine(items, takes)}\n`
  return `${messages.refining(queued, takes)}\n`
}

function thousands(count: number): string {
  return count.toLocaleString('en-US')
}

function dollarText(dollars: number): string {
  return dollars === 0 || dollars >= 0.01 ? dollars.toFixed(2) : dollars.toPrecision(1)
}
