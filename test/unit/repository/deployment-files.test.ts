import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { ENOUGH_OPEN_FILES } from '../../../src/config/connection-limits.ts'
import { ROLES } from '../../../src/config/home-folder.ts'
import { loadConfig, unknownVariables } from '../../../src/config.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { runCommand } from '../../lib/command-line.ts'
import { repositoryFiles } from '../../lib/repository-files.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const SERVICE = z.looseObject({
  image: z.string(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  ulimits: z.object({ nofile: z.object({ soft: z.number(), hard: z.number() }) }).optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  secrets: z.array(z.union([z.string(), z.looseObject({ source: z.string() })])).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  deploy: z.looseObject({
    replicas: z.number().optional(),
    resources: z.object({ limits: z.looseObject({ memory: z.string(), pids: z.number() }) }),
  }),
})
const COMPOSE = z.looseObject({
  services: z.record(z.string(), SERVICE),
  networks: z.record(z.string(), z.unknown()).default({}),
  volumes: z.record(z.string(), z.unknown()).default({}),
  secrets: z.record(z.string(), z.object({ file: z.string() })).default({}),
})

function compose(name: string) {
  return COMPOSE.parse(parse(readFileSync(packagePath(`config/docker/${name}`), 'utf8'), { merge: true }))
}

describe.each(['compose.yaml', 'compose.scaled.yaml'])('%s', (name) => {
  const { services, networks, volumes, secrets } = compose(name)

  test.each(Object.entries(services))('locks %s in: nothing to write, no capability, limits', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(Object.keys(service.deploy.resources.limits)).toEqual(expect.arrayContaining(['memory', 'pids']))
  })

  test('lets recalld open as many files as it asks for', () => {
    const nofile = { soft: ENOUGH_OPEN_FILES, hard: ENOUGH_OPEN_FILES }
    const own = Object.values(services).filter(({ image }) => image === 'recalld')
    expect(own.length).toBeGreaterThan(0)
    for (const service of own) expect(service.ulimits).toEqual({ nofile })
  })

  test('sets what recalld knows, to roles that it has', () => {
    for (const { environment } of Object.values(services)) {
      expect(unknownVariables(environment)).toEqual([])
      for (const role of (environment.RECALLD_ROLES ?? ROLES.join(',')).split(',')) expect(ROLES).toContain(role)
    }
  })

  test('names no volume, network or secret that it does not have', () => {
    for (const service of Object.values(services)) {
      const named = service.volumes.flatMap((each) => (/^[./]/.test(each) ? [] : [each.split(':')[0]]))
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named))
      expect(Object.keys(networks)).toEqual(expect.arrayContaining(service.networks))
      const sources = service.secrets.map((each) => (typeof each === 'string' ? each : each.source))
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(sources))
    }
  })

  test('holds no secret itself', () => {
    const values = Object.values(services).flatMap(({ environment }) => Object.entries(environment))
    const secret = values.filter(
      ([key, value]) => /PASSWORD|SECRET|TOKEN|KEY/.test(key) && !value.startsWith('/run/secrets/'),
    )
    expect(secret).toEqual([])
  })
})

test('one container listens for this machine alone', () => {
  expect(compose('compose.yaml').services.recalld?.ports).toEqual(['127.0.0.1:7411:7411'])
})

test('one container trusts the gateway of its own network, by which a proxy on this machine comes', () => {
  const { services, networks } = compose('compose.yaml')
  const gateway = z.object({ ipam: z.object({ config: z.tuple([z.object({ gateway: z.string() })]) }) })
  const [{ gateway: address }] = gateway.parse(networks.default).ipam.config
  const trusted = services.recalld?.environment.RECALLD_TRUSTED_PROXIES ?? ''
  expect(trusted.split(',')).toEqual(['127.0.0.1', '::1', address])
})

