import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../src/lib/log.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createVectorFiller } from '../../src/worker/vector-filler.ts'
import { wordEmbedder } from '../lib/word-embedder.ts'

/** The process that the crash test of reindexing kills: begins the space when it is not there, and fills it. */
const nothing = () => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: console.error }
const [file = ''] = process.argv.slice(2)

const store = await openSqliteStore({ file, log })
const embedder = wordEmbedder({ maxBatch: 8 })
// So that most kills come while the model works or a batch is written.
embedder.before = () => delay(10)
const { id: spaceId, dimensions } = embedder.space
await store.spaces.begin({ spaceId, dimensions, model: { provider: 'test', model: 'words' }, background: 0 })
// A short lease, so that what a killed process held is free again when the next one is up.
const filler = createVectorFiller({ spaces: store.spaces, embedder, log, leaseMs: 100 })
filler.start()
process.send?.('filling')
