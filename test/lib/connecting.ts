import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import type { ConnectionAccess, ConnectorView, SyncService } from '../../src/connections/sync-service.ts'
import { type ScriptedGrants, scriptedGrants } from './scripted-grants.ts'
import { CONNECTORS, runWithSync, scriptedSync } from './scripted-sync.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const SECRET = 'made-up-client-secret'
export const WITH_ID = ['--client-id', 'made-up-id'] as const

/** Those of the scripted sync service, and three of the made-up provider. */
export const VIEWS: readonly ConnectorView[] = [
  ...CONNECTORS,
  view('mail', 'office', ['mail.read']),
  view('agenda', 'office', ['agenda.read']),
  view('films', 'films', ['https://made-up.test/auth/films.readonly']),
]

function view(id: string, family: string, scopes: readonly string[]): ConnectorView {
  const grant = { provider: 'made_up', family, scopes }
  const title = `${id[0]?.toUpperCase()}${id.slice(1)}`
  return { id, title, auth: 'oauth', configured: [], standalone: false, takesPaths: false, needs: 'a grant', grant }
}

/** A connection that is configured, read by a grant. */
export function access(connector: string, settings: { name?: string; account?: string } = {}): ConnectionAccess {
  const { name = 'me', ...account } = settings
  const scopes = [`${connector}.read`]
  return { connector, name, by: 'grant', need: { provider: 'made_up', family: 'office', scopes, ...account } }
}

export interface Setup {
  readonly grants?: ScriptedGrants
  readonly service?: Partial<SyncService>
  readonly config?: string
  /** Grants are looked for only where there is one. */
  readonly hasDatabase?: boolean
  readonly onHome?: (home: string) => void
  /** Nothing ends the input; a terminal has lines as they are typed. */
  readonly typed?: readonly string[]
  readonly isTerminal?: boolean
  /** What the person's browser does with the address that it is sent to; by default it is sent back. */
  readonly browser?: (address: URL) => unknown
  readonly stopRequested?: () => Promise<string>
}

/** Runs `recalld connect` in a home of its own, with a person at the browser. */
export async function connect(setup: Setup, ...args: readonly string[]) {
  const { grants = scriptedGrants({}), isTerminal = false, typed = [SECRET], browser = sendBack } = setup
  const home = temporaryFolder()
  const file = join(home, 'config.yaml')
  if (setup.config !== undefined) writeFileSync(file, setup.config)
  if (setup.hasDatabase) writeFileSync(join(home, 'recalld.db'), '')
  setup.onHome?.(home)
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal })
  for (const line of typed) stdin.write(`${line}${isTerminal ? '\r' : '\n'}`)
  const result = await runWithSync(
    {
      home,
      stdin,
      service: scriptedSync({ connectors: async () => VIEWS, grants: async () => grants, ...setup.service }),
      openBrowser: (url) => void browser(new URL(url)),
      ...(isTerminal && { terminal: { columns: 400 } }),
      ...(setup.stopRequested && { stopRequested: setup.stopRequested }),
    },
    'connect',
    ...args,
  )
  expect(`${result.stdout}${result.stderr}`).not.toContain(SECRET)
  return { ...result, grants, file, config: () => connectorsIn(file) }
}

/** What stands below connectors, without the comments before it. */
function connectorsIn(file: string): string {
  return /^connectors:\n[\s\S]*/m.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
}

/** The person agrees: the browser follows the redirect. */
export function sendBack(address: URL): Promise<string> {
  const back = new URL(address.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('state', address.searchParams.get('state') ?? '')
  back.searchParams.set('code', 'made-up-code')
  return fetch(back).then((response) => response.text())
}
