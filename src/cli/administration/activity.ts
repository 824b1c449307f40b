import type { Command } from 'commander'
import type { ActivityActor, ActivityEntry } from '../../domain/activity.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Service } from '../../service/service.ts'
import type { Context } from '../context.ts'
import { instantArgument, integerArgument } from '../terminal/arguments.ts'
import { table } from '../terminal/layout.ts'

interface Options {
  readonly account?: string
  readonly since?: Date
  readonly limit: number
  readonly json?: boolean
}

/** One line of the log; `number` is that of the account, and absent for a deletion of an account, which left none. */
interface Line {
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
const MOST = 100_000

export function addActivity(program: Command, context: Context): void {
  program
    .command('activity')
    .description(
      'show what happened and who did it, newest first: what was asked and uploaded, and every act of administration',
    )
    .option('--account <id>', 'of one account; else of all, and with them the accounts that were deleted')
    .option('--since <time>', 'not before, as 2026-03-04 or 2026-03-04T10:00:00Z', instantArgument)
    .option('--limit <count>', 'at most so many', integerArgument(1, MOST), DEFAULT_LIMIT)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld activity --since 2026-03-01 --json')
    .action((options: Options) => showActivity(context, options))
}

async function showActivity({ io, ...context }: Context, options: Options): Promise<void> {
  await using administration = await context.administration()
  const lines = await linesOf(administration.service, options)
  if (options.json) {
    const wire = lines.map(({ accountId, number = null, at, actor, entry }) => {
      return { account_id: accountId, number, at: at.toISOString(), actor, ...entry }
    })
    io.stdout.write(`${jsonText(wire, 2)}\n`)
    return
  }
  const rows = lines.map(({ accountId, at, actor, entry: { kind, ...details } }) => {
    const told = Object.entries(details).map(([name, value]) => `${name}=${value}`)
    return [at.toISOString(), accountId, actorName(actor), kind, told.join(' ')]
  })
  io.stdout.write(printable(table([['time', 'account', 'who', 'what', 'details'], ...rows])))
}

async function linesOf(service: Service, { account, since, limit }: Options): Promise<Line[]> {
  const accounts = (await service.accounts.list()).map(({ accountId }) => accountId)
  if (account !== undefined && !accounts.includes(account)) {
    throw new AppError('not_found', `There is no account ${account}; "recalld accounts list" shows them.`, {
      field: 'account',
    })
  }
  const query = { limit, ...(since && { since }) }
  const lines: Line[] = account === undefined ? await deletions(service, since) : []
  for (const accountId of account === undefined ? accounts : [account]) {
    const rows = await service.activity.page({ accountId, personId: '', role: 'owner' }, query)
    lines.push(...rows.map((row) => ({ accountId, ...row })))
  }
  return lines.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, limit)
}

async function deletions({ deletions: desk }: Service, since = new Date(0)): Promise<Line[]> {
  const receipts = await desk.receipts()
  return receipts
    .filter(({ deletedAt }) => deletedAt >= since)
    .map(({ accountId, deletedAt: at, by: actor, name, items }) => {
      return { accountId, at, actor, entry: { kind: 'account_deleted', name, items } }
    })
}

function actorName(actor: ActivityActor): string {
  switch (actor.type) {
    case 'server':
      return 'server'
    case 'connection':
      return actor.id
    default:
      return `${actor.type} ${actor.name ?? actor.id}`
  }
}
