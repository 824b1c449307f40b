import type { Command } from 'commander'
import type { ActivityActor, ActivityEntry } from '../../domain/activity.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Service } from '../../service/service.ts'
import type { Context } from '../context.ts'
import { instantArgument, integerArgument } from '../terminal/arguments.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly account?: string
  readonly since?: Date
  readonly limit: number
  readonly json?: boolean
}

/** One line of the log. `number` counts the entries of the account; a deleted account has none. */
interface ActivityLine {
  readonly accountId: string
  readonly number?: number
  readonly at: Date
  readonly actor: ActivityActor
  readonly entry: ActivityEntry | AccountDeleted
}

interface AccountDeleted {
  readonly kind: 'account_deleted'
  readonly name: string
  readonly items: number
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 100_000

export function addActivity(program: Command, context: Context): void {
  program
    .command('activity')
    .description(messages.activity)
    .option('--account <id>', messages.activityAccount)
    .option('--since <time>', messages.activitySince, instantArgument)
    .option('--limit <count>', messages.activityLimit, integerArgument(1, MAX_LIMIT), DEFAULT_LIMIT)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.activityExample))
    .action((options: Options) => showActivity(context, options))
}

async function showActivity({ io, ...context }: Context, options: Options): Promise<void> {
  await using administration = await context.administration()
  const lines = await activityLines(administration.service, options)
  if (options.json) {
    const wire = lines.map(({ accountId, number = null, at, actor, entry }) => {
      return { account_id: accountId, number, at: at.toISOString(), actor, ...entry }
    })
    io.stdout.write(`${jsonText(wire, 2)}\n`)
    return
  }
  const rows = lines.map(({ accountId, at, actor, entry: { kind, ...details } }) => {
    const fields = Object.entries(details).map(([name, value]) => `${name}=${value}`)
    return [at.toISOString(), accountId, actorName(actor), kind, fields.join(' ')]
  })
  io.stdout.write(printable(table([['time', 'account', 'who', 'what', 'details'], ...rows])))
}

async function activityLines(service: Service, { account, since, limit }: Options): Promise<ActivityLine[]> {
  const accounts = (await service.accounts.list()).map(({ accountId }) => accountId)
  if (account !== undefined && !accounts.includes(account)) {
    throw new AppError('not_found', terminal.noAccount(account), {
      field: 'account',
    })
  }
  const query = { limit, ...(since && { since }) }
  const lines: ActivityLine[] = account === undefined ? await deletedAccounts(service, since) : []
  for (const accountId of account === undefined ? accounts : [account]) {
    const rows = await service.activity.page({ accountId, personId: '', role: 'owner' }, query)
    lines.push(...rows.map((row) => ({ accountId, ...row })))
  }
  return lines.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, limit)
}

async function deletedAccounts({ deletions: accountDeletions }: Service, since = new Date(0)): Promise<ActivityLine[]> {
  const receipts = await accountDeletions.receipts()
  return receipts
    .filter(({ deletedAt }) => deletedAt >= since)
    .map(({ accountId, deletedAt: at, by: actor, name, items }) => {
      return { accountId, at, actor, entry: { kind: 'account_deleted', name, items } }
    })
}

function actorName(actor: ActivityActor): string {
  switch (actor.type) {
    case 'server':
      return messages.server
    case 'connection':
      return actor.id
    default:
      return `${actor.type} ${actor.name ?? actor.id}`
  }
}
