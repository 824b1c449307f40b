import type { Command } from 'commander'
import type { Context } from './context.ts'
import { printable, table } from './style.ts'

interface NewAccountOptions {
  readonly name: string
  readonly userName: string
  readonly timeZone?: string
  readonly json?: boolean
}

export function addAccounts(program: Command, context: Context): void {
  const accounts = program
    .command('accounts')
    .description('manage accounts, on this machine, while the service is up or down')

  accounts
    .command('list')
    .description('show all accounts')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listAccounts(context, options))
  accounts
    .command('create')
    .description('make an account with a user and a default key; the key is shown this once')
    .requiredOption('--name <name>', 'name of the account')
    .requiredOption('--user-name <name>', 'name of its user')
    .option('--time-zone <zone>', 'IANA time zone of the user; else the time_zone setting')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld accounts create --name acme --user-name "Mary Miller" --json')
    .action((options: NewAccountOptions) => createAccount(context, options))
}

async function listAccounts({ io, ...context }: Context, options: { json?: boolean }): Promise<void> {
  await using administration = await context.administration()
  const accounts = await administration.service.accounts.list()
  if (options.json) {
    const wire = accounts.map((account) => ({
      account_id: account.accountId,
      name: account.name,
      plan: account.plan,
      billing_status: account.billingStatus,
      created_at: account.createdAt,
    }))
    io.stdout.write(`${JSON.stringify(wire, null, 2)}\n`)
    return
  }
  const rows = accounts.map((each) => [each.accountId, each.name, each.plan, each.billingStatus, each.createdAt])
  io.stdout.write(printable(table([['account', 'name', 'plan', 'billing', 'created'], ...rows])))
}

async function createAccount({ io, ...context }: Context, options: NewAccountOptions): Promise<void> {
  await using administration = await context.administration({ create: true })
  const { name, userName } = options
  const timeZone = options.timeZone ?? context.config().timeZone
  const { accountId, userId, key } = await administration.createAccount({ name, userName, timeZone })
  if (options.json) {
    io.stdout.write(`${JSON.stringify({ account_id: accountId, user_id: userId, key }, null, 2)}\n`)
    return
  }
  io.stdout.write(`${key}\n`)
  io.stderr.write(`The default key of account ${accountId}. It is shown this once: keep it in a safe place.\n`)
}
