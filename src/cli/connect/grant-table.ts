import { existsSync } from 'node:fs'
import { connectionId, type GrantUse, grantJson, grantUses } from '../../connections/grant-views.ts'
import { shortScope } from '../../connections/grantable-sources.ts'
import type { GrantView, OAuthGrants } from '../../connections/oauth/oauth-grants.ts'
import type { SyncService } from '../../connections/sync-service.ts'
import { systemClock } from '../../lib/clock.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { indented, type Page, pageFor } from '../terminal/layout.ts'
import { ago, ahead } from '../terminal/relative-time.ts'
import { messages } from './messages.ts'

/** `recalld connect --list` */
export async function listGrants({ json }: { readonly json?: boolean }, context: Context): Promise<void> {
  await using service = await context.sync()
  const access = await service.access()
  const uses = grantUses(await grantsIn(service, context), access)
  const byToken = access.filter(({ by }) => by === 'token').map(connectionId)
  const waiting = access
    .filter(({ by }) => by === 'grant')
    .map(connectionId)
    .filter((name) => !uses.some(({ connections }) => connections.includes(name)))
  if (json) {
    const grants = uses.map(({ grant, connections }) => ({ ...grantJson(grant), connections }))
    const wire = { grants, with_own_access: byToken, without_access: waiting }
    context.io.stdout.write(`${jsonText(wire, 2)}\n`)
    return
  }
  const page = pageFor(context.io, systemClock())
  const families = uses.length === 0 ? [] : await familyTitles(service)
  const blocks = uses.map((use) => grantBlock(use, families, page))
  if (blocks.length === 0) blocks.push(`${messages.noGrants}\n`)
  if (byToken.length > 0) blocks.push(indentedList(messages.withToken, byToken, page))
  if (waiting.length > 0) blocks.push(indentedList(messages.withoutAccess, waiting, page))
  context.io.stdout.write(blocks.join('\n'))
}

/** All grants; does not create a database. */
export async function grantsIn(service: SyncService, context: Context): Promise<readonly GrantView[]> {
  const hasDatabase = context.config().databaseUrl !== undefined || existsSync(context.home().database)
  return hasDatabase ? await (await service.grants()).list() : []
}

type Families = Awaited<ReturnType<typeof familyTitles>>
type Family = Families[number]

async function familyTitles(service: SyncService) {
  const grants: OAuthGrants = await service.grants()
  return (await grants.providers()).flatMap(({ id, title, families }) =>
    families.map((family) => ({ ...family, provider: id, title: `${title}: ${family.title}` })),
  )
}

function grantBlock({ grant, connections }: GrantUse, families: Families, page: Page): string {
  const isOver = grant.refusal !== undefined
  const found = families.find(({ provider, id }) => provider === grant.provider && id === grant.family)
  const title = found?.title ?? `${grant.provider} ${grant.family}`
  const head = `${printable(grant.title)}  ${title}  ${isOver ? messages.invalid : messages.valid}`
  const granted = ago(grant.grantedAt.toISOString(), page.now)
  const end = grant.expiresAt && ahead(grant.expiresAt.toISOString(), page.now)
  const lines = [
    messages.connections(connections),
    messages.scopes(grant.scopes.map(shortScope)),
    end === undefined ? messages.grantedAt(granted, grant.id) : messages.grantedUntil(granted, end, grant.id),
  ]
  const problem = isOver ? indented(`${grant.refusal} ${renewal(grant, connections, found)}`, page, 'red') : ''
  const notes = isOver ? '' : grant.notes.map((note) => indented(messages.note(note), page, 'yellow')).join('')
  return `${page.style('bold', head)}\n${lines.map((line) => indented(line, page)).join('')}${problem}${notes}`
}

function renewal({ provider, title }: GrantView, connections: readonly string[], family: Family | undefined): string {
  const [connector = family?.connectors[0] ?? provider, name] = connections[0]?.split('/') ?? []
  // A connector that is its own provider asks for a token unless told otherwise.
  const how = connector === provider ? ' --oauth' : ''
  const which = name === undefined || name === 'me' ? '' : ` --name ${name}`
  return messages.renew(connector, `${how}${which}`, printable(title))
}

function indentedList(title: string, names: readonly string[], page: Page): string {
  return `${page.style('bold', title)}\n${indented(names.join(', '), page)}`
}
