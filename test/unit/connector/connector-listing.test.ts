import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { PROVIDERS } from '../../../connectors/providers.ts'
import { openHomeSync } from '../../../src/boot/sync-home.ts'
import { homeFiles } from '../../../src/config/home-folder.ts'
import { loadConfig } from '../../../src/config.ts'
import { wireConnector } from '../../../src/connections/connector-view.ts'
import type { ManifestListing } from '../../../src/connector/connector.ts'
import { connector as connectorSchema } from '../../../src/http/app/schemas/sources.ts'
import { connectorGroups } from '../../../src/web/pages/sources/connector-groups.ts'
import { madeUpConnector } from '../../lib/made-up-connector.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { runWithSync } from '../../lib/scripted-sync.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const LISTING: ManifestListing = {
  summary: 'Placards of your boards.',
  icon: 'list',
  group: 'Work',
  partNoun: { one: 'board', many: 'boards' },
  tokenSteps: ['Open https://board.test/tokens.', 'Create a token and copy it.'],
}
const board = () => madeUpConnector(undefined, { id: 'board', title: 'Board', listing: LISTING })

async function loaded<T>(registry: Readonly<Record<string, () => Promise<T>>>): Promise<T[]> {
  return Promise.all(Object.values(registry).map((load) => load()))
}

test('a connector is listed in the web app with what its manifest alone says', async () => {
  const providers = await loaded(PROVIDERS)
  const connectors = [...(await loaded(CONNECTORS)), board()].map((one) =>
    connectorSchema.parse(wireConnector(one, providers)),
  )
  const groups = connectorGroups(connectors, '')
  expect(groups.flatMap(({ connectors: members }) => members)).toHaveLength(connectors.length)
  const [work, ...others] = connectorGroups(connectors, 'placards')
  expect(others).toEqual([])
  expect(work).toMatchObject({
    title: 'Work',
    connectors: [
      {
        ...{ id: 'board', title: 'Board', summary: LISTING.summary, icon: 'list', group: 'Work' },
        ...{ part_noun: LISTING.partNoun, token_steps: LISTING.tokenSteps, secret: 'token' },
      },
    ],
  })
})

test('recalld connect lists a connector, and leads through the steps of its manifest', async () => {
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home }
  const service = () =>
    openHomeSync(loadConfig({ home, file: homeFiles(home).config, env }), {
      log: recordingLog().log,
      processInfo: {
        ...{ pid: process.pid, platform: 'linux', env, userName: 'Ada' },
        userHome: '/nonexistent',
      },
      registry: { board: async () => board() },
    })
  const list = await runWithSync({ home, service }, 'connect')
  expect(list.stdout).toMatch(/^board\s+Board\s/m)
  const led = await runWithSync(
    { home, service, stdin: Object.assign(Readable.from(['t0ken\n']), { isTTY: false }) },
    'connect',
    'board',
  )
  expect(led.stdout).toContain(
    'To connect Board:\n  1. Open https://board.test/tokens.\n  2. Create a token and copy it.\n',
  )
})

test.each([
  ['slack', /https:\/\/api\.slack\.com\/apps[\s\S]*mpim(?::|%3A)history[\s\S]*User OAuth Token/],
  ['github', /Metadata, Issues, Pull requests, Contents, Discussions/],
  ['asana', /Personal access tokens/],
])('the steps to a token of %s say where it is, and what it may read', async (id, steps) => {
  const { manifest } = (await CONNECTORS[id]?.())!
  expect(manifest.listing.tokenSteps?.join('\n')).toMatch(steps)
})
