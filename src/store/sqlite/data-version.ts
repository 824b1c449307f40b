import type { Connection } from './connection.ts'

/** Changes with every commit of another connection. */
export function dataVersion(connection: Connection): number {
  const [row] = connection.prepareRows('PRAGMA data_version').all() as unknown as [number][]
  return row?.[0] ?? 0
}
