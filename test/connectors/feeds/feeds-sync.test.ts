import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feeds } from '../../../connectors/feeds/feeds.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { feedServer, rssFeed } from '../../fakes/feed-server.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false })
})
afterAll(() => service[Symbol.asyncDispose]())

function post(id: string) {
  return { id, title: `Post ${id}`, html: `<p>Text ${id}</p>` }
}

/** A connection that is run again and again, in a memory of its own. */
function connection() {
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory })
  return {
    run: (urls: readonly string[]) =>
      syncConnection({ connector: feeds, config: feeds.manifest.config.parse({ name: 'news', urls }) }, environment, {
        signal: new AbortController().signal,
        settle: false,
      }),
    async held() {
      return (await memory.list({ sourceType: 'stream' })).files.length
    },
  }
}

describe('what is remembered of feeds', () => {
  test('stays when a feed shows it no more, when the feed ends and when it is taken out', async () => {
    await using server = await feedServer()
    const { run, held } = connection()
    const [a, b] = ['/a', '/b'].map((path) => `${server.origin}${path}`) as [string, string]
    for (const path of ['/a', '/b']) server.pages.set(path, { body: rssFeed(['1', '2'].map(post)) })
    expect(await run([a, b])).toMatchObject({ outcome: 'ok', memorized: 4 })
    server.pages.set('/a', { body: rssFeed(['2', '3'].map(post)) })
    server.pages.set('/b', { status: 410 })
    expect(await run([a, b])).toMatchObject({ memorized: 1, removed: 0, failures: [{ error: expect.any(String) }] })
    expect(await run([a])).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(await held()).toBe(5)
  })

  test('grows, though one of the servers is limited, out of order or no feed', async () => {
    await using server = await feedServer()
    const { run } = connection()
    server.pages.set('/limited', { status: 429, headers: { 'retry-after': '7200' } })
    server.pages.set('/broken', { status: 503, headers: { 'retry-after': '7200' } })
    server.pages.set('/page', { body: '<!doctype html>' })
    server.pages.set('/good', { body: rssFeed([post('9')]) })
    const urls = ['limited', 'broken', 'page', 'good'].map((path) => `${server.origin}/${path}`)
    const report = await run(urls)
    expect(report).toMatchObject({ outcome: 'partial', memorized: 1 })
    expect(report.failures).toHaveLength(3)
    expect(server.log.filter(({ path }) => path === '/limited')).toHaveLength(1)
  })
})
