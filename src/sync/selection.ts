import { createHash } from 'node:crypto'
import type { Connection } from './connection.ts'

const STAMP_DIGITS = 8

/** What decides what is taken, and in which form; when it changes, everything is compared again. */
export interface Selection {
  readonly hash: string
  /**
   * A revision as the ledger keeps it: it holds for this selection only, because other settings or another version of
   * the connector can make another document of the same revision.
   */
  stamp(revision: string): string
  /** The revision in a stamp of any selection. */
  unstamp(stamped: string): string
}

export function selectionOf({ connector, config }: Connection): Selection {
  const { version } = connector.manifest
  const rules = JSON.stringify([version, connector.manifest.selection(config)])
  const hash = createHash('sha256').update(rules).digest('hex')
  const prefix = `${hash.slice(0, STAMP_DIGITS)}:`
  return {
    hash,
    stamp: (revision) => prefix + revision,
    unstamp: (stamped) => stamped.slice(prefix.length),
  }
}
