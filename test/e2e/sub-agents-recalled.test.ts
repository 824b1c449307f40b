import { expect, test } from 'vitest'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { startService } from '../lib/start-service.ts'

test.each([
  ['before it', ['side', 'main']],
  ['after it', ['main', 'side']],
])('a sub-agent is found, after the session that asked it, also if it was memorized %s', async (_, order) => {
  await using running = await startService()
  const finding = 'The connection pool leaks in checkout.ts, because the client is not released after a timeout.'
  const side = `---\ntitle: "Sub-agent: Find the leak"\nparents: ["Session s"]\n---\n\n### Tool: Sub-agent task\n\nFind the leak in the connection pool.\n\n## Assistant\n\n${finding} The queue of the kitchen printer has no leak.\n`
  const main = `---\ntitle: Find the leak\n---\n\n## User\n\nWhere does the connection pool leak?\n\n## Assistant\n\n${finding}\n`
  for (const itemId of order) {
    await running.upload(itemId === 'side' ? side : main, { source: 'claude_code', itemId })
    await running.ready(itemId, 'claude_code')
  }
  const memory = createRestMemory({ baseUrl: running.baseUrl, apiKey: running.key })
  const found = async (text: string) =>
    (await memory.recall({ text })).memories.map(({ custom_id: id }) => id.replace(/_.*/, ''))
  expect((await found('Why does the connection pool leak?'))[0]).toBe('main')
  expect(await found('Does the queue of the kitchen printer have a leak?')).toContain('side')
  await memory.close()
})
