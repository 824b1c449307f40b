import { expect, test } from 'vitest'
import { z } from 'zod'
import { startAppService } from '../lib/app/app-service.ts'
import { runCommand } from '../lib/command-line.ts'

const list = z.array(z.object({ login: z.string(), is_admin: z.boolean(), accounts: z.array(z.looseObject({})) }))
const told = z.object({ link: z.string(), expires_at: z.string() })
const signedOut = z.object({ csrf_token: z.string() })

test('people are invited, listed, helped with a forgotten password and removed while the service runs', async () => {
  await using service = await startAppService()
  const api = `${service.address}/app/api`
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await runCommand(['people', ...command, '--json'], { RECALLD_HOME: service.home })
    return { code, stderr, json: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) }
  }
  const use = async (link: string, person: Readonly<Record<string, string>>) => {
    const session = await fetch(`${api}/session`)
    const { csrf_token } = signedOut.parse(await session.json())
    const cookie = session.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const headers = { cookie, 'x-csrf-token': csrf_token, 'content-type': 'application/json' }
    const body = JSON.stringify({ token: new URL(link).hash.slice(1), password: 'a horse that counts', ...person })
    const answer = await fetch(`${api}/sign-in/link`, { method: 'POST', headers, body })
    return { status: answer.status, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
  }

  expect((await run('list')).json).toEqual([])
  expect((await use(service.firstLink, { name: 'Ada', login: 'ada' })).status).toBe(200)
  const { link } = told.parse((await run('invite', 'bob@example.com')).json)
  expect(link).toMatch(new RegExp(`^${service.address}/app/welcome#[\\w-]{43}$`))
  expect((await use(link, { name: 'Bob', login: 'bob@example.com' })).status).toBe(200)
  expect(list.parse((await run('list')).json)).toMatchObject([
    { login: 'ada', is_admin: true, accounts: [{ role: 'owner' }] },
    { login: 'bob@example.com', is_admin: false, accounts: [{ role: 'member' }] },
  ])

  const bob = await use(told.parse((await run('link', 'BOB@example.com')).json).link, {})
  expect(bob.status).toBe(200)
  expect((await run('remove', 'ada')).stderr).toContain('needs at least one administrator')
  expect((await run('remove', 'bob@example.com')).json).toMatchObject({ login: 'bob@example.com', removed: true })
  expect((await fetch(`${api}/security`, { headers: { cookie: bob.cookie } })).status).toBe(401)
  const log = await runCommand(['activity', '--json'], { RECALLD_HOME: service.home })
  expect(JSON.parse(log.stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'person_removed', name: 'Bob', role: 'member', actor: { type: 'server' } }),
      expect.objectContaining({ kind: 'person_invited', name: 'bob@example.com', actor: { type: 'server' } }),
    ]),
  )
  expect(await run('link', 'bob@example.com')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nobody signs in as'),
  })
})
