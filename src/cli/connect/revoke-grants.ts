import process from 'node:process'
import { type GrantUse, grantJson, grantUses } from '../../connections/grant-views.ts'
import { isOf } from '../../connections/grantable-sources.ts'
import type { GrantView } from '../../connections/oauth/oauth-grants.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import { openPrompter } from '../terminal/prompter.ts'
import type { TokenContext } from './connect-by-token.ts'
import { grantsIn } from './grant-table.ts'

interface Options {
  /** Of the grants that are meant, where an account is known to several. */
  readonly provider: string | undefined
  readonly yes?: boolean
  readonly json?: boolean
}

/** `recalld connect --revoke ACCOUNT` */
export async function revokeGrants(account: string, options: Options, context: TokenContext): Promise<void> {
  const { io, stdin = process.stdin } = context
  await using desk = await context.sync()
  const meant = meantGrants(account, options, grantUses(await grantsIn(desk, context), await desk.access()))
  if (options.yes !== true) {
    using prompter = openPrompter(stdin, io.stderr)
    if (!prompter.isTerminal) throw new AppError('invalid', 'Nobody can be asked here: confirm with --yes.')
    io.stderr.write(meant.map((use) => `${sentenceOf(use)}\n`).join(''))
    const answer = await prompter.ask('Withdraw it? (yes or no) ')
    if (!/^y(es)?$/i.test(answer ?? '')) throw new AppError('invalid', 'Nothing was withdrawn.')
  }
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort())
  const grants = await desk.grants()
  const revoked: { readonly use: GrantUse; readonly withdrawn: boolean }[] = []
  for (const use of meant) {
    const { withdrawn } = await grants.revoke(use.grant.id, stop.signal)
    revoked.push({ use, withdrawn })
  }
  if (options.json) {
    const wire = revoked.map(({ use: { grant, connections }, withdrawn }) => {
      return { ...grantJson(grant), connections, withdrawn }
    })
    io.stdout.write(`${jsonText(wire, 2)}\n`)
  } else io.stdout.write(revoked.map(({ use, withdrawn }) => revokedText(use, withdrawn)).join(''))
}

/** @throws AppError `invalid` when there is none, or an account is known to several providers */
function meantGrants(account: string, { provider }: Options, uses: readonly GrantUse[]): readonly GrantUse[] {
  const found = uses.filter(({ grant }) => {
    return isOf(grant, account) && (provider === undefined || grant.provider === provider)
  })
  if (found.length === 0) {
    throw new AppError('invalid', `Nothing was granted by ${account}: "recalld connect --list" shows what was.`)
  }
  const providers = [...new Set(found.map(({ grant }) => grant.provider))]
  if (providers.length > 1) {
    const which = providers.map((id) => `"recalld connect ${id} --revoke ${account}"`).join(' or ')
    throw new AppError('invalid', `${account} granted access at ${providers.join(' and ')}: say which by ${which}.`)
  }
  return found
}

function sentenceOf({ grant, connections }: GrantUse): string {
  const used = connections.length === 0 ? 'no connection uses it' : `it is used by ${connections.join(', ')}`
  return `Access to ${printable(grant.title)} (${namesOf(grant)}): ${used}.`
}

function revokedText({ grant, connections }: GrantUse, withdrawn: boolean): string {
  const lines = [
    withdrawn
      ? `The access to ${printable(grant.title)} (${namesOf(grant)}) was withdrawn.`
      : `The access to ${printable(grant.title)} (${namesOf(grant)}) was removed here. ${grant.provider} was not told, or did not answer: remove it in the settings of your account there as well.`,
  ]
  if (connections.length > 0) {
    lines.push(
      `${connections.join(', ')} cannot be read any more. What was read stays remembered; "recalld forget ITEM --source-type SOURCE" forgets an item, and "recalld list" shows them.`,
      'Remove these connections from config.yaml, or connect them again.',
    )
  }
  return lines.map((line) => `${line}\n`).join('')
}

function namesOf({ provider, family }: GrantView): string {
  return provider === family ? provider : `${provider} ${family}`
}
