import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createRestMemory, type RestMemory } from '../../src/client/rest-memory.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { memoryContract } from './memory-contract.ts'

/** One key for each choice of sources, because an account has few. */
function keysBySources(running: RunningService) {
  const keys = new Map<string, Promise<string>>()
  return (sources: readonly SourceType[]): Promise<string> => {
    const name = sources.join(' ')
    const key = keys.get(name) ?? running.keyFor(sources)
    keys.set(name, key)
    return key
  }
}

memoryContract('the service in process', async () => {
  const running = await startService()
  const keyFor = keysBySources(running)
  const bind = (key: string) => bindMemory(running.service, () => running.service.authenticate(key))
  return {
    memory: bind(running.key),
    withSources: async (sources) => bind(await keyFor(sources)),
    stop: () => running.stop(),
  }
})

memoryContract('the REST client', async () => {
  const running = await startService()
  const keyFor = keysBySources(running)
  const clients: RestMemory[] = []
  const connect = (apiKey: string) => {
    const client = createRestMemory({ baseUrl: `${running.baseUrl}/`, apiKey })
    clients.push(client)
    return client
  }
  return {
    memory: connect(running.key),
    withSources: async (sources) => connect(await keyFor(sources)),
    async stop() {
      for (const client of clients) await client.close()
      await running.stop()
    },
  }
})

describe('the REST client and servers that answer otherwise', () => {
  const cleanUp: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const clean of cleanUp.splice(0)) await clean()
  })

  /** A server that answers everything alike. */
  async function answering(status: number, body: string, headers: Record<string, string> = {}): Promise<RestMemory> {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status, headers).end(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const client = createRestMemory({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'rk_x', timeoutMs: 500 })
    cleanUp.push(async () => {
      await client.close()
      await new Promise((resolve) => server.close(resolve))
    })
    return client
  }
  const recall = (memory: RestMemory) => memory.recall({ text: 'x' })

  test('a service that is down is unavailable, with how to start it', async () => {
    const client = createRestMemory({ baseUrl: 'http://127.0.0.1:1', apiKey: 'rk_x' })
    cleanUp.push(() => client.close())
    await expect(recall(client)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'recalld is not running at http://127.0.0.1:1.',
      advice: { action: 'start_service' },
    })
  })

  test.each([
    [400, 'invalid'],
    [401, 'unauthenticated'],
    [402, 'payment_required'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'too_large'],
    [422, 'missing_field'],
    [418, 'invalid'],
    [500, 'internal'],
    [502, 'unavailable'],
    [503, 'unavailable'],
  ])('status %i is the code %s, with the detail as its message', async (status, code) => {
    const client = await answering(status, '{"detail": "what is wrong"}')
    await expect(recall(client)).rejects.toMatchObject({ code, message: 'what is wrong' })
  })

  test('Retry-After is passed on, as seconds or as a date', async () => {
    const seconds = await answering(429, '{"detail": "RATE_LIMIT_EXCEEDED"}', { 'retry-after': '7' })
    await expect(recall(seconds)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7 })
    const past = await answering(503, '{}', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })
    await expect(recall(past)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 0 })
  })

  test('an error page of a proxy is told by its status', async () => {
    const client = await answering(502, '<html>Bad Gateway</html>')
    await expect(recall(client)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('502') })
  })

  test('a success in another form is an error, not a guess', async () => {
    for (const body of ['', 'ok', '{"memories": 3}', '[]']) {
      await expect(recall(await answering(200, body))).rejects.toMatchObject({ code: 'internal' })
    }
  })

  test('fields that the specification leaves open may be absent or of another shape', async () => {
    const client = await answering(
      200,
      JSON.stringify({
        trace_id: 't',
        memories: [
          { custom_id: 'a_memory_0', item_id: 'a', score: 0.5, content: { narrative: 'I', new_field: 1 }, extra: true },
        ],
        chunks: [{ something: 'else' }],
      }),
    )
    expect(await client.recall({ text: 'x', source: 'slack' })).toEqual({
      trace_id: 't',
      memories: [{ custom_id: 'a_memory_0', item_id: 'a', score: 0.5, source: 'slack', content: { narrative: 'I' } }],
      qa: [],
      chunks: [],
    })
  })

  test('where a passage comes from is passed over when it is of another form', async () => {
    const chunk = { text: 'x', item_id: 'a', source: 'slack', score: 0.5 }
    const content = { narrative: 'I' }
    const client = await answering(
      200,
      JSON.stringify({
        trace_id: 't',
        memories: [
          {
            custom_id: 'a_memory_0',
            item_id: 'a',
            score: 1,
            source: 'slack',
            content: { ...content, url: 'the wiki' },
          },
        ],
        chunks: [
          { ...chunk, url: 'javascript:alert(1)', title: 7, when: null, participants: 'Ada' },
          { ...chunk, url: 'https://example.com/', title: 'A' },
        ],
      }),
    )
    const { memories, chunks } = await recall(client)
    expect(memories[0]?.content).toEqual(content)
    expect(chunks).toEqual([chunk, { ...chunk, url: 'https://example.com/', title: 'A' }])
  })

  test('an answer may come without citations, or with some that cannot be read', async () => {
    const citation = { n: 1, item_id: 'a', source: 'slack', quote: 'x' }
    const ask = async (body: object) => (await answering(200, JSON.stringify(body))).ask({ text: 'x' })
    expect(await ask({ response: 'x' })).toEqual({ response: 'x' })
    expect(await ask({ response: 'x', abstained: 'no', citations: 3 })).toEqual({ response: 'x' })
    expect(await ask({ response: 'x', citations: [citation, { ...citation, n: 'two' }, 'x'] })).toEqual({
      response: 'x',
      citations: [citation],
    })
  })

  /** A server that accepts, and never answers. */
  async function silent(timeoutMs: number) {
    const asked = Promise.withResolvers<void>()
    const server = createServer(() => asked.resolve())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const client = createRestMemory({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'rk_x', timeoutMs })
    cleanUp.push(async () => {
      await client.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    return { client, asked: asked.promise }
  }

  test('a call that is cancelled while the service is silent ends with the reason', async () => {
    const { client, asked } = await silent(60_000)
    const caller = new AbortController()
    const answer = client.ask({ text: 'x' }, { signal: caller.signal })
    await asked
    const reason = new Error('gone')
    caller.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })

  test('a service that accepts but never answers is unavailable', async () => {
    const { client } = await silent(50)
    await expect(recall(client)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('in time'),
    })
  })
})
