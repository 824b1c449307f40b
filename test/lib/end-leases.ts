import pg from 'pg'

/**
 * Lets the time go by that leases of items (15 s) and of runs (30 s) last, for those of a process that was killed. The
 * contracts of the queue and the ledger show by their clock that a lease ends.
 */
export async function endLeases(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('update job set ready_at = 0 where lease_token is not null')
    await client.query('update ledger_connection set lease_until = 0 where lease_holder is not null')
  } finally {
    await client.end()
  }
}
