import { existsSync } from 'node:fs'
import type { GrantDesk, GrantView } from '../connections/oauth/grant-desk.ts'
import { systemClock } from '../lib/clock.ts'
import { grantsOf, servingGrant, shortScope } from './connect-sources.ts'
import type { Context } from './context.ts'
import { wireGrant } from './grant-wire.ts'
import { indented, type Page, pageFor } from './page.ts'
import type { ConnectionAccess, SyncDesk } from './sync-contract.ts'
import { jsonText, printable } from './terminal-text.ts'
import { ago, ahead } from './time-words.ts'

/** What was granted, and which connections are read by it. */
export interface GrantUse {
  readonly grant: GrantView
  /** `email/me` */
  readonly connections: readonly string[]
}

/** `recalld connect --list` */
export async function listGrants({ json }: { readonly json?: boolean }, context: Context): Promise<void> {
  await using desk = await context.sync()
  const access = await desk.access()
  const uses = grantUses(await grantsIn(desk, context), access)
  const byToken = access.filter(({ by }) => by === 'token').map(nameOf)
  const waiting = access
    .filter(({ by }) => by === 'grant')
    .map(nameOf)
    .filter((name) => !uses.some(({ connections }) => connections.includes(name)))
  if (json) {
    const grants = uses.map(({ grant, connections }) => ({ ...wireGrant(grant), connections }))
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
export async function grantsIn(desk: SyncDesk, context: Context): Promise<readonly GrantView[]> {
  const isMade = context.config().databaseUrl !== undefined || existsSync(context.home().database)
  return isMade ? await (await desk.grants()).list() : []
}

export function grantUses(grants: readonly GrantView[], access: readonly ConnectionAccess[]): readonly GrantUse[] {
  return grants.map((grant) => {
    const ofFamily = grantsOf(grant.provider, grant.family, grants)
    const connections = access.filter(({ by, need }) => {
      if (by !== 'grant' || need?.provider !== grant.provider || need.family !== grant.family) return false
      return servingGrant(need.account, ofFamily) === grant
    })
    return { grant, connections: connections.map(nameOf) }
  })
}

type Families = Awaited<ReturnType<typeof familyTitles>>
type Family = Families[number]

async function familyTitles(desk: SyncDesk) {
  const grants: GrantDesk = await desk.grants()
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

function nameOf({ connector, name }: ConnectionAccess): string {
  return `${connector}/${name}`
}
