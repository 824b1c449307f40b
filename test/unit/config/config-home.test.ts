import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  clientCredentials,
  readCredentials,
  usableCredentials,
  writeCredentials,
} from '../../../src/config/credentials.ts'
import { homeFolder, prepareHome } from '../../../src/config/home-folder.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const linux = { env: {}, platform: 'linux', userHome: '/home/ada' }

describe('the home folder', () => {
  test.each([
    ['a flag over everything', { ...linux, flag: '/a', env: { RECALLD_HOME: '/b' } }, '/a'],
    ['RECALLD_HOME', { ...linux, env: { RECALLD_HOME: '/b', XDG_DATA_HOME: '/x' } }, '/b'],
    ['the home of the user for ~', { ...linux, env: { RECALLD_HOME: '~/memory' } }, '/home/ada/memory'],
    ['XDG_DATA_HOME', { ...linux, env: { XDG_DATA_HOME: '/x' } }, '/x/recalld'],
    [
      'the XDG default, where XDG_DATA_HOME is relative',
      { ...linux, env: { XDG_DATA_HOME: 'x' } },
      '/home/ada/.local/share/recalld',
    ],
    ['the XDG default', linux, '/home/ada/.local/share/recalld'],
    ['Application Support on macOS', { ...linux, platform: 'darwin' }, '/home/ada/Library/Application Support/recalld'],
    ['LOCALAPPDATA on Windows', { ...linux, platform: 'win32', env: { LOCALAPPDATA: '/local' } }, '/local/recalld'],
  ])('is %s', (_, sources, folder) => {
    expect(homeFolder(sources)).toBe(folder)
  })

  test('is made for its owner alone', () => {
    const home = join(temporaryFolder(), 'deep', 'home')
    prepareHome(home)
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })

  test('that cannot be made is a sentence with a remedy', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => prepareHome(join(file, 'home'))).toThrow(
      /^The home folder .* is not writable \(ENOTDIR\)\. Make it writable, or set RECALLD_HOME to a different folder\.$/,
    )
  })
})

test.skipIf(process.platform !== 'linux')(
  'a home in a folder that takes none is refused, instead of tried for ever',
  () => {
    expect(() => prepareHome('/proc/recalld/home')).toThrow(/is not writable/)
  },
)

describe('credentials', () => {
  const stored = { baseUrl: 'http://127.0.0.1:7411', apiKey: 'rk_stored' }

  test('are written for their owner alone, in the form that clients read', () => {
    const file = join(temporaryFolder(), 'credentials.json')
    writeCredentials(file, stored)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ base_url: stored.baseUrl, api_key: stored.apiKey })
    expect(readCredentials(file)).toEqual(stored)
  })

  test('become private when they replace a file that was not', () => {
    const file = join(temporaryFolder(), 'credentials.json')
    writeFileSync(file, '{}')
    chmodSync(file, 0o644)
    writeCredentials(file, stored)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that do not exist are none, and damaged ones are an error', () => {
    const folder = temporaryFolder()
    expect(readCredentials(join(folder, 'credentials.json'))).toBeUndefined()
    writeFileSync(join(folder, 'credentials.json'), '{"base_url": 1}')
    expect(() => readCredentials(join(folder, 'credentials.json'))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('is damaged'),
        advice: { action: 'regenerate_key' },
      }),
    )
    expect(usableCredentials(join(folder, 'credentials.json'))).toBeUndefined()
    expect(readCredentials(join(folder, 'credentials.json', 'below'))).toBeUndefined()
    mkdirSync(join(folder, 'folder'))
    expect(() => readCredentials(join(folder, 'folder'))).toThrow(/can't be read/)
  })

  test('come from the environment first, each by itself, and then from the file, with where the key is', () => {
    const file = join(temporaryFolder(), 'credentials.json')
    writeCredentials(file, stored)
    const from = (env: Record<string, string>) => clientCredentials(file, env, 'http://127.0.0.1:1')
    expect(from({})).toEqual({ ...stored, keyOrigin: file })
    const keyOrigin = 'RECALLD_API_KEY'
    expect(from({ RECALLD_API_KEY: 'rk_env' })).toEqual({ ...stored, apiKey: 'rk_env', keyOrigin })
    expect(from({ RECALLD_URL: 'https://far.test/', RECALLD_API_KEY: 'rk_env' })).toEqual({
      baseUrl: 'https://far.test',
      apiKey: 'rk_env',
      keyOrigin,
    })
  })

  test.each(['https://far.test', 'https://far.test/', 'https://far.test/v1', 'https://far.test/v1/'])(
    'take the address %s as it was typed, with or without the version',
    (url) => {
      const env = { RECALLD_URL: url, RECALLD_API_KEY: 'rk_env' }
      expect(clientCredentials('/nowhere', env, 'http://127.0.0.1:1').baseUrl).toBe('https://far.test')
    },
  )

  test('of this machine are never sent to another address', () => {
    const file = join(temporaryFolder(), 'credentials.json')
    writeCredentials(file, stored)
    expect(() => clientCredentials(file, { RECALLD_URL: 'https://far.test' }, 'http://127.0.0.1:1')).toThrow(
      /has the key of http:\/\/127\.0\.0\.1:7411, not of https:\/\/far\.test\. Set RECALLD_API_KEY as well/,
    )
  })

  test('are asked for where there are none', () => {
    const file = join(temporaryFolder(), 'credentials.json')
    expect(() => clientCredentials(file, {}, 'http://127.0.0.1:1')).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^No API key found\. .*set RECALLD_URL and RECALLD_API_KEY/),
        advice: { action: 'create_key' },
      }),
    )
  })
})
