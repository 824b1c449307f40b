import type { Command } from 'commander'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { exportAccount, importAccount } from './archive-account.ts'
import { type DeleteAccountOptions, deleteAccount, listReceipts } from './delete-account.ts'

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
  accounts
    .command('export')
    .argument('<account>', 'id of the account')
    .argument('<file>', 'a file that does not exist yet, as acme.tar.gz')
    .description(
      'write everything of an account to one file: its items byte for byte, memories and tables as lines of JSON',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld accounts export acct_0190 acme-$(date +%F).tar.gz')
    .action((account: string, file: string, options: { json?: boolean }) =>
      exportAccount(context, account, file, options),
    )
  accounts
    .command('import')
    .argument('<file>', 'what "accounts export" wrote')
    .description(
      'bring the items of an exported account; after it was cut off, --into with the account that it made goes on',
    )
    .option('--into <account>', 'an account that is there; else a new one is made, whose key is shown this once')
    .option('--json', 'print JSON')
    .action((file: string, options: { into?: string; json?: boolean }) => importAccount(context, file, options))
  accounts
    .command('delete')
    .argument('<account>', 'id of the account')
    .description(
      'delete an account with everything in it, and print a receipt; also goes on with a deletion that was cut off',
    )
    .option('--yes', 'delete it, without which only what would go is said')
    .option('--force', 'also the account that this machine works with')
    .option('--json', 'print the receipt as JSON')
    .addHelpText('after', '\nExample:\n  $ recalld accounts delete acct_0190 --yes --json > receipt.json')
    .action((account: string, options: DeleteAccountOptions) => deleteAccount(context, account, options))
  accounts
    .command('receipts')
    .description('show the accounts that were deleted: when, by whom, how much')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listReceipts(context, options))
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
    io.stdout.write(`${jsonText(wire, 2)}\n`)
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
    io.stdout.write(`${jsonText({ account_id: accountId, user_id: userId, key }, 2)}\n`)
    return
  }
  io.stdout.write(`${key}\n`)
  io.stderr.write(`The default key of account ${accountId}. It is shown this once: keep it in a safe place.\n`)
}
