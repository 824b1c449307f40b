import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAUNCHER, ON_OLDER_NODE, startMcp } from '../lib/mcp-process.ts'

/** A service that takes every call and answers none. */
const silent = createServer()
let env: Record<string, string>
beforeAll(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `http://127.0.0.1:${port}`
  env = { RECALLD_URL: url, RECALLD_API_KEY: 'rk_some', RECALLD_HOME: '/nonexistent/recalld' }
})
afterAll(() => {
  silent.closeAllConnections()
  silent.close()
})

describe.each([
  ['the launcher', [LAUNCHER]],
  ['the launcher on an older Node', ON_OLDER_NODE],
])('%s', (_, launcher) => {
  test('ends with 0 when its host closes its end, whatever is under way', async () => {
    const mcp = startMcp(env, launcher)
    await mcp.initialize()
    const underWay = once(silent, 'request')
    const answer = mcp.request('tools/call', { name: 'recall', arguments: { query: 'billing' } })
    const cut = expect(answer).rejects.toThrow('ended before it answered')
    await underWay
    mcp.hangUp()
    expect(await mcp.ended).toEqual({ code: 0, signal: null })
    await cut
    expect(mcp.stderr()).toBe('')
  })

  test('ends with 0 when it is asked to', async () => {
    const mcp = startMcp(env, launcher)
    await mcp.initialize()
    const underWay = once(silent, 'request')
    const answer = mcp.request('tools/call', { name: 'ask', arguments: { question: 'When?' } })
    const cut = expect(answer).rejects.toThrow('ended before it answered')
    await underWay
    mcp.kill('SIGTERM')
    expect(await mcp.ended).toEqual({ code: 0, signal: null })
    await cut
  })
})

test('it ends also when its host goes before it has said anything', async () => {
  const mcp = startMcp(env)
  mcp.hangUp()
  expect(await mcp.ended).toEqual({ code: 0, signal: null })
})

test('a process that is left behind by a killed launcher ends with the host', async () => {
  const mcp = startMcp(env, ON_OLDER_NODE)
  await mcp.initialize()
  mcp.kill('SIGKILL')
  mcp.hangUp()
  // The output closes when the last that holds it has ended.
  expect((await mcp.ended).signal).toBe('SIGKILL')
})

test.each(['recall', 'ask'])('a call of %s that its host cancels is not waited for', async (tool) => {
  const mcp = startMcp(env)
  await mcp.initialize()
  const underWay = once(silent, 'request')
  const args = tool === 'recall' ? { query: 'billing' } : { question: 'When?' }
  const answer = mcp.request('tools/call', { name: tool, arguments: args })
  const unanswered = expect(answer).rejects.toThrow('ended before it answered')
  const [request] = await underWay
  const cancelled = once(request.socket, 'close')
  mcp.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }))
  await cancelled
  expect((await mcp.request('ping')).result).toEqual({})
  mcp.hangUp()
  expect((await mcp.ended).code).toBe(0)
  await unanswered
  expect(mcp.stderr()).toBe('')
})
