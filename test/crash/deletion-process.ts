import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

/** The process that the crash test of deletions kills. It tells of each step that is durable, and waits before the next. */
const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: console.error, error: console.error }
const [file = ''] = process.argv.slice(2)

const store = await openSqliteStore({ file, log })
await store.deletions.begin('a', { type: 'server' })
process.send?.('begun')
for (let isGone = false; !isGone; ) {
  isGone = (await store.deletions.goOn('a')).receipt !== undefined
  process.send?.(isGone ? 'gone' : 'step')
}
await store.close()
process.disconnect()
