import { expect, onTestFinished, test, vi } from 'vitest'
import { embeddingChoices } from '../../src/administration/embedding-choice.ts'
import { languageModelChoices } from '../../src/administration/language-model-choice.ts'
import { rerankerChoices } from '../../src/administration/reranker-choice.ts'
import { settingsService } from '../../src/administration/settings-service.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { appVisit, PASSWORD } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'
import { idleModelJobs } from '../lib/idle-model-jobs.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** So long an owner waits for the deletion of an account, and so long in this test. */
const ANSWER_MS = 20_000
const SHORT_MS = 300
/** What began before may not come to be in the bucket any more. */
const GIVEN_UP_MS = 16 * 60_000

/** A person and their account, to which an upload is under way that the bucket does not answer. */
async function duringAnUpload() {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const stack = new AsyncDisposableStack()
  onTestFinished(() => stack.disposeAsync())
  const home = temporaryFolder()
  let aheadMs = 0
  const jobs = idleModelJobs(home)
  const config = loadConfig({ home, file: homeFiles(home).config, env: {} })
  const ada = await appVisit({
    bodies: { blobs: openS3Blobs(s3.url('recalld'), { tries: 1 }), leastBytes: 1_000 },
    work: false,
    clock: () => new Date(Date.now() + aheadMs),
    door: ({ store }) => ({
      settingsService: settingsService(
        {
          ...{ config, store, version: '1.0.0', env: {}, connections: async () => [] },
          modelJobs: jobs,
          embeddings: embeddingChoices({ files: homeFiles(home), env: {}, spaces: store.spaces, jobs }),
          languageModels: languageModelChoices({ files: homeFiles(home), env: {}, look: () => Promise.resolve() }),
          rerankers: rerankerChoices({ files: homeFiles(home), env: {}, look: () => Promise.resolve() }),
          language: () => undefined,
          ranking: () => ({}),
        },
        stack,
      ),
    }),
  })
  onTestFinished(() => ada[Symbol.asyncDispose]())
  const { baseUrl, key } = ada.running
  s3.fault = ({ method }) => (method === 'PUT' ? 'silent' : undefined)
  const uploading = httpCall(`${baseUrl}/v1/memorize`, {
    method: 'POST',
    key,
    form: [
      ['file', new File(['x'.repeat(2_000)], 'note.txt', { type: 'text/plain' })],
      ['user_name', 'Ada'],
      ['source_type', 'text'],
    ],
  })
  await until(async () => s3.requests.some(({ method }) => method === 'PUT'))
  const later = () => {
    aheadMs = GIVEN_UP_MS
  }
  return { s3, ada, uploading, later }
}

test('an account whose deletion takes longer than a person waits is gone at once, and its receipt comes later', async () => {
  const { s3, ada, uploading, later } = await duringAnUpload()
  const { accountId, service, running, login } = ada
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === ANSWER_MS ? SHORT_MS : ms))
  onTestFinished(() => limits.mockRestore())

  const answer = await ada.call('/account', { method: 'DELETE', body: { name: 'Ada' } })
  expect(answer).toMatchObject({ status: 202, body: { account_id: accountId, name: 'Ada', state: 'begun' } })
  expect(limits).toHaveBeenCalledWith(ANSWER_MS)

  expect((await httpCall(`${running.baseUrl}/v1/files/list`, { key: running.key })).status).toBe(401)
  expect(await ada.session()).toMatchObject({ signed_in: false })
  const again = { login, password: PASSWORD }
  expect((await ada.call('/sign-in/password', { method: 'POST', body: again })).status).toBe(401)
  expect(await service.deletions.receipts()).toEqual([])

  await s3.goAway()
  expect((await uploading).status).toBeGreaterThanOrEqual(400)
  s3.fault = undefined
  await s3.back()
  later()
  await until(async () => (await service.deletions.resume(new AbortController().signal)) === 1)
  expect(await service.deletions.receipts()).toMatchObject([{ accountId, name: 'Ada', items: 0 }])
  expect(s3.objects.size).toBe(0)
})
