import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const MAIL = `From: Wanda Brzezinska <wanda@posteo.example>
To: Tom Vidal <tom@gardens.example>
Date: Mon, 23 Nov 2026 19:12:00 +0000
Subject: Pond
Content-Type: text/plain; charset=utf-8

Hi Tom, the christening starts at eleven, so the men with the tent come on Friday the eleventh at three in the afternoon.
Could the shelf for the marsh plants be twenty-five centimetres wide instead of twenty?
`

test('the text of an edit is wrapped like that of a result, and a person of one day has one date', async () => {
  const folder = temporaryFolder()
  const env = { RECALLD_HOME: join(folder, 'home') }
  const service = await startUp(env)
  onTestFinished(async () => {
    await service.stop()
  })
  writeFileSync(join(folder, 'pond.eml'), MAIL)
  await runCommand(['memorize', join(folder, 'pond.eml'), '--item-id', 'pond', '--user-name', 'Tom Vidal'], env)
  await until(async () => (await runCommand(['list', '--source-type', 'email'], env)).stdout.includes(' ready '))
  const { stdout: page } = await runCommand(['person', 'Wanda'], env)
  expect(page).toContain('1 memory, 2026-11-23 (email 1)')

  expect(await runCommand(['pin', 'pond_memory_0'], env)).toMatchObject({ code: 0 })
  const { stdout: edits } = await runCommand(['edits'], env)
  expect(edits.replaceAll(/\s+/g, ' ')).toContain('the christening starts at eleven')
  expect(edits.split('\n').filter((line) => line.length > 80)).toEqual([])
})
