import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdConnection } from '../lib/held-connection.ts'
import { rawCall } from '../lib/http-call.ts'
import { startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

// Windows has no such limit.
const canLimit = process.platform !== 'win32'
const HALF_A_REQUEST = 'POST /v1/memorize HTTP/1.1\r\nhost: localhost\r\nx-half: '

test.skipIf(!canLimit).each([
  ['a trusted address', '127.0.0.1'],
  ['another address', '127.0.0.2'],
])(
  'a process that may open 256 files answers while 400 half-sent requests of %s come, and after them',
  async (_, from) => {
    const home = join(temporaryFolder(), 'home')
    const env = { RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'warn' }
    const service = await startRecalld(env, undefined, { openFiles: 256 })
    onTestFinished(async () => void (await service.stop()))
    const port = Number(new URL(service.address).port)
    const held: Disposable[] = []
    onTestFinished(() => {
      for (const connection of held) connection[Symbol.dispose]()
    })
    // On a connection of its own: a kept one may be ended in favour of those still waiting to be accepted.
    const statusOf = async (path: string) =>
      (await rawCall(port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)).status
    for (let n = 1; n <= 400; n++) {
      held.push(await holdConnection(port, HALF_A_REQUEST, from))
      if (n % 100 === 0) expect(await statusOf('/v1/health')).toBe(200)
    }
    expect(await statusOf('/app')).toBeLessThan(500)
    for (const connection of held.splice(0)) connection[Symbol.dispose]()
    expect(await statusOf('/v1/health')).toBe(200)
    expect(await service.stop()).toMatchObject({ code: 0 })
  },
)

test.skipIf(!canLimit)('a process that may open 64 files says so, and does not start', async () => {
  const home = join(temporaryFolder(), 'home')
  await expect(startRecalld({ RECALLD_HOME: home }, undefined, { openFiles: 64 })).rejects.toThrow(
    /can open 64 files, but recalld needs at least 192.*LimitNOFILE/,
  )
})
