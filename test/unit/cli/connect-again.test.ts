import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConsentRefused } from '../../../src/connections/oauth/token-client.ts'
import type { SyncService } from '../../../src/connections/sync-service.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { access, connect, SECRET, VIEWS, WITH_ID } from '../../lib/connecting.ts'
import { ADA, grantOf, grantView, scriptedGrants } from '../../lib/scripted-grants.ts'

const PLACE = { authUrl: 'http://auth.test/', apiUrl: 'http://api.test/', tenant: 'acme.test' }
const CONFIG = 'connectors: {mail: [{name: me}]}\n'

describe('connecting again', () => {
  const service = { access: async () => [access('mail')] }

  test('takes the place and the client of the grant that is replaced, and says so; options count for more', async () => {
    const known: unknown[] = []
    const grants = scriptedGrants({
      held: [grantView({ place: PLACE }), grantView({ id: 'films', family: 'films', place: { tenant: 'other.test' } })],
      knownClient: async (...asked) => {
        known.push(asked)
        return { clientId: 'known', clientSecret: SECRET }
      },
    })
    const { stdout } = await connect({ grants, service, config: CONFIG }, 'mail', '--tenant', 'new.test')
    expect(grants.asked).toMatchObject([{ place: { ...PLACE, tenant: 'new.test' } }])
    expect(known).toEqual([['made_up', 'grant-office-1001']])
    expect(stdout).toContain(
      'Using --auth-url http://auth.test/, as before.\nUsing --api-url http://api.test/, as before.\n',
    )
    expect(stdout).not.toContain('--tenant')
  })

  test('takes the place of the latest grant of the provider for a family that is new, and for its connections', async () => {
    const grants = scriptedGrants({ held: [grantView({ place: PLACE })] })
    const { config } = await connect({ grants }, 'films')
    expect(grants.asked).toMatchObject([{ family: 'films', place: PLACE }])
    expect(config()).toBe('connectors:\n  films:\n    - name: me\n      api_url: http://api.test/\n')
  })

  test('says that a running service needs no restart when config.yaml stays as it is', async () => {
    const grants = scriptedGrants({ held: [grantView()] })
    const { stdout, file } = await connect({ grants, service, config: CONFIG }, 'mail')
    expect(stdout).toContain('A running service reads it on schedule, with the new access.\n')
    expect(readFileSync(file, 'utf8')).toBe(CONFIG)
  })

  test('asks for the secret of a client that is named, which may be a new one', async () => {
    const knownClient = async () => ({ clientId: 'made-up-id', clientSecret: 'old-secret' })
    for (const [typed, secret] of [
      [[SECRET], SECRET],
      [[''], 'old-secret'],
    ] as const) {
      const grants = scriptedGrants({ held: [grantView()], knownClient })
      await connect({ grants, typed }, 'agenda', ...WITH_ID)
      expect(grants.asked[0]?.client).toEqual({ clientId: 'made-up-id', clientSecret: secret })
    }
  })

  test('goes on by a grant for a connector that would be asked for a token otherwise', async () => {
    const view = { id: 'slack', title: 'Slack', auth: 'token', configured: ['acme'], needs: 'a token' } as const
    const grant = { provider: 'slack', family: 'slack', scopes: ['read'] }
    const slack = {
      connectors: async () => [{ ...view, grant, standalone: false, takesPaths: false }],
      access: async () => [{ connector: 'slack', name: 'acme', by: 'grant' as const, need: grant }],
    }
    const provider = { id: 'slack', families: [{ id: 'slack', title: 'Slack', connectors: ['slack'] }] }
    const held = [grantView({ provider: 'slack', family: 'slack', scopes: ['read'], refusal: 'Over.' })]
    const setup = { service: slack, config: 'connectors: {slack: [{name: acme}]}\n', hasDatabase: true }
    const again = scriptedGrants({ provider, held })
    expect((await connect({ ...setup, grants: again }, 'slack', '--name', 'acme')).code).toBe(0)
    expect(again.asked).toMatchObject([{ provider: 'slack', scopes: ['read'] }])
    const none = scriptedGrants({ provider })
    const typed = await connect({ ...setup, grants: none, typed: ['xoxp-made-up'] }, 'slack', '--name', 'acme')
    expect(typed.stdout).toContain('To connect Slack:')
    expect(none.asked).toEqual([])
  })
})

