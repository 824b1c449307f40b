import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { recalld, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const run = promisify(execFile)
const NAME = 'recalld-connector-mail-archive'

interface FakeServer extends AsyncDisposable {
  readonly url: string
  write(id: string, change: object): string
}

/** The package as `recalld create-connector` writes it, with recalld and vitest as `npm install` would. */
let created: string
let homeWithPackage: string

beforeAll(async () => {
  const folder = temporaryFolder(afterAll)
  created = join(folder, 'mail-archive')
  const { code, stderr } = await recalld(['create-connector', 'mail-archive', created], {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const modules = join(created, 'node_modules')
  mkdirSync(modules)
  symlinkSync(packagePath('.'), join(modules, 'recalld'))
  for (const name of ['vitest', '@types']) symlinkSync(packagePath(`node_modules/${name}`), join(modules, name))
  homeWithPackage = await install(folder)
})

describe('a connector in an npm package of its own', () => {
  test('is created with tests that pass, among them the contract suite', async () => {
    const vitest = packagePath('node_modules/vitest/vitest.mjs')
    const flags = ['run', '--root', '.', '--reporter', 'json', '--outputFile', 'results.json']
    await run(process.execPath, [vitest, ...flags], { cwd: created })
    const results = JSON.parse(readFileSync(join(created, 'results.json'), 'utf8'))
    expect(results).toMatchObject({ success: true, numFailedTests: 0 })
    expect(results.numPassedTests).toBeGreaterThan(10)
  })

  test('is checked by the types that the package exports', async () => {
    await run(process.execPath, [packagePath('scripts/build-types.js'), '--if-outdated'])
    const flags = '--noEmit --strict --allowJs --checkJs --module nodenext --target es2024 --lib es2024,dom,esnext'
    const tsc = [packagePath('node_modules/typescript/bin/tsc'), ...flags.split(' '), '--types', 'node']
    writeFileSync(
      join(created, 'wrong.js'),
      "import { SourceError } from 'recalld/connector'\nnew SourceError('wait', '')\n",
    )
    const checked = run(process.execPath, [...tsc, 'index.js', 'wrong.js'], { cwd: created })
    // The one error is in the wrong file.
    await expect(checked).rejects.toMatchObject({ stdout: expect.stringMatching(/^wrong\.js.*"wait".*\n$/) })
  })

  test('is installed, and synchronized like the connectors of recalld', async () => {
    const { home, env } = installed()
    await using source = await fakeServer()
    configure(home, {
      packages: [NAME],
      connectors: `  mail_archive:\n  - {name: me, token: secret, api_url: '${source.url}'}\n`,
    })
    const first = await recalld(['sync', '--json'], env)
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
    source.write('keys', { deleted: true })
    source.write('tea', { text: 'The green tea is on the top shelf.' })
    expect(await recalld(['sync', 'mail_archive'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 memorized, 0 unchanged, 1 removed'),
    })
    const service = await startRecalld(env, undefined, { isTerminal: false })
    const recalled = await recalld(['recall', 'where is the green tea', '--json'], {
      ...env,
      RECALLD_URL: service.address,
    })
    expect(recalled.stdout).toContain('on the top shelf')
    expect(recalled.stdout).not.toContain('left drawer')
    expect((await recalld(['list'], { ...env, RECALLD_URL: service.address })).stdout).not.toContain(
      'mail_archive:keys',
    )
    expect((await service.stop()).stderr).toMatch(new RegExp(`"package":"${NAME}".*runs with your rights`))
  })

  test('is announced as code that runs with the rights of the person', async () => {
    const { home, env } = installed()
    configure(home, { packages: [NAME] })
    expect((await recalld(['doctor'], env)).stdout).toMatch(new RegExp(`${NAME} 0\\.1\\.0.*runs with your rights`))
    expect((await recalld(['connect'], env)).stdout).toMatch(
      new RegExp(`${NAME} 0\\.1\\.0, which runs with your rights`),
    )
    const connected = await recalld(['connect', 'mail_archive'], env)
    expect(connected.stderr).toMatch(new RegExp(`${NAME} 0\\.1\\.0, which runs with your rights`))
  })

  test('is not installed over files of the person', async () => {
    expect(await recalld(['create-connector', 'mail-archive', created], {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("isn't empty"),
    })
  })
})

describe('packages that cannot be used', () => {
  const connector = (id: string) => `import { connectionFields, z } from 'recalld/connector'
    const manifest = { id: '${id}', title: 'T', sourceTypes: ['text'], auth: 'none', config: z.strictObject(connectionFields()),
      cursor: z.number(), schedule: '* * * * *', deletions: 'none', inventoryEveryMs: 0, vanished: 'keep', provider: 't',
      version: 1, quietPeriodMs: 0, selection: () => null, listing: { summary: 'S', icon: 'app', group: 'Other' },
      documentation: { item: '-', removed: '-', needs: '-', api: '-', cursor: '-', limits: '-', verified: '-' } }
    const nothing = async function* () {}
    export const connectors = [{ manifest, check: async () => ({ account: 'a' }), partitions: nothing, changes: nothing,
      read: async () => undefined }]`
  const bad = {
    'recalld-connector-future': {
      contract: 2,
      code: 'throw new Error("ran")',
      told: 'needs version 2 of the connector contract',
    },
    'recalld-connector-other': { contract: undefined, code: '', told: "isn't a connector package" },
    'recalld-connector-broken': {
      contract: 1,
      code: 'throw new Error("no such place")',
      told: "can't be loaded: no such place",
    },
    'recalld-connector-empty': {
      contract: 1,
      code: 'export const connectors = []',
      told: "doesn't follow the contract (connectors: ",
    },
    'recalld-connector-shapeless': {
      ...{ contract: 1, code: connector('shapeless').replace("'* * * * *'", "'often'") },
      told: "doesn't follow the contract (connectors.0.manifest.schedule: must be a cron expression",
    },
    'recalld-connector-slack': {
      contract: 1,
      code: connector('slack'),
      told: 'has a connector slack, and so has recalld itself',
    },
    'recalld-connector-again': {
      contract: 1,
      code: connector('mail_archive'),
      told: `has a connector mail_archive, and so has ${NAME}`,
    },
    'recalld-connector-absent': { contract: 1, code: undefined, told: "isn't installed. Run " },
  }

  test('are reported with the setting and the remedy, and stop neither the others nor the service', async () => {
    const { home, env } = installed()
    for (const [name, { contract, code }] of Object.entries(bad)) {
      if (code === undefined) continue
      const folder = join(home, 'node_modules', name)
      mkdirSync(folder)
      const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js', recalld: { contract } }
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
      writeFileSync(join(folder, 'index.js'), code)
    }
    await using source = await fakeServer()
    configure(home, {
      packages: [NAME, ...Object.keys(bad)],
      connectors: `  mail_archive:\n  - {name: me, token: secret, api_url: '${source.url}'}\n`,
    })
    const service = await startRecalld(env, undefined, { isTerminal: false })
    const { stdout } = await recalld(['doctor'], env)
    // The service may have read them before the command did.
    expect((await recalld(['sync', 'mail_archive'], env)).stdout).toMatch(/^mail_archive\/me: .* 0 failed/)
    const { files } = JSON.parse(
      (await recalld(['list', '--connector', 'mail_archive', '--source-type', 'text', '--json'], env)).stdout,
    )
    expect(files).toHaveLength(3)
    const { stderr } = await service.stop()
    for (const [name, { told }] of Object.entries(bad)) {
      expect(stdout).toContain(`connector_packages: ${name} ${told}`)
      expect(stderr).toContain(`connector_packages: ${name} ${told}`)
    }
    expect(stdout).not.toContain('ran')
  })

  test('are refused as settings when they have another name', async () => {
    const home = join(temporaryFolder(), 'home')
    configure(home, { packages: ['left-pad'] })
    const { code, stderr } = await recalld(['sync'], { RECALLD_HOME: home })
    expect(code).toBe(2)
    expect(stderr).toContain('connector_packages must be a list of npm packages such as recalld-connector-mail-archive')
  })
})

/** A home of its own with the package in it. */
function installed() {
  const home = join(temporaryFolder(), 'home')
  cpSync(homeWithPackage, home, { recursive: true })
  return { home, env: { RECALLD_HOME: home } }
}

/** Packs the package and installs it without the network. @returns the home that has it */
async function install(folder: string) {
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: created })
  const [{ filename }] = JSON.parse(stdout)
  const flags = ['--prefix', home, '--offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, join(folder, filename)])
  return home
}

async function fakeServer(): Promise<FakeServer> {
  const { startFakeServer } = await import(pathToFileURL(join(created, 'fake-server.js')).href)
  return startFakeServer()
}

function configure(home: string, { packages, connectors }: { packages: readonly string[]; connectors?: string }): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const sections = connectors === undefined ? '' : `connectors:\n${connectors}`
  writeFileSync(join(home, 'config.yaml'), `connector_packages: [${packages.join(', ')}]\n${sections}`, { mode: 0o600 })
}
