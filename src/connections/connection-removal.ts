import type { ConnectionName, Ledger } from '../store/ledger/ledger.ts'

/** Of the ledger: not empty while what came by a connection is being forgotten. */
export function removalFact({ connector, name }: ConnectionName): string {
  return `removing ${connector}/${name}`
}

/** It is through, or was thought better of. */
export async function endRemoval(ledger: Ledger, ref: ConnectionName): Promise<void> {
  const fact = removalFact(ref)
  if (await ledger.readFact(fact)) await ledger.writeFact(fact, '')
}
