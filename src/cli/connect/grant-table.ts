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

/** `recalld connect --list` */
export async function listGrants({ json }: { readonly json?: boolean }, context: Context): Promise<void> {
  await using desk = await context.sync()
  const access = await desk.access()
  const uses = grantUses(await grantsIn(desk, context), access)
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
  const families = uses.length === 0 ? [] : await familyTitles(desk)
  const blocks = uses.map((use) => grantBlock(use, families, page))
  if (blocks.length === 0) blocks.push('Nothing was granted in a browser yet: "recalld connect" lists the sources.\n')
  if (byToken.length > 0) blocks.push(indentedList('With a token of their own', byToken, page))
  if (waiting.length > 0)
    blocks.push(indentedList('Without access; "recalld connect" with the name asks for it', waiting, page))
  context.io.stdout.write(blocks.join('\n'))
}

/** Nothing is made by looking. */
export async function grantsIn(desk: SyncService, context: Context): Promise<readonly GrantView[]> {
  const isMade = context.config().databaseUrl !== undefined || existsSync(context.home().database)
  return isMade ? await (await desk.grants()).list() : []
}

type Families = Awaited<ReturnType<typeof familyTitles>>
type Family = Families[number]

async function familyTitles(desk: SyncService) {
  const grants: OAuthGrants = await desk.grants()
  return (await grants.providers()).flatMap(({ id, title, families }) =>
    families.map((family) => ({ ...family, provider: id, title: `${title}: ${family.title}` })),
  )
}

function grantBlock({ grant, connections }: GrantUse, families: Families, page: Page): string {
  const isOver = grant.refusal !== undefined
  const found = families.find(({ provider, id }) => provider === grant.provider && id === grant.family)
  const title = found?.title ?? `${grant.provider} ${grant.family}`
  const head = `${printable(grant.title)}  ${title}  ${isOver ? 'over' : 'holds'}`
  const ends = grant.expiresAt === undefined ? '' : `, ends ${ahead(grant.expiresAt.toISOString(), page.now)}`
  const lines = [
    `connections: ${connections.length === 0 ? 'none' : connections.join(', ')}`,
    `scopes: ${grant.scopes.map(shortScope).join(', ')}`,
    `granted ${ago(grant.grantedAt.toISOString(), page.now)}${ends}; id ${grant.id}`,
  ]
  const problem = isOver ? indented(`${grant.refusal} ${renewal(grant, connections, found)}`, page, 'red') : ''
  const notes = isOver ? '' : grant.notes.map((note) => indented(`Note: ${note}`, page, 'yellow')).join('')
  return `${page.style('bold', head)}\n${lines.map((line) => indented(line, page)).join('')}${problem}${notes}`
}

function renewal({ provider, title }: GrantView, connections: readonly string[], family: Family | undefined): string {
  const [connector = family?.connectors[0] ?? provider, name] = connections[0]?.split('/') ?? []
  // A connector that has its provider to itself asks for a token otherwise.
  const how = connector === provider ? ' --oauth' : ''
  const which = name === undefined || name === 'me' ? '' : ` --name ${name}`
  return `Run "recalld connect ${connector}${how}${which} --account ${printable(title)}".`
}

function indentedList(title: string, names: readonly string[], page: Page): string {
  return `${page.style('bold', title)}\n${indented(names.join(', '), page)}`
}
