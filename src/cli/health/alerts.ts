import type { Command } from 'commander'
import type { AlertsOverview, AlertTests } from '../../domain/alerts.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { messages } from './messages.ts'

interface Options {
  readonly test?: boolean
  readonly json?: boolean
}

export function addAlerts(program: Command, context: Context): void {
  program
    .command('alerts')
    .description(messages.alerts)
    .option('--test', messages.alertsTest)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.alertsExample))
    .action(async ({ test = false, json = false }: Options) => {
      await using sync = await context.sync()
      const write = (result: object, sentences: readonly string[]) => {
        const lines = sentences.length === 0 ? [messages.noAlerts] : sentences
        context.io.stdout.write(json ? `${jsonText(result, 2)}\n` : `${lines.map(printable).join('\n')}\n`)
      }
      if (!test) {
        const overview = await sync.alerts()
        return write(overview, overview.channels.map(channelSentence))
      }
      const result = await sync.testAlerts()
      write(result, result.tests.map(testSentence))
      const failed = result.tests.filter((one) => one.problem !== null).length
      if (failed > 0) throw new AppError('unavailable', messages.alertTestsFailed(failed))
    })
}

function channelSentence({ channel, target, last_sent_at: at, failure }: AlertsOverview['channels'][number]): string {
  if (failure !== null) return messages.alertsFail(channel, failure.since, failure.problem, failure.next_at)
  return messages.alertsGo(channel, target, at ?? undefined)
}

function testSentence({ channel, target, problem: why }: AlertTests['tests'][number]): string {
  return why === null ? messages.alertTested(channel, target) : messages.alertTestFailed(channel, why)
}

/** A line for each channel by which alerts fail. */
export function failingAlerts({ channels }: AlertsOverview): readonly string[] {
  return channels.filter(({ failure }) => failure !== null).map(channelSentence)
}

/** Whether alerts arrive; nothing when none are configured. */
export async function alertFindings(context: Context): Promise<Finding[]> {
  try {
    await using sync = await context.sync()
    const { channels } = await sync.alerts()
    return channels.map((channel) => {
      const finding = channel.failure === null ? ok : problem
      return finding('alerts', channelSentence(channel))
    })
  } catch (error) {
    return [skipped('alerts', messages.notChecked(failureSentence(error)))]
  }
}
