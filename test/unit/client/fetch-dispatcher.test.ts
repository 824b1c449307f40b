import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'

const run = promisify(execFile)
const MODULE = pathToFileURL(packagePath('src/client/fetch-dispatcher.ts')).href
/** A server that closes the connection while its body waits to be read. */
const PROGRAM = `
  import { createServer } from 'node:net'
  import { setTimeout as wait } from 'node:timers/promises'
  import { installFetchDispatcher } from '${MODULE}'
  installFetchDispatcher({})
  const body = Buffer.alloc(64 * 1024, 'a')
  const head = 'HTTP/1.1 200 OK\\r\\ncontent-length: ' + body.length + '\\r\\nconnection: close\\r\\n\\r\\n'
  const closed = Promise.withResolvers()
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(head)
      socket.end(body)
    })
    socket.once('close', closed.resolve)
    socket.on('error', () => {})
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const response = await fetch('http://127.0.0.1:' + server.address().port)
  await closed.promise
  await wait(100)
  process.stdout.write(String((await response.text()).length))
  server.close()
`

test('a server that closes its connection before a body is read ends no process, and the body is complete', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', PROGRAM])
  expect(stdout).toBe(String(64 * 1024))
})
