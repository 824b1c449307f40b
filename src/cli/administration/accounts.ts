import type { Command } from 'commander'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { exportAccount, importAccount } from './archive-account.ts'
import { type DeleteAccountOptions, deleteAccount, listReceipts } from './delete-account.ts'
import { messages } from './messages.ts'

interface NewAccountOptions {
  readonly name: string
  readonly userName: string
  readonly timeZone?: string
  readonly json?: boolean
}

export function addAccounts(program: Command, context: Context): void {
  const accounts = program.command('accounts').description(messages.accounts)

  accounts
    .command('list')
    .description(messages.listAccounts)
    .option('--json', terminal.json)
    .action((options: { json?: boolean }) => listAccounts(context, options))
  accounts
    .command('create')
    .description(messages.createAccount)
    .requiredOption('--name <name>', messages.accountName)
    .requiredOption('--user-name <name>', messages.userName)
    .option('--time-zone <zone>', messages.timeZone)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.createAccountExample))
    .action((options: NewAccountOptions) => createAccount(context, options))
  accounts
    .command('export')
    .argument('<account>', messages.accountId)
    .argument('<file>', messages.exportFile)
    .description(messages.exportAccount)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.exportExample))
    .action((account: string, file: string, options: { json?: boolean }) =>
      exportAccount(context, account, file, options),
    )
  accounts
    .command('import')
    .argument('<file>', messages.importFile)
    .description(messages.importAccount)
    .option('--into <account>', messages.importInto)
    .option('--json', terminal.json)
    .action((file: string, options: { into?: string; json?: boolean }) => importAccount(context, file, options))
  accounts
    .command('delete')
    .argument('<account>', messages.accountId)
    .description(messages.deleteAccount)
    .option('--yes', messages.deleteYes)
    .option('--force', messages.deleteForce)
    .option('--json', messages.receiptJson)
    .addHelpText('after', terminal.example(messages.deleteExample))
    .action((account: string, options: DeleteAccountOptions) => deleteAccount(context, account, options))
  accounts
    .command('receipts')
    .description(messages.receipts)
    .option('--json', terminal.json)
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
  io.stderr.write(`${messages.defaultKey(accountId)} ${messages.keyOnce}\n`)
}
