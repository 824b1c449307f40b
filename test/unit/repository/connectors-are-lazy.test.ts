import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { CONNECTORS } from '../../../connectors/index.ts'
import { packagePath } from '../../../src/lib/files.ts'

/** What a service does with every connector that is configured. In a process of its own, which has loaded nothing yet. */
const LOADS_ALL = `
const { registerHooks } = await import('node:module')
const urls = []
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
const { CONNECTORS } = await import(process.argv[1])
const connectors = await Promise.all(Object.values(CONNECTORS).map((load) => load()))
process.stdout.write(JSON.stringify({ ids: connectors.map(({ manifest }) => manifest.id), urls }))
`

let loaded: { readonly ids: readonly string[]; readonly urls: readonly string[] }

beforeAll(async () => {
  const args = ['--input-type=module', '--eval', LOADS_ALL, packagePath('connectors/index.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 })
  loaded = JSON.parse(stdout)
})

describe('all connectors, as a service loads them when it starts', () => {
  test('are loaded under the ids they are registered with', () => {
    expect(loaded.ids).toEqual(Object.keys(CONNECTORS))
    expect(loaded.urls.length).toBeGreaterThan(loaded.ids.length)
  })

  test.each(['googleapis', '@microsoft/microsoft-graph-client', '@slack/web-api', '@octokit/rest', 'feedsmith'])(
    'have not loaded %s, which a run loads with its first request',
    (name) => {
      const packages = loaded.urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1])
      expect(new Set(packages)).not.toContain(name)
    },
  )
})
