import { type Command, Option } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { BillingView } from '../../service/billing.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'

interface Options {
  readonly account?: string
  readonly json?: boolean
}

interface SetOptions extends Options {
  readonly plan?: string
  readonly status?: 'active' | 'past_due'
}

export function addBilling(program: Command, context: Context): void {
  const billing = program
    .command('billing')
    .description('plan and billing status of an account, on this machine, while the service is up or down')
  const account = () => new Option('--account <id>', 'account; else the one of this home')
  const json = () => new Option('--json', 'print JSON')

  billing
    .command('show')
    .description('show plan, status and what is used of the quotas')
    .addOption(account())
    .addOption(json())
    .action(async (options: Options) => {
      await using administration = await context.administration()
      const id = options.account ?? (await administration.homeAccount())
      print(context, await administration.service.billing.show(id), options)
    })
  billing
    .command('set')
    .description('change plan, status or both')
    .option('--plan <plan>', 'a plan of config/plans.yaml')
    .addOption(
      new Option('--status <status>', 'past_due answers every request with 402').choices(['active', 'past_due']),
    )
    .addOption(account())
    .addOption(json())
    .addHelpText('after', '\nExample:\n  $ recalld billing set --plan self-hosted --status active')
    .action(async ({ json: _, ...change }: SetOptions, command: Command) => {
      if (change.plan === undefined && change.status === undefined)
        command.error('error: give --plan, --status or both')
      await using administration = await context.administration()
      const id = change.account ?? (await administration.homeAccount())
      print(context, await administration.service.billing.set({ ...change, account: id }), command.opts())
    })
}

function print({ io }: Context, billing: BillingView, options: Options): void {
  if (options.json) {
    const { accountId, plan, status, usage } = billing
    io.stdout.write(`${jsonText({ account_id: accountId, plan, status, usage }, 2)}\n`)
    return
  }
  const rows = Object.entries(billing.usage).map(([name, { used, allowed }]) => [
    name,
    String(used),
    allowed === null ? 'unlimited' : String(allowed),
  ])
  io.stdout.write(`Account ${billing.accountId}: plan ${billing.plan}, ${billing.status}\n`)
  if (rows.length > 0) io.stdout.write(table([['quota', 'used', 'allowed'], ...rows]))
}
