import path from 'node:path'
import { packagePath } from '../../src/lib/files.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { recallMemories } from '../../src/retrieval/recall/recall.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { recordingLog } from '../lib/recording-log.ts'
import type { Corpus } from './corpus.ts'
import { timed } from './measure.ts'

/** Asked before anything is measured: vectors are read and code is compiled. */
const WARM_UP = 100

/** Durations in ms of recall in this process, on the store of a home whose service may run. */
export async function recallInProcess(home: string, corpus: Corpus, count: number): Promise<number[]> {
  const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
  const store = await openSqliteStore({ file: path.join(home, 'recalld.db'), log: recordingLog().log })
  try {
    const [account] = await store.admin.listAccounts()
    if (account === undefined) throw new Error('the home has no account')
    const { index } = store.scoped({ accountId: account.accountId, sources: 'all' })
    const ask = async (number: number) => {
      const input = { text: corpus.question(number), timeZone: account.timeZone, now: new Date() }
      await recallMemories(input, { index, embedder })
    }
    await timed(WARM_UP, 1, (number) => ask(count + number))
    return await timed(count, 1, ask)
  } finally {
    await store.close()
  }
}
