import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { NO_TELEMETRY } from '../../../src/lib/telemetry.ts'
import { BodyStorage } from '../../../src/store/bodies/body-storage.ts'
import { openS3Blobs } from '../../../src/store/s3/s3-blobs.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { Writer } from '../../../src/store/sqlite/writer.ts'
import type { WriteCommandRunner } from '../../../src/store/write-commands.ts'
import { sampleAccount, sampleUpload } from '../../contract/store-samples.ts'
import { startS3Server } from '../../fakes/s3-server.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const { log } = recordingLog()

test('an object stays when the commit that refers to it succeeded and its answer was lost', async () => {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const blobs = { blobs: openS3Blobs(s3.url()), leastBytes: 1 }
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log, bodies: blobs })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  const scope = { accountId: 'a', sources: 'all' } as const

  const writer = await Writer.start(file, log, systemClock)
  onTestFinished(() => writer.close())
  const forgetful: WriteCommandRunner = {
    call: (name, ...parameters) =>
      writer.call(name, ...parameters).then((result) => {
        if (name === 'putItem') throw new AppError('unavailable', 'the connection was lost')
        return result
      }),
    callWith: (transfer, name, ...parameters) => writer.callWith(transfer, name, ...parameters),
  }
  const bodies = new BodyStorage(forgetful, blobs, { log, meter: NO_TELEMETRY.meter, clock: systemClock })
  const upload = sampleUpload('note', 'words')
  await expect(bodies.put(scope, upload)).rejects.toMatchObject({ message: 'the connection was lost' })

  expect(await store.bodies.stats()).toMatchObject({ inStorage: { items: 1 }, garbage: 0, unfinished: 0 })
  expect(await store.scoped(scope).readBody({ itemId: 'note', sourceType: 'text' })).toEqual(upload.body)
})
