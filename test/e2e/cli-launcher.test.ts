import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/kit/package-root.ts'
import { recalld, startRecalld } from '../kit/recalld-process.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'

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
