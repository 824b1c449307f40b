import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { until } from '../lib/until.ts'

let visit: AppVisit
beforeAll(async () => {
  visit = await appVisit({ work: false })
})
afterAll(() => visit[Symbol.asyncDispose]())

/** A page that listens, on a connection of its own. */
const open = (headers: { cookie: string }) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(`${visit.baseUrl}/app/api/events`, { headers, agent: false }, resolve).once('error', reject)
  })

test('somebody with very many pages open keeps nobody else of the account from hearing what changes', async () => {
  const { cookie } = await visit.personFor({ role: 'member' })
  const streams = await Promise.all(Array.from({ length: 51 }, () => open({ cookie })))
  expect(streams.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50)
  const others = await open({ cookie: visit.cookie })
  expect(others.statusCode).toBe(200)
  for (const stream of [...streams, others]) stream.destroy()
  await until(async () => !visit.live.hasListeners)
  const again = await open({ cookie })
  expect(again.statusCode).toBe(200)
  again.destroy()
  await until(async () => !visit.live.hasListeners)
})

test('whoever listens and reads nothing is cut off, so that it does not pile up', async () => {
  const socket = connect(visit.running.port, '127.0.0.1').pause()
  socket.write(`GET /app/api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${visit.cookie}\r\n\r\n`)
  await until(async () => visit.live.hasListeners)
  const counts = { partitionsDone: 0, partitionsTotal: 0, memorized: 0, unchanged: 0, removed: 0, failed: 0 }
  const progress = { ...counts, partition: 'x'.repeat(100_000) }
  await until(async () => {
    visit.live.publish({ type: 'sync', connection: 'folder/notes', progress }, visit.accountId)
    return !visit.live.hasListeners
  })
  socket.destroy()
})

test('nobody hears that something changed about people of another account', async () => {
  const { accountId } = await visit.service.accounts.create({ name: 'Elsewhere', userName: 'Else' })
  const stranger = await visit.personFor({ role: 'owner', accountId })
  const own = await visit.personFor({ role: 'member' })
  const [theirs, ours] = await Promise.all([open({ cookie: stranger.cookie }), open({ cookie: own.cookie })])
  const heard = { theirs: '', ours: '' }
  theirs.setEncoding('utf8').on('data', (text: string) => (heard.theirs += text))
  ours.setEncoding('utf8').on('data', (text: string) => (heard.ours += text))
  await until(async () => heard.theirs.includes('retry') && heard.ours.includes('retry'))
  await visit.send('PATCH', '/security/person', { name: 'Ada the First' })
  await visit.send('POST', '/security/sessions/end-others')
  const guest = await visit.personFor({ role: 'member' })
  await visit.send('DELETE', `/people/${guest.personId}`)
  // What is published after all of that arrives after it.
  for (const account of [accountId, visit.accountId]) visit.live.publish({ type: 'keys' }, account)
  await until(async () => heard.theirs.includes('keys') && heard.ours.includes('keys'))
  expect(heard.ours).toContain('people')
  expect(heard.theirs).not.toContain('people')
  for (const stream of [theirs, ours]) stream.destroy()
  await until(async () => !visit.live.hasListeners)
})
