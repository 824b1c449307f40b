import { setTimeout as sleep } from 'node:timers/promises'
import type { Connections, HeldConnection } from './connections.ts'

/** The server may be starting again, or its failover under way. */
const ASK_FOR_MS = 20_000
const ASK_EVERY_MS = 250

/** The number of the transaction that is open, by which it can be asked for later; `undefined` when it wrote nothing. */
export async function transactionNumber(connection: HeldConnection): Promise<string | undefined> {
  const [row] = await connection.run('select pg_current_xact_id_if_assigned()::text as number')
  return typeof row?.number === 'string' ? row.number : undefined
}

/** Whether a transaction was committed to which nobody heard the answer; `undefined` when that cannot be learnt in time. */
export async function wasCommitted(connections: Connections, number: string): Promise<boolean | undefined> {
  for (const until = performance.now() + ASK_FOR_MS; performance.now() < until; await sleep(ASK_EVERY_MS)) {
    const status = await statusOf(connections, number).catch(() => undefined)
    if (status === 'committed') return true
    if (status === 'aborted') return false
  }
  return undefined
}

async function statusOf(connections: Connections, number: string): Promise<unknown> {
  const connection = await connections.take()
  let isBroken = true
  try {
    const [row] = await connection.run(`select pg_xact_status('${number}') as status`)
    isBroken = false
    return row?.status
  } finally {
    connection.release(isBroken)
  }
}
