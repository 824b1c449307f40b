import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type McpProcess, startMcp } from '../lib/mcp-process.ts'
import { recalld, startRecalld } from '../lib/recalld-process.ts'
import { startService } from '../lib/start-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const RECALL = { name: 'recall', arguments: { query: 'When does the billing migration start?' } }

async function recallText(mcp: McpProcess): Promise<{ text: string; isError: boolean }> {
  const { result } = await mcp.request('tools/call', RECALL)
  return { text: JSON.stringify(result?.content), isError: result?.isError === true }
}

test('with a service that is not there yet it says what to do, and works once it is', async () => {
  const home = { RECALLD_HOME: join(temporaryFolder(), 'home') }
  const mcp = startMcp(home)
  await mcp.initialize()
  expect((await mcp.request('tools/list')).result?.tools).toHaveLength(4)
  const before = await recallText(mcp)
  expect(before).toMatchObject({ isError: true, text: expect.stringContaining('recalld up') })

  const first = await startRecalld(home)
  expect(await recallText(mcp)).toMatchObject({ isError: false })
  await first.stop()
  const between = await recallText(mcp)
  expect(between).toMatchObject({ isError: true, text: expect.stringContaining(first.address) })
  expect(between.text).toContain('recalld up')

  // On another port, and with another key.
  const second = await startRecalld(home)
  expect(await recallText(mcp)).toMatchObject({ isError: false })
  expect((await recalld(['keys', 'regenerate', 'default'], home)).code).toBe(0)
  expect(await recallText(mcp)).toMatchObject({ isError: false })
  await second.stop()
})

test('a key that is no longer valid is named, with the remedy', async () => {
  await using service = await startService({ work: false })
  const mcp = startMcp({ RECALLD_URL: service.baseUrl, RECALLD_API_KEY: 'rk_gone' })
  await mcp.initialize()
  const { text, isError } = await recallText(mcp)
  expect(isError).toBe(true)
  expect(text).toContain('RECALLD_API_KEY')
  expect(text).not.toContain('rk_gone')
})
