import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../../src/models/static/static-embedder.ts'
import { recallMemories } from '../../../src/retrieval/recall.ts'
import type { SearchIndex } from '../../../src/store/search/search.ts'
import { startService } from '../../lib/start-service.ts'

test('an item that is replaced while a question is answered is found with its new text', async () => {
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
  const racing: SearchIndex = {
    ...index,
    async nearest(query) {
      const hits = await index.nearest(query)
      if (!isReplaced) {
        isReplaced = true
        await replace()
      }
      return hits
    },
  }
  const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
  const question = { text: 'where is the copper kettle', now: new Date(), timeZone: 'UTC' }
  const { memories } = await recallMemories(question, { index: racing, embedder })
  expect(memories.map(({ row }) => row.content.body)).toEqual(['The copper kettle stands in the attic now.'])
})
