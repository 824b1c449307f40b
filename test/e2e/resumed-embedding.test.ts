import { writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { homeModelJobs } from '../../src/administration/embedding-model-jobs.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { openModels } from '../../src/models/configured/open-models.ts'
import { PluggedIn } from '../../src/models/configured/plugged-in.ts'
import { EMBEDDING_SETTINGS } from '../../src/models/model-settings.ts'
import { startOpenAiServer, wordVector } from '../fakes/openai-server.ts'
import { builtInEmbedder } from '../lib/built-in-embedder.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { startService } from '../lib/start-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** A memory with a dog in it, and a provider that embeds all but the dog until it is `whole`. */
async function startHome() {
  const server = await startOpenAiServer()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const running = await startService()
  onTestFinished(() => running.stop())
  await running.upload('Our dog sleeps under the table.', { itemId: 'dog' })
  const files = homeFiles(temporaryFolder())
  const entry = { provider: 'openai-compatible', model: 'bge', url: server.url, dimensions: 8 }
  const { embedding } = await openModels({ embedding: EMBEDDING_SETTINGS.parse(entry) }, { cacheFolder: files.models })
  const plugged = new PluggedIn(embedding)
  const embedder = await builtInEmbedder()
  server.embed(({ input }) =>
    input.some((text) => text.includes('dog')) ? { status: 503 } : input.map((text) => wordVector(text, 8)),
  )
  const { store, service } = running
  return {
    whole: () => server.embed(({ input }) => input.map((text) => wordVector(text, 8))),
    save: () => writeFileSync(files.config, `models: ${JSON.stringify({ embedding: entry })}\n`),
    active: async () => (await store.spaces.list()).find(({ state }) => state === 'active')?.model.model,
    unset: () => void plugged.replace(undefined, () => Promise.resolve()),
    building: async () => (await store.spaces.list()).some(({ state }) => state === 'building'),
    start() {
      const jobs = homeModelJobs({
        ...{ files, plugged, store, service, embedder, version: '1.2.3', env: {}, log: recordingLog().log },
        look: () => Promise.resolve(),
      })
      onTestFinished(() => jobs.close())
      return jobs
    },
  }
}

test('a model whose vectors were being filled when the service ended is used once they are all there', async () => {
  const home = await startHome()
  const before = home.start()
  before.fill('openai-compatible:bge', home.save)
  await until(home.building)
  await before.close()
  expect(await home.active()).toBeUndefined()

  home.whole()
  const after = home.start()
  after.resume()
  expect(after.isBusy).toBe(true)
  await until(async () => (await home.active()) === 'bge')
  await until(async () => !after.isBusy)
  const later = home.start()
  later.resume()
  expect(later.isBusy).toBe(false)
})

test('a model that was given up while it was filled stays unused after the next start', async () => {
  const home = await startHome()
  const before = home.start()
  before.fill('openai-compatible:bge', home.save)
  await until(home.building)
  await before.empty('openai-compatible:bge', home.unset)
  await before.close()
  home.whole()
  const after = home.start()
  after.resume()
  expect(after.isBusy).toBe(false)
  expect([await home.active(), await home.building()]).toEqual([undefined, false])
})
