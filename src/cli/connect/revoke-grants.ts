import process from 'node:process'
import { type GrantUse, grantJson, grantUses } from '../../connections/grant-views.ts'
import { isOf } from '../../connections/grantable-sources.ts'
import type { GrantView } from '../../connections/oauth/oauth-grants.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import { openPrompter } from '../terminal/prompter.ts'
import type { TokenContext } from './connect-by-token.ts'
import { grantsIn } from './grant-table.ts'
import { messages } from './messages.ts'

interface Options {
  /** The provider, if an account is known to several. */
  readonly provider: string | undefined
  readonly yes?: boolean
  readonly json?: boolean
}

/** `recalld connect --revoke ACCOUNT` */
export async function revokeGrants(account: string, options: Options, context: TokenContext): Promise<void> {
  const { io, stdin = process.stdin } = context
  await using service = await context.sync()
  const meant = meantGrants(account, options, grantUses(await grantsIn(service, context), await service.access()))
  if (options.yes !== true) {
    using prompter = openPrompter(stdin, io.stderr)
    if (!prompter.isTerminal) throw new AppError('invalid', messages.confirmNeeded)
    io.stderr.write(meant.map((use) => `${useSentence(use)}\n`).join(''))
    const answer = await prompter.ask(messages.confirmRevoke)
    if (!/^y(es)?$/i.test(answer ?? '')) throw new AppError('invalid', messages.nothingRevoked)
  }
  const stop = new AbortController()
  void context.stopRequested().then(() => stop.abort())
  const grants = await service.grants()
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
    throw new AppError('invalid', messages.noGrantOf(account))
  }
  const providers = [...new Set(found.map(({ grant }) => grant.provider))]
  if (providers.length > 1) {
    throw new AppError('invalid', messages.severalProviders(account, providers))
  }
  return found
}

function useSentence({ grant, connections }: GrantUse): string {
  return messages.accessTo(printable(grant.title), familyName(grant), connections)
}

function revokedText({ grant, connections }: GrantUse, withdrawn: boolean): string {
  const [account, family] = [printable(grant.title), familyName(grant)]
  const lines = [withdrawn ? messages.revoked(account, family) : messages.revokedHere(account, family, grant.provider)]
  if (connections.length > 0) lines.push(messages.cannotRead(connections), messages.removeConnections)
  return lines.map((line) => `${line}\n`).join('')
}

function familyName({ provider, family }: GrantView): string {
  return provider === family ? provider : `${provider} ${family}`
}
