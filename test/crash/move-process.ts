import { moveStore } from '../../src/store/move/move-store.ts'
import { openPostgresSide } from '../../src/store/move/postgres-side.ts'
import { openSqliteSide } from '../../src/store/move/sqlite-side.ts'

/** The process that the crash test of moves kills. It tells of each batch that is durable. */
const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: nothing, error: console.error }
const [direction, file = '', url = ''] = process.argv.slice(2)

const isThere = direction === 'to-postgres'
const sqlite = () => openSqliteSide(file, isThere ? 'source' : 'target')
const source = isThere ? sqlite() : await openPostgresSide(url, 'source', log)
const target = isThere ? await openPostgresSide(url, 'target', log) : sqlite()
await moveStore({ source, target, isDraft: !isThere, onRows: (rows) => process.send?.(rows) })
process.send?.('moved')
await source.close()
await target.close()
process.disconnect()
