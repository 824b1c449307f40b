import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../lib/free-port.ts'
import { startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

/** Sends this much of a request, and nothing more. */
async function openTo(port: number, begun: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (begun !== '') await new Promise((resolve) => socket.write(begun, resolve))
}

test('a service that is stopped ends in order, whatever its clients leave open', async () => {
  const metricsPort = await freePort()
  const env = { RECALLD_HOME: temporaryFolder(), RECALLD_METRICS_PORT: `${metricsPort}` }
  const service = await startRecalld(env)
  onTestFinished(async () => void (await service.stop('SIGKILL')))
  const port = Number(new URL(service.address).port)
  const head = 'POST /v1/memorize HTTP/1.1\r\nHost: 127.0.0.1\r\n'
  for (const one of [port, metricsPort]) {
    await openTo(one, '')
    await openTo(one, head)
  }
  await openTo(port, `${head}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b`)
  const { code, stderr } = await service.stop()
  expect(stderr).not.toContain('not everything ended')
  expect(stderr).toContain('"stopped"')
  expect(code).toBe(0)
})