test('pin-images.sh pins every image that is fetched to a digest, also when it was pinned before', () => {
  const [folder, bin] = [temporaryFolder(), temporaryFolder()]
  const files = ['Dockerfile', 'compose.yaml', 'compose.scaled.yaml']
  for (const file of files) copyFileSync(packagePath(`config/docker/${file}`), join(folder, file))
  const pin = (digest: string) => {
    writeFileSync(join(bin, 'docker'), `#!/bin/sh\necho sha256:${digest}\n`, { mode: 0o755 })
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
    execFileSync('sh', [packagePath('config/docker/pin-images.sh'), folder], { env })
    return files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/docker\.io\/\S+/g) ?? [])
  }
  for (const digest of ['a'.repeat(64), 'b'.repeat(64)]) {
    const images = pin(digest)
    expect(images.length).toBeGreaterThanOrEqual(6)
    for (const image of images) expect(image).toMatch(new RegExp(`^docker\\.io/[^@]+@sha256:${digest}$`))
  }
})

describe('many processes', () => {
  const { services } = compose('compose.scaled.yaml')

  test('take all roles between them, each more than once where it is to go on without one', () => {
    const roles = Object.values(services).flatMap(({ environment }) => environment.RECALLD_ROLES?.split(',') ?? [])
    expect(new Set(roles)).toEqual(new Set(ROLES))
    for (const name of ['api', 'worker', 'scheduler']) expect(services[name]?.deploy.replicas).toBeGreaterThan(1)
  })

  test('are published by the proxy alone, and asked whether they are ready', () => {
    for (const [name, { ports, healthcheck }] of Object.entries(services)) {
      expect(ports.length > 0, name).toBe(name === 'proxy')
      if (name !== 'bucket') expect(healthcheck?.test[0], name).toBe('CMD')
    }
  })

  test('find their secrets where make-secrets.sh put them, once', () => {
    const folder = join(temporaryFolder(), 'secrets')
    const make = () => execFileSync('sh', [packagePath('config/docker/make-secrets.sh'), folder], { encoding: 'utf8' })
    expect(make().trim().split('\n')).toHaveLength(5)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const files = Object.values(compose('compose.scaled.yaml').secrets).map(({ file }) =>
      file.replace('./secrets/', ''),
    )
    const made = files.map((file) => readFileSync(join(folder, file)))
    expect(make()).toBe('')
    expect(files.map((file) => readFileSync(join(folder, file)))).toEqual(made)
    expect(statSync(join(folder, 'secret.key')).size).toBe(32)

    const { databaseUrl } = loadConfig({ home: folder, file: join(folder, 'config.yaml'), env: {} })
    const password = readFileSync(join(folder, 'postgres-password'), 'utf8')
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(databaseUrl).toBe(`postgres://recalld:${password}@postgres/recalld`)
    const [identity] = JSON.parse(readFileSync(join(folder, 's3-identities.json'), 'utf8')).identities
    expect(readFileSync(join(folder, 's3-credentials'), 'utf8')).toContain(identity.credentials[0].secretKey)
  })
})

describe('the documents', () => {
  const pages = repositoryFiles(/^(README|SECURITY|CONTRIBUTING)\.md$|^docs\/.*\.md$|^config\/docker\//)

  test.each(pages.map(({ path, source }) => [path, source] as const))(
    '%s names only variables that are read',
    (_, source) => {
      const named = [...source.matchAll(/\bRECALLD_[A-Z0-9_]+/g)].map(([name]) => name)
      expect(unknownVariables(Object.fromEntries(named.map((name) => [name, ''])))).toEqual([])
    },
  )

  test.each(pages.map(({ path, source }) => [path, source] as const))(
    '%s names only commands that exist',
    async (_, source) => {
      const { stdout } = await runCommand(['--help'], {})
      const known = [...stdout.matchAll(/^ {2}([a-z][a-z-]+)[ |]/gm)].map(([, command]) => command)
      const named = [...source.matchAll(/(?:[`"]|\$ |npx )recalld (?:--home \S+ )?([a-z][a-z-]+)/gm)].map(
        ([, command]) => command,
      )
      expect(named.filter((command) => !known.includes(command))).toEqual([])
    },
  )

  test('prove what the threat model claims by files and tests that exist', () => {
    const page = readFileSync(packagePath('docs/threat-model.md'), 'utf8')
    const named = [...page.matchAll(/`((?:src|test|connectors|scripts|config|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => path ?? '',
    )
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((path) => !existsSync(packagePath(path)))).toEqual([])
  })
})
