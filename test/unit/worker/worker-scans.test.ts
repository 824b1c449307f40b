import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { createWorker } from '../../../src/worker/worker.ts'
import { findTexts, sampleAccount, sampleUpload } from '../../contract/store-samples.ts'
import { emptySqlite } from '../../lib/empty-sqlite.ts'
import { eventually } from '../../lib/eventually.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const MINUTES = readFileSync(join(import.meta.dirname, '../../fixtures/scans/minutes.png'))
const hasTesseract = spawnSync('tesseract', ['--version']).status === 0

describe('the worker', () => {
  test.skipIf(!hasTesseract)('reads an image in the slow lane, where a note does not wait for it', async () => {
    const { scoped, item } = await started(['eng'])
    await scoped.putItem(image('scan'))
    await scoped.putItem(sampleUpload('note', 'The kettle is broken, and Ada orders another one.'))
    await eventually(async () => expect((await item('note'))?.status).toBe('ready'))
    await eventually(async () => expect((await item('scan'))?.status).toBe('ready'))
    expect(await findTexts(scoped, ['greenhous'])).toEqual([expect.stringContaining('tool shed behind the greenhouse')])
  })

  test('fails an image for good where OCR is off, with the setting to change', async () => {
    const { scoped, item } = await started(undefined)
    await scoped.putItem(image('scan'))
    await eventually(async () => expect((await item('scan'))?.status).toBe('failed'))
    expect((await item('scan'))?.error).toMatch(/set ocr to auto in config.yaml and run "recalld retry"/)
  })

  async function started(ocrLanguages: readonly string[] | undefined) {
    const { log } = recordingLog()
    const store = await openSqliteStore({ file: emptySqlite(join(temporaryFolder(), 'recalld.db')), log })
    onTestFinished(() => store.close())
    await store.admin.createAccount(sampleAccount('a'))
    const modelFolder = packagePath('models/static-en-40k')
    const worker = createWorker({ store, log, modelFolder, ...(ocrLanguages && { ocrLanguages }) })
    onTestFinished(() => worker.stop(0))
    await worker.start()
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    return { scoped, item: (itemId: string) => scoped.findItem({ itemId, sourceType: 'text' }) }
  }
})

function image(itemId: string) {
  return {
    ...sampleUpload(itemId, ''),
    body: new Uint8Array(MINUTES),
    bodyHash: createHash('sha256').update(MINUTES).digest('hex'),
    fileName: 'minutes.png',
    contentType: 'image/png',
  }
}
