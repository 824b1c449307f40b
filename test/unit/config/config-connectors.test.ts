import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../../src/config.ts'
import {
  type ConnectorRegistry,
  configuredConnections,
  standaloneConnection,
} from '../../../src/connections/configured-connections.ts'
import { AppError, locatedMessage } from '../../../src/domain/errors.ts'
import { madeUpConnector } from '../../lib/made-up-connector.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const REGISTRY: ConnectorRegistry = {
  made_up: async () => madeUpConnector(),
  slow_mail: async () => madeUpConnector(undefined, { id: 'slow_mail' }),
}

function configOf(yaml: string, env: Record<string, string> = {}) {
  const home = temporaryFolder()
  const file = join(home, 'config.yaml')
  writeFileSync(file, yaml)
  return loadConfig({ home, file, env })
}

const allOf = (yaml: string, env?: Record<string, string>, registry = REGISTRY) =>
  configuredConnections(configOf(yaml, env).connectors, registry)

/** Of connections of which none is wrong. */
async function connectionsOf(yaml: string, env?: Record<string, string>, registry = REGISTRY) {
  const { connections, wrong } = await allOf(yaml, env, registry)
  for (const { problem } of wrong) throw new Error(locatedMessage(problem), { cause: problem })
  return connections
}

async function problemOf(yaml: string, env?: Record<string, string>): Promise<string> {
  const error = await connectionsOf(yaml, env).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof AppError) return locatedMessage(error)
  return error instanceof Error ? error.message : 'nothing is wrong'
}

describe('connections of config.yaml', () => {
  test('are read with the settings, defaults and dates of their connector', async () => {
    const yaml = [
      'connectors:',
      '  made_up:',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
      '    - {name: acme, token: ${TOKEN}, schedule: "*/15 * * * *", since: 2024-02-01, paused: true}',
      '    - name: ünder.way_2',
      '      rooms: [a, b]',
      '  slow_mail: [{name: acme}]',
    ]
    const connections = await connectionsOf(yaml.join('\n'), { TOKEN: 'x: {y} #' })
    expect(connections.map(({ connector, config }) => ({ id: connector.manifest.id, ...config }))).toEqual([
      {
        id: 'made_up',
        name: 'acme',
        token: 'x: {y} #',
        schedule: '*/15 * * * *',
        since: new Date('2024-02-01'),
        paused: true,
        depth: 3,
      },
      { id: 'made_up', name: 'ünder.way_2', rooms: ['a', 'b'], depth: 3 },
      { id: 'slow_mail', name: 'acme', depth: 3 },
    ])
  })

  test('are none when the section, a connector or a value is empty', async () => {
    expect(await connectionsOf('connectors:')).toEqual([])
    expect(await connectionsOf('connectors:\n  made_up:\n')).toEqual([])
    const [connection] = await connectionsOf('connectors:\n  made_up:\n  - name: a\n    token:\n')
    expect(connection?.config).toEqual({ name: 'a', depth: 3 })
  })

  test('load the connectors that are configured and no others', async () => {
    const loaded: string[] = []
    const registry = {
      made_up: async () => {
        loaded.push('made_up')
        return madeUpConnector()
      },
      slow_mail: async () => {
        loaded.push('slow_mail')
        return madeUpConnector()
      },
    }
    await connectionsOf('connectors: {made_up: [{name: a}, {name: b}]}', {}, registry)
    expect(loaded).toEqual(['made_up'])
  })

  test('can be shared parts of the file, whose lines are found too', async () => {
    const yaml = 'connectors:\n  made_up:\n  - &one\n    name: a\n    depth: 12\n  slow_mail: [*one]'
    expect(await problemOf(yaml)).toContain('config.yaml line 5: made_up/a: depth')
  })
})

