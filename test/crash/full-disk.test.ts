import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpCall } from '../lib/http-call.ts'
import { startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

// Of util-linux: it takes the right to write to files from a running process, and gives it back.
const canLimit = spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!canLimit)(
  'while nothing can be written the service says so; then it goes on, and nothing is lost',
  async () => {
    const home = join(temporaryFolder(), 'home')
    const service = await startRecalld({ RECALLD_HOME: home, RECALLD_LOG_LEVEL: 'error' })
    onTestFinished(async () => void (await service.stop()))
    const limitFiles = (bytes: string) => execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:`])
    const key: string = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8')).api_key
    const upload = (itemId: string) =>
      httpCall(`${service.address}/v1/memorize`, {
        method: 'POST',
        key,
        form: [
          ['file', new File([`The bicycle called ${itemId} stands in the cellar.`], 'note.txt')],
          ['user_name', 'Ada'],
          ['item_id', itemId],
        ],
      })
    const statuses = async () => {
      const { body } = await httpCall(`${service.address}/v1/files/list?source_type=text`, { key })
      const files = body.files as { item_id: string; status: string }[]
      return Object.fromEntries(files.map(({ item_id, status }) => [item_id, status]))
    }

    for (const n of [1, 2, 3, 4, 5]) expect((await upload(`before-${n}`)).status).toBe(200)
    await until(async () => Object.values(await statuses()).every((status) => status === 'ready'))
    limitFiles('0')
    const refused = await upload('refused')
    expect(refused).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining("The database can't be used") },
    })
    expect(refused.headers.get('retry-after')).toBe('5')
    await until(async () => (await httpCall(`${service.address}/v1/health`)).status === 503)
    expect(Object.keys(await statuses())).toHaveLength(5)

    limitFiles('unlimited')
    expect((await upload('after')).status).toBe(200)
    await until(async () => (await httpCall(`${service.address}/v1/health`)).status === 200)
    await until(async () => Object.values(await statuses()).every((status) => status === 'ready'))
    expect(Object.keys(await statuses()).sort()).toEqual(['after', ...[1, 2, 3, 4, 5].map((n) => `before-${n}`)])
  },
)
