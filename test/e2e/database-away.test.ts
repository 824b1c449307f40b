import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { freePort } from '../lib/free-port.ts'
import { httpCall } from '../lib/http-call.ts'
import { recalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** Settings that name a database server which ends every connection. */
async function withoutDatabase() {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const { port } = address
  const url = `postgres://recalld:hidden-word@127.0.0.1:${port}/memory?sslmode=disable`
  return { port, env: { RECALLD_HOME: temporaryFolder(), RECALLD_DATABASE_URL: url } }
}

test('a service whose database is away says for which it waits and that it lives, until it is asked to end', async () => {
  const { port, env } = await withoutDatabase()
  const metricsPort = await freePort()
  const child = spawn(process.execPath, [packagePath('bin/recalld.js'), 'up', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ...env, RECALLD_METRICS_PORT: `${metricsPort}` },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await until(async () => said.includes('waiting for the database'))
  const probe = async (path: string) => (await httpCall(`http://127.0.0.1:${metricsPort}${path}`)).status
  expect(await probe('/v1/live')).toBe(200)
  expect(await probe('/v1/ready')).toBe(503)
  expect(await probe('/v1/health')).toBe(503)
  expect(await probe('/metrics')).toBe(200)
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(said).toContain(`127.0.0.1:${port}/memory`)
  expect(said).toContain('SIGTERM: stopped before it was ready.')
  expect(said).not.toContain('hidden-word')
})

test('a command that people wait for says at once that the database is away', async () => {
  const { env } = await withoutDatabase()
  const { code, stderr } = await recalld(['keys', 'list'], env)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("The database can't be used") })
})
