import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppVisit, appVisit } from '../kit/app-visit.ts'
import { until } from '../kit/until.ts'

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
