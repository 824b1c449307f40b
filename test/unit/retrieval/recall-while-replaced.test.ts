import { expect, test } from 'vitest'
import { recallMemories } from '../../../src/retrieval/recall/recall.ts'
import type { SearchIndex } from '../../../src/store/search/search.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'
import { startService } from '../../lib/start-service.ts'

test.each([
  ['after the nearest are found', 'nearest'],
  ['before the texts of the best are read', 'passages'],
] as const)('an item that is replaced %s is found with its new text', async (_, step) => {
  await using running = await startService()
  const { store, service, key, accountId } = running
  await running.upload('The copper kettle stands in the pantry.', { itemId: 'kettle' })
  const principal = await service.authenticate(key)
  const replace = async () => {
    await service.memorize(principal, {
      body: new TextEncoder().encode('The copper kettle stands in the attic now.'),
      fileName: 'kettle.txt',
      userName: 'Ada Lovelace',
      itemId: 'kettle',
      onConflict: 'replace',
    })
    await running.ready('kettle')
  }
  const { index } = store.scoped({ accountId, sources: 'all' })
  let isReplaced = false
  const replaceOnce = async () => {
    if (isReplaced) return
    isReplaced = true
    await replace()
  }
  const racing: SearchIndex = {
    ...index,
    async nearest(query) {
      const hits = await index.nearest(query)
      if (step === 'nearest') await replaceOnce()
      return hits
    },
    async passages(ids) {
      if (step === 'passages') await replaceOnce()
      return index.passages(ids)
    },
  }
  const embedder = await builtInEmbedder()
  const question = { text: 'where is the copper kettle', now: new Date(), timeZone: 'UTC' }
  const { memories } = await recallMemories(question, { index: racing, embedder })
  expect(memories.map(({ row }) => row.content.body)).toEqual(['The copper kettle stands in the attic now.'])
})
