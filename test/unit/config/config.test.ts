import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commentedConfig } from '../../../src/config/documents.ts'
import { type Config, type ConfigSources, loadConfig, SETTINGS, unknownVariables } from '../../../src/config.ts'
import { located } from '../../lib/located.ts'

let home: string
let file: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  file = join(home, 'config.yaml')
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

function load(yaml: string | undefined, rest: Partial<ConfigSources> = {}): Config {
  if (yaml !== undefined) writeFileSync(file, yaml)
  return loadConfig({ home, file, env: {}, ...rest })
}

describe('where a setting comes from', () => {
  test('nothing is set: the defaults hold, and the time zone is that of the system', () => {
    const config = load(undefined)
    expect(config).toMatchObject({ host: '127.0.0.1', port: 7411, rateLimitPerMinute: 1000, connectors: undefined })
    expect(config.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  })

  test('a flag goes over the environment, that over config.yaml, and that over the default', () => {
    const env = { RECALLD_PORT: '2' }
    expect(load('port: 1').port).toBe(1)
    expect(load('port: 1', { env }).port).toBe(2)
    expect(load('port: 1', { env, flags: { port: '3' } }).port).toBe(3)
  })

  test('an empty variable and an empty value in config.yaml set nothing', () => {
    expect(load('port:\nhost:', { env: { RECALLD_HOST: '' } })).toMatchObject({ port: 7411, host: '127.0.0.1' })
  })

  test('lists are separated by commas in the environment, and are lists in config.yaml', () => {
    const allowedHosts = ['a.test', 'b.test']
    expect(load(undefined, { env: { RECALLD_ALLOWED_HOSTS: 'a.test, b.test' } }).allowedHosts).toEqual(allowedHosts)
    expect(load('allowed_hosts: [a.test, b.test]').allowedHosts).toEqual(allowedHosts)
  })

  test('trusted proxies are addresses and networks', () => {
    const trustedProxies = ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']
    expect(load(`trusted_proxies: ['${trustedProxies.join("', '")}']`)).toMatchObject({ trustedProxies })
    for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0/8', '0.0.0.0/0']) {
      expect(() => located(() => load(undefined, { env: { RECALLD_TRUSTED_PROXIES: wrong } }))).toThrow(
        'RECALLD_TRUSTED_PROXIES must be a list of IP addresses and networks such as 10.0.0.0/8',
      )
    }
  })

  test('an empty file, and one of comments alone, are as good as none', () => {
    expect(load('')).toEqual(load('# nothing yet\n'))
  })

  test('the commented file that the first start writes sets nothing, and each of its lines may be uncommented', () => {
    const commented = commentedConfig(SETTINGS)
    expect(load(commented)).toEqual(load(''))
    const everything = commented.replace(/^#(?=[a-z_]+:)/gm, '')
    expect(everything).not.toBe(commented)
    expect(load(everything)).toEqual(load(''))
  })
})

describe('variables inside config.yaml', () => {
  test('are replaced, also inside a flow mapping and for numbers', () => {
    const env = { TOKEN: 'xoxb-1: {"not": yaml} # nor a comment', PORT: '8080' }
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
    const config = load('port: ${PORT}\nconnectors:\n  slack: [{name: acme, token: ${TOKEN}}]', { env })
    expect(config.port).toBe(8080)
    expect(config.connectors?.read()).toEqual({ slack: [{ name: 'acme', token: env.TOKEN }] })
  })

  test('that are not set are an error that names the line', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
    expect(() => located(() => load('port: 1\nhost: ${NOT_SET}'))).toThrow(
      'config.yaml line 2: the environment variable NOT_SET is not set',
    )
  })

  test('are left alone in comments', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what people write into config.yaml
    expect(load('# token: ${NOT_SET}\nport: 5').port).toBe(5)
  })
})

describe('what is refused', () => {
  test('an unknown key, with file, line, what was meant and what is allowed', () => {
    expect(() => located(() => load('host: a\nprot: 1'))).toThrow(
      /^config\.yaml line 2: there is no setting prot\. Did you mean port\?$/,
    )
  })

  test('an unknown key that is near to none, without a guess', () => {
    expect(() => located(() => load('frobnicate: 1'))).toThrow(/there is no setting frobnicate\. Allowed: /)
  })

  test.each([
    ['port: 70000', 'config.yaml line 1: port must be a whole number from 0 to 65535, but is 70000'],
    ['port: many', 'config.yaml line 1: port must be a whole number from 0 to 65535, but is "many"'],
    [
      '\nlog_level: loud',
      'config.yaml line 2: log_level must be one of debug, info, warn, error, silent, but is "loud"',
    ],
    ['allowed_hosts: a.test: 1', 'config.yaml line 1: Nested mappings are not allowed in compact mappings'],
    ['- port', 'config.yaml line 1: write settings as "name: value"'],
    ['port: 1\nport: 2', 'config.yaml line 2: Map keys must be unique'],
    ['roles: [api, cook]', 'config.yaml line 1: roles must be a list of some of api, worker, scheduler, mcp, but is'],
    ['roles: []', 'config.yaml line 1: roles must be a list of some of api, worker, scheduler, mcp, but is []'],
    ['time_zone: Mars/Olympus', 'time_zone must be an IANA time zone such as Europe/Berlin, but is "Mars/Olympus"'],
    ['base_url: memory.example.org', 'config.yaml line 1: base_url must be an address such as https://'],
  ])('%j', (yaml, sentence) => {
    expect(() => located(() => load(yaml))).toThrow(sentence)
  })

  test('a wrong variable and a wrong flag, by the name that was typed', () => {
    expect(() => located(() => load('', { env: { RECALLD_PORT: 'x' } }))).toThrow('RECALLD_PORT must be a whole number')
    expect(() => located(() => load('', { flags: { rateLimitPerMinute: '0' } }))).toThrow(
      '--rate-limit-per-minute must be a whole number from 1 to 1000000, but is 0',
    )
  })

  test('a database address, without repeating it: it may hold a password', () => {
    const env = { RECALLD_DATABASE_URL: 'mysql://ada:horse-staple@db/recalld' }
    expect(() => located(() => load('', { env }))).toThrow(
      /^RECALLD_DATABASE_URL must be an address such as postgres:\/\/user@host\/database, but is not$/,
    )
  })
})

test('a misspelt variable is told of, and those that others read are not', () => {
  const env = {
    RECALLD_PROT: '1',
    RECALLD_URL: 'x',
    RECALLD_API_KEY: 'x',
    RECALLD_HOME: 'x',
    RECALLD_TEST_X: '1',
    PATH: '',
  }
  expect(unknownVariables(env)).toEqual([
    'The environment variable RECALLD_PROT is not a setting. Did you mean RECALLD_PORT?',
  ])
})