describe('a wrong connection is an error that names file, line and setting, and what is allowed', () => {
  const first = (settings: string) => `port: 1\nconnectors:\n  made_up:\n  - name: acme\n    ${settings}`

  test.each([
    ['connectors: [slack]', 'line 1: connectors must be a mapping, such as connectors: {claude_code: [{name: me}]}'],
    ['connectors:\n  made_upp: []', 'line 2: unknown connector made_upp. Did you mean made_up?'],
    ['connectors:\n  constructor: []', 'line 2: unknown connector constructor. Choose one of: made_up, slow_mail'],
    [
      'connectors:\n  made_up: {name: a}',
      'line 2: made_up must be a list of connections, such as made_up: [{name: me}]',
    ],
    ['connectors:\n  made_up: [a]', 'line 2: connection 1 of made_up must be a mapping, such as {name: me}'],
    [
      'connectors:\n  made_up:\n  - name: a\n  - depth: 2',
      'line 4: connection 2 of made_up has no name. Add one, such as {name: me}',
    ],
    [
      'connectors:\n  made_up:\n  - name: a\n  - depth: 2\n    name: a',
      'line 5: made_up has two connections named a. Rename one.',
    ],
    [
      'connectors:\n  made_up:\n  - name: 2024',
      'line 3: connection 1 of made_up: name must be a text that is not empty; put it in quotes',
    ],
    [
      'connectors:\n  made_up:\n  - name: a/b',
      'line 3: made_up/a/b: name must be letters, digits and . _ -, at most 64',
    ],
    [first('tokn: x'), 'line 5: made_up/acme: there is no setting tokn. Did you mean token?'],
    [first('rooms: lobby'), 'line 5: made_up/acme: rooms must be a list of texts, as in [one, two]'],
    [
      first('rooms:\n    - a\n    - 7'),
      'line 7: made_up/acme: rooms, entry 2 must be a text that is not empty; put it',
    ],
    [first('rooms: [*.md]'), 'line 5: text that starts with * must be in quotes, as in "*.md"'],
    [first('depth: 12'), 'line 5: made_up/acme: depth must be a whole number from 1 to 9'],
    [first('mode: faster'), 'line 5: made_up/acme: mode must be one of fast, slow'],
    [first('paused: "yes"'), 'line 5: made_up/acme: paused must be true or false'],
    [first('since: last week'), 'line 5: made_up/acme: since must be a day such as 2024-01-31 or a time such as'],
    [
      first('schedule: hourly'),
      'line 5: made_up/acme: schedule must be a cron expression such as "*/15 * * * *", but is "hourly": expected 5 or 6',
    ],
    [first('schedule: "61 * * * *"'), 'but is "61 * * * *": 61 is not a valid minute'],
    [first('schedule: "0 0 31 2 *"'), 'but is "0 0 31 2 *": 31 is not a valid day of month'],
  ])('%j', async (yaml, sentence) => {
    expect(await problemOf(yaml)).toContain(sentence)
  })

  test('what a connector says itself about its settings stands as it is', async () => {
    const made = madeUpConnector()
    const either = z
      .strictObject({ name: z.string(), a: z.string().optional(), b: z.string().optional() })
      .refine(({ a, b }) => a !== undefined || b !== undefined, 'set a or b')
      .transform((value) => ({ ...value }))
    const connector = { ...made, manifest: { ...made.manifest, config: either } }
    const registry = { made_up: async () => connector }
    await expect(connectionsOf('connectors:\n  made_up: [{name: x}]', {}, registry)).rejects.toThrow(
      'config.yaml line 2: made_up/x: set a or b',
    )
    await expect(connectionsOf('connectors:\n  made_up: [{name: x, a: 1}]', {}, registry)).rejects.toThrow(
      'config.yaml line 2: made_up/x: a must be a text that is not empty; put it in quotes',
    )
  })

  test.each(['token: 4711', 'token: [secret-4711]', 'token: {secret-4711: 1}', 'token_file: 4711'])(
    'and never repeats a token: %s',
    async (settings) => {
      const problem = await problemOf(first(settings))
      expect(problem).toMatch(/^config\.yaml line 5: made_up\/acme: token(_file)? must be a text that is not empty/)
      expect(problem).not.toContain('4711')
    },
  )

  test('a variable that is not set is named', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
    expect(await problemOf(first('token: ${NOT_SET}'))).toBe(
      'config.yaml line 5: the environment variable NOT_SET is not set',
    )
  })
})

test('a wrong connection keeps no other from running', async () => {
  const yaml = [
    'connectors:',
    '  made_up:',
    '    - {name: a, depth: 12}',
    '    - {name: b}',
    '    - {name: b, depth: 2}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
    '    - {name: c, token: ${NOT_SET}}',
    '    - {depth: 2}',
    '    - {name: d, rooms: [*.md]}',
    '  made_upp: [{name: e}]',
    '  slow_mail: [{name: f}]',
  ]
  const { connections, wrong } = await allOf(yaml.join('\n'))
  expect(connections.map(({ config }) => config)).toEqual([
    { name: 'b', depth: 3 },
    { name: 'f', depth: 3 },
  ])
  expect(wrong.map(({ connector, name, problem }) => `${connector}/${name} ${locatedMessage(problem)}`)).toEqual([
    expect.stringMatching(/^made_up\/a config\.yaml line 3: .* depth must be/),
    expect.stringMatching(/^made_up\/b config\.yaml line 5: .* two connections/),
    expect.stringMatching(/^made_up\/c config\.yaml line 6: .* NOT_SET is not set/),
    expect.stringMatching(/^made_up\/#5 config\.yaml line 7: .* has no name/),
    expect.stringMatching(/^made_up\/d config\.yaml line 8: text that starts with \*/),
    expect.stringMatching(/^made_upp\/\* config\.yaml line 9: unknown connector made_upp/),
  ])
})

test('a wrong section keeps nobody from the other settings', () => {
  expect(configOf('port: 5\nconnectors: [nonsense]').port).toBe(5)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
  expect(configOf('port: 5\nconnectors: {made_up: [{name: a, token: ${NOT_SET}}]}').port).toBe(5)
})

test('a connector that needs nothing but a name has a connection without being configured', () => {
  const open = madeUpConnector(undefined, { auth: 'none' })
  expect(standaloneConnection(open)?.config).toEqual({ name: 'me', depth: 3 })
  const config = z.strictObject({ name: z.string(), folder: z.string() })
  expect(standaloneConnection({ ...open, manifest: { ...open.manifest, config } })).toBeUndefined()
})

test('a connector that needs a token has none, though its settings do not require it', () => {
  expect(standaloneConnection(madeUpConnector())).toBeUndefined()
})