describe('sources that are asked for only when they are named', () => {
  const provider = {
    families: [{ id: 'office', title: 'Mail and agenda', connectors: ['mail', 'agenda'], onlyNamed: ['agenda'] }],
  }

  test('are left out of the rest, with the command for each', async () => {
    const grants = scriptedGrants({ provider })
    const { code, stdout, config } = await connect({ grants }, 'made_up', ...WITH_ID)
    expect({ code, config: config() }).toEqual({ code: 0, config: 'connectors:\n  mail:\n    - name: me\n' })
    expect(grants.asked).toMatchObject([{ scopes: ['mail.read'] }])
    expect(stdout).toMatch(
      /Not connected: agenda\. .*may need an administrator.* "recalld connect agenda" to request it\.\n/,
    )
  })

  test('are asked for one by one when the provider refuses them together, and one that is refused keeps no other out', async () => {
    const oneByOne = {
      families: [{ id: 'office', title: 'Mail and agenda', connectors: ['mail', 'agenda'], oneByOne: true as const }],
    }
    const grants = scriptedGrants({
      provider: oneByOne,
      grant: (request) => {
        if (request.scopes.includes('agenda.read')) throw new ConsentRefused('Made Up did not grant access.')
        return grantOf(request)
      },
    })
    const { code, stdout, config } = await connect({ grants, typed: [SECRET, SECRET, SECRET] }, 'made_up', ...WITH_ID)
    expect(grants.asked.map(({ scopes }) => scopes)).toEqual([
      ['mail.read', 'agenda.read'],
      ['mail.read'],
      // With those of the grant, which it replaces.
      ['agenda.read', 'mail.read'],
    ])
    expect({ code, config: config() }).toEqual({ code: 0, config: 'connectors:\n  mail:\n    - name: me\n' })
    expect(stdout).toContain('Made Up refused these sources together, so')
    expect(stdout).toMatch(/Not connected: agenda\. Made Up did not grant access\./)
  })

  test.each([
    [['made_up', '--sources', 'mail,agenda'], [access('mail')]],
    [['made_up'], [access('mail'), access('agenda')]],
  ])('are asked for by %j, or when they are connected already', async (args, connections) => {
    const grants = scriptedGrants({ provider })
    const { stdout } = await connect({ grants, service: { access: async () => connections } }, ...args, ...WITH_ID)
    expect(grants.asked).toMatchObject([{ scopes: ['mail.read', 'agenda.read'] }])
    expect(stdout).not.toContain('Not connected')
  })
})

describe('while the sources are checked', () => {
  test('a person who stops finds config.yaml as it was, and the grant kept', async () => {
    const stop = Promise.withResolvers<string>()
    const check: SyncService['check'] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        stop.resolve('SIGINT')
      })
    const setup = { service: { check }, config: CONFIG, stopRequested: () => stop.promise }
    const { code, stderr, file, grants } = await connect(setup, 'agenda', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'recalld: Stopped. config.yaml was not changed.\n' })
    expect(readFileSync(file, 'utf8')).toBe(CONFIG)
    expect(await grants.list()).toMatchObject([ADA])
  })

  test.each(['agenda', 'slack'])('what somebody else writes to config.yaml is not lost when %s refuses', async (id) => {
    let file = ''
    const check = async () => {
      writeFileSync(file, `${readFileSync(file, 'utf8')}port: 8080\n`)
      throw new AppError('invalid', 'The API is off.')
    }
    const onHome = (home: string) => {
      file = join(home, 'config.yaml')
    }
    const { stdout, stderr } = await connect(
      { service: { check }, config: '# mine\n', onHome },
      id,
      ...(id === 'agenda' ? WITH_ID : []),
    )
    expect(readFileSync(file, 'utf8')).toMatch(/^# mine\n[\s\S]*port: 8080\n$/)
    expect(`${stdout}${stderr}`).toContain('config.yaml was changed in the meantime')
  })

  test('settings that stand there count for more than those of the grant', async () => {
    const config = 'connectors:\n  mail:\n    - name: me\n      api_url: http://mine.test/\n'
    const grants = scriptedGrants({ held: [grantView(), grantView({ id: 'bob', account: '1002', title: 'bob' })] })
    const service = { access: async () => [access('mail', { account: ADA.title })] }
    const { file } = await connect({ grants, service, config }, 'mail', '--api-url', 'http://api.test/')
    expect(readFileSync(file, 'utf8')).toBe(`${config}      account: ada@acme.test\n`)
  })
})

test('a connector that needs other settings than folders is not asked for folders', async () => {
  const feeds = {
    id: 'feeds',
    title: 'Feeds',
    auth: 'none',
    configured: [],
    needs: 'the addresses of the feeds',
  } as const
  const connectors = async () => [...VIEWS, { ...feeds, standalone: false, takesPaths: false }]
  const { stderr } = await connect({ service: { connectors } }, 'feeds')
  expect(stderr).toContain('Feeds needs settings: the addresses of the feeds. Add them under connectors in config.yaml')
})
