import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs before tests of the pages (vitest `globalSetup`): names the folder in which the first of them makes the samples for all. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'recalld-samples-'))
  process.env.RECALLD_TEST_SAMPLES = folder
  return () => {
    delete process.env.RECALLD_TEST_SAMPLES
    rmSync(folder, { recursive: true, force: true })
  }
}
