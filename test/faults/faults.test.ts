import { expect, onTestFailed, test } from 'vitest'
import { OwnPostgres } from '../lib/own-postgres.ts'
import { faultRun } from './fault-run.ts'

/** Takes half a minute of processor time, and a busy machine to itself: too much for every change. */
const leftOut = process.env.RECALLD_TEST_FAULTS === undefined ? 'RECALLD_TEST_FAULTS is not set' : OwnPostgres.leftOut
if (leftOut !== undefined) console.warn(`Many processes are not tested while things break: ${leftOut}`)

/** Two for each kind of fault; with the start before it and the checks after it, less than a minute. */
const SECONDS = 22

test.skipIf(leftOut !== undefined)(
  'many processes lose nothing, double nothing and answer nothing wrong, whatever breaks around them',
  async () => {
    const seed = Number(process.env.RECALLD_CRASH_SEED ?? Date.now() % 1_000_000)
    onTestFailed(() => console.error(`Run again with RECALLD_CRASH_SEED=${seed}`))
    const report = await faultRun({ seed, seconds: SECONDS })
    expect(report.violations).toEqual([])
    expect(report.findings).toEqual([])
    expect(Object.keys(report.faults).length).toBeGreaterThan(4)
    expect(report.answers).toMatchObject({ 'upload 200': expect.any(Number), 'recall 200': expect.any(Number) })
  },
  600_000,
)
