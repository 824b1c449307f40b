import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stringify } from 'yaml'
import { CONNECTORS } from '../../connectors/index.ts'
import type { Connector } from '../../src/connector/connector.ts'
import { percentile } from './measure.ts'
import { startServer } from './server.ts'
import type { Row } from './table.ts'

/** Nothing listens there. */
const CLOSED = 'http://127.0.0.1:9/'

/** What a connection may need; each gets what it knows. Nothing of it is read: the first runs come a year later. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  name: 'bench',
  schedule: '0 0 1 1 *',
  token: 'made-up',
  api_url: CLOSED,
  urls: [`${CLOSED}feed.xml`],
  paths: ['~/nowhere'],
}

/** Starts the service with a connection for every connector, and without any, in turn. */
export async function measureSyncStart(starts: number): Promise<Row[]> {
  const connections = await everyConnection()
  const none: number[] = []
  const all: number[] = []
  for (let start = 0; start < starts; start++) {
    none.push(await startMs({}))
    all.push(await startMs(connections))
  }
  return [
    {
      what: `start to first healthy answer, with all ${Object.keys(connections).length} connectors configured, p50`,
      budget: 2_000,
      unit: 'ms',
      measured: percentile(all, 0.5),
      baseline: percentile(none, 0.5),
      against: 'the same without connectors',
    },
  ]
}

async function startMs(connectors: Readonly<Record<string, unknown>>): Promise<number> {
  const home = mkdtempSync(path.join(tmpdir(), 'recalld-bench-'))
  const userHome = mkdtempSync(path.join(tmpdir(), 'recalld-bench-'))
  writeFileSync(path.join(home, 'config.yaml'), stringify({ connectors }))
  const server = await startServer(home, { HOME: userHome })
  await server.stop()
  rmSync(userHome, { recursive: true, force: true })
  return server.startMs
}

/** As it stands below `connectors` in config.yaml. */
async function everyConnection(): Promise<Record<string, readonly unknown[]>> {
  const entries = Object.entries(CONNECTORS).map(async ([id, load]) => [id, [settingsOf(await load())]] as const)
  return Object.fromEntries(await Promise.all(entries))
}

function settingsOf({ manifest }: Connector): Readonly<Record<string, unknown>> {
  const first = manifest.config.safeParse(SETTINGS)
  const unknown = (first.error?.issues ?? []).flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
  const settings = Object.fromEntries(Object.entries(SETTINGS).filter(([key]) => !unknown.includes(key)))
  manifest.config.parse(settings)
  return settings
}
