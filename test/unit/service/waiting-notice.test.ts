import { expect, test } from 'vitest'
import { startService } from '../../lib/start-service.ts'

test('an answer that was not found says how many uploads are still being processed', async () => {
  await using running = await startService({ work: false })
  const { service, key } = running
  const principal = await service.authenticate(key)
  const ask = async (asking = principal) => (await service.ask(asking, { text: 'Who repaired the kiln?' })).notice
  expect(await ask()).toBeUndefined()

  const memorize = (itemId: string) =>
    service.memorize(principal, {
      sourceType: 'text',
      itemId,
      userName: 'Ada',
      fileName: `${itemId}.txt`,
      contentType: 'text/plain',
      body: new TextEncoder().encode('Gil repaired the kiln.'),
    })
  await memorize('first')
  expect(await ask()).toBe('One item is still being processed. Ask again when this is done.')
  await memorize('second')
  expect(await ask()).toBe('2 items are still being processed. Ask again when this is done.')
  expect(await ask(await service.authenticate(await running.keyFor(['slack'])))).toBeUndefined()
})

test('an answer that was found says nothing about uploads that are still being processed', async () => {
  await using running = await startService()
  const principal = await running.service.authenticate(running.key)
  await running.upload('The kiln was repaired by Gil Moreau.')
  const { abstained, notice } = await running.service.ask(principal, { text: 'Who repaired the kiln?' })
  expect([abstained, notice]).toEqual([false, undefined])
})
