import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasEngine } from '../../src/models/local/local-models.ts'
import { runCommand, startCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** Without the pipeline, which a start does not wait for: most of the time of each. */
const startApi = (env: Record<string, string>) => startUp(env, '--roles', 'api')

const up = (home: string, ...flags: string[]) => runCommand(['up', '--port', '0', ...flags], { RECALLD_HOME: home })

describe('a start that cannot be', () => {
  test('because the port is taken says so, and makes no account whose key nobody saw', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const home = join(temporaryFolder(), 'home')
    const refused = await up(home, '--port', port)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(
      `recalld: Port ${port} on 127.0.0.1 is already in use. Stop the other program, or choose another port with --port or RECALLD_PORT.\n`,
    )
    const first = await startApi({ RECALLD_HOME: home })
    expect(first.stdout()).toContain('This is the first start')
    await first.stop()
  })

  test('because the home cannot be written', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await up(join(file, 'home'))
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^recalld: The home folder .*file.home is not writable \(ENOTDIR\)\. Make it writable, .*\n$/,
    )
  })

  test('because the host is not of this machine', async () => {
    const { code, stderr } = await up(temporaryFolder(), '--host', '192.0.2.1')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'recalld: 192.0.2.1 is not an address of this machine. Set --host or RECALLD_HOST to one, such as 127.0.0.1.\n',
    })
  })

  test('because the host cannot be one', async () => {
    const { code, stderr } = await up(temporaryFolder(), '--host', '999.1.1.1')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('999.1.1.1 is not an address of this'),
    })
  })

  test('because base_url is no address', async () => {
    const { code, stderr } = await up(temporaryFolder(), '--base-url', 'http://a:b:c')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('base_url must be an address such as'),
    })
  })

  test('because config.yaml is wrong', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'config.yaml'), 'port: 1\n\nlog_levle: debug\n')
    const { code, stderr } = await up(home)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^recalld: config\.yaml line 3: there is no setting log_levle\. Did you mean log_level\?\n$/)
  })

  test('because connectors is no mapping, which keeps no other command from its work', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'config.yaml'), 'connectors: [technical_docs]\n')
    const { code, stderr } = await up(home)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^recalld: config\.yaml line 1: connectors must be a mapping, such as .*\n$/)
    const sync = await runCommand(['sync'], { RECALLD_HOME: home })
    expect(sync).toMatchObject({ code: 2, stderr: expect.stringContaining('connectors must be a mapping') })
    const withoutConnectors = await startApi({ RECALLD_HOME: home })
    expect(await runCommand(['list'], { RECALLD_HOME: home })).toMatchObject({ code: 0 })
    expect(await runCommand(['accounts', 'list'], { RECALLD_HOME: home })).toMatchObject({ code: 0 })
    await withoutConnectors.stop()
  })

  test('because a newer version wrote the database, which stays as it is', async () => {
    const home = temporaryFolder()
    const file = join(home, 'recalld.db')
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA journal_mode = wal; PRAGMA user_version = 9999')
    newer.close()
    const before = readFileSync(file)
    const { code, stderr } = await up(home)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^recalld: The database was written by a newer version of recalld .*\n$/)
    expect(readFileSync(file)).toEqual(before)
  })

  test('because the database is no database', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'recalld.db'), 'this is no database, and long enough to be looked at as one'.repeat(20))
    const { code, stderr } = await up(home)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^recalld: [^\n]+\n$/)
    expect(stderr).not.toContain('Unexpected error')
  })

  test('because another one serves from the same home, which is named', async () => {
    const home = temporaryFolder()
    const first = await startUp({ RECALLD_HOME: home })
    onTestFinished(async () => void (await first.stop()))
    const { code, stderr } = await up(home)
    expect(code).toBe(1)
    expect(stderr).toContain(`The recalld with process id ${process.pid} at ${first.address}, running since `)
  })
})

test('list names files of the same name by their paths', async () => {
  const home = temporaryFolder()
  const docs = join(home, 'docs')
  for (const folder of ['handbook', 'api']) {
    mkdirSync(join(docs, folder), { recursive: true })
    writeFileSync(join(docs, folder, 'README.md'), `# Guide\n\nThe ${folder} explains how the office works.\n`)
  }
  writeFileSync(join(home, 'config.yaml'), `connectors:\n  technical_docs: [{name: docs, paths: [${docs}]}]\n`)
  const service = await startUp({ RECALLD_HOME: home })
  await runCommand(['sync', 'technical_docs'], { RECALLD_HOME: home })
  const list = ['list', '--source-type', 'technical_docs']
  const { stdout } = await runCommand(list, { RECALLD_HOME: home })
  const { files } = JSON.parse((await runCommand([...list, '--json'], { RECALLD_HOME: home })).stdout)
  await service.stop()
  for (const folder of ['handbook', 'api'])
    expect(stdout).toMatch(new RegExp(`^file:\\w+ +${folder}/README\\.md +ready +1 +\\d{4}-\\d\\d-\\d\\d$`, 'm'))
  expect(files.map(({ title }: { title: string }) => title).toSorted()).toEqual(['api/README.md', 'handbook/README.md'])
})

