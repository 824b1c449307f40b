import { type Command, Option } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { BillingView } from '../../service/billing.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly account?: string
  readonly json?: boolean
}

interface SetOptions extends Options {
  readonly plan?: string
  readonly status?: 'active' | 'past_due'
}

export function addBilling(program: Command, context: Context): void {
  const billing = program.command('billing').description(messages.billing)
  const account = () => new Option('--account <id>', terminal.account)
  const json = () => new Option('--json', terminal.json)

  billing
    .command('show')
    .description(messages.showBilling)
    .addOption(account())
    .addOption(json())
    .action(async (options: Options) => {
      await using administration = await context.administration()
      const id = options.account ?? (await administration.homeAccount())
      printBilling(context, await administration.service.billing.show(id), options)
    })
  billing
    .command('set')
    .description(messages.setBilling)
    .option('--plan <plan>', messages.plan)
    .addOption(new Option('--status <status>', messages.status).choices(['active', 'past_due']))
    .addOption(account())
    .addOption(json())
    .addHelpText('after', terminal.example(messages.setBillingExample))
    .action(async ({ json: _, ...change }: SetOptions, command: Command) => {
      if (change.plan === undefined && change.status === undefined) command.error(messages.billingChangeNeeded)
      await using administration = await context.administration()
      const id = change.account ?? (await administration.homeAccount())
      printBilling(context, await administration.service.billing.set({ ...change, account: id }), command.opts())
    })
}

function printBilling({ io }: Context, billing: BillingView, options: Options): void {
  if (options.json) {
    const { accountId, plan, status, usage } = billing
    io.stdout.write(`${jsonText({ account_id: accountId, plan, status, usage }, 2)}\n`)
    return
  }
  const rows = Object.entries(billing.usage).map(([name, { used, allowed }]) => [
    name,
    String(used),
    allowed === null ? messages.unlimited : String(allowed),
  ])
  io.stdout.write(`${messages.billingOf(billing.accountId, billing.plan, billing.status)}\n`)
  if (rows.length > 0) io.stdout.write(table([['quota', 'used', 'allowed'], ...rows]))
}
