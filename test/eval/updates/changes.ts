import { readFileSync } from 'node:fs'
import { packagePath } from '../../../src/lib/files.ts'
import type { Told } from '../../lib/labelled-pair.ts'

/** A value that changed: the two texts that state it, and what is asked about it. */
export interface Change {
  readonly question: string
  /** The question for the older value. */
  readonly before: string
  /** Accepted forms of the newer value, parted by `|`. */
  readonly now: string
  /** The same of the older one. */
  readonly was: string
  readonly older: Told
  readonly newer: Told
}

/**
 * 40 changes of each half, in varied forms, written before anything was tuned on them. `changes-final.jsonl` is measured by
 * `npm run eval -- --updates --final` once the work is done; nobody looks at which of them fail.
 */
export function readChanges(half: 'dev' | 'final'): Change[] {
  const lines = readFileSync(packagePath(`test/eval/updates/changes-${half}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line): Change => JSON.parse(line))
}