test('a service starts beside a wrong connection, and its log and status name it', async () => {
  const home = temporaryFolder()
  const docs = join(home, 'docs')
  mkdirSync(docs)
  const yaml = `connectors:\n  technical_docs: [{name: docs, paths: [${docs}]}]\n  technical_doks: [{name: docs}]\n`
  writeFileSync(join(home, 'config.yaml'), yaml)
  const service = await startUp({ RECALLD_HOME: home })
  const { stdout } = await runCommand(['status'], { RECALLD_HOME: home })
  const doctor = await runCommand(['doctor'], { RECALLD_HOME: home })
  const { stderr } = await service.stop()
  const sentence = 'config.yaml line 3: unknown connector technical_doks. Did you mean technical_docs?'
  expect(stderr).toContain(sentence)
  expect(stdout).toMatch(/^technical_docs\/docs .*(healthy|running|never ran)/m)
  expect(stdout).toMatch(/^technical_doks\/\* .*needs attention/m)
  expect(stdout).toContain(sentence)
  expect(doctor.stdout).toContain(`PROBLEM  settings    ${sentence}`)
})

describe('the first start', () => {
  const ROOM = { spareResources: () => ({ cores: 2, memoryBytes: 1_000_000_000 }) }

  async function greetingOf(home: string, options: Parameters<typeof startCommand>[2]): Promise<string> {
    const args = ['up', '--port', '0', '--log-level', 'warn', '--roles', 'api']
    const service = startCommand(args, { NO_COLOR: '1', RECALLD_HOME: home }, options)
    await until(async () => service.stdout() !== '')
    await service.stop()
    return service.stdout()
  }

  test.skipIf(!hasEngine())('offers a model on a terminal, once, where the machine has room for it', async () => {
    const home = temporaryFolder()
    const offer =
      /Optional, for English text: "recalld models add minilm" .*\(\d+ MB to download, about \d+ MB of memory\)\.\n$/
    expect(await greetingOf(home, { isTerminal: 'stdout', machine: ROOM })).toMatch(offer)
    expect(await greetingOf(home, { isTerminal: 'stdout', machine: ROOM })).not.toContain('models add')
  })

  test('offers none without a terminal, or without room', async () => {
    const small = { spareResources: () => ({ cores: 1, memoryBytes: 500_000_000 }) }
    expect(await greetingOf(temporaryFolder(), { machine: ROOM })).not.toContain('models add')
    expect(await greetingOf(temporaryFolder(), { isTerminal: 'stdout', machine: small })).not.toContain('models add')
  })
})

describe('a later start', () => {
  test('makes no account, prints no key, and tells the command line where it is now', async () => {
    const home = temporaryFolder()
    const first = await startApi({ RECALLD_HOME: home })
    expect((await first.stop()).code).toBe(0)
    const second = await startApi({ RECALLD_HOME: home })
    const link = (service: typeof first) => /Open the app: (\S+\/app\/welcome#[\w-]{43})\n/.exec(service.stdout())?.[1]
    expect(link(second)).toMatch(new RegExp(`^${second.address}/`))
    expect(link(second)?.split('#')[1]).not.toBe(link(first)?.split('#')[1])
    expect(second.stdout()).toMatch(
      new RegExp(`^recalld is running at ${second.address}\\. Home: ${home}\nOpen the app: \\S+\nThis link works once`),
    )
    expect(second.stdout()).not.toContain('rk_')
    expect(JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))).toMatchObject({ base_url: second.address })
    expect((await runCommand(['list'], { RECALLD_HOME: home })).code).toBe(0)
    await second.stop()
  })

  test('leaves a config.yaml that somebody wrote as it is, and obeys it', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'config.yaml'), 'base_url: http://memory.test:9\n')
    const service = await startApi({ RECALLD_HOME: home })
    expect(service.stdout()).toContain(`recalld is running at ${service.address}, for others at http://memory.test:9.`)
    await service.stop()
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('base_url: http://memory.test:9\n')
  })

  test('of a home whose account was made before works with the credentials of that account', async () => {
    const env = { RECALLD_HOME: join(temporaryFolder(), 'home') }
    const made = await runCommand(['accounts', 'create', '--name', 'a', '--user-name', 'Ada', '--json'], env)
    const service = await startApi(env)
    const stored = JSON.parse(readFileSync(join(env.RECALLD_HOME, 'credentials.json'), 'utf8'))
    expect(stored).toEqual({ base_url: service.address, api_key: JSON.parse(made.stdout).key })
    expect((await runCommand(['list'], env)).code).toBe(0)
    await service.stop()
  })

  test('is not kept up by damaged credentials', async () => {
    const home = temporaryFolder()
    await (await startApi({ RECALLD_HOME: home })).stop()
    writeFileSync(join(home, 'credentials.json'), '{')
    const service = await startApi({ RECALLD_HOME: home })
    expect((await service.stop()).code).toBe(0)
  })

  test('warns of a variable that nothing reads', async () => {
    const service = await startApi({ RECALLD_HOME: temporaryFolder(), RECALLD_PROT: '1' })
    expect((await service.stop()).stderr).toContain('RECALLD_PROT is not a setting. Did you mean RECALLD_PORT?')
  })
})

test('a service that is stopped leaves a database in one file, and nothing that says it runs', async () => {
  const home = temporaryFolder()
  const service = await startUp({ RECALLD_HOME: home })
  await service.stop()
  const { stdout } = await runCommand(['doctor', '--json'], { RECALLD_HOME: home })
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ check: 'database', result: 'ok' }))
  expect(() => readFileSync(join(home, 'recalld.db-wal'))).toThrow('ENOENT')
  expect(() => readFileSync(join(home, 'recalld.lock.json'))).toThrow('ENOENT')
})
