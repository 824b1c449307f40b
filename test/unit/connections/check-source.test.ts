import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { feeds } from '../../../connectors/feeds/feeds.ts'
import { checkSource } from '../../../src/connections/check-source.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { feedServer } from '../../fakes/feed-server.ts'
import { freePort } from '../../lib/free-port.ts'
import { startService } from '../../lib/start-service.ts'
import { syncEnvironment } from '../../lib/sync-environment.ts'

test('a connection is refused before it is saved when no server answers at its address', async () => {
  const service = await startService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const memory = bindMemory(service.service, () => service.service.authenticate(service.key))
  const environment = syncEnvironment({ ledger: service.store.ledger(randomUUID()), memory })
  const server = await feedServer()
  server.pages.set('/feed', { body: '{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": []}' })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const check = (url: string) => {
    const config = feeds.manifest.config.parse({ name: 'news', urls: [url] })
    return checkSource({ connector: feeds, config }, environment, new AbortController().signal)
  }
  await expect(check(`${server.origin}/feed`)).resolves.toEqual({ account: 'local', warnings: [] })
  await expect(check(`http://127.0.0.1:${await freePort()}/feed`)).rejects.toMatchObject({ code: 'invalid' })
})
