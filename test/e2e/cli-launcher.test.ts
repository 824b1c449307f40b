import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { recalld, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const LAUNCHER = packagePath('bin/recalld.js')
/** The launcher as a Node of this version sees it; the Node that it finds beside it is the real one. */
const onNode = (version: string, launcher = LAUNCHER) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
  launcher,
]

test('a service that is asked to stop ends with 0, also through the launcher on an older Node', async () => {
  const home = join(temporaryFolder(), 'home')
  const service = await startRecalld({ RECALLD_HOME: home }, onNode('20.20.2'))
  expect((await fetch(`${service.address}/v1/health`)).status).toBe(200)
  const { code, signal, stderr } = await service.stop('SIGTERM')
  expect({ code, signal }).toEqual({ code: 0, signal: null })
  expect(stderr).toContain('SIGTERM: finishing what is running.')
})

test.skipIf(process.platform === 'win32')(
  'a service ends when npm, which started it through a shell, is told to',
  async () => {
    const home = join(temporaryFolder(), 'home')
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${LAUNCHER}" up --port 0; true`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, RECALLD_HOME: home, npm_lifecycle_event: 'start' },
    })
    const [greeting] = await once(shell.stdout, 'data')
    const address = /http:\/\/[\d.]+:\d+/.exec(String(greeting))?.[0]
    const closed = once(shell, 'close')
    shell.kill('SIGTERM')
    // The pipe closes when the last that holds it has ended: the service, not the shell.
    await closed
    await expect(fetch(`${address}/v1/health`)).rejects.toThrow('fetch failed')
  },
)

test('a service that was killed leaves nothing that stops the next one', async () => {
  const home = join(temporaryFolder(), 'home')
  const killed = await startRecalld({ RECALLD_HOME: home })
  expect((await killed.stop('SIGKILL')).signal).toBe('SIGKILL')
  const next = await startRecalld({ RECALLD_HOME: home })
  expect(next.greeting).not.toContain('first start')
  expect((await next.stop('SIGINT')).code).toBe(0)
})

test('the exit code of a command is that of the launcher', async () => {
  expect((await recalld(['kyes'], {}, onNode('18.0.0'))).code).toBe(2)
  expect(await recalld(['--version'], {}, onNode('18.0.0'))).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' })
})

test('a demo that is interrupted, or whose reader has seen enough, removes its home all the same', async () => {
  const folder = temporaryFolder()
  const demo = () =>
    spawn(process.execPath, [LAUNCHER, 'demo'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder },
    })
  const interrupted = demo()
  await once(interrupted.stdout, 'data')
  interrupted.kill('SIGINT')
  expect((await once(interrupted, 'exit'))[0]).toBe(1)
  const unread = demo()
  await once(unread.stdout, 'data')
  unread.stdout.destroy()
  expect((await once(unread, 'exit'))[0]).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})
