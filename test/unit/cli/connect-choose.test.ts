import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { GithubServer } from '../../fakes/github/github-server.ts'
import { runWithSync } from '../../lib/scripted-sync.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

interface Setup {
  readonly isTerminal?: boolean
  readonly config?: string
}

/** Runs `recalld connect github` at a terminal, against a local server, and types these lines after the token. */
async function connectGithub(
  server: GithubServer,
  answers: readonly string[],
  { isTerminal = true, config }: Setup = {},
  ...args: readonly string[]
) {
  const home = temporaryFolder()
  const file = join(home, 'config.yaml')
  if (config !== undefined) writeFileSync(file, config)
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal })
  for (const line of [server.token, ...answers]) stdin.write(`${line}${isTerminal ? '\r' : '\n'}`)
  const seat = { home, stdin, service: 'real', ...(isTerminal && { terminal: { columns: 200 } }) } as const
  const result = await runWithSync(seat, 'connect', 'github', '--api-url', server.url, ...args)
  const { connectors } = parse(readFileSync(file, 'utf8'))
  return { ...result, github: connectors.github[0] as Record<string, unknown> }
}

async function acmeAndAda() {
  const server = await GithubServer.start()
  for (let count = 1; count <= 45; count++) server.fake.addRepository(`acme/shop-${count}`)
  server.fake.addRepository('ada/diary', { private: true })
  server.fake.addRepository('ada/notes')
  return server
}

describe('recalld connect github at a terminal', () => {
  test('shows what the token reaches by owner, and syncs all of it by default', async () => {
    await using server = await acmeAndAda()
    const { code, stdout, stderr, github } = await connectGithub(server, [''])
    expect(code).toBe(0)
    expect(stderr).toContain('What to sync: ')
    expect(stdout).toContain('You can sync 47 repositories:\n  acme  45\n  ada   2\n')
    expect(stdout).toContain('47 of 47 chosen.\n')
    expect(github).not.toHaveProperty('repositories')
    expect(github).not.toHaveProperty('paused')
  })

  test('lists page by page and by a search, and asks again for what matches nothing', async () => {
    await using server = await acmeAndAda()
    const answers = ['list', 'more', 'list DIA', 'acme/nothing ada/*', 'acme/shop-1?, ada/notes']
    const { stdout, github } = await connectGithub(server, answers)
    const [first = '', second = ''] = stdout.split('"more" shows the other 17.\n')
    expect(first).toContain('  acme/shop-30\n')
    expect(first).not.toContain('acme/shop-31')
    expect(second).toContain('  acme/shop-31')
    expect(second.match(/ada\/diary +private/g)).toHaveLength(2)
    expect(second.match(/acme\/shop-45/g)).toHaveLength(1)
    expect(stdout).toContain('Nothing matches acme/nothing. Try again.\n')
    expect(stdout).toContain('11 of 47 chosen.\n')
    expect(github).toMatchObject({ repositories: ['acme/shop-1?', 'ada/notes'] })
  })

  test('leaves the connection paused when the person stops, so that nothing is synced unasked', async () => {
    await using server = await acmeAndAda()
    const { code, stderr, github } = await connectGithub(server, ['\u0003'])
    expect(code).toBe(1)
    expect(stderr).toContain('Stopped. github/me is saved, but paused.')
    expect(github).toMatchObject({ paused: true })
  })

  test('leaves the connection paused when the repositories can not be listed', async () => {
    await using server = await acmeAndAda()
    server.faults.push({ path: /^\/user\/repos/, times: 20, status: 404, body: { message: 'Not Found' } })
    const { code, stdout, stderr, github } = await connectGithub(server, [''])
    expect(code).toBe(1)
    expect(stdout).toContain("Couldn't list what you can sync: ")
    expect(stderr).toContain('Stopped. github/me is saved, but paused.')
    expect(github).toMatchObject({ paused: true })
  })

  test('asks nothing where the repositories are given, where the connection is there already, and in a pipe', async () => {
    await using server = await acmeAndAda()
    const given = await connectGithub(server, [], {}, '--set', 'repositories=[ada/notes]')
    expect(given).toMatchObject({ code: 0, github: { repositories: ['ada/notes'] } })
    const config = 'connectors: {github: [{name: me, exclude: [acme/*]}]}\n'
    expect(await connectGithub(server, [], { config })).toMatchObject({ code: 0, github: { exclude: ['acme/*'] } })
    const piped = await connectGithub(server, [], { isTerminal: false })
    expect(piped.code).toBe(0)
    for (const { stdout, github } of [given, piped]) {
      expect(stdout).not.toContain('You can sync')
      expect(github).not.toHaveProperty('paused')
    }
  })
})
